"""The judge: what people were told, held against what the journal says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum

from likewise.journal import Answered, Event, Retracted


class Told(Enum):
    """What a person has heard of an answer, or of taking it back."""

    NOTHING = "nothing"
    KEPT = "kept"
    REFUSED = "refused"


@dataclass
class Given:
    """An answer that a person gave: what was on the screen, and what the server said to it."""

    who: str
    client_id: str
    shown: frozenset[str]
    verdict: str
    told: Told = Told.NOTHING
    answer_id: int | None = None
    wants_back: bool = False
    took_back: bool = False


@dataclass(frozen=True)
class Findings:
    """How many answers were acknowledged and are there, and what went wrong with how many."""

    acknowledged: int
    kept: int
    taken_back: int
    lost: int
    doubled: int
    misplaced: int

    @property
    def are_clean(self) -> bool:
        """Whether nothing was lost, doubled or misplaced."""
        return self.lost == self.doubled == self.misplaced == 0


def check(given: Iterable[Given], events: Sequence[Event], ids: Sequence[str]) -> Findings:
    """Compare what people gave with the journal; `ids` names its items by their numbers.

    Lost: acknowledged, and not there, or taken back with an acknowledgement and standing still.
    Doubled: there more than once. Misplaced: about other items than were shown, with another
    verdict or name than given, refused and kept all the same, or taken back unasked.
    """
    by_name = {one.client_id: one for one in given}
    kept = [event.answer for event in events if isinstance(event, Answered)]
    times = Counter(answer.client_id for answer in kept)
    back = {event.answer_id: event.who for event in events if isinstance(event, Retracted)}
    lost = doubled = misplaced = 0
    for one in by_name.values():
        lost += one.told is Told.KEPT and not times[one.client_id]
        lost += one.took_back and one.answer_id not in back
    for name, n in times.items():
        doubled += n > 1
        misplaced += name not in by_name  # nobody gave it
    for answer in kept:
        if answer.client_id not in by_name:
            continue
        one = by_name[answer.client_id]
        about = frozenset(ids[item] for item in answer.pair)
        is_as_given = (about, answer.verdict.value, answer.who) == (one.shown, one.verdict, one.who)
        is_unasked = answer.id in back and not (one.wants_back and back[answer.id] == one.who)
        misplaced += not is_as_given or one.told is Told.REFUSED or is_unasked
    return Findings(
        acknowledged=sum(one.told is Told.KEPT for one in by_name.values()),
        kept=len(kept),
        taken_back=sum(one.took_back for one in by_name.values()),
        lost=lost,
        doubled=doubled,
        misplaced=misplaced,
    )
