"""Pair and rating until somebody stops: knows neither where keys come from nor how it looks.

A page in a browser would use the same loop with another `Respond`.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING

from likewise.cli.dialogue import require_budget
from likewise.cli.endings import Ending
from likewise.cli.keys import Action, meaning
from likewise.errors import AnswerError

if TYPE_CHECKING:
    from likewise.journal.pairs import Pair
    from likewise.study import SimilarityStudy

HIGHEST = 10


@dataclass(frozen=True)
class RatingMoment:
    """A pair that waits for its rating."""

    study: SimilarityStudy
    pair: Pair
    note: str  # what just happened, in one sentence; may be empty


AnswerRecord = int | Action  # a rating from 1 to 10, or what else a key can ask for
Respond = Callable[[RatingMoment], AnswerRecord | None]  # None: no rating will ever come


def said_by(key: str) -> AnswerRecord | None:
    """What a key, or a word on a line, says; the key 0 is a ten.

    >>> said_by("7"), said_by("0"), said_by("10"), said_by("11"), said_by("u")
    (7, 10, 10, None, <Action.UNDO: 'take back the last answer'>)
    """
    if key.isascii() and key.isdigit():
        rating = int(key) or HIGHEST
        return rating if rating <= HIGHEST else None
    action = meaning(key)
    return None if action in (Action.SAME, Action.DIFFERENT, Action.SKIP) else action


def converse(
    study: SimilarityStudy, respond: Respond, *, budget: int | None = None, note: str = ""
) -> Ending:
    """Show pairs until `respond` stops, `budget` ratings are given or nothing is left to rate."""
    require_budget(budget)
    before = study.n_measurements
    try:
        while budget is None or study.n_measurements - before < budget:
            pair = study.ask()
            if pair is None:
                return Ending.NOTHING_LEFT
            shown = perf_counter()
            said = respond(RatingMoment(study, pair, note))
            note = ""
            if said is None:
                return Ending.NO_MORE_INPUT
            if said is Action.STOP:
                return Ending.STOPPED
            if said is Action.UNDO:
                note = _undo(study)
            elif said is Action.UNSURE:
                study.unavailable(pair)
                note = "These two will not be shown again."
            elif isinstance(said, int):
                seconds = round(perf_counter() - shown, 3)
                study.tell(pair, said / HIGHEST, seconds=seconds)
        return Ending.BUDGET_SPENT
    except KeyboardInterrupt:
        return Ending.INTERRUPTED


def _undo(study: SimilarityStudy) -> str:
    """Take the last rating back, and say so."""
    with suppress(AnswerError):
        value = study.undo().value
        return "Taken back." if value is None else f"Taken back: {round(value * HIGHEST)}."
    return "There is no rating to take back."
