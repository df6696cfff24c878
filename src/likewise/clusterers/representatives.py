"""Representatives: few points that stand for many items, and what is clustered in their place.

Shared by KASP and RASP, by `StagedTransducer` and by partitioned piles.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning

from likewise.clusterers.links import Labels, LinkedGroups
from likewise.items import Matrix

Pairs = list[tuple[int, int]]

_ROUNDS = 20  # of k-means; representatives need not be optimal


@dataclass(frozen=True)
class Representatives:
    """Points that represent items, and which of them represents each item."""

    points: npt.NDArray[Any]  # (m, d), of the same precision as the items
    of_item: Labels  # (n,)


def kmeans_representatives(
    X: Matrix,
    n_points: int,
    rng: np.random.Generator,
    weights: npt.NDArray[np.float64] | None = None,
    rounds: int = _ROUNDS,
) -> Representatives:
    """Return the centres of k-means, started at random rows; rows may weigh more than one.

    Fewer come back where there are not as many different rows or a cluster ran empty.
    """
    n = X.shape[0]
    if n_points >= n:
        return _every_item(X)
    chance = None if weights is None else weights / weights.sum()
    first = X[np.sort(rng.choice(n, n_points, replace=False, p=chance))]
    start = first.toarray() if sp.issparse(first) else first
    model = KMeans(n_points, init=start, n_init=1, max_iter=rounds, tol=1e-3, algorithm="lloyd")
    of_item = _fit_without_warning(model, X, weights)
    used, of_item = np.unique(of_item, return_inverse=True)
    return Representatives(model.cluster_centers_[used], of_item.astype(np.int64))


def random_tree_representatives(
    X: Matrix, n_points: int, rng: np.random.Generator
) -> Representatives:
    """Return the means of the leaves of a random projection tree.

    Always the largest leaf is cut next, at the median of its items along a random direction.
    """
    if n_points >= X.shape[0]:
        return _every_item(X)
    of_item = np.zeros(X.shape[0], dtype=np.int64)
    leaves = [np.arange(X.shape[0])]
    uniform: set[int] = set()  # leaves of equal rows
    while len(leaves) < n_points and len(uniform) < len(leaves):
        sizes = [0 if k in uniform else len(leaf) for k, leaf in enumerate(leaves)]
        widest = int(np.argmax(sizes))
        leaf = leaves[widest]
        along = np.asarray(X[leaf] @ rng.standard_normal(X.shape[1]))
        # By order, not by value: of equal rows some may go either way, and the cut stays even.
        order = np.argsort(along, kind="stable")
        if along[order[0]] == along[order[-1]]:
            uniform.add(widest)
            continue
        half = len(leaf) // 2
        leaves[widest] = np.sort(leaf[order[:half]])
        leaves.append(np.sort(leaf[order[half:]]))
    for number, leaf in enumerate(leaves):
        of_item[leaf] = number
    points = np.stack([np.asarray(X[leaf].mean(axis=0)).ravel() for leaf in leaves])
    return Representatives(points, of_item)


@dataclass(frozen=True)
class ReducedItems:
    """Points to cluster in place of all items, the links among them, and the point of each item."""

    points: Matrix  # (m, d)
    of_item: Labels  # (n,)
    must_link: Pairs
    cannot_link: Pairs

    @classmethod
    def of(cls, X: Matrix, representatives: Representatives, links: LinkedGroups) -> ReducedItems:
        """Reduce the items that no link touches; every linked item is a point of its own."""
        n_points = len(representatives.points)
        if n_points == X.shape[0]:  # every item is its own representative already
            point = representatives.of_item
            return cls(X, point, *_links_between(links, point))
        tied = np.flatnonzero(links.group >= 0)
        of_item = representatives.of_item.copy()
        of_item[tied] = n_points + np.arange(len(tied))
        points = np.vstack([representatives.points, _dense(X[tied])])
        # A representative of linked items only represents nobody any more.
        used, of_item = np.unique(of_item, return_inverse=True)
        of_item = of_item.astype(np.int64)
        return cls(points[used], of_item, *_links_between(links, of_item))

    @classmethod
    def of_classes(
        cls,
        X: Matrix,
        representatives: Representatives,
        classes: Labels,
        n_per_class: int,
        rng: np.random.Generator,
    ) -> ReducedItems:
        """Reduce the free items, and the labelled ones of each class by themselves."""
        points = [representatives.points]
        of_item = representatives.of_item.copy()
        begins = [len(representatives.points)]
        for c in range(int(classes.max()) + 1):
            members = np.flatnonzero(classes == c)
            own = kmeans_representatives(X[members], n_per_class, rng)
            of_item[members] = begins[-1] + own.of_item
            points.append(own.points)
            begins.append(begins[-1] + len(own.points))
        must = [
            (begin, point) for begin, end in pairwise(begins) for point in range(begin + 1, end)
        ]
        cannot = [(a, b) for k, a in enumerate(begins[:-1]) for b in begins[k + 1 : -1]]
        return cls(np.vstack(points), of_item, must, cannot)


def _links_between(links: LinkedGroups, point: Labels) -> tuple[Pairs, Pairs]:
    """Return the links between points from which all others follow."""
    first = [int(point[members[0]]) for members in links.members]
    must = [
        (first[group], int(point[member]))
        for group, members in enumerate(links.members)
        for member in members[1:]
    ]
    cannot = [(first[a], first[b]) for a, b in links.differing.tolist()]
    return must, cannot


def _dense(rows: Matrix) -> npt.NDArray[np.float64]:
    return np.asarray(rows.toarray() if sp.issparse(rows) else rows)


def _every_item(X: Matrix) -> Representatives:
    """Let every item represent itself."""
    return Representatives(_dense(X), np.arange(X.shape[0]))


def _fit_without_warning(model: KMeans, X: Matrix, weights: Any) -> Labels:
    """Return labels of the rows without warning that duplicates leave some centres unused."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return np.asarray(model.fit(X, sample_weight=weights).labels_)
