"""The loop of a run with several answerers: tasks, answers, and the ledger of what they cost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Any

from likewise.errors import CostLimit, OracleError
from likewise.journal import Answered
from likewise.journal.pairs import Answer
from likewise.metrics import all_metrics
from likewise.simulation.answerer_choice import AnswererChoice, Assignment
from likewise.simulation.answerers import Answerer
from likewise.simulation.asker import Asker
from likewise.simulation.budget import Budget, Money
from likewise.simulation.curve import Curve, Row
from likewise.study import Study
from likewise.study.loop import Outcome, QuestionLoop


class AnswererLoop(QuestionLoop[Assignment]):
    """Asks one answerer after the other; every answer counts, also a second about the same pair.

    Answers that the journal holds already count as spent, with what they have cost.
    """

    reason: str | None = None  # why an answerer ended the loop, if one did

    def __init__(
        self,
        study: Study,
        answerers: Sequence[Answerer],
        *,
        checkpoints: list[int] | None,
        on_row: Callable[[Row], None] | None,
        on_answer: Callable[[Answer], None] | None,
        budget: Budget,
        time_limit: float | None,
    ) -> None:
        self._money = budget if isinstance(budget, Money) else None
        n_answers = None if isinstance(budget, Money) else budget
        super().__init__(budget=n_answers, time_limit=time_limit)
        self.study, self.answerers = study, answerers
        self.choice = AnswererChoice(answerers)
        self.curve = Curve("questions", self._row, on_row)
        self.advance: Callable[[int], None] = lambda _: None  # moves a progress bar
        self._checkpoints = None if checkpoints is None else set(checkpoints)
        self._on_answer = on_answer
        given = [event.answer for event in study.store.read() if isinstance(event, Answered)]
        self._n_spent, self.cost = len(given), sum(answer.cost for answer in given)
        self._seconds_asking = 0.0

    @property
    def n_spent(self) -> int:
        return self._n_spent

    @property
    def n_left(self) -> int:
        """How many more answers the budget allows, at the least price."""
        if self.budget is not None:
            return max(0, self.budget - self.n_spent)
        assert self._money is not None
        least = min(price_of(one) for one in self.answerers)
        return int((self._money.amount - self.cost) / least) if least else self.n_spent + 1

    def _affordable(self) -> list[Answerer]:
        money = self._money
        if money is None:
            return list(self.answerers)
        return [one for one in self.answerers if money.affords(self.cost, price_of(one))]

    def _is_spent(self) -> bool:
        return super()._is_spent() or not self._affordable()

    def ask(self) -> Assignment | None:
        began = perf_counter()
        study = self.study
        task = self.choice.choose(study.ask, study.answers, study.beliefs_, self._affordable())
        self._seconds_asking += perf_counter() - began
        return task

    def on_question(self, question: Assignment | None) -> None:
        if self._checkpoints is None or self.n_spent in self._checkpoints:
            self.curve.add(self.n_spent)

    def reply(self, question: Assignment) -> Outcome | None:
        one = question.answerer
        if self._money is not None and hasattr(one, "may_spend"):
            one.may_spend(self._money.amount - self.cost)
        try:
            verdict = Asker(one)(*question.pair)
        except OracleError as error:
            self.reason = f"{one.name}: {error}"
            paid_out = isinstance(error.__cause__, CostLimit)
            return Outcome.COST_LIMIT if paid_out else Outcome.ORACLE_FAILED
        price = paid_to(one)
        answer = self.study.tell(
            question.question,
            verdict,
            who=one.name,
            weight=float(getattr(one, "weight", 1.0)),
            cost=price,
        )
        self._n_spent, self.cost = self._n_spent + 1, self.cost + price
        self.advance(1)
        if self._on_answer is not None:
            self._on_answer(answer)
        return None

    def _row(self) -> Row:
        truths = [one.labels for one in self.answerers if hasattr(one, "labels")]
        return {
            "seconds": self.seconds,
            "seconds_asking": self._seconds_asking,
            "seconds_fitting": self.study.seconds_fitting,
            "cost": self.cost,
            **(all_metrics(truths[0], self.study.labels_) if truths else {}),
        }


def paid_to(one: Any) -> float:
    """Return what the latest answer of this answerer has cost; of most that is their price."""
    return float(one.take_cost()) if hasattr(one, "take_cost") else price_of(one)


def price_of(one: Answerer) -> float:
    """Return what an answer of this answerer costs."""
    return float(getattr(one, "price", 0.0))
