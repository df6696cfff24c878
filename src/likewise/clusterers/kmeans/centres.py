"""Centres of clusters: where to begin, distances to them, and their means."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from likewise.clusterers.links import Labels, LinkedGroups

Points = npt.NDArray[np.float64]  # (n, d)


_FEW = 1_000_000  # numbers, up to which a sum of rows is quickest number by number


def square_lengths(points: Points) -> npt.NDArray[np.float64]:  # (n,)
    """Return the squared length of every row."""
    return np.asarray((points**2).sum(axis=1))


def square_distances(
    points: Points, centres: Points, lengths: npt.NDArray[np.float64] | None = None
) -> npt.NDArray[np.float64]:
    """Return squared Euclidean distances, (n, centres).

    `lengths`, the points' `square_lengths`, saves whoever moves the centres finding them again.
    """
    if lengths is None:
        lengths = square_lengths(points)
    squares = points @ (2 * centres.T)  # the centres, since they are fewer
    np.subtract(lengths[:, None], squares, out=squares)
    squares += square_lengths(centres)
    return np.asarray(np.maximum(squares, 0.0, out=squares))


def sums_by(labels: Labels, values: Points, n_labels: int) -> Points:  # (n_labels, d)
    """Return the sum of the rows of `values` under each label."""
    n, d = values.shape
    if n * d > _FEW:
        counts = np.bincount(labels, minlength=n_labels)
        order, ends = np.argsort(labels, kind="stable"), np.append(0, np.cumsum(counts))
        return np.asarray(sp.csr_matrix((np.ones(n), order, ends), (n_labels, n)) @ values)
    # In a small pile to make a matrix takes longer than to add; both add in the same order.
    cell = (labels * d)[:, None] + np.arange(d)
    sums = np.bincount(cell.ravel(), values.ravel(), n_labels * d)
    return np.asarray(sums, dtype=np.float64).reshape(n_labels, d)


def means(points: Points, labels: Labels, centres: Points) -> Points:
    """Return the mean of each cluster; an empty one keeps its centre."""
    counts = np.bincount(labels, minlength=len(centres))
    sums = sums_by(labels, points, len(centres))
    return np.where(counts[:, None] > 0, sums / np.maximum(counts, 1)[:, None], centres)


def centres_of(points: Points, labels: Labels) -> Points:  # (n_labels, d)
    """Return the mean of each cluster of labels without gaps."""
    return means(points, labels, np.zeros((int(labels.max()) + 1, points.shape[1])))


def compactness(points: Points, labels: Labels) -> float:
    """Return the index of Calinski and Harabasz: how far clusters are apart, for how wide they are.

    0 where it says nothing, because all items are in one cluster or each in its own.
    """
    n, n_clusters = len(labels), int(labels.max()) + 1
    if not 1 < n_clusters < n:
        return 0.0
    centres = centres_of(points, labels)
    within = float(((points - centres[labels]) ** 2).sum())
    apart = ((centres - points.mean(axis=0)) ** 2).sum(axis=1)
    between = float(apart @ np.bincount(labels))
    if within == 0:
        return 1.0
    return between / within * (n - n_clusters) / (n_clusters - 1)


def complete_centres(
    points: Points, n_clusters: int, centres: list[Points], rng: np.random.Generator
) -> Points:
    """Return the given centres and as many more as are wanted, drawn by k-means++."""
    centres = list(centres) or [points[rng.integers(len(points))]]
    if len(centres) >= n_clusters:
        return np.array(centres)
    lengths = square_lengths(points)
    nearest = square_distances(points, np.array(centres), lengths).min(axis=1)
    while len(centres) < n_clusters:
        centre = points[_drawn(nearest, rng)]
        centres.append(centre)
        away = square_distances(points, centre[None], lengths).ravel()
        nearest = np.minimum(nearest, away)
    return np.array(centres)


def _drawn(weights: npt.NDArray[np.float64], rng: np.random.Generator) -> int:
    """Return a position, each as likely as its weight says; what `Generator.choice` would draw."""
    total = weights.sum()
    if not total > 0:
        return int(rng.choice(len(weights)))
    up_to = (weights / total).cumsum()
    up_to /= up_to[-1]
    return int(up_to.searchsorted(rng.random(), side="right"))


def differing_groups(links: LinkedGroups, most: int) -> list[int]:
    """Return up to `most` groups that differ pairwise, picked greedily by size."""
    sizes = np.bincount(links.group[links.group >= 0], minlength=links.n_groups)
    if not len(links.differing):
        return [int(sizes.argmax())] if len(sizes) else []
    differ = links.differ
    chosen: list[int] = []
    left = np.argsort(-sizes, kind="stable")  # those that differ from all chosen ones
    while len(left) and len(chosen) < most:
        chosen.append(int(left[0]))
        row = differ.indices[differ.indptr[left[0]] : differ.indptr[left[0] + 1]]
        left = left[np.isin(left, row)]
    return chosen
