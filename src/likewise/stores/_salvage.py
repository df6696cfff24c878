"""What can still be read of a damaged journal."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from likewise.errors import StoreError
from likewise.journal import Answered, Event, Redone, Retracted, Undone, from_record, to_record
from likewise.stores.jsonl import NUMBER, JsonLinesStore
from likewise.stores.sql import to_fields

_SMALLEST_ROW = 32  # bytes; bounds how many rows a file can hold when it no longer says so


@dataclass(frozen=True, slots=True)
class Salvaged:
    """What could be saved of a damaged file.

    Parameters
    ----------
    saved : int
        How many events were saved.
    lost : list of int
        The positions of those that were not.
    """

    saved: int
    lost: list[int]


def salvage(damaged: str | Path, target: str | Path) -> Salvaged:
    """Write every event that can still be read to a new .jsonl file.

    What took back an answer that is lost is left out. Whatever came after the last event that can
    be read is not counted as lost, since nobody knows of it.

    Parameters
    ----------
    damaged : str or Path
        The SQLite file, or the file of lines; it is only read.
    target : str or Path
        The file to write; it must not exist.

    Returns
    -------
    Salvaged
        What was saved, and what was not.

    Raises
    ------
    StoreError
        If the first event cannot be read, or the target exists.
    """
    found = (_readable_lines if Path(damaged).suffix == ".jsonl" else readable)(Path(damaged))
    if not found:
        raise StoreError(
            f"the beginning of the study in {damaged} cannot be read, and without it the rest "
            "means nothing; take it from your backup"
        )
    if Path(target).exists():
        raise StoreError(f"{target} exists already; choose a new file")
    JsonLinesStore(target).append([found[position] for position in sorted(found)])
    return Salvaged(len(found), sorted(set(range(max(found))) - set(found)))


def readable(path: Path) -> dict[int, Event]:
    """Return the events that can be saved, by their position; none without the first."""
    found: dict[int, Event] = {}
    try:
        with closing(_connect(path)) as connection:
            for row in _rows(connection, path):
                with suppress(ValueError, TypeError, RecursionError, StoreError):
                    found[int(row["position"])] = from_record(to_fields(row))
    except (sqlite3.Error, OSError):
        return {}
    return _meaningful(found)


def _readable_lines(path: Path) -> dict[int, Event]:
    """Return the events that can be saved of a file of lines, by the line; doubled ones once."""
    found: dict[int, Event] = {}
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise StoreError(f"{path} cannot be read: {error.strerror}") from error
    answers: set[int] = set()
    for number, line in enumerate(lines, start=1):
        with suppress(ValueError, TypeError, StoreError):
            record = json.loads(line)
            said = int(record.pop(NUMBER, number))
            event = from_record(record)
            if isinstance(event, Answered):
                if event.answer.id in answers:
                    continue
                answers.add(event.answer.id)
            found.setdefault(said - 1, event)
    return _meaningful(found)


def _meaningful(found: dict[int, Event]) -> dict[int, Event]:
    """Leave out what takes back something that is lost; nothing is left without the first event."""
    given = {to_record(event).get("id") for event in found.values()}
    steps = {
        to_record(event).get("step")
        for event in found.values()
        if not isinstance(event, Undone | Redone)
    }

    def is_lost(event: Event) -> bool:
        if isinstance(event, Undone | Redone):
            return event.step not in steps
        return isinstance(event, Retracted) and event.answer_id not in given

    kept = {position: event for position, event in found.items() if not is_lost(event)}
    return kept if 0 in kept else {}


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(f"file:{quote(str(path.absolute()))}?mode=ro", uri=True)
    # SQLite refuses a file that is shorter than it should be, except to those who mend its schema.
    connection.execute("PRAGMA writable_schema=ON")
    connection.text_factory = lambda raw: raw.decode(errors="replace")
    return connection


def _rows(connection: sqlite3.Connection, path: Path) -> Iterator[dict[str, Any]]:
    """Read row by row, by SQLite's own number: one bad page costs only the rows on it."""
    for number in range(1, path.stat().st_size // _SMALLEST_ROW + 1):
        try:
            cursor = connection.execute("SELECT * FROM events WHERE rowid = ?", [number])
            row = cursor.fetchone()
        except sqlite3.Error:
            continue
        if row is not None:
            yield {column[0]: value for column, value in zip(cursor.description, row, strict=True)}
