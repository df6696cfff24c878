"""What is asked again: what somebody has taken back, as it was asked.

Nothing here waits or computes for long; one thread at a time may use it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from likewise.journal.pairs import Answer, Pair, Question
from likewise.web.offers import Offer, is_of_kind, pair_of

_REMEMBERED = 50  # latest replies of a person that are asked again as they were when taken back


class Repeats:
    """The questions that come again for each person, the latest first."""

    def __init__(self) -> None:
        self._replied: dict[str, dict[int, Offer]] = defaultdict(dict)  # by the first answer's id
        self._again: dict[str, dict[Pair, Offer]] = defaultdict(dict)

    def remember(self, who: str, first: Answer, offer: Offer) -> None:
        """Keep what was asked, so that it can be asked again when the reply is taken back."""
        latest = self._replied[who]
        latest[first.id] = offer
        while len(latest) > _REMEMBERED:
            del latest[next(iter(latest))]

    def add(self, who: str, answer: Answer, kind: str) -> None:
        """Ask next what an answer was given to, unless another kind of question is wanted."""
        predicted = answer.same_probability
        asked: Offer = answer.pair if predicted is None else Question(answer.pair, predicted)
        asked = self._replied[who].pop(answer.id, asked)
        if is_of_kind(asked, kind):
            self.drop(who, pair_of(asked))  # the latest is asked first
            self._again[who][pair_of(asked).unordered] = asked

    def drop(self, who: str, pair: Pair) -> None:
        """Ask no more what goes by a pair."""
        self._again[who].pop(pair.unordered, None)

    def keep_kind(self, who: str, kind: str) -> None:
        """Ask no more what is of another kind than is wanted now."""
        kept = {name: one for name, one in self._again[who].items() if is_of_kind(one, kind)}
        self._again[who] = kept

    def holds(self, who: str, pair: Pair) -> bool:
        """Return whether what goes by a pair is to come again."""
        return pair.unordered in self._again[who]

    def of(self, who: str) -> Iterator[Offer]:
        """Yield what is asked again, the latest first."""
        yield from reversed(self._again[who].values())
