"""Items that come after a study: to which of its groups they belong."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from likewise.errors import DataError
from likewise.items import Items, Matrix

_VOTERS = 7  # nearest known items that decide, nearer ones more


def assign_new_items(items: Items, labels: npt.NDArray[np.int64], model: Any, X: Any) -> Any:
    """Assign new rows to groups, by the model if it can predict, else by their nearest items.

    Parameters
    ----------
    items : Items
        The items of the study; they must have features.
    labels : array of int (n,)
        Their groups.
    model : object
        The fitted clusterer. With a `predict` that is not by centres it decides; with
        `feature_weights_` its metric is used to find neighbours; any other is not asked.
    X : array, sparse matrix, data frame or Items
        The new rows. Rows of a table are made comparable together with the old ones, so they may
        hold texts and categories that are new.

    Returns
    -------
    array of int
        A group for each new row, decided by the seven nearest items, nearer ones more.

    Raises
    ------
    DataError
        If only how alike the old items are is known, or columns are missing.
    """
    if items.features is None:
        raise DataError(
            "new items need features to be placed by, but only how alike the old ones are is known"
        )
    if hasattr(X, "columns") and items.rows is not None:
        old, new = _together(items, X)
        return _by_neighbours(old, labels, new)
    new = _features(items, X)
    # Centres know nothing of links: there the items nearby know better.
    if hasattr(model, "predict") and not hasattr(model, "cluster_centers_"):
        return np.asarray(model.predict(new))
    weights = getattr(model, "feature_weights_", None)
    if weights is None:
        return _by_neighbours(items.features, labels, new)
    scale = np.sqrt(np.maximum(weights, 0.0))
    return _by_neighbours(items.features * scale, labels, new * scale)


def _features(items: Items, X: Any) -> Matrix:
    """Return new rows in the units of the old ones."""
    if isinstance(X, Items):
        new = X.features
    elif items.prepare is None:
        raise DataError(
            "the items were not given as rows of numbers; give the new ones as Items whose "
            "features are made in the same way"
        )
    else:
        new = items.prepare(X)
    assert items.features is not None
    if new is None or new.shape[1] != items.features.shape[1]:
        found = "none" if new is None else new.shape[1]
        raise DataError(f"new items need {items.features.shape[1]} features but have {found}")
    return new


def _together(items: Items, X: Any) -> tuple[Matrix, Matrix]:
    """Return the features of old and new rows of a table, made in one go."""
    import narwhals as nw
    import pandas as pd

    assert items.rows is not None
    added = nw.from_native(X, eager_only=True)
    old = pd.DataFrame(list(items.rows))
    missing = [name for name in old.columns if name not in added.columns]
    if missing:
        raise DataError(f"the new rows have no column {missing[0]!r}; give them all the columns")
    new = pd.DataFrame(added.rows(named=True))[list(old.columns)]
    both = Items.of(pd.concat([old, new], ignore_index=True)).features
    assert both is not None
    return both[: len(old)], both[len(old) :]


def _by_neighbours(
    old: Matrix, labels: npt.NDArray[np.int64], new: Matrix
) -> npt.NDArray[np.int64]:
    """Assign each new row to the group that its nearest old rows vote for, weighted by distance."""
    from sklearn.neighbors import KNeighborsClassifier

    metric = "cosine" if sp.issparse(old) else "euclidean"
    voters = KNeighborsClassifier(
        min(_VOTERS, old.shape[0]), weights="distance", metric=metric
    ).fit(old, labels)
    return np.asarray(voters.predict(new), dtype=np.int64)
