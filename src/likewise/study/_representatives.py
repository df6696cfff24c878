"""Which items of a large pile stand for all, and which of them are nearest to each item.

Everything here grows in proportion to the number of items: no item is held against every
representative, only against those of the few regions that are nearest to it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from sklearn.decomposition import PCA, TruncatedSVD
from threadpoolctl import threadpool_limits

from likewise.clusterers.representatives import kmeans_representatives
from likewise.items import Matrix

Positions = npt.NDArray[np.int64]
Singles = npt.NDArray[np.float32]

VOTERS = 5  # representatives that an item has its group from
_DIMENSIONS = 50  # as many as `auto` looks at
_SAMPLED = 4  # items for each representative among which k-means looks for them
_ROUNDS = 4  # of k-means: later ones move little
_REGIONS = 6  # of representatives, that are searched for the nearest ones
_BLOCK = 50_000  # items held against regions at a time


def coordinates(features: Matrix, n_sampled: int, seed: int) -> Singles:  # (n, at most 50)
    """Return the items as points of few dimensions, found from a sample of them."""
    n, d = features.shape
    rng = np.random.default_rng([seed, n])
    some = np.sort(rng.choice(n, min(n, n_sampled), replace=False))
    if sp.issparse(features):
        most = max(1, min(_DIMENSIONS, d - 1, len(some) - 1))
        found = TruncatedSVD(most, random_state=seed).fit(features[some])
        points = found.transform(features)
        # By direction, as sparse rows are compared.
        points /= np.maximum(np.linalg.norm(points, axis=1, keepdims=True), 1e-12)
        return np.asarray(points, dtype=np.float32)
    mean = features[some].mean(axis=0)
    if d <= _DIMENSIONS:
        return np.asarray(features - mean, dtype=np.float32)
    axes = PCA(_DIMENSIONS, random_state=seed).fit(features[some]).components_
    return np.asarray((features - mean) @ axes.T, dtype=np.float32)


def choose_representatives(points: Singles, wanted: int, seed: int) -> Positions:
    """Return the items nearest to the centres of k-means on a sample, ascending."""
    n = len(points)
    rng = np.random.default_rng([seed, n, wanted])
    some = points[np.sort(rng.choice(n, min(n, _SAMPLED * wanted), replace=False))]
    # One thread: sums in another order would be other sums, and other representatives.
    with threadpool_limits(1):
        centres = kmeans_representatives(some, wanted, rng, rounds=_ROUNDS).points
    found = nearest(points, np.asarray(centres, dtype=np.float32), 1)
    order = np.lexsort((found.distances[:, 0], found.positions[:, 0]))
    _, first = np.unique(found.positions[order, 0], return_index=True)
    return np.sort(order[first]).astype(np.int64)


@dataclass(frozen=True)
class Nearest:
    """The nearest representatives of every item, the nearest first."""

    positions: npt.NDArray[np.int32]  # (n, k), among the representatives
    distances: Singles  # (n, k)


def nearest(points: Singles, representatives: Singles, k: int) -> Nearest:
    """Return the `k` nearest representatives of every point; nearly always exactly these.

    Representatives are put into regions, about as many as each has members. A point is held against
    the members of the nearest regions alone.
    """
    m = len(representatives)
    n_regions = max(1, round(m**0.5))
    rng = np.random.default_rng(m)
    with threadpool_limits(1):
        regions = kmeans_representatives(representatives, n_regions, rng, rounds=_ROUNDS)
    centres = np.asarray(regions.points, dtype=np.float32)
    members = [np.flatnonzero(regions.of_item == one) for one in range(len(centres))]
    found = np.empty((len(points), k), dtype=np.int32)
    away = np.empty((len(points), k), dtype=np.float32)
    for begin in range(0, len(points), _BLOCK):
        block = slice(begin, begin + _BLOCK)
        found[block], away[block] = _nearest_of_block(
            points[block], representatives, centres, members, k
        )
    return Nearest(found, away)


def _nearest_of_block(
    points: Singles, representatives: Singles, centres: Singles, members: list[Positions], k: int
) -> tuple[npt.NDArray[np.int32], Singles]:
    n_searched = min(_REGIONS, len(centres))
    near = _squares(points, centres).argpartition(n_searched - 1, axis=1)[:, :n_searched]
    found = np.zeros((len(points), n_searched * k), dtype=np.int32)
    away = np.full((len(points), n_searched * k), np.inf, dtype=np.float32)
    for turn in range(n_searched):
        order = np.argsort(near[:, turn], kind="stable")
        ends = np.searchsorted(near[order, turn], np.arange(len(centres) + 1))
        for region, inside in enumerate(members):
            rows = order[ends[region] : ends[region + 1]]
            if not len(rows):
                continue
            squares = _squares(points[rows], representatives[inside])
            some = min(k, len(inside))
            best = squares.argpartition(some - 1, axis=1)[:, :some]
            columns = slice(turn * k, turn * k + some)
            found[rows, columns] = inside[best]
            away[rows, columns] = np.take_along_axis(squares, best, axis=1)
    order = away.argsort(axis=1, kind="stable")[:, :k]
    squares = np.maximum(np.take_along_axis(away, order, axis=1), 0.0)
    return np.take_along_axis(found, order, axis=1), np.sqrt(squares)


def _squares(points: Singles, others: Singles) -> Singles:  # (len(points), len(others))
    """Return the squares of all distances."""
    lengths = np.einsum("ij,ij->i", points, points)[:, None]
    return np.asarray(
        lengths + np.einsum("ij,ij->i", others, others) - 2.0 * (points @ others.T),
        dtype=np.float32,
    )
