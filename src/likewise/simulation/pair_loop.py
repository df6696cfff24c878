"""The loop of a run: batches of questions, replies, rows of the curve, what was spent."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable
from itertools import takewhile
from time import perf_counter
from typing import Any

from likewise.beliefs.error_rates import KNOWN_TO_ERR
from likewise.errors import CostLimit, OracleError
from likewise.journal import Answered, Named
from likewise.journal.pairs import Answer, Pair, Question, Verdict
from likewise.metrics import all_metrics
from likewise.simulation.asker import Asker
from likewise.simulation.budget import Budget, Money
from likewise.simulation.curve import Curve, Row
from likewise.simulation.rechecks import Rechecks
from likewise.simulation.timed_loop import minutes_of
from likewise.study import Study
from likewise.study.edits import ask_class, tell_class
from likewise.study.loop import Outcome, QuestionLoop


class PairLoop(QuestionLoop[list[Question]]):
    """Lets an oracle answer, and notes a row of the curve at every checkpoint.

    What the study's journal holds already was asked in an earlier run of which this is the
    continuation: it counts as spent.
    """

    reason: str | None = None  # why the oracle ended the loop, if it did

    def __init__(
        self,
        study: Study,
        asker: Asker,
        *,
        doubt: str,
        batch: int,
        checkpoints: list[int] | None,
        on_row: Callable[[Row], None] | None,
        on_answer: Callable[[Answer], None] | None,
        budget: Budget,
        time_limit: float | None,
    ) -> None:
        n_questions = None if isinstance(budget, Money) else budget
        super().__init__(budget=n_questions, time_limit=time_limit)
        self.study, self.asker, self.batch = study, asker, batch
        self.rechecks = Rechecks(study, asker, doubt)
        self.curve = Curve("questions", self._row, on_row)
        self.advance: Callable[[int], None] = lambda _: None  # moves a progress bar
        self._money = budget if isinstance(budget, Money) else None
        self._price: float | None = getattr(asker.oracle, "price", None)
        self._on_answer = on_answer
        self._checkpoints = checkpoints
        self._names_classes = hasattr(asker.oracle, "name_of")
        self._asked: set[Pair | int] = _asked_before(study, self._names_classes)
        self._seconds_asking = 0.0

    @property
    def n_spent(self) -> int:
        return len(self._asked)

    @property
    def cost(self) -> float:
        """What the questions so far have cost."""
        return self.n_spent * (self._price or 0.0)

    @property
    def n_left(self) -> int:
        """How many more questions the budget allows."""
        if self.budget is not None:
            return max(0, self.budget - self.n_spent)
        assert self._money is not None
        assert self._price is not None
        n_left = int((self._money.amount - self.cost) / self._price)
        # One that rounding has taken off can still be paid.
        return max(0, n_left + self._money.affords(self.cost, (n_left + 1) * self._price))

    def _is_spent(self) -> bool:
        return self.n_left == 0

    def ask(self) -> list[Question]:
        began = perf_counter()
        look = self.study.verification() if self.rechecks.policy == "verify" else None
        questions = [look] if look else self.study.ask(min(self.batch, self.n_left))
        self._seconds_asking += perf_counter() - began
        return questions

    def on_question(self, question: list[Question] | None) -> None:
        if self._checkpoints is None:
            due = not question or self.batch > 1 or self.study.placing is None
        else:
            n_passed = bisect_right(self._checkpoints, self.n_spent)  # several, after rechecks
            due, self._checkpoints = n_passed > 0, self._checkpoints[n_passed:]
        if due:
            self.curve.add(self.n_spent)

    def reply(self, question: list[Question]) -> Outcome | None:
        n_before = self.n_spent
        try:
            if self._names_classes and (item := ask_class(self.study)) is not None:
                self._place(item)
            else:
                self._compare(question)
        except OracleError as error:
            self.reason = str(error)
            paid_out = isinstance(error.__cause__, CostLimit)
            return Outcome.COST_LIMIT if paid_out else Outcome.ORACLE_FAILED
        finally:
            self.advance(self.n_spent - n_before)
        return None

    def _place(self, item: int) -> None:
        name = self.asker.name_of(item)
        edit = tell_class(self.study, item, name)
        self._asked.add(item)
        self._hand_on(edit)

    def _compare(self, questions: list[Question]) -> None:
        verdicts = self.asker.many([question.pair for question in questions])
        coming = zip(questions, verdicts, strict=False)
        told: list[Answer] = []
        try:
            for question, verdict in coming:
                told += self._told(question, verdict)
                self._hand_on(told[-1:] if verdict is not None else ())
        finally:
            # Whatever a callback raises: what was answered meanwhile is kept.
            for question, verdict in coming:
                told += self._told(question, verdict)
        next(verdicts, None)  # an error that was kept back for the end comes now
        for answer in told:
            self._recheck(answer)

    def _told(self, question: Question, verdict: Verdict | None) -> list[Answer]:
        if verdict is None:
            return []
        self._asked.add(question.pair.unordered)
        return [self.study.tell(question, verdict, **self._signed())]

    def _signed(self) -> dict[str, Any]:
        """Return how far an answer is trusted; of a giver who keeps account of it name and cost."""
        oracle: Any = self.asker.oracle
        trusted = {"weight": KNOWN_TO_ERR} if self.rechecks.policy == "verify" else {}
        if not hasattr(oracle, "take_cost"):
            return trusted
        return trusted | {"who": oracle.name, "cost": oracle.take_cost()}

    def _recheck(self, answer: Answer) -> None:
        last = self.study.answers[-1].id
        try:
            self.rechecks.after_answer(self.n_left, answer)
        finally:
            later = takewhile(lambda one: one.id > last, reversed(self.study.answers))
            new = list(later)[::-1]
            self._asked.update(one.pair.unordered for one in new)
            self._hand_on(new)

    def _hand_on(self, answers: Iterable[Answer]) -> None:
        if self._on_answer is not None:
            for answer in answers:
                self._on_answer(answer)

    def _row(self) -> Row:
        labels = self.study.labels_
        truth = getattr(self.asker.oracle, "labels", None)
        return {
            "minutes": minutes_of(self._asked, self.asker.oracle, self.study),
            "seconds": self.seconds,
            "seconds_asking": self._seconds_asking,
            "seconds_fitting": self.study.seconds_fitting,
            **({} if self._price is None else {"cost": self.cost}),
            **({} if truth is None else all_metrics(truth, labels)),
        }


def _asked_before(study: Study, names_classes: bool) -> set[Pair | int]:
    """Return the pairs, or items, that were ever asked about, answers taken back included."""
    asked: set[Pair | int] = set()
    for event in study.store.read():
        if isinstance(event, Answered):
            pair = event.answer.pair
            asked.add(pair.i if names_classes else pair.unordered)
        elif isinstance(event, Named) and names_classes:
            asked.add(event.item)
    return asked
