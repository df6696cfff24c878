"""k-means in which groups of linked items are never parted."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from likewise.clusterers.base import Labels, LinkedGroups

_RESTARTS = 5
_ITERATIONS = 100


def seeded_kmeans(
    points: npt.NDArray[np.float64],  # (n, d)
    n_clusters: int,
    links: LinkedGroups,
    rng: np.random.Generator,
) -> Labels:
    """Lloyd's iteration started from linked groups, which move as one.

    The first centres are the means of groups known to differ pairwise, largest first; the rest
    are drawn by k-means++. When the groups supply every centre nothing is random. A cluster that
    runs empty is given the point worst served by its own.
    """
    group, n_groups = links.group, links.n_groups
    seeds = _differing_groups(links, n_clusters)
    best: tuple[float, Labels] | None = None
    for _ in range(1 if len(seeds) == n_clusters else _RESTARTS):
        centres = _first_centres(points, n_clusters, [points[group == g] for g in seeds], rng)
        labels = np.full(len(points), -1, dtype=np.int64)
        for _ in range(_ITERATIONS):
            cost = _square_distances(points, centres)
            moved = _assign(cost, group, n_groups, seeds)
            _fill_empty(moved, cost, group)
            if np.array_equal(moved, labels):
                break
            labels = moved
            centres = _means(points, labels, centres)
        inertia = float(cost[np.arange(len(points)), labels].sum())
        if best is None or inertia < best[0]:
            best = (inertia, labels)
    assert best is not None
    return best[1]


def _differing_groups(links: LinkedGroups, most: int) -> list[int]:
    """Up to `most` groups that differ pairwise, picked greedily by size."""
    sizes = np.bincount(links.group[links.group >= 0], minlength=links.n_groups)
    if not len(links.differing):
        return [int(sizes.argmax())] if len(sizes) else []
    differ = links.differ()
    chosen: list[int] = []
    for candidate in np.argsort(-sizes, kind="stable"):
        row = differ.indices[differ.indptr[candidate] : differ.indptr[candidate + 1]]
        if len(chosen) < most and set(chosen) <= set(row.tolist()):
            chosen.append(int(candidate))
    return chosen


def _first_centres(
    points: npt.NDArray[np.float64],
    n_clusters: int,
    seeds: list[npt.NDArray[np.float64]],
    rng: np.random.Generator,
) -> npt.NDArray[np.float64]:
    centres = [members.mean(axis=0) for members in seeds]
    if not centres:
        centres = [points[rng.integers(len(points))]]
    nearest = _square_distances(points, np.array(centres)).min(axis=1)
    while len(centres) < n_clusters:
        total = nearest.sum()
        chance = nearest / total if total > 0 else None
        centre = points[rng.choice(len(points), p=chance)]
        centres.append(centre)
        nearest = np.minimum(nearest, _square_distances(points, centre[None]).ravel())
    return np.array(centres)


def _square_distances(
    points: npt.NDArray[np.float64], centres: npt.NDArray[np.float64]
) -> npt.NDArray[np.float64]:
    squares = (points**2).sum(axis=1)[:, None] - 2 * points @ centres.T + (centres**2).sum(axis=1)
    return np.asarray(np.maximum(squares, 0.0))


def _assign(
    cost: npt.NDArray[np.float64], group: Labels, n_groups: int, seeds: list[int]
) -> Labels:
    """The cheapest cluster for each free point and, as a whole, for each group."""
    labels: Labels = cost.argmin(axis=1)
    if n_groups:
        tied = group >= 0
        of_tied, cost_of_tied = group[tied], cost[tied]
        shared = np.stack([np.bincount(of_tied, column) for column in cost_of_tied.T], axis=1)
        of_group = shared.argmin(axis=1)
        of_group[seeds] = np.arange(len(seeds))
        labels[tied] = of_group[group[tied]]
    return labels


def _fill_empty(labels: Labels, cost: npt.NDArray[np.float64], group: Labels) -> None:
    """Give every empty cluster the free point that is worst off where it is, in place."""
    counts = np.bincount(labels, minlength=cost.shape[1])
    for cluster in np.flatnonzero(counts == 0):
        own = cost[np.arange(len(labels)), labels]
        movable = (group < 0) & (counts[labels] > 1)
        if not movable.any():
            return
        worst = int(np.where(movable, own, -1.0).argmax())
        counts[labels[worst]] -= 1
        counts[cluster] += 1
        labels[worst] = cluster


def _means(
    points: npt.NDArray[np.float64], labels: Labels, centres: npt.NDArray[np.float64]
) -> npt.NDArray[np.float64]:
    counts = np.bincount(labels, minlength=len(centres))
    sums = np.stack([np.bincount(labels, column, len(centres)) for column in points.T], axis=1)
    return np.where(counts[:, None] > 0, sums / np.maximum(counts, 1)[:, None], centres)
