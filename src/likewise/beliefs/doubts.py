"""What of all that is believed is not settled yet, and what could be asked to settle it."""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property
from itertools import product

import numpy as np

from likewise.beliefs.error_rates import ErrorRates
from likewise.beliefs.posterior import Beliefs
from likewise.journal.pairs import Pair


class Doubts:
    """What is not settled yet.

    Parameters
    ----------
    beliefs : Beliefs
        What is believed of all answers.
    least : float
        Below that chance of being wrong, something is settled.
    cautious : bool
        Whether error rates are taken as they may be, towards their upper bounds. Otherwise whoever
        was lucky at first would be asked for ever, and checked by nobody.

    Attributes
    ----------
    pairs : list of Pair
        All that was answered.
    same_probability : array of float, shape (n_pairs,)
        How likely each is the same.
    doubtful : list of int
        Places of pairs that may be believed wrongly, the worst first.
    """

    def __init__(self, beliefs: Beliefs, *, least: float = 0.05, cautious: bool = True) -> None:
        self.beliefs, self._least = beliefs, least
        self.pairs = [Pair(*pair) for pair in beliefs.votes.pairs.tolist()]
        high = beliefs.intervals.high
        self._rates = ErrorRates(
            np.minimum((beliefs.rates.same + high) / 2, 0.5),
            np.minimum((beliefs.rates.different + high) / 2, 0.5),
        )
        seen = beliefs.with_rates(self._rates) if self.pairs and cautious else beliefs
        self.same_probability, self._same = seen.same_probability, seen.same
        doubt = np.minimum(self.same_probability, 1 - self.same_probability)
        worst = np.argsort(-doubt.round(6), kind="stable")
        self.doubtful: list[int] = [k for k in worst.tolist() if doubt[k] >= least]

    def rates_of(self, who: str, weight: float = 1.0) -> tuple[float, float]:
        """Return the two error rates of somebody; what is expected of whoever is unknown."""
        people = self.beliefs.votes.people
        if who not in people:
            expected = ErrorRates.expected_of(weight)
            return expected, expected
        place = people.index(who)
        return float(self._rates.same[place]), float(self._rates.different[place])

    def instead_of(self, place: int, answered: Collection[Pair]) -> Pair | None:
        """Return a pair whose answer settles this one, and that is not `answered`.

        It is the pair itself, or one of items that are surely the same as its two.
        """
        pair = self.pairs[place]
        for i, j in product(self._like(pair.i, place), self._like(pair.j, place)):
            if i != j and (found := Pair(i, j)).unordered not in answered:
                return found
        return None

    def _like(self, item: int, but: int) -> list[int]:
        """Return the item, and those that were surely found to be the same, the surest first."""
        found = [k for k in self._links.get(item, ()) if k != but]
        found.sort(key=lambda k: -self.same_probability[k])
        ends = [self.pairs[k] for k in found]
        return [item, *(pair.j if pair.i == item else pair.i for pair in ends)]

    @cached_property
    def _links(self) -> dict[int, list[int]]:
        links: dict[int, list[int]] = {}
        sure = self._same & (self.same_probability > 1 - self._least)
        for place in np.flatnonzero(sure).tolist():
            for item in self.pairs[place]:
                links.setdefault(item, []).append(place)
        return links
