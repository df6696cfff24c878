"""Question and answer until somebody stops: knows neither where keys come from nor how it looks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING

from likewise.cli.endings import Ending
from likewise.cli.keys import Action
from likewise.errors import AnswerError, MethodError
from likewise.journal.pairs import Verdict
from likewise.quality import shares_as_predicted

if TYPE_CHECKING:
    from likewise.journal.pairs import Pair, Question
    from likewise.study import Study

VERDICTS = {
    Action.SAME: Verdict.SAME,
    Action.DIFFERENT: Verdict.DIFFERENT,
    Action.UNSURE: Verdict.UNSURE,
}
_SAID = {Verdict.SAME: "same", Verdict.DIFFERENT: "different", Verdict.UNSURE: "not sure"}


@dataclass(frozen=True)
class Moment:
    """A question that waits for its answer."""

    study: Study
    question: Question
    note: str  # what just happened, in one sentence; may be empty
    foreseen: Sequence[float]  # share of recent answers as predicted, after each answer


Respond = Callable[[Moment], Action | None]  # None: no answer will ever come


def require_budget(budget: int | None) -> None:
    """Refuse a sitting without a single answer."""
    if budget is not None and budget < 1:
        raise MethodError(f"--budget must be at least 1 answer but got {budget}")


def converse(
    study: Study, respond: Respond, *, budget: int | None = None, note: str = ""
) -> Ending:
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
                return Ending.NOTHING_LEFT
            shown = perf_counter()
            action = respond(Moment(study, question, note, shares_as_predicted(study)))
            note = ""
            if action is None:
                return Ending.NO_MORE_INPUT
            if action is Action.STOP:
                return Ending.STOPPED
            if action is Action.UNDO:
                note = _undo(study)
            elif action is Action.SKIP:
                put_off.add(question.pair)
                note = "Put off; it comes back when nothing else is left."
            elif action in VERDICTS:
                study.tell(question, VERDICTS[action], seconds=round(perf_counter() - shown, 3))
        return Ending.BUDGET_SPENT
    except KeyboardInterrupt:
        return Ending.INTERRUPTED


def _undo(study: Study) -> str:
    """Take the last answer back, and say so."""
    with suppress(AnswerError):
        return f"Taken back: {_SAID[study.undo().verdict]}."
    return "There is no answer to take back."
