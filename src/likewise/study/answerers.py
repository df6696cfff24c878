"""The people who answer in a study: a table of them, and what would be without some of them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from likewise.beliefs import Beliefs, OneSided
from likewise.errors import AnswerError
from likewise.journal import Answered, Event, Named, Switched
from likewise.journal.pairs import Answer, Verdict
from likewise.stores import MemoryStore
from likewise.stores.stored_journal import StoredJournal

if TYPE_CHECKING:
    import pandas as pd

    from likewise.study.study import Study

_S = TypeVar("_S", bound="Study")


def answerers_frame(answers: Sequence[Answer], beliefs: Beliefs) -> pd.DataFrame:
    """Return a row per person; see `Study.answerers_`."""
    import pandas as pd

    overruled, bounds = beliefs.overruled(answers), beliefs.intervals
    gold = {answer.pair.unordered: answer.verdict for answer in answers if answer.is_gold}
    rows: list[dict[str, Any]] = []
    for who in dict.fromkeys(answer.who for answer in answers if not answer.is_gold):
        theirs = [answer for answer in answers if answer.who == who]
        votes = [answer for answer in theirs if answer.verdict is not Verdict.UNSURE]
        checked = [answer for answer in votes if answer.pair.unordered in gold]
        place = beliefs.votes.people.index(who) if votes else None
        rows.append(
            {
                "who": who,
                "answers": len(theirs),
                "error_same": _at(beliefs.rates.same, place),
                "error_different": _at(beliefs.rates.different, place),
                "low": _at(bounds.low, place),
                "high": _at(bounds.high, place),
                "agreement": _share(answer.id not in overruled for answer in votes),
                "says_same": _share(answer.verdict is Verdict.SAME for answer in votes),
                "one_sided": OneSided.of(votes).is_blind,
                "gold": len(checked),
                "gold_right": _share(a.verdict is gold[a.pair.unordered] for a in checked),
                "cost": sum(answer.cost for answer in theirs),
                "seconds": sum(answer.seconds or 0.0 for answer in theirs),
            }
        )
    return pd.DataFrame(rows, columns=_COLUMNS)


_COLUMNS = (
    "who", "answers", "error_same", "error_different", "low", "high", "agreement", "says_same",
    "one_sided", "gold", "gold_right", "cost", "seconds",
)  # fmt: skip


def _at(values: Any, place: int | None) -> float:
    return float("nan") if place is None else float(values[place])


def _share(flags: Any) -> float:
    found = list(flags)
    return float(np.mean(found)) if found else float("nan")


def copy_without(study: _S, who: Collection[str]) -> _S:
    """Return a copy of a study, in memory, that has never heard of these people."""
    known = {answer.who for answer in study.answers}
    for name in who:
        if name not in known:
            raise AnswerError(
                f"nobody called {name!r} has answered; those who have are "
                f"{', '.join(map(repr, sorted(known))) or 'none'}"
            )
    answers = [answer for answer in study.answers if answer.who not in who]
    names = [Named(item, name) for item, name in study._state.names.items()]
    notes = study._state.notes_at_hand.facts()
    views = [Switched(study._state.off)] if study._state.off else []
    events: list[Event] = [study._state.opened, *views, *map(Answered, answers), *names, *notes]
    store = MemoryStore()
    store.append(events)
    other = type(study).__new__(type(study))
    other._attach(StoredJournal(store, events))
    other._set_up(study.items, study.recipe)
    other._share_reduction(study)
    return other
