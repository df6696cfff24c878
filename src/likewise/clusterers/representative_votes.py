"""The representatives nearest to each of many items, and the group that they give it by vote.

Shared by large piles in memory and piles in parts. Time grows in proportion to the number of items:
no item is held against every representative, only against those of the few regions nearest to it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from threadpoolctl import threadpool_limits

from likewise.clusterers.representatives import kmeans_representatives

Positions = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Singles = npt.NDArray[np.float32]

VOTERS = 5  # representatives that an item has its group from
_ROUNDS = 4  # of k-means: later ones move little
_SEARCHED = 6  # regions of representatives, for the nearest ones
_BLOCK = 50_000  # items held against regions, or whose votes are counted, at a time


@dataclass(frozen=True)
class Nearest:
    """The nearest representatives of every item, the nearest first."""

    positions: npt.NDArray[np.int32]  # (n, k), among the representatives
    distances: Singles  # (n, k)


@dataclass(frozen=True)
class Regions:
    """Representatives by the region they lie in; about as many regions as each has members."""

    representatives: Singles  # (m, d)
    centres: Singles  # (regions, d)
    members: list[Positions]  # of each region

    @classmethod
    def of(cls, representatives: Singles) -> Regions:
        """Find them, the same ones for the same representatives."""
        m = len(representatives)
        rng = np.random.default_rng(m)
        with threadpool_limits(1):
            found = kmeans_representatives(
                representatives, max(1, round(m**0.5)), rng, rounds=_ROUNDS
            )
        centres = np.asarray(found.points, dtype=np.float32)
        members = [np.flatnonzero(found.of_item == one) for one in range(len(centres))]
        return cls(representatives, centres, members)

    def nearest(self, points: Singles, k: int) -> Nearest:
        """Return the `k` nearest representatives of every point; nearly always exactly these.

        A point is held against the members of the nearest regions alone. Of fewer than `k`
        representatives, all come back.
        """
        k = min(k, len(self.representatives))
        found = np.empty((len(points), k), dtype=np.int32)
        away = np.empty((len(points), k), dtype=np.float32)
        for begin in range(0, len(points), _BLOCK):
            block = slice(begin, begin + _BLOCK)
            found[block], away[block] = self._nearest_of_block(points[block], k)
        return Nearest(found, away)

    def _nearest_of_block(
        self, points: Singles, k: int
    ) -> tuple[npt.NDArray[np.int32], Singles]:  # (n, k), (n, k)
        n_searched = min(_SEARCHED, len(self.centres))
        near = _squares(points, self.centres).argpartition(n_searched - 1, axis=1)[:, :n_searched]
        found = np.zeros((len(points), n_searched * k), dtype=np.int32)
        away = np.full((len(points), n_searched * k), np.inf, dtype=np.float32)
        for turn in range(n_searched):
            order = np.argsort(near[:, turn], kind="stable")
            ends = np.searchsorted(near[order, turn], np.arange(len(self.centres) + 1))
            for region, inside in enumerate(self.members):
                rows = order[ends[region] : ends[region + 1]]
                if not len(rows):
                    continue
                squares = _squares(points[rows], self.representatives[inside])
                some = min(k, len(inside))
                best = squares.argpartition(some - 1, axis=1)[:, :some]
                columns = slice(turn * k, turn * k + some)
                found[rows, columns] = inside[best]
                away[rows, columns] = np.take_along_axis(squares, best, axis=1)
        order = away.argsort(axis=1, kind="stable")[:, :k]
        squares = np.maximum(np.take_along_axis(away, order, axis=1), 0.0)
        return np.take_along_axis(found, order, axis=1), np.sqrt(squares)


def nearest(points: Singles, representatives: Singles, k: int) -> Nearest:
    """Return the `k` nearest representatives of every point; nearly always exactly these."""
    return Regions.of(representatives).nearest(points, k)


def elect(
    found: Nearest, labels: Positions, confidence: Floats
) -> tuple[Positions, Floats]:  # (n,), (n,)
    """Return for every item the representative whose group it has by vote, and the group's share.

    Nearer and surer representatives count more. Of those that have the group it is the nearest.

    Parameters
    ----------
    found : Nearest
        Who votes about each item.
    labels, confidence : arrays (m,)
        The groups of the representatives, and how sure each is.

    Examples
    --------
    >>> found = Nearest(np.array([[0, 1, 2]], dtype=np.int32), np.float32([[1.0, 1.5, 1.5]]))
    >>> elected, share = elect(found, np.array([7, 8, 8]), np.ones(3))
    >>> elected.tolist(), share.round(2).tolist()
    ([1], [0.57])
    """
    nearest_possible = 1e-6 * (found.distances.mean() + 1e-30)
    elected = np.empty(len(found.positions), dtype=np.int64)
    shares = np.empty(len(elected))
    for begin in range(0, len(elected), _BLOCK):
        block = slice(begin, begin + _BLOCK)
        voters = found.positions[block]
        weight = 1.0 / np.maximum(found.distances[block], nearest_possible)
        theirs, sure = labels[voters], confidence[voters] * weight
        same = theirs[:, :, None] == theirs[:, None, :]  # (n, voters, voters)
        votes = np.einsum("nij,nj->ni", same, np.maximum(sure, 1e-12 * weight))
        best = votes.argmax(axis=1)
        rows = np.arange(len(best))
        elected[block] = voters[rows, best]
        shares[block] = np.clip(votes[rows, best] / weight.sum(axis=1), 0.0, 1.0)
    return elected, shares


def _squares(points: Singles, others: Singles) -> Singles:  # (len(points), len(others))
    """Return the squares of all distances."""
    lengths = np.einsum("ij,ij->i", points, points)[:, None]
    return np.asarray(
        lengths + np.einsum("ij,ij->i", others, others) - 2.0 * (points @ others.T),
        dtype=np.float32,
    )
