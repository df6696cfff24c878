"""Items that come after a study: to which of its groups they belong, and whether to any."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from likewise.errors import DataError
from likewise.items import Items, Matrix

Labels = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

_VOTERS = 7  # nearest known items that decide, nearer ones more
_LEVEL = 0.05  # how many items of a known kind may be taken for a new one
_COMPARED = 2000  # known items whose distances say what is usual


@dataclass(frozen=True)
class PredictedGroups:
    """Groups for new items.

    Parameters
    ----------
    groups : array of int (n,)
        The group of each.
    confidence : array (n,)
        The share of the nearest items' votes that its group has, nearer ones and surer ones more.
    new_kind : array of bool (n,)
        Whether it lies farther from its group than 19 of 20 members lie from the rest of theirs.
    """

    groups: Labels
    confidence: Floats
    new_kind: npt.NDArray[np.bool_]


def encode_new_items(items: Items, X: Any) -> tuple[Matrix, Matrix, bool]:
    """Return features of the items and of new ones, and whether the former are what was fitted.

    Parameters
    ----------
    items : Items
        The items of the study; they must have features.
    X : array, sparse matrix, table, texts, picture files or Items
        The new ones, of the kind that the study's are of. Rows of a table may hold texts and
        categories that are new.

    Raises
    ------
    DataError
        If only how alike the old items are is known, columns are missing, or there are none.
    """
    if items.features is None:
        raise DataError(
            "new items need features to be placed by, but only how alike the old ones are is known"
        )
    if isinstance(X, list | tuple) and not X:
        raise DataError("there are no new items; give at least one")
    if items.encoder is not None and not isinstance(X, Items):
        return (*items.encoder.encode(items, X), False)
    return items.features, _features(items, X), True


def assign_new_items(
    old: Matrix, new: Matrix, labels: Labels, confidence: Floats, model: Any = None
) -> PredictedGroups:
    """Assign new items to groups, by the model if it can predict, else by their nearest items.

    Parameters
    ----------
    old, new : arrays or sparse matrices (n, d), (m, d)
        Features of the study's items and of the new ones.
    labels, confidence : arrays (n,)
        The groups of the study's items, and how sure they are.
    model : object, optional
        The clusterer that was fitted to `old`. With a `predict` that is not by centres it decides;
        with `feature_weights_` its metric is used to find neighbours; any other is not asked.
    """
    predicted = None
    # Centres know nothing of links: there the items nearby know better.
    if hasattr(model, "predict") and not hasattr(model, "cluster_centers_"):
        predicted = np.asarray(model.predict(new), dtype=np.int64)
    elif (weights := getattr(model, "feature_weights_", None)) is not None:
        scale = np.sqrt(np.maximum(weights, 0.0))
        old, new = old * scale, new * scale
    from sklearn.neighbors import NearestNeighbors

    search = NearestNeighbors(n_neighbors=min(_VOTERS, old.shape[0]), metric=_metric(old)).fit(old)
    distances, voters = search.kneighbors(new)
    weights = _weights(distances)
    kinds, codes = np.unique(labels, return_inverse=True)
    votes = np.zeros((new.shape[0], len(kinds)))
    sure = np.zeros_like(votes)
    rows = np.arange(new.shape[0])[:, None]
    np.add.at(votes, (rows, codes[voters]), weights)
    np.add.at(sure, (rows, codes[voters]), weights * confidence[voters])
    chosen = votes.argmax(axis=1) if predicted is None else np.searchsorted(kinds, predicted)
    share = sure[rows[:, 0], chosen] / weights.sum(axis=1)
    groups = kinds[chosen].astype(np.int64)
    return PredictedGroups(groups, np.clip(share, 0.0, 1.0), _is_far(old, labels, new, groups))


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


def _weights(distances: Floats) -> Floats:
    """Return what each neighbour's vote weighs; where some are equal to the item, theirs alone."""
    equal = distances == 0
    with np.errstate(divide="ignore"):
        nearer = 1.0 / distances
    return np.where(equal.any(axis=1, keepdims=True), equal, nearer).astype(np.float64)


def _is_far(old: Matrix, labels: Labels, new: Matrix, groups: Labels) -> npt.NDArray[np.bool_]:
    """Return which new items lie farther from their groups than members do.

    A conformal test: how far an item lies from its group is ranked among the distances of members
    to the nearest other member. Groups with too few members for that are judged by all groups'.
    """
    usual: dict[int, Floats] = {}
    rng = np.random.default_rng(0)
    share = min(1.0, _COMPARED / len(labels))
    far = np.zeros(len(groups))
    for label in np.unique(labels).tolist():
        members = np.flatnonzero(labels == label)
        size = max(1, round(share * len(members)))
        compared = np.sort(rng.choice(members, size, replace=False))
        own = old[members]
        if len(members) > 1:
            usual[label] = _nearest(own, old[compared], 1)
        mine = np.flatnonzero(groups == label)
        if len(mine):
            far[mine] = _nearest(own, new[mine], 0)
    together = np.concatenate(list(usual.values())) if usual else np.zeros(0)
    enough = round(1 / _LEVEL) - 1
    is_far = np.zeros(len(groups), dtype=bool)
    for label in np.unique(groups).tolist():
        ranked = usual.get(label, together)
        ranked = np.sort(ranked if len(ranked) >= enough else together)
        mine = np.flatnonzero(groups == label)
        # Distances that differ by rounding alone are equal.
        as_far = len(ranked) - np.searchsorted(ranked, far[mine] * (1 - 1e-9), side="left")
        is_far[mine] = (1 + as_far) / (1 + len(ranked)) <= _LEVEL
    return is_far


def _nearest(among: Matrix, rows: Matrix, skip: int) -> Floats:
    """Return how far the nearest of the items is from each row, after the first `skip`."""
    from sklearn.neighbors import NearestNeighbors

    search = NearestNeighbors(n_neighbors=skip + 1, metric=_metric(among)).fit(among)
    return np.asarray(search.kneighbors(rows)[0][:, skip], dtype=np.float64)


def _metric(features: Matrix) -> str:
    return "cosine" if sp.issparse(features) else "euclidean"
