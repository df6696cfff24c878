"""The strategy of `auto`: what to ask depends on the kind of pile that was found."""

from __future__ import annotations

import numpy as np

from likewise.auto.expected_gain import ExpectedGain
from likewise.auto.records import PairQuestions, RecordLinkage
from likewise.journal.pairs import Pair
from likewise.strategies.base import View


class ByKindOfPile:
    """Asks about pairs where a pile holds duplicates, else what puts most items right.

    Which it is, the clustering says: a `RecordLinkage` or a `Committee`.
    """

    def __init__(self) -> None:
        self._kinds, self._duplicates = ExpectedGain(), PairQuestions()

    def propose(self, view: View, n: int, rng: np.random.Generator) -> list[Pair]:
        """Return up to `n` pairs of largest gain, none of which settles another."""
        if isinstance(view.clustering, RecordLinkage):
            return self._duplicates.propose(view, view.clustering, n)
        return self._kinds.propose(view, n, rng)

    def same_probability(self, view: View, pair: Pair) -> float:
        """Return how likely "same" is, between 0.01 and 0.99."""
        if isinstance(view.clustering, RecordLinkage):
            return float(np.clip(view.clustering.same_probability(*pair), 0.01, 0.99))
        return self._kinds.same_probability(view, pair)

    def explain(self, view: View, pair: Pair) -> str:
        """Say what is predicted and by what, and what depends on the answer."""
        if isinstance(view.clustering, RecordLinkage):
            return self._duplicates.explain(view.clustering, pair)
        return self._kinds.explain(view, pair)
