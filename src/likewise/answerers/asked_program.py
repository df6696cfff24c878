"""A program at work on one pile that answers about one pair at a time, such as a rule."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from likewise.answerers.asked_model import Tally
from likewise.errors import DataError, LikewiseError
from likewise.journal.pairs import Pair, Verdict
from likewise.journal.person_names import person_name
from likewise.simulation.answerers import Answerer


class AskedProgram:
    """Asks an answerer about pairs, as `AskedModel` asks a language model.

    Parameters
    ----------
    answerer : Answerer
        Who answers, by positions of items.
    """

    # An answer is kept before the next question is chosen, which it may make needless.
    questions_per_call = 1

    def __init__(self, answerer: Answerer) -> None:
        self.name = person_name(answerer.name)
        self.weight: float = getattr(answerer, "weight", 1.0)
        self.tally = Tally()
        self._answerer = answerer
        self._unpaid = 0.0

    def pair(self, i: int, j: int) -> Pair:
        """Return the question about a pair."""
        return Pair(i, j)

    def n_affordable(self, asked: Sequence[Pair]) -> int:
        """Return how many of these can be paid for: a program has no limit of its own."""
        return len(asked)

    def replies(self, asked: Sequence[Pair]) -> Iterator[str]:
        """Yield what is said about each pair.

        Raises
        ------
        DataError
            If the answerer fails, or says what is no answer.
        """
        for i, j in asked:
            try:
                said = Verdict.of(self._answerer(i, j)).value
            except LikewiseError:
                raise
            except Exception as error:  # whatever went wrong inside, it is this answerer
                reason = f"{type(error).__name__}: {error}".removesuffix(": ")
                raise DataError(f"{self.name} failed ({reason})") from error
            price = float(getattr(self._answerer, "price", 0.0) or 0.0)
            self.tally.calls += 1
            self.tally.cost += price
            self._unpaid += price
            yield said

    def take_cost(self) -> float:
        """Return what was spent since this was last called: the cost of the answers since then."""
        cost, self._unpaid = self._unpaid, 0.0
        return cost
