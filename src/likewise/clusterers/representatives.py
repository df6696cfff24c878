"""Few points that stand for many: by k-means, or by cutting the pile along random directions."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning

from likewise.clusterers.links import Labels
from likewise.items import Matrix

_ROUNDS = 20  # of k-means; representatives need not be optimal


@dataclass(frozen=True)
class Representatives:
    """Points that stand for items, and which of them stands for each item."""

    points: npt.NDArray[Any]  # (m, d), of the same precision as the items
    of_item: Labels  # (n,)


def by_kmeans(
    X: Matrix,
    n_points: int,
    rng: np.random.Generator,
    weights: npt.NDArray[np.float64] | None = None,
    rounds: int = _ROUNDS,
) -> Representatives:
    """The centres of k-means, begun at random rows; rows may weigh more than one.

    Fewer come back where there are not as many different rows or a cluster ran empty.
    """
    n = X.shape[0]
    if n_points >= n:
        return _each_its_own(X)
    chance = None if weights is None else weights / weights.sum()
    first = X[np.sort(rng.choice(n, n_points, replace=False, p=chance))]
    start = first.toarray() if sp.issparse(first) else first
    model = KMeans(n_points, init=start, n_init=1, max_iter=rounds, tol=1e-3, algorithm="lloyd")
    of_item = _quietly(model, X, weights)
    used, of_item = np.unique(of_item, return_inverse=True)
    return Representatives(model.cluster_centers_[used], of_item.astype(np.int64))


def by_random_trees(X: Matrix, n_points: int, rng: np.random.Generator) -> Representatives:
    """The means of the leaves of a random projection tree.

    Always the largest leaf is cut next, at the median of its items along a random direction.
    """
    if n_points >= X.shape[0]:
        return _each_its_own(X)
    of_item = np.zeros(X.shape[0], dtype=np.int64)
    leaves = [np.arange(X.shape[0])]
    whole: set[int] = set()  # leaves of equal rows
    while len(leaves) < n_points and len(whole) < len(leaves):
        sizes = [0 if k in whole else len(leaf) for k, leaf in enumerate(leaves)]
        widest = int(np.argmax(sizes))
        leaf = leaves[widest]
        along = np.asarray(X[leaf] @ rng.standard_normal(X.shape[1]))
        # By order, not by value: of equal rows some may go either way, and the cut stays even.
        order = np.argsort(along, kind="stable")
        if along[order[0]] == along[order[-1]]:
            whole.add(widest)
            continue
        half = len(leaf) // 2
        leaves[widest] = np.sort(leaf[order[:half]])
        leaves.append(np.sort(leaf[order[half:]]))
    for name, leaf in enumerate(leaves):
        of_item[leaf] = name
    points = np.stack([np.asarray(X[leaf].mean(axis=0)).ravel() for leaf in leaves])
    return Representatives(points, of_item)


def _each_its_own(X: Matrix) -> Representatives:
    return Representatives(X.toarray() if sp.issparse(X) else X, np.arange(X.shape[0]))


def _quietly(model: KMeans, X: Matrix, weights: Any) -> Labels:
    """Labels of the rows; that duplicates leave some centres without any is no news here."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return np.asarray(model.fit(X, sample_weight=weights).labels_)
