"""Random pairs: the baseline of all strategies."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, combinations

import numpy as np

from likewise.journal.pairs import Pair
from likewise.strategies.base import View
from likewise.strategies.batch import IndependentBatch

_TRIES = 200


class RandomPairs:
    """The strategy that draws pairs evenly from all that are open."""

    def propose(self, view: View, n: int, rng: np.random.Generator) -> list[Pair]:
        """Return up to `n` random open pairs, independent of one another."""
        batch = IndependentBatch(view)
        chosen: list[Pair] = []
        for pair in chain(self._drawn(view, rng), component_pairs(view, rng)):
            if batch.add(pair):
                chosen.append(pair)
                if len(chosen) == n:
                    break
        return chosen

    def _drawn(self, view: View, rng: np.random.Generator) -> Iterator[Pair]:
        """Draw pairs of items: while many are open, one of the first few is."""
        for i, j in rng.integers(len(view.components), size=(_TRIES, 2)):
            yield Pair(int(i), int(j))


def component_pairs(view: View, rng: np.random.Generator) -> Iterator[Pair]:
    """Yield a pair of items for every two components, in random order: for when few are open."""
    members = rng.permutation(np.unique(view.components, return_index=True)[1])
    for i, j in combinations(members, 2):
        yield Pair(int(i), int(j))
