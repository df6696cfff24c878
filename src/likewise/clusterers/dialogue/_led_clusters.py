"""Clusters with a leader each: the state of A3S, and what is left to ask about them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from sklearn.neighbors import NearestNeighbors

from likewise.clusterers.dialogue._pair_probabilities import (
    POOLED,
    PairProbabilities,
    entropy_drop,
    merge_chance,
    pooled_between,
)
from likewise.clusterers.links import Labels, pair_keys

_MOST_SWEEPS = 100  # over the items; mostly fewer than ten, until nobody moves
_MOST_NEAREST = 5  # leaders among which one is looked for that nothing is known about
_DIGITS = 6  # of scores: what differs later is a tie, and ties go to the first


class Ranked(NamedTuple):
    """Pairs of leaders, how likely each pair is the same, and what merging it would gain."""

    pairs: npt.NDArray[np.int64]  # (m, 2), the smaller cluster first
    chance: npt.NDArray[np.float64]
    gain: npt.NDArray[np.float64]

    def best(self, score: npt.NDArray[np.float64], n: int | None = None) -> Ranked:
        """Return those of the largest score, best first."""
        return self.where(_largest_first(score)[:n])

    def where(self, chosen: npt.NDArray[Any]) -> Ranked:
        """Return some of them, by position or by mask."""
        return Ranked(self.pairs[chosen], self.chance[chosen], self.gain[chosen])


@dataclass
class LedClusters:
    """A partition, one item of each cluster being its leader.

    Attributes
    ----------
    leader_of : (n,) array of int
        The leader of every item; a leader's is itself.
    confirmed : (n,) array of bool
        Whether an item is known to be the same as its leader.
    pure : frozenset of int
        Leaders of clusters that passed the test of purity.
    different : tuple of (int, int)
        Items that were found to be different.
    """

    leader_of: Labels
    confirmed: npt.NDArray[np.bool_]
    pure: frozenset[int] = frozenset()
    different: tuple[tuple[int, int], ...] = ()

    @classmethod
    def of(cls, pairs: PairProbabilities) -> LedClusters:
        """Return clusters of large log odds; whoever has most of them inside is the leader."""
        from likewise.clusterers.dialogue._local_moves import greedy_partition

        graph = pairs.log_odds
        order = _largest_first(np.asarray(graph.sum(axis=1)).ravel())
        labels = greedy_partition(graph.indptr, graph.indices, graph.data, order, _MOST_SWEEPS)
        row = np.repeat(np.arange(len(pairs)), np.diff(graph.indptr))
        inside = labels[row] == labels[graph.indices]
        strength = np.bincount(row[inside], graph.data[inside], minlength=len(pairs))
        order = _largest_first(strength)
        clusters, first = np.unique(labels[order], return_index=True)
        leader_of = order[first][np.searchsorted(clusters, labels)]
        return cls(leader_of, leader_of == np.arange(len(pairs)))

    @property
    def sizes(self) -> Labels:
        """How many items each item leads, (n,): 0 for all but leaders."""
        return np.bincount(self.leader_of, minlength=len(self.leader_of))

    def copy(self) -> LedClusters:
        """Return clusters that can be changed without changing these."""
        return replace(self, leader_of=self.leader_of.copy(), confirmed=self.confirmed.copy())

    def members(self, leader: int) -> Labels:
        """Return the items of a cluster, ascending."""
        return np.flatnonzero(self.leader_of == leader)

    def move(self, items: Labels | list[int], leader: int, *, confirmed: bool) -> None:
        """Put items into the cluster of a leader, which may be one of them."""
        self.leader_of[items] = leader
        self.confirmed[items] = confirmed

    def merge(self, a: int, b: int) -> None:
        """Make two clusters one; the leader of the first leads both."""
        self.leader_of[self.leader_of == b] = a
        if b not in self.pure:
            self.pure -= {a}

    def note_different(self, i: int, j: int) -> None:
        """Remember that two items are of different kinds."""
        self.different += ((i, j),)

    def mark_pure(self, *leaders: int) -> None:
        """Remember that clusters have passed the test."""
        self.pure |= frozenset(leaders)

    def merges(self, pairs: PairProbabilities) -> Ranked:
        """Return clusters that may be one: not known to differ, and close.

        That is every two with neighbours in each other, and for a cluster that has none left of
        them the one of the nearest leader.
        """
        leaders, labels = np.unique(self.leader_of, return_inverse=True)
        sizes, n_leaders = np.bincount(labels), len(leaders)
        apart = labels[np.array(self.different, dtype=np.int64).reshape(-1, 2)]
        known = pair_keys(apart, n_leaders)
        found, total = pooled_between(pairs, labels)
        open_ = ~np.isin(pair_keys(found, n_leaders), known)
        found, total = found[open_], total[open_]
        lonely = np.setdiff1d(np.arange(n_leaders), found)
        far = _nearest_open(pairs.X[leaders], lonely, known)
        found = np.concatenate([found, _smaller_first(far, sizes)])
        total = np.concatenate([total, np.zeros(len(far))])
        a, b = sizes[found].T
        chance = merge_chance(total, a * np.minimum(POOLED, b))
        return Ranked(leaders[found], chance, chance * entropy_drop(a, b, len(pairs)))

    def least_sure(self, pairs: PairProbabilities, n: int) -> Labels:
        """Return the unconfirmed items that have the least reason to be where they are.

        That is their likeness to the four likeliest of their own cluster, less that to the four
        likeliest of another.
        """
        labels = np.unique(self.leader_of, return_inverse=True)[1]
        pooled = sp.coo_matrix(pairs.pooled(labels))
        own = pooled.col == labels[pooled.row]
        here, elsewhere = np.zeros(len(pairs)), np.zeros(len(pairs))
        here[pooled.row[own]] = pooled.data[own]
        np.maximum.at(elsewhere, pooled.row[~own], pooled.data[~own] / POOLED)
        most = np.clip(np.bincount(labels)[labels] - 1, 1, POOLED)
        open_ = np.flatnonzero(~self.confirmed)
        margin = (here / most - elsewhere)[open_]
        return open_[_largest_first(-margin)[:n]]


def _nearest_open(
    points: npt.NDArray[np.float64], lonely: Labels, known: Labels
) -> npt.NDArray[np.int64]:
    """Return each lonely point with the nearest one it is not known to differ from, once each."""
    k = min(_MOST_NEAREST, len(points) - 1)
    if not k or not len(lonely):
        return np.empty((0, 2), dtype=np.int64)
    search = NearestNeighbors(n_neighbors=k + 1).fit(points)
    nearest = search.kneighbors(points[lonely], return_distance=False)
    candidates = np.column_stack([np.repeat(lonely, k + 1), nearest.ravel()])
    candidates = candidates[candidates[:, 0] != candidates[:, 1]]
    candidates = candidates[~np.isin(pair_keys(candidates, len(points)), known)]
    best = candidates[np.unique(candidates[:, 0], return_index=True)[1]]
    return np.unique(np.sort(best, axis=1), axis=0)


def _smaller_first(pairs: npt.NDArray[np.int64], sizes: Labels) -> npt.NDArray[np.int64]:
    swapped = sizes[pairs[:, 0]] > sizes[pairs[:, 1]]
    return np.where(swapped[:, None], pairs[:, ::-1], pairs)


def _largest_first(values: npt.NDArray[Any]) -> Labels:
    return np.argsort(-np.round(values, _DIGITS), kind="stable")
