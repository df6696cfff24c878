"""What comes of taking answers in; whatever is read twice is kept once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from likewise.errors import DataError
from likewise.exchange.records import AnswerRecord
from likewise.journal.disputes import Dispute
from likewise.journal.pairs import Answer, Changes, Pair
from likewise.journal.person_names import person_name
from likewise.study import Study

_LISTED = 3  # unknown ids in one sentence


@dataclass(frozen=True)
class Imported:
    """What came of an import.

    Parameters
    ----------
    added : tuple of Answer
        The answers that were taken in.
    known : int
        How many the study had already.
    strangers : tuple of str
        Ids of items that are not in the pile; answers about them are left out.
    disputes : tuple of Dispute
        Answers of the import that contradict others. They are kept.
    """

    added: tuple[Answer, ...]
    known: int
    strangers: tuple[str, ...]
    disputes: tuple[Dispute, ...]

    def sentence(self, ids: Sequence[str]) -> str:
        """Say the same in words; `ids` are the items' names."""
        text = f"{len(self.added)} answers taken in, {self.known} were there already"
        if self.strangers:
            names = ", ".join(self.strangers[:_LISTED])
            more = len(self.strangers) - _LISTED
            names += f" and {more} more" if more > 0 else ""
            text += f"; answers about {names} are left out, the pile has no such items"
        for dispute in self.disputes:
            text += f"; {dispute.describe(ids)}"
        return text


def take_in(
    study: Study,
    records: Sequence[AnswerRecord],
    path: str | Path,
    *,
    who: str = "",
    client_id: Callable[[], str] = str,
) -> Imported:
    """Keep what the study does not have yet; `client_id` makes a name for each answer."""
    position = study.items.position()
    named = dict.fromkeys(name for one in records for name in (one.item, one.other))
    strangers = tuple(name for name in named if name not in position)
    found = [one for one in records if one.item in position and one.other in position]
    for one in found:
        if one.item == one.other:
            raise DataError(f"{path}, {one.where}: {one.item} is held against itself")
    fresh: list[AnswerRecord] = []

    def changes() -> Changes:
        fresh[:] = _unknown(found, study.answers, position)
        drafts = [one.draft(position, who) for one in fresh]
        return Changes([replace(one, client_id=client_id()) for one in drafts])

    added = study.record(changes)
    mine = {answer.id for answer in added}
    disputes = tuple(dispute for dispute in study.disputes() if dispute.answer.id in mine)
    return Imported(tuple(added), len(found) - len(fresh), strangers, disputes)


def _unknown(
    records: Iterable[AnswerRecord], answers: Iterable[Answer], position: dict[str, int]
) -> list[AnswerRecord]:
    """Return what is neither among the answers nor earlier in the same file."""
    answers = list(answers)
    known = {(a.pair.unordered, a.verdict, "", who) for a in answers for who in (a.who, "")}
    known |= {(a.pair.unordered, a.verdict, a.when, who) for a in answers for who in (a.who, "")}
    fresh = []
    for one in records:
        pair = Pair(position[one.item], position[one.other]).unordered
        # Where it is not said who, or when, it counts that the answer is known of anybody, of any
        # time; copies of one item are the same without anybody's word.
        who = person_name(one.who)
        if pair.i == pair.j or (pair, one.verdict, one.when, who) in known:
            continue
        known |= {(pair, one.verdict, when, by) for when in (one.when, "") for by in (who, "")}
        fresh.append(one)
    return fresh
