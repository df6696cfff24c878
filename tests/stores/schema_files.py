"""Writes files/schema-VERSION.sql: a small study, as a database of the newest version holds it.

Run it once for a new version of the tables, and keep what it writes for ever:

    python tests/stores/schema_files.py
"""

from __future__ import annotations

import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

from likewise.journal import Answered, Event, Opened, Retracted
from likewise.journal.pairs import Answer, Pair, Verdict
from likewise.stores import SqlStore
from likewise.stores._schema import NEWEST

FILES = Path(__file__).parent / "files"
EVENTS: list[Event] = [
    Opened(3, "c0ffee", "urasc", None, 7),
    Answered(Answer(0, Pair(1, 0), Verdict.SAME, "Zoë", "2024-02-29T12:00:00.000+00:00", 0.5)),
    Answered(Answer(1, Pair(2, 0), Verdict.UNSURE, seconds=2.5, same_probability=0.25)),
    Retracted(1, "2024-02-29T12:00:01.000+00:00"),
]


def dump_of(path: Path) -> str:
    """The file as SQL; what alone holds nothing but lines of text can be kept beside the code."""
    with closing(sqlite3.connect(path)) as connection:
        return "\n".join(connection.iterdump()) + "\n"


def restore(dump: str, path: Path) -> None:
    """A file with what the SQL says."""
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(dump)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        store = SqlStore(Path(folder) / "study.db")
        store.append(EVENTS)
        store.close()
        (FILES / f"schema-{NEWEST}.sql").write_text(dump_of(Path(folder) / "study.db"))


if __name__ == "__main__":
    main()
