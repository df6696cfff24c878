"""Who of several people gets what: easy pairs go to the cheap, hard ones to whoever costs more."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import isfinite

from likewise.beliefs import Doubts
from likewise.errors import MethodError
from likewise.journal.pairs import Question

_ENOUGH = 2  # opinions of cheap people on a doubtful pair; then whoever is dear decides
_TOO_OFTEN = 0.3  # wrong: such an opinion settles next to nothing


class Routing:
    """Gives everybody what suits them, by what their answers cost and how often they are wrong.

    Parameters
    ----------
    prices : mapping of str to float
        What an answer of each person costs; of whoever is not named nothing.

    Examples
    --------
    >>> from likewise.journal.pairs import Pair
    >>> routing = Routing({"expert": 1.0})
    >>> routing.present = {"expert", "Bob"}
    >>> ready = [Question(Pair(0, 1), 0.9), Question(Pair(2, 3), 0.5)]
    >>> [routing.in_order(who, ready)[0].same_probability for who in ("Bob", "expert")]
    [0.9, 0.5]
    """

    def __init__(self, prices: Mapping[str, float]) -> None:
        for who, price in prices.items():
            if not (price >= 0 and isfinite(price)):
                raise MethodError(f"what an answer of {who} costs is at least 0, not {price}")
        self._prices = dict(prices)
        self._unreliable: frozenset[str] = frozenset()
        self.present: Collection[str] = ()

    def price_of(self, who: str) -> float:
        """Return what an answer of this person costs."""
        return self._prices.get(who, 0.0)

    def follow(self, doubts: Doubts) -> None:
        """Take in how often everybody is wrong."""
        people = doubts.beliefs.votes.people
        self._unreliable = frozenset(
            who for who in people if sum(doubts.rates_of(who)) / 2 > _TOO_OFTEN
        )

    def in_order(self, who: str, ready: Sequence[Question]) -> list[Question]:
        """Return questions in the order in which they suit this person.

        Where all who are present cost the same, that is the order in which they were chosen.
        """
        if not self._is_mixed:
            return list(ready)
        sign = 1 if self._is_dear(who) else -1
        return sorted(ready, key=lambda one: sign * abs(one.same_probability - 0.5))

    def settles(self, who: str, n_opinions: int) -> bool:
        """Return whether a doubtful pair with so many opinions is for this person."""
        if self._is_mixed:
            return self._is_dear(who) == (n_opinions >= _ENOUGH)
        return who not in self._unreliable or self._unreliable.issuperset(self.present)

    @property
    def _is_mixed(self) -> bool:
        return len({self.price_of(one) for one in self.present}) > 1 if self._prices else False

    def _is_dear(self, who: str) -> bool:
        return self.price_of(who) > min(map(self.price_of, self.present), default=0.0)
