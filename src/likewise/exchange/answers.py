"""Export and import of answers; whatever is read twice is kept once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from likewise.errors import DataError
from likewise.exchange.files import read_records, write_records
from likewise.exchange.records import AnswerRecord
from likewise.journal.constraints import Dispute
from likewise.journal.pairs import Answer, Changes, Pair
from likewise.study import Study

_LISTED = 3  # unknown ids told in one sentence


@dataclass(frozen=True)
class Imported:
    """What came of an import."""

    added: tuple[Answer, ...]
    known: int  # answers that the study had already
    strangers: tuple[str, ...]  # ids of items that are not in the pile; their answers are left out
    disputes: tuple[Dispute, ...]  # answers of the import that contradict others

    def sentence(self, ids: Sequence[str]) -> str:
        """The same in words; `ids` are the items' names."""
        told = f"{len(self.added)} answers taken in, {self.known} were there already"
        if self.strangers:
            names = ", ".join(self.strangers[:_LISTED])
            more = len(self.strangers) - _LISTED
            names += f" and {more} more" if more > 0 else ""
            told += f"; answers about {names} are left out, the pile has no such items"
        for dispute in self.disputes:
            told += f"; {dispute.describe(ids)}"
        return told


def export_answers(study: Study, path: str | Path, *, layout: str = "answers") -> int:
    """Write the answers that stand; how many those were.

    `layout` is "answers" (all that is known of each; .csv, .jsonl or .parquet), "links" (must- and
    cannot-links alone; .csv or .json) or "dedupe" (the training file of that program; .json).
    Items go by their own ids.
    """
    ids = study.items.ids
    said = [
        AnswerRecord(
            item=ids[answer.pair.i],
            other=ids[answer.pair.j],
            verdict=answer.verdict,
            answer=answer.id,
            who=answer.who,
            when=answer.when,
            seconds=answer.seconds,
            weight=answer.weight,
            same_probability=answer.same_probability,
            model_version=answer.model_version,
        )
        for answer in study.answers
    ]
    return write_records(said, Path(path), layout, study.items)


def import_answers(study: Study, path: str | Path, *, who: str = "") -> Imported:
    """Take in answers from any file that `export_answers` writes; all of them, or none on error.

    An answer that the study has already (the same about the same pair, by the same person at the
    same time where the file says so) is not taken in again. Answers that contradict others are
    kept and listed, as those that a person gives. `who` signs what nobody has signed.
    """
    said = read_records(Path(path), study.items)
    position = study.items.position()
    named = dict.fromkeys(name for one in said for name in (one.item, one.other))
    strangers = tuple(name for name in named if name not in position)
    found = [one for one in said if one.item in position and one.other in position]
    for one in found:
        if one.item == one.other:
            raise DataError(f"{path}, {one.where}: {one.item} is held against itself")
    fresh: list[AnswerRecord] = []

    def changes() -> Changes:
        fresh[:] = _unknown(found, study.answers, position)
        return Changes([one.draft(position, who) for one in fresh])

    added = study.record(changes)
    mine = {answer.id for answer in added}
    disputes = tuple(dispute for dispute in study.disputes() if dispute.answer.id in mine)
    return Imported(tuple(added), len(found) - len(fresh), strangers, disputes)


def _unknown(
    said: Iterable[AnswerRecord], answers: Iterable[Answer], position: dict[str, int]
) -> list[AnswerRecord]:
    """What is neither among the answers nor said before in the same file."""
    signed = {(a.pair.unordered, a.verdict, a.when) for a in answers}
    known = {(pair, verdict) for pair, verdict, _ in signed}
    fresh = []
    for one in said:
        pair = Pair(position[one.item], position[one.other]).unordered
        key = (pair, one.verdict, one.when)
        # Lists of links say neither who nor when: there it counts that the answer is known; and
        # copies of one item are the same without anybody's word.
        if pair.i == pair.j or key in signed or (not one.when and key[:2] in known):
            continue
        signed.add(key)
        known.add(key[:2])
        fresh.append(one)
    return fresh
