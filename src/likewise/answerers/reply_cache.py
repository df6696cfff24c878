"""Answers of language models that were paid for once, by what was asked: they are never paid twice.

One SQLite file in the folder of the features' cache (LIKEWISE_CACHE names another). It holds
digests of what was asked, and one word for each answer: no item, no instruction, no key.
"""

from __future__ import annotations

import hashlib
import json
import logging
import sqlite3
from collections.abc import Mapping, Sequence
from typing import Any

from likewise.errors import MissingExtra
from likewise.features.cache import folder

_TABLE = "replies (asked TEXT PRIMARY KEY, reply TEXT) WITHOUT ROWID"
_FILE = "answers.db"
_AT_ONCE = 500  # below SQLite's limit of variables per statement

_log = logging.getLogger(__name__)


def open_database() -> sqlite3.Connection:
    """Open the file of answers and costs; where that cannot be, one in memory, and say so."""
    try:
        where = folder()
        where.mkdir(parents=True, exist_ok=True)
        database = sqlite3.connect(where / _FILE, timeout=30.0, check_same_thread=False)
        with database:
            database.execute(f"CREATE TABLE IF NOT EXISTS {_TABLE}")
    except (OSError, sqlite3.Error, MissingExtra) as error:
        _log.warning(
            "answers cannot be remembered from one run to the next (%s); set LIKEWISE_CACHE to a "
            "folder that can be written",
            error,
        )
        database = sqlite3.connect(":memory:", check_same_thread=False)
        database.execute(f"CREATE TABLE IF NOT EXISTS {_TABLE}")
    return database


def digest(asked: Any) -> str:
    """Return a short name for what was asked; anything that JSON can hold.

    >>> digest(["a", 1]) == digest(["a", 1]), digest(["a", 1]) == digest(["a", 2])
    (True, False)
    """
    content = json.dumps(asked, sort_keys=True, ensure_ascii=True).encode()
    return hashlib.blake2b(content, digest_size=16).hexdigest()


class ReplyCache:
    """Replies by the digest of what was asked.

    Parameters
    ----------
    database : sqlite3.Connection
        From `open_database`.
    """

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database

    def known(self, asked: Sequence[str]) -> dict[str, str]:
        """Return the replies that are known, by digest."""
        found: dict[str, str] = {}
        for first in range(0, len(asked), _AT_ONCE):
            part = asked[first : first + _AT_ONCE]
            places = ",".join("?" * len(part))
            query = f"SELECT asked, reply FROM replies WHERE asked IN ({places})"
            found.update(self._database.execute(query, part).fetchall())
        return found

    def keep(self, replies: Mapping[str, str]) -> None:
        """Keep replies; they are on the disk when this returns."""
        with self._database:
            self._database.executemany(
                "INSERT OR REPLACE INTO replies VALUES (?, ?)", list(replies.items())
            )
