"""Centres of clusters: where to begin, distances to them, and their means."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from likewise.clusterers.base import Labels, LinkedGroups

Points = npt.NDArray[np.float64]  # (n, d)


def square_distances(points: Points, centres: Points) -> npt.NDArray[np.float64]:
    """Squared Euclidean distances, (n, centres)."""
    squares = (points**2).sum(axis=1)[:, None] - 2 * points @ centres.T + (centres**2).sum(axis=1)
    return np.asarray(np.maximum(squares, 0.0))


def sums_by(labels: Labels, values: Points, n_labels: int) -> Points:  # (n_labels, d)
    """The sum of the rows of `values` under each label."""
    return np.stack([np.bincount(labels, column, n_labels) for column in values.T], axis=1)


def means(points: Points, labels: Labels, centres: Points) -> Points:
    """The mean of each cluster; an empty one keeps its centre."""
    counts = np.bincount(labels, minlength=len(centres))
    sums = sums_by(labels, points, len(centres))
    return np.where(counts[:, None] > 0, sums / np.maximum(counts, 1)[:, None], centres)


def compactness(points: Points, labels: Labels) -> float:
    """The index of Calinski and Harabasz: how far clusters are apart, for how wide they are.

    0 where it says nothing, because all items are in one cluster or each in its own.
    """
    n, n_clusters = len(labels), int(labels.max()) + 1
    if not 1 < n_clusters < n:
        return 0.0
    centres = means(points, labels, np.zeros((n_clusters, points.shape[1])))
    within = float(((points - centres[labels]) ** 2).sum())
    apart = ((centres - points.mean(axis=0)) ** 2).sum(axis=1)
    between = float(apart @ np.bincount(labels))
    if within == 0:
        return 1.0
    return between / within * (n - n_clusters) / (n_clusters - 1)


def complete_centres(
    points: Points, n_clusters: int, centres: list[Points], rng: np.random.Generator
) -> Points:
    """The given centres and as many more as are wanted, drawn by k-means++."""
    centres = list(centres) or [points[rng.integers(len(points))]]
    nearest = square_distances(points, np.array(centres)).min(axis=1)
    while len(centres) < n_clusters:
        total = nearest.sum()
        chance = nearest / total if total > 0 else None
        centre = points[rng.choice(len(points), p=chance)]
        centres.append(centre)
        nearest = np.minimum(nearest, square_distances(points, centre[None]).ravel())
    return np.array(centres)


def differing_groups(links: LinkedGroups, most: int) -> list[int]:
    """Up to `most` groups that differ pairwise, picked greedily by size."""
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
