"""k-means in which groups of linked items are never parted."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy.optimize import linear_sum_assignment

from likewise.clusterers.kmeans.centres import (
    complete_centres,
    differing_groups,
    means,
    square_distances,
    square_lengths,
    sums_by,
)
from likewise.clusterers.links import Labels, LinkedGroups

_DRAWS = 4
_DRAWS_BESIDE_START = 2
_ROUNDS = 100


def seeded_kmeans(
    points: npt.NDArray[np.float64],  # (n, d)
    n_clusters: int,
    links: LinkedGroups,
    rng: np.random.Generator,
    start: Labels | None = None,
) -> Labels:
    """Run Lloyd's iteration with linked groups that move as one, and differing ones held apart.

    Groups known to differ pairwise each own a cluster. Several starts are tried and the
    cheapest result wins: the means of those groups, centres drawn by k-means++, and an earlier
    clustering `start`. Odd items are asked about first and make poor means; the other starts
    keep them from spoiling what was good without them. A cluster that runs empty is given the
    point worst served by its own.
    """
    seeds = differing_groups(links, n_clusters)
    members = [points[links.group == seed].mean(axis=0) for seed in seeds]
    starts = [complete_centres(points, n_clusters, members, rng)]
    for _ in range(_DRAWS if start is None else _DRAWS_BESIDE_START):
        drawn = complete_centres(points, n_clusters, [], rng)
        nearest = square_distances(points, drawn).argmin(axis=1)
        starts.append(_centres_of(points, n_clusters, nearest, links, seeds))
    if start is not None and int(start.max()) < n_clusters:
        starts.append(_centres_of(points, n_clusters, start, links, seeds))
    results = [_lloyd(points, centres, links, seeds) for centres in starts]
    return min(results, key=lambda result: result[0])[1]


def _lloyd(
    points: npt.NDArray[np.float64],
    centres: npt.NDArray[np.float64],
    links: LinkedGroups,
    seeds: list[int],
) -> tuple[float, Labels]:
    """Assign and average until nothing moves: the cost and the labels."""
    labels = np.full(len(points), -1, dtype=np.int64)
    lengths = square_lengths(points)
    for _ in range(_ROUNDS):
        cost = square_distances(points, centres, lengths)
        moved = _assign(cost, links.group, links.n_groups, seeds)
        _fill_empty(moved, cost, links.group)
        if np.array_equal(moved, labels):
            break
        labels = moved
        centres = means(points, labels, centres)
    return float(cost[np.arange(len(points)), labels].sum()), labels


def _centres_of(
    points: npt.NDArray[np.float64],
    n_clusters: int,
    start: Labels,
    links: LinkedGroups,
    seeds: list[int],
) -> npt.NDArray[np.float64]:
    """Return the means of a clustering, ordered so that each seed group gets the one it is in."""
    centres = means(points, start, np.tile(points.mean(axis=0), (n_clusters, 1)))
    of_seed = np.zeros((len(seeds), n_clusters))
    for row, seed in enumerate(seeds):
        of_seed[row] = np.bincount(start[links.group == seed], minlength=n_clusters)
    owners = linear_sum_assignment(-of_seed)[1]
    others = np.setdiff1d(np.arange(n_clusters), owners)
    return np.asarray(centres[np.concatenate([owners, others])])


def _assign(
    cost: npt.NDArray[np.float64], group: Labels, n_groups: int, seeds: list[int]
) -> Labels:
    """Return the cheapest cluster for each free point and, as a whole, for each group."""
    labels: Labels = cost.argmin(axis=1)
    if n_groups:
        tied = group >= 0
        of_tied, cost_of_tied = group[tied], cost[tied]
        shared = sums_by(of_tied, cost_of_tied, n_groups)
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
