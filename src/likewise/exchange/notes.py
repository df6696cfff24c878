"""Notes to a file and back: marks for review, collections, further groups, by the ids of items."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from likewise.errors import DataError, LikewiseError, StoreError
from likewise.features.regular_files import read_regular
from likewise.journal import Noted, from_record
from likewise.study import Study

_ABOUT = ("review", "collection", "also")
_FIELDS = {"item", "about", "text", "other", "who", "when"}


@dataclass(frozen=True)
class ImportedNotes:
    """What came of an import of notes.

    Parameters
    ----------
    added : int
        How many were taken in.
    known : int
        How many the study had already.
    strangers : tuple of str
        Ids of items that are not in the pile; notes about them are left out.
    """

    added: int
    known: int
    strangers: tuple[str, ...]

    def sentence(self) -> str:
        """Say the same in words."""
        noun, verb = "note" + "s" * (self.added != 1), "was" if self.known == 1 else "were"
        said = f"{self.added} {noun} taken in, {self.known} {verb} there already"
        if self.strangers:
            said += f"; notes about {', '.join(self.strangers[:3])} are left out, the pile has no "
            said += "such items"
        return said


def export_notes(study: Study, path: str | Path) -> int:
    """Write the notes that stand, a line of JSON each; return how many those were.

    Parameters
    ----------
    study : Study
        Whose notes: marks for review, collections of groups, further groups of items. That a stack
        was taken apart stays with its pile.
    path : str or Path
        A .jsonl file; one that is there is replaced.

    Raises
    ------
    DataError
        If the file is to end otherwise.
    StoreError
        If it cannot be written.
    """
    path = Path(path)
    if path.suffix != ".jsonl":
        raise DataError(f"notes are written to .jsonl, not to {path.name!r}")
    ids = study.items.ids
    lines = [
        {
            "about": note.about,
            "item": ids[note.item],
            "text": note.text,
            **({} if note.other is None else {"other": ids[note.other]}),
            "who": note.who,
            "when": note.when,
        }
        for note in study.notes
        if note.about in _ABOUT and (note.text or note.about != "collection")
    ]
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    try:
        path.write_text(text, encoding="utf-8", errors="surrogateescape")
    except OSError as error:
        raise StoreError(f"{path} cannot be written: {error.strerror}") from error
    return len(lines)


def holds_notes(path: str | Path) -> bool:
    """Return whether a file is one of notes, by its first line; False if it cannot be read."""
    try:
        first = json.loads(read_regular(Path(path)).split(b"\n", 1)[0])
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(first, dict) and first.get("about") in _ABOUT


def import_notes(study: Study, path: str | Path, *, who: str = "") -> ImportedNotes:
    """Take in notes from a file that `export_notes` wrote, in one step; all of them, or none.

    What the study has already is not taken in again. Of two collections of one group, and of two
    notes for the review of one item, those of the file are the later ones and count.

    Parameters
    ----------
    study : Study
        Who takes them in.
    path : str or Path
        The file.
    who : str
        Signs what nobody has signed.

    Raises
    ------
    DataError
        If the file cannot be read; the message names the line.
    """
    path, position = Path(path), study.items.position()
    try:
        content = read_regular(path).decode("utf-8", errors="surrogateescape")
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror}") from error
    found: list[Noted] = []
    strangers: dict[str, None] = {}
    for number, line in enumerate(content.splitlines(), start=1):
        if line.strip():
            record = _record(line, f"{path}, line {number}")
            named = [record[name] for name in ("item", "other") if name in record]
            absent = [one for one in named if one not in position]
            strangers |= dict.fromkeys(absent)
            if not absent:
                found.append(_note(record, position, f"{path}, line {number}"))
    known = {_said(note) for note in study.notes}
    fresh = [note for note in found if _said(note) not in known]
    study.take_notes(fresh, who=who)
    return ImportedNotes(len(fresh), len(found) - len(fresh), tuple(strangers))


def _said(note: Noted) -> tuple[Any, ...]:
    return note.item, note.about, note.text, note.other


def _record(line: str, where: str) -> dict[str, Any]:
    """Return a line as a record of texts."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise DataError(f"{where}: not JSON: {error}") from error
    if not isinstance(record, dict) or record.get("about") not in _ABOUT or "item" not in record:
        raise DataError(f"{where}: a note must say which item, and about what: {_ABOUT}")
    if unknown := set(record) - _FIELDS:
        raise DataError(f"{where}: a note has no field {sorted(map(str, unknown))[0]!r}")
    if not all(isinstance(value, str) for value in record.values()):
        raise DataError(f"{where}: every field of a note is a text")
    if (record["about"] == "also") != ("other" in record):
        raise DataError(f"{where}: 'other' names an item of the further group, of 'also' alone")
    return record


def _note(record: dict[str, Any], position: dict[str, int], where: str) -> Noted:
    places = {name: position[record[name]] for name in ("item", "other") if name in record}
    try:
        note = from_record({"event": "noted", **record, **places})
    except LikewiseError as error:
        raise DataError(f"{where}: {error}") from error
    assert isinstance(note, Noted)
    return note
