"""Question and answer until somebody stops.

The loops know neither where keys come from nor how a question looks: a `Respond` function shows
an open question and returns what was answered.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING

from likewise.cli.outcome import Outcome
from likewise.cli.terminal.keys import HIGHEST_RATING, Action, RatingResponse
from likewise.errors import AnswerError, MethodError
from likewise.journal.pairs import Question, Verdict
from likewise.quality import shares_as_predicted

if TYPE_CHECKING:
    from likewise.journal.pairs import Pair
    from likewise.quality import Audit
    from likewise.study import SimilarityStudy, Study

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
    """A question that waits for its answer."""

    study: Study
    question: Question
    note: str  # what just happened, in one sentence; may be empty
    predicted_shares: Sequence[float]  # share of recent answers as predicted, after each answer


@dataclass(frozen=True)
class OpenRating:
    """A pair that waits for its rating."""

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
    study: Study, respond: Respond, *, budget: int | None = None, note: str = ""
) -> Outcome:
    """Ask until `respond` stops, `budget` answers are given or nothing is left to ask."""
    require_budget(budget)
    before = study.n_answers
    put_off: set[Pair] = set()
    try:
        while budget is None or study.n_answers - before < budget:
            question = study.ask(pending=put_off)
            if question is None and put_off:
                put_off.clear()  # nothing else is left, so their time has come
                question = study.ask()
            if question is None:
                return Outcome.NOTHING_LEFT
            shown = perf_counter()
            action = respond(OpenQuestion(study, question, note, shares_as_predicted(study)))
            note = ""
            if action is None:
                return Outcome.NO_MORE_INPUT
            if action is Action.STOP:
                return Outcome.STOPPED
            if action is Action.UNDO:
                note = _undo_answer(study)
            elif action is Action.SKIP:
                put_off.add(question.pair)
                note = "Put off; it comes back when nothing else is left."
            elif action in VERDICTS:
                study.tell(question, VERDICTS[action], seconds=round(perf_counter() - shown, 3))
        return Outcome.BUDGET_SPENT
    except KeyboardInterrupt:
        return Outcome.INTERRUPTED


def rating_loop(
    study: SimilarityStudy, respond: RespondRating, *, budget: int | None = None, note: str = ""
) -> Outcome:
    """Show pairs until `respond` stops, `budget` ratings are given or nothing is left to rate."""
    require_budget(budget)
    before = study.n_measurements
    try:
        while budget is None or study.n_measurements - before < budget:
            pair = study.ask()
            if pair is None:
                return Outcome.NOTHING_LEFT
            shown = perf_counter()
            response = respond(OpenRating(study, pair, note))
            note = ""
            if response is None:
                return Outcome.NO_MORE_INPUT
            if response is Action.STOP:
                return Outcome.STOPPED
            if response is Action.UNDO:
                note = _undo_rating(study)
            elif response is Action.UNSURE:
                study.unavailable(pair)
                note = "These two will not be shown again."
            elif isinstance(response, int):
                seconds = round(perf_counter() - shown, 3)
                study.tell(pair, response / HIGHEST_RATING, seconds=seconds)
        return Outcome.BUDGET_SPENT
    except KeyboardInterrupt:
        return Outcome.INTERRUPTED


def audit_loop(study: Study, audit: Audit, respond: Respond) -> Audit:
    """Ask about the pairs of an audit until all are answered or `respond` stops."""
    left = audit.open
    before: list[Audit] = []  # as it was before each answer, for whoever takes one back
    note = ""
    with suppress(KeyboardInterrupt):  # what was answered so far counts
        while left:
            pair = left[0]
            shown = perf_counter()
            to_go = f"Audit: {len(left)} to go."
            # Even odds: nobody is to be led by what the groups say.
            question = Question(pair, 0.5)
            action = respond(OpenQuestion(study, question, f"{to_go} {note}".strip(), []))
            note = ""
            if action is None or action is Action.STOP:
                break
            if action in VERDICTS:
                verdict = VERDICTS[action]
                study.tell(pair, verdict, seconds=round(perf_counter() - shown, 3))
                before.append(audit)
                audit = audit.with_answer(pair, verdict)
                left = [one for one in left if one != pair]
            elif action is Action.SKIP:
                left = [*left[1:], pair]
            elif action is Action.UNDO and before:
                study.undo()
                audit = before.pop()
                left = [*(one for one in audit.open if one not in left), *left]
                note = "Taken back."
    return audit


def _undo_answer(study: Study) -> str:
    """Take the last answer back, and return a sentence about it."""
    with suppress(AnswerError):
        return f"Taken back: {_VERDICT_NAMES[study.undo().verdict]}."
    return "There is no answer to take back."


def _undo_rating(study: SimilarityStudy) -> str:
    """Take the last rating back, and return a sentence about it."""
    with suppress(AnswerError):
        value = study.undo().value
        return "Taken back." if value is None else f"Taken back: {round(value * HIGHEST_RATING)}."
    return "There is no rating to take back."
