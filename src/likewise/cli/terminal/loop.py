"""Question and answer at a terminal until somebody stops.

The loops know neither where keys come from nor how a question looks: a `Respond` function shows
an open question and returns what was answered.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Generic, TypeVar

from likewise.beliefs.error_rates import KNOWN_TO_ERR
from likewise.cli.terminal.keys import HIGHEST_RATING, Action, RatingResponse
from likewise.errors import AnswerError, MethodError
from likewise.journal.pairs import Question, Verdict
from likewise.quality import shares_as_predicted
from likewise.quality.unsettled import question_to_compare
from likewise.study.loop import Outcome, QuestionLoop

if TYPE_CHECKING:
    from likewise.journal.pairs import Pair
    from likewise.quality import Audit
    from likewise.study import SimilarityStudy, Study

_Q = TypeVar("_Q")
_Response = TypeVar("_Response")

VERDICTS = {
    Action.SAME: Verdict.SAME,
    Action.DIFFERENT: Verdict.DIFFERENT,
    Action.UNSURE: Verdict.UNSURE,
}
_VERDICT_NAMES = {
    Verdict.SAME: "same",
    Verdict.DIFFERENT: "different",
    Verdict.UNSURE: "not sure",
}


@dataclass(frozen=True)
class OpenQuestion:
    """A question that waits for its answer: what a page draws.

    Parameters
    ----------
    study : Study
        The study that asks.
    question : Question
        The pair.
    note : str
        What just happened, in one sentence; may be empty.
    predicted_shares : sequence of float
        After each answer, the share of recent ones that were as predicted.
    """

    study: Study
    question: Question
    note: str  # what just happened, in one sentence; may be empty
    predicted_shares: Sequence[float]  # share of recent answers as predicted, after each answer


@dataclass(frozen=True)
class OpenRating:
    """A pair that waits for its rating: what a page draws.

    Parameters
    ----------
    study : SimilarityStudy
        The study that asks.
    pair : Pair
        The two items.
    note : str
        What just happened, in one sentence; may be empty.
    """

    study: SimilarityStudy
    pair: Pair
    note: str  # what just happened, in one sentence; may be empty


Respond = Callable[[OpenQuestion], Action | None]  # None: no answer will ever come
RespondRating = Callable[[OpenRating], RatingResponse | None]  # None: no rating will ever come


def require_budget(budget: int | None) -> None:
    """Refuse a budget without a single answer."""
    if budget is not None and budget < 1:
        raise MethodError(f"--budget must be at least 1 answer but got {budget}")


def answer_loop(
    study: Study,
    respond: Respond,
    *,
    budget: int | None = None,
    note: str = "",
    verify: bool = False,
) -> Outcome:
    """Ask until `respond` stops, `budget` answers are given or nothing is left to ask.

    Parameters
    ----------
    study : Study
        Where the questions come from and the answers go.
    respond : callable
        Shows an `OpenQuestion` and returns an `Action`; None when no answer will ever come.
    budget : int, optional
        How many answers at most; None: no limit.
    note : str
        A sentence beside the first question.
    verify : bool
        Ask about what is known, too, where a mistake would cost most (`Study.verification`).

    Returns
    -------
    Outcome
        Why the loop is over.

    Raises
    ------
    MethodError
        If the budget does not allow a single answer.
    """
    require_budget(budget)
    return _AnswerLoop(study, respond, budget, note, verify=verify).run()


def rating_loop(
    study: SimilarityStudy, respond: RespondRating, *, budget: int | None = None, note: str = ""
) -> Outcome:
    """Ask for ratings until `respond` stops, `budget` of them are given or no pair is left.

    Parameters
    ----------
    study : SimilarityStudy
        Where the pairs come from and the ratings go, divided by 10.
    respond : callable
        Shows an `OpenRating` and returns a rating or an `Action`; None when none will ever come.
    budget : int, optional
        How many ratings at most; None: no limit.
    note : str
        A sentence beside the first pair.

    Returns
    -------
    Outcome
        Why the loop is over.

    Raises
    ------
    MethodError
        If the budget does not allow a single rating.
    """
    require_budget(budget)
    return _RatingLoop(study, respond, budget, note).run()


def audit_loop(study: Study, audit: Audit, respond: Respond) -> Audit:
    """Ask about the pairs of an audit until all are answered or `respond` stops.

    The answers are kept in the study as well. The audit that is returned judges the groups as they
    were when it began, whatever the answers have changed since.
    """
    loop = _AuditLoop(study, audit, respond)
    loop.run()  # however it ends, what was answered so far counts
    return loop.audit


def undo_last(study: Study) -> str:
    """Take back what was done last, as a whole; return a sentence about it."""
    step = study.last_step()
    if step is None:
        return "There is no answer to take back."
    study.undo()
    if step.number is None:
        return f"Taken back: {_VERDICT_NAMES[step.given[0].verdict]}."
    return f"An edit was undone: {step}."


class TerminalLoop(QuestionLoop[_Q], Generic[_Q, _Response]):
    """A loop in which somebody at a terminal replies, who may also stop and take back."""

    note = ""  # what just happened, in one sentence

    def reply(self, question: _Q) -> Outcome | None:
        shown = perf_counter()
        response = self.show(question)
        self.note = ""
        if response is None:
            return Outcome.NO_MORE_INPUT
        if response is Action.STOP:
            return Outcome.STOPPED
        if response is Action.UNDO:
            self.note = self.undo()
        else:
            self.note = self.take(question, response, round(perf_counter() - shown, 3))
        return None

    @abstractmethod
    def show(self, question: _Q) -> _Response | None:
        """Show a question and wait for the response; None: none will ever come."""

    @abstractmethod
    def take(self, question: _Q, response: _Response, seconds: float) -> str:
        """Act on a response; return a sentence about it, or an empty text."""

    @abstractmethod
    def undo(self) -> str:
        """Take back the last answer; return a sentence about it, or an empty text."""


class _AnswerLoop(TerminalLoop[Question, Action]):
    """Questions of a study; one that is put off comes back when nothing else is left."""

    def __init__(
        self,
        study: Study,
        respond: Respond,
        budget: int | None,
        note: str,
        *,
        verify: bool = False,
    ) -> None:
        super().__init__(budget=budget)
        self.study, self.respond, self.note = study, respond, note
        self._verifying = verify
        self._n_before = study.n_answers
        self._put_off: set[Pair] = set()

    @property
    def n_spent(self) -> int:
        return self.study.n_answers - self._n_before

    def ask(self) -> Question | None:
        look = self.study.verification() if self._verifying else None
        if look is None and self.n_spent % 2 == 0:  # in between, what is new goes on
            look = question_to_compare(self.study)
        if look is not None and look.pair not in self._put_off:
            return look
        question = self.study.ask(pending=self._put_off)
        if question is None and self._put_off:
            self._put_off.clear()
            question = self.study.ask()
        return question

    def show(self, question: Question) -> Action | None:
        shares = shares_as_predicted(self.study)
        self.study.prepare()  # while somebody looks
        return self.respond(OpenQuestion(self.study, question, self.note, shares))

    def take(self, question: Question, response: Action, seconds: float) -> str:
        if response is Action.SKIP:
            self._put_off.add(question.pair)
            return "Put off; it comes back when nothing else is left."
        if response in VERDICTS:
            weight = KNOWN_TO_ERR if self._verifying else 1.0
            self.study.tell(question, VERDICTS[response], seconds=seconds, weight=weight)
        return ""

    def undo(self) -> str:
        return undo_last(self.study)


class _RatingLoop(TerminalLoop["Pair", RatingResponse]):
    """Pairs of a study of similarities."""

    def __init__(
        self, study: SimilarityStudy, respond: RespondRating, budget: int | None, note: str
    ) -> None:
        super().__init__(budget=budget)
        self.study, self.respond, self.note = study, respond, note
        self._n_before = study.n_measurements

    @property
    def n_spent(self) -> int:
        return self.study.n_measurements - self._n_before

    def ask(self) -> Pair | None:
        return self.study.ask()

    def show(self, question: Pair) -> RatingResponse | None:
        return self.respond(OpenRating(self.study, question, self.note))

    def take(self, question: Pair, response: RatingResponse, seconds: float) -> str:
        if response is Action.UNSURE:
            self.study.unavailable(question)
            return "These two will not be shown again."
        if isinstance(response, int):
            self.study.tell(question, response / HIGHEST_RATING, seconds=seconds)
        return ""

    def undo(self) -> str:
        with suppress(AnswerError):
            value = self.study.undo().value
            rating = "" if value is None else f": {round(value * HIGHEST_RATING)}"
            return f"Taken back{rating}."
        return "There is no rating to take back."


class _AuditLoop(TerminalLoop["Pair", Action]):
    """The open pairs of an audit; one that is put off comes last."""

    n_spent = 0  # the pairs of the audit are all there is

    def __init__(self, study: Study, audit: Audit, respond: Respond) -> None:
        super().__init__()
        self.study, self.audit, self.respond = study, audit, respond
        self._left = audit.open
        self._before: list[Audit] = []  # as it was before each answer, for whoever takes one back

    def ask(self) -> Pair | None:
        return self._left[0] if self._left else None

    def show(self, question: Pair) -> Action | None:
        note = f"Audit: {len(self._left)} to go. {self.note}".strip()
        # Even odds: nobody is to be led by what the groups say.
        return self.respond(OpenQuestion(self.study, Question(question, 0.5), note, []))

    def take(self, question: Pair, response: Action, seconds: float) -> str:
        if response is Action.SKIP:
            self._left = [*self._left[1:], question]
        elif response in VERDICTS:
            verdict = VERDICTS[response]
            self.study.tell(question, verdict, seconds=seconds)
            self._before.append(self.audit)
            self.audit = self.audit.with_answer(question, verdict)
            self._left = [pair for pair in self._left if pair != question]
        return ""

    def undo(self) -> str:
        if not self._before:
            return ""
        self.study.undo()
        self.audit = self._before.pop()
        back = [pair for pair in self.audit.open if pair not in self._left]
        self._left = [*back, *self._left]
        return "Taken back."
