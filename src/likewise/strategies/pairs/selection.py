"""Loose pairs: strategies that score pairs of items, whatever group either belongs to."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice
from typing import Protocol

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from likewise.clusterers.links import pair_keys
from likewise.journal.pairs import Pair
from likewise.strategies.base import View
from likewise.strategies.batch import Independent
from likewise.strategies.pairs.random_pairs import pairs_of_groups

PairArray = npt.NDArray[np.int64]  # (m, 2)

_AT_A_TIME = 64  # pairs that become objects together


class PairScorer(Protocol):
    """Decides which pairs are worth asking about."""

    def pairs(self, view: View, rng: np.random.Generator) -> Iterator[PairArray]:
        """Pairs, best first, in portions; the next is looked for when one has been used up."""


class PairSelection:
    """The strategy that asks what its chooser wants, and any open pair when it wants nothing."""

    def __init__(self, chooser: PairScorer) -> None:
        self.chooser = chooser

    def propose(self, view: View, n: int, rng: np.random.Generator) -> list[Pair]:
        """The best `n` open pairs that are independent of one another."""
        batch = Independent(view)
        wanted = (pair for some in self.chooser.pairs(view, rng) for pair in _one_by_one(some))
        return list(islice(filter(batch.accepts, chain(wanted, pairs_of_groups(view, rng))), n))


def _one_by_one(pairs: PairArray) -> Iterator[Pair]:
    """The pairs in their order; most of the time only the first is looked at."""
    for start in range(0, len(pairs), _AT_A_TIME):
        yield from (Pair(*pair) for pair in pairs[start : start + _AT_A_TIME].tolist())


class OpenPairs:
    """Which of many pairs the answers leave open, by a look-up instead of a loop."""

    def __init__(self, view: View) -> None:
        components, self._group = np.unique(view.components, return_inverse=True)
        differing = self._group[view.constraints.cannot_link]
        one, other = np.concatenate([differing, differing[:, ::-1]]).T
        self._n_groups = len(components)
        self._differ = sp.csr_matrix(
            (np.ones(len(one), dtype=bool), (one, other)), shape=(len(components), len(components))
        )
        self._known = np.unique(pair_keys(differing, len(components)))

    def among(self, pairs: PairArray) -> npt.NDArray[np.bool_]:  # (m, 2) -> (m,)
        """Whether each pair is open."""
        groups = self._group[pairs]
        known = np.isin(pair_keys(groups, self._n_groups), self._known)
        return np.asarray((groups[:, 0] != groups[:, 1]) & ~known)

    def between(
        self, some: npt.NDArray[np.int64], others: npt.NDArray[np.int64]
    ) -> npt.NDArray[np.bool_]:  # (some, others)
        """Whether each of some items is open with each of others."""
        a, b = self._group[some][:, None], self._group[others]
        keys = np.minimum(a, b) * self._n_groups + np.maximum(a, b)
        if not len(self._known):
            return np.asarray(a != b)
        at = np.minimum(self._known.searchsorted(keys), len(self._known) - 1)
        return np.asarray((a != b) & (self._known[at] != keys))

    def with_everyone(self, items: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:  # (items, n)
        """Whether each of the items is open with each item there is."""
        group = self._group[items]
        known = self._differ[group].toarray()
        known[np.arange(len(items)), group] = True
        return np.asarray(~known[:, self._group])
