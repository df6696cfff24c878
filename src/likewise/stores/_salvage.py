"""What can still be read of a damaged SQLite file."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from likewise.errors import StoreError
from likewise.journal import Event, Retracted, from_record, to_record
from likewise.stores.jsonl import JsonLinesStore
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
        The SQLite file; it is only read.
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
    found = readable(Path(damaged))
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
                with suppress(ValueError, TypeError, StoreError):
                    found[int(row["position"])] = from_record(to_fields(row))
    except (sqlite3.Error, OSError):
        return {}
    given = {to_record(event).get("id") for event in found.values()}
    kept = {
        position: event
        for position, event in found.items()
        if not (isinstance(event, Retracted) and event.answer_id not in given)
    }
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
