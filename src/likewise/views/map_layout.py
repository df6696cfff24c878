"""The map: all items in two dimensions, so that alike ones lie near each other."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from likewise.items import Items

_STEPS = 10_000  # the map is this many dots wide and high; finer no screen shows


def layout(items: Items, random_state: int = 0) -> npt.NDArray[np.int64]:  # (n, 2), 0 .. 10 000
    """Return where each item lies on the map: its first two principal components.

    Items known only by similarities or distances lie by their rows of that matrix.

    Parameters
    ----------
    items
        The items; sparse features are reduced without being made dense.
    random_state
        Seed of the randomised decomposition.

    Returns
    -------
    array of int, shape (n_items, 2)
        Between 0 and 10 000. The longer side is filled by 99 % of the items, the outermost others
        lie on the rim. Equal items lie on one point, the middle.

    Examples
    --------

    >>> layout(Items.of([[0.0, 0.0], [4.0, 4.0], [8.0, 8.0]])).tolist()
    [[0, 5000], [5000, 5000], [10000, 5000]]
    """
    from sklearn.decomposition import PCA, TruncatedSVD

    X = items.data
    n_components = min(2, *X.shape)
    if sp.issparse(X):
        if X.shape[1] <= 2:
            return layout(Items.of(X.toarray()), random_state)
        found = TruncatedSVD(n_components=2, random_state=random_state).fit_transform(X)
    else:
        with np.errstate(divide="ignore", invalid="ignore"):  # all items alike
            found = PCA(n_components=n_components, random_state=random_state).fit_transform(X)
    if found.shape[1] < 2:
        found = np.hstack([found, np.zeros((len(found), 2 - found.shape[1]))])
    low, high = np.percentile(found, [0.5, 99.5], axis=0)  # a few far-away items take no room
    spread = float(np.max(high - low)) or 1.0
    middle = (low + high) / 2
    placed = np.clip((found - middle) / spread + 0.5, 0, 1) * _STEPS
    dots: npt.NDArray[np.int64] = np.rint(placed).astype(np.int64)
    return dots
