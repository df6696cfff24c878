"""Baselines that leave the choice to chance."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, combinations

import numpy as np
import numpy.typing as npt

from likewise.pairs import Pair
from likewise.strategies.base import View
from likewise.strategies.batch import Independent

_TRIES = 200


class RandomPairs:
    """Pairs drawn evenly from all that are not known yet."""

    def propose(self, view: View, n: int, rng: np.random.Generator) -> list[Pair]:
        """Up to `n` random open pairs, independent of one another."""
        batch = Independent(view)
        chosen: list[Pair] = []
        for pair in chain(self._drawn(view, rng), pairs_of_groups(view, rng)):
            if batch.accepts(pair):
                chosen.append(pair)
                if len(chosen) == n:
                    break
        return chosen

    def _drawn(self, view: View, rng: np.random.Generator) -> Iterator[Pair]:
        """Pairs by lot: while many are open, one of the first few is."""
        for i, j in rng.integers(len(view.marks), size=(_TRIES, 2)):
            yield Pair(int(i), int(j))


def pairs_of_groups(view: View, rng: np.random.Generator) -> Iterator[Pair]:
    """All pairs of groups, in random order: for when few are open."""
    members = rng.permutation(np.unique(view.marks, return_index=True)[1])
    for i, j in combinations(members, 2):
        yield Pair(int(i), int(j))


class RandomItems:
    """A chooser that places items in random order: much stronger than random pairs."""

    def rank(
        self, view: View, candidates: npt.NDArray[np.int64], n: int, rng: np.random.Generator
    ) -> list[int]:
        """`n` of the candidates by lot."""
        return [int(i) for i in rng.permutation(candidates)[:n]]
