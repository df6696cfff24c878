"""Random pairs: the baseline that leaves the choice to chance."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, combinations

import numpy as np

from likewise.journal.pairs import Pair
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
        for i, j in rng.integers(len(view.components), size=(_TRIES, 2)):
            yield Pair(int(i), int(j))


def pairs_of_groups(view: View, rng: np.random.Generator) -> Iterator[Pair]:
    """All pairs of groups, in random order: for when few are open."""
    members = rng.permutation(np.unique(view.components, return_index=True)[1])
    for i, j in combinations(members, 2):
        yield Pair(int(i), int(j))
