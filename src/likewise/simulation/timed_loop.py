"""The loop of a run that is counted in minutes: a person at some pace answers any kind of question.

The reply is what the oracle says about pairs of items; the pace says how long it took.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable
from time import perf_counter

import numpy as np

from likewise.errors import OracleError
from likewise.journal.pairs import Answer, Pair, Verdict
from likewise.journal.questions import PlaceQuestion, SheetQuestion
from likewise.metrics import all_metrics
from likewise.simulation.asker import Asker
from likewise.simulation.curve import Curve, Row
from likewise.simulation.oracles import Oracle
from likewise.strategies.kinds import Pace
from likewise.study import Study
from likewise.study.loop import Outcome, QuestionLoop
from likewise.study.question_kinds import AnyQuestion


class TimedLoop(QuestionLoop[AnyQuestion]):
    """Lets an oracle answer as a person would until the minutes are over.

    Parameters
    ----------
    study : Study
        The study that asks.
    asker : Asker
        Says what two items are to each other; its oracle's `pace`, if it has one, is how long it
        takes.
    kind : str
        What is asked, as for `Study.ask`.
    minutes : float, optional
        Of the person's time; the question that they are at when it is over still counts.
    budget : int, optional
        How many questions are asked at most.
    time_limit : float, optional
        Seconds of the computer's time.
    checkpoints : list of int, optional
        Numbers of questions at which labels are scored; None: after each.
    on_row : callable, optional
        Is given every row of the curve as it comes.
    on_answer : callable, optional
        Is given every answer as it comes.
    """

    reason: str | None = None  # why the oracle ended the loop, if it did

    def __init__(
        self,
        study: Study,
        asker: Asker,
        *,
        kind: str,
        minutes: float | None,
        budget: int | None,
        time_limit: float | None,
        checkpoints: list[int] | None,
        on_row: Callable[[Row], None] | None,
        on_answer: Callable[[Answer], None] | None,
    ) -> None:
        super().__init__(budget=budget, time_limit=time_limit)
        self.study, self.asker, self.kind, self.minutes = study, asker, kind, minutes
        self.pace: Pace = getattr(asker.oracle, "pace", None) or Pace()
        self.curve = Curve("questions", self._row, on_row)
        self.advance: Callable[[int], None] = lambda _: None  # moves a progress bar
        self.person_seconds = 0.0
        self._looks = self.pace.looks(study.items)
        self._checkpoints, self._on_answer = checkpoints, on_answer
        self._n_replies = 0
        self._seconds_asking = 0.0

    @property
    def n_spent(self) -> int:
        return self._n_replies

    def _is_spent(self) -> bool:
        over = self.minutes is not None and self.person_seconds >= 60 * self.minutes
        return over or super()._is_spent()

    def ask(self) -> AnyQuestion | None:
        began = perf_counter()
        question = self.study.ask(kind=self.kind)
        if question is None and self.kind == "sheet":
            # Sheets need several open items; the last few are placed one by one.
            question = self.study.ask(kind="place")
        self._seconds_asking += perf_counter() - began
        return question

    def on_question(self, question: AnyQuestion | None) -> None:
        if self._checkpoints is None:
            self.curve.add(self.n_spent)
        elif n_passed := bisect_right(self._checkpoints, self.n_spent):
            self._checkpoints = self._checkpoints[n_passed:]
            self.curve.add(self.n_spent)

    def reply(self, question: AnyQuestion) -> Outcome | None:
        n_before = len(self.study.answers)
        try:
            self.person_seconds += self._answered(question)
        except OracleError as error:
            self.reason = str(error)
            return Outcome.ORACLE_FAILED
        self._n_replies += 1
        self.advance(1)
        if self._on_answer is not None:
            for answer in self.study.answers[n_before:]:
                self._on_answer(answer)
        return None

    def _answered(self, question: AnyQuestion) -> float:
        """Answer a question of any kind; return how long it took."""
        match question:
            case PlaceQuestion():
                return self._place(question)
            case SheetQuestion():
                return self._sort(question)
        seconds = self.pace.of_pair(self._looks[[*question.pair]])
        self.study.tell(question, self.asker(*question.pair), seconds=seconds)
        return seconds

    def _same(self, i: int, j: int) -> bool:
        return self.asker(i, j) is Verdict.SAME

    def _group(self, item: int, members: tuple[int, ...]) -> int | None:
        """Return which of the groups an item belongs to, by looking at one after the other."""
        return next((k for k, member in enumerate(members) if self._same(item, member)), None)

    def _place(self, question: PlaceQuestion) -> float:
        found = self._group(question.item, question.members)
        n_seen = len(question.members) if found is None else found + 1
        seconds = self.pace.of_place(float(self._looks[question.item]), n_seen)
        reply = "new" if found is None else question.groups[found]
        self.study.tell(question, reply, seconds=seconds)
        return seconds

    def _sort(self, question: SheetQuestion) -> float:
        first = question.items[0]
        belongs = [item == first or self._same(item, first) for item in question.items]
        n_changed = int(np.sum(np.array(belongs) != np.array(question.ticked)))
        group: int | str | None = None
        n_seen = None
        if question.members:
            found = self._group(first, question.members)
            group = "new" if found is None else question.groups[found]
            n_seen = len(question.members) if found is None else found + 1
        looks = float(self._looks[[*question.items]].sum())
        seconds = self.pace.of_sheet(looks, n_changed, n_seen)
        chosen = [item for item, belong in zip(question.items, belongs, strict=True) if belong]
        self.study.tell(question, chosen, group=group, seconds=seconds)
        return seconds

    def _row(self) -> Row:
        truth = getattr(self.asker.oracle, "labels", None)
        return {
            "minutes": self.person_seconds / 60,
            "seconds": self.seconds,
            "seconds_asking": self._seconds_asking,
            "seconds_fitting": self.study.seconds_fitting,
            **({} if truth is None else all_metrics(truth, self.study.labels_)),
        }


def minutes_of(asked: Iterable[Pair | int], oracle: Oracle, study: Study) -> float:
    """Return how long a person takes for pairs and, where classes are named, for single items."""
    pace: Pace = getattr(oracle, "pace", None) or Pace()
    looks = pace.looks(study.items)
    seconds = (
        pace.of_place(float(looks[one]), 1) if isinstance(one, int) else pace.of_pair(looks[[*one]])
        for one in asked
    )
    return float(sum(seconds)) / 60
