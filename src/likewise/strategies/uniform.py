"""Baselines that leave the choice to chance."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from likewise.pairs import Pair
from likewise.strategies.base import View

_TRIES = 200


class RandomPairs:
    """Pairs drawn evenly from all that are not known yet."""

    def propose(self, view: View, n: int, rng: np.random.Generator) -> list[Pair]:
        """Up to `n` random open pairs, no two of which decide a third."""
        chosen: list[Pair] = []
        joined = _Forest(view)
        for _ in range(_TRIES):
            i, j = (int(v) for v in rng.integers(len(view.marks), size=2))
            if len(chosen) < n and joined.add(i, j):
                chosen.append(Pair(i, j))
        if not chosen:
            chosen = self._last_ones(view, n, rng, joined)
        return chosen

    def _last_ones(
        self, view: View, n: int, rng: np.random.Generator, joined: _Forest
    ) -> list[Pair]:
        """Draw from the few open pairs that are left, group by group."""
        members = np.unique(view.marks, return_index=True)[1]
        chosen: list[Pair] = []
        for i in rng.permutation(members):
            for j in rng.permutation(members):
                if joined.add(int(i), int(j)):
                    chosen.append(Pair(int(i), int(j)))
                    if len(chosen) == n:
                        return chosen
        return chosen


class _Forest:
    """Accepts open pairs that close no circle: the rest of a circle decides its last edge."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.tree: dict[int, int] = {}
        for pair in view.pending:
            self.add(*pair)

    def add(self, i: int, j: int) -> bool:
        known = self.view.constraints
        if known.implied(i, j) is not None or Pair(i, j).unordered in self.view.resting:
            return False
        a, b = self._root(known.mark(i)), self._root(known.mark(j))
        if a == b:
            return False
        self.tree[a] = b
        return True

    def _root(self, mark: int) -> int:
        while mark in self.tree:
            mark = self.tree[mark]
        return mark


class RandomItems:
    """A chooser that places items in random order: much stronger than random pairs."""

    def rank(
        self, view: View, candidates: npt.NDArray[np.int64], n: int, rng: np.random.Generator
    ) -> list[int]:
        """`n` of the candidates by lot."""
        return [int(i) for i in rng.permutation(candidates)[:n]]
