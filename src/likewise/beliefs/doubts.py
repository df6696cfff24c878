"""What of all that is believed is not settled yet, and what could be asked to settle it."""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property
from itertools import product

import numpy as np

from likewise.beliefs.error_rates import ErrorRates, Intervals
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
        Whether answers are doubted as if error rates were what they may well be, halfway to their
        upper bounds. Otherwise whoever was lucky at first would be checked by nobody.

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
        answered = len(beliefs.votes.pairs) > 0
        seen = beliefs.with_rates(_cautious(beliefs)) if answered and cautious else beliefs
        self.same_probability, self._same = seen.same_probability, seen.same

    @cached_property
    def pairs(self) -> list[Pair]:
        """All that was answered."""
        return [Pair(*pair) for pair in self.beliefs.votes.pairs.tolist()]

    @cached_property
    def doubtful(self) -> list[int]:
        """Places of pairs that may be believed wrongly, the worst first."""
        doubt = np.minimum(self.same_probability, 1 - self.same_probability)
        worst = np.argsort(-doubt.round(6), kind="stable")
        return [k for k in worst.tolist() if doubt[k] >= self._least]

    def rates_of(self, who: str, weight: float = 1.0) -> tuple[float, float]:
        """Return the two error rates of somebody; what is expected of whoever is unknown."""
        people = self.beliefs.votes.people
        if who not in people:
            expected = ErrorRates.expected_of(weight)
            return expected, expected
        place = people.index(who)
        return float(self.beliefs.rates.same[place]), float(self.beliefs.rates.different[place])

    def instead_of(
        self, place: int, answered: Collection[Pair], *, surely: bool = True
    ) -> Pair | None:
        """Return a pair whose answer settles this one, and that is not `answered`.

        It is the pair itself, or one of items that are the same as its two: surely, or else
        by all that is believed.
        """
        pair = self.pairs[place]
        least = 1 - self._least if surely else 0.5
        likes = (self._like(item, place, least) for item in (pair.i, pair.j))
        for i, j in product(*likes):
            if i != j and (found := Pair(i, j)).unordered not in answered:
                return found
        return None

    def _like(self, item: int, but: int, least: float) -> list[int]:
        """Return the item, and those that were found to be the same, the surest first."""
        links = self._links.get(item, ())
        found = [k for k in links if k != but and self.same_probability[k] > least]
        found.sort(key=lambda k: -self.same_probability[k])
        ends = [self.pairs[k] for k in found]
        return [item, *(pair.j if pair.i == item else pair.i for pair in ends)]

    @cached_property
    def _links(self) -> dict[int, list[int]]:
        links: dict[int, list[int]] = {}
        for place in np.flatnonzero(self._same).tolist():
            for item in self.pairs[place]:
                links.setdefault(item, []).append(place)
        return links


def _cautious(beliefs: Beliefs) -> ErrorRates:
    """Return error rates halfway to their upper bounds."""
    votes, rates = beliefs.votes, beliefs.rates
    high = Intervals.of(votes, rates, beliefs.same_probability, trusting=True).high
    return ErrorRates(
        np.minimum((rates.same + high) / 2, 0.5), np.minimum((rates.different + high) / 2, 0.5)
    )
