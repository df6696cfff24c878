"""Export and import of answers; whatever is read twice is kept once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from uuid import uuid4

from likewise.errors import DataError
from likewise.exchange.files import read_records, write_records
from likewise.exchange.records import AnswerRecord
from likewise.journal.disputes import Dispute
from likewise.journal.pairs import GOLD, Answer, Changes, Pair, Verdict
from likewise.journal.person_names import person_name
from likewise.study import Study

_LISTED = 3  # unknown ids text in one sentence
_GOLD_NAME = "gold"
_GOLD_WEIGHT = 100.0  # one error in two thousand


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


def export_answers(
    study: Study, path: str | Path, *, layout: str = "answers", raw_cells: bool = False
) -> int:
    """Write the answers that stand; return how many those were.

    Parameters
    ----------
    study : Study
        Whose answers. Items go by their own ids.
    path : str or Path
        Its ending says how it is written. A file that is there is replaced.
    layout : {"answers", "links", "dedupe", "splink", "label-studio", "argilla"}
        All that is known of each answer (.csv, .jsonl or .parquet), must- and cannot-links alone
        (.csv or .json), the training file of dedupe (.json), the clerical labels of splink (.csv),
        tasks of Label Studio or records of Argilla (.json), a pair each.
    raw_cells : bool
        Whether cells of a .csv that a spreadsheet would run as a formula are kept as they are.
        Otherwise an apostrophe is put in front, which `import_answers` takes away.

    Raises
    ------
    MethodError, DataError
        If there is no such layout, or the ending does not go with it.
    StoreError
        If the file cannot be written.
    """
    ids = study.items.ids
    records = [
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
    return write_records(records, Path(path), layout, study.items, raw_cells=raw_cells)


def import_answers(study: Study, path: str | Path, *, who: str = "") -> Imported:
    """Take in answers from any file that `export_answers` writes; all of them, or none on error.

    So does the reply to a questionnaire (`report.questionnaire`), signed by whoever gave it.

    An answer that the study has already (the same about the same pair, by the same person at the
    same time where the file says so) is not taken in again. Answers that contradict others are
    kept and listed, as those that a person gives.

    Parameters
    ----------
    study : Study
        Who takes them in.
    path : str or Path
        The file; its layout is recognised.
    who : str
        Signs what nobody has signed.

    Returns
    -------
    Imported
        What was new, what was known, what could not be used.

    Raises
    ------
    DataError
        If the file cannot be read; the message names the line.
    """
    return _take_in(study, read_records(Path(path), study), path, who=who)


def _take_in(
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


def import_gold(study: Study, path: str | Path) -> Imported:
    """Take in answers that are known to be right, by which people are checked without being told.

    They are kept under the name "gold" and count more than anybody's word.

    Parameters
    ----------
    study : Study
        Who takes them in.
    path : str or Path
        Any file that `import_answers` takes; who has signed the answers does not matter.

    Returns
    -------
    Imported
        What was new, what was known, what could not be used.

    Raises
    ------
    DataError
        If the file cannot be read, or has no answer about items of the study.
    """
    records = [
        replace(one, who=_GOLD_NAME, when="", weight=_GOLD_WEIGHT, same_probability=None)
        for one in read_records(Path(path), study)
        if one.verdict is not Verdict.UNSURE
    ]
    found = _take_in(study, records, path, client_id=lambda: f"{GOLD}{uuid4().hex}")
    if not (found.added or found.known):
        raise DataError(f"{path} has no answer, same or different, about items of this pile")
    return found


def _unknown(
    records: Iterable[AnswerRecord], answers: Iterable[Answer], position: dict[str, int]
) -> list[AnswerRecord]:
    """Return what is neither among the answers nor earlier in the same file."""
    answers = list(answers)
    signed = {(a.pair.unordered, a.verdict, a.when) for a in answers if a.when}
    known = {(a.pair.unordered, a.verdict, a.who) for a in answers}
    known |= {(a.pair.unordered, a.verdict, "") for a in answers}
    fresh = []
    for one in records:
        pair = Pair(position[one.item], position[one.other]).unordered
        key = (pair, one.verdict, one.when)
        # Lists of links say neither who nor when: there it counts that the answer is known, by
        # anybody or by whom it says; copies of one item are the same without anybody's word.
        who = person_name(one.who)
        if pair.i == pair.j or key in signed or (not one.when and (*key[:2], who) in known):
            continue
        if one.when:
            signed.add(key)
        known |= {(*key[:2], who), (*key[:2], "")}
        fresh.append(one)
    return fresh
