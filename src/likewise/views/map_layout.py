"""The map: all items in two dimensions, so that alike ones lie near each other."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from scipy.linalg import eigh

from likewise.affinities.within_groups import scatter_within
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
    return _on_the_map(found)


def learned_layout(
    items: Items, labels: npt.NDArray[np.int64], random_state: int = 0
) -> npt.NDArray[np.int64]:  # (n, 2), 0 .. 10 000
    """Return where each item lies on a map that keeps the present groups apart.

    The two directions in which groups differ most, against how items scatter within them. Of one
    group alone, and of items without dense features, it is the ordinary map.

    Parameters
    ----------
    items
        The items.
    labels
        Their groups, numbered from 0.
    random_state
        As of `layout`.

    Examples
    --------
    >>> X = [[0.0, 0.0], [0.1, 9.0], [1.0, 0.1], [1.1, 9.1]]
    >>> (learned_layout(Items.of(X), np.array([0, 0, 1, 1]))[:, 0] > 5000).tolist()
    [False, False, True, True]
    """
    X = items.features
    if X is None or sp.issparse(X) or len(np.unique(labels)) < 2:
        return layout(items, random_state)
    groups = np.unique(labels, return_inverse=True)[1]
    X = np.asarray(X, dtype=np.float64)
    X = (X - X.mean(axis=0)) / np.maximum(X.std(axis=0), 1e-9)
    means, covariance = scatter_within(X, groups)
    sizes, total = np.bincount(groups) / len(X), X.T @ X / len(X)
    # With two groups there is one such direction; the other one is where items differ most.
    between = (means * sizes[:, None]).T @ means + 1e-3 * total
    directions = eigh(between, covariance)[1][:, ::-1][:, :2]
    # Which way a direction points is anybody's choice: its largest part points up.
    directions *= np.sign(
        directions[np.abs(directions).argmax(axis=0), np.arange(directions.shape[1])]
    )
    return _on_the_map(X @ directions)


def _on_the_map(found: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
    """Return places as dots of the map."""
    if found.shape[1] < 2:
        found = np.hstack([found, np.zeros((len(found), 2 - found.shape[1]))])
    low, high = np.percentile(found, [0.5, 99.5], axis=0)  # a few far-away items take no room
    spread = float(np.max(high - low)) or 1.0
    middle = (low + high) / 2
    placed = np.clip((found - middle) / spread + 0.5, 0, 1) * _STEPS
    dots: npt.NDArray[np.int64] = np.rint(placed).astype(np.int64)
    return dots
