"""Features that were computed once, by content: one SQLite file in the user's cache folder.

LIKEWISE_CACHE names another folder. The cache can be deleted at any time; it only saves waiting.
Vectors are kept in half precision, and are so from the first: with or without a cache, all that
follows is computed from the same numbers.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from time import monotonic

import numpy as np
import numpy.typing as npt

from likewise._extras import extra_explained
from likewise.features.regular_files import open_regular

Vectors = npt.NDArray[np.float32]  # (n, d)
Progress = Callable[[int, int], None]  # how many are done, of how many
Computed = Iterator["tuple[int, npt.NDArray[np.float32] | None]"]  # position and vector, or None

_TABLES = (
    "vectors (kind TEXT, digest BLOB, vector BLOB, PRIMARY KEY (kind, digest))",
    "files (path TEXT PRIMARY KEY, size INTEGER, changed INTEGER, digest BLOB)",
)
_BATCH = 500  # rows per transaction, and below SQLite's limit of variables per statement
_SECONDS = 1.0  # until slow vectors are written, at the latest
_TOLD_SECONDS = 0.2  # between two words of progress


def folder() -> Path:
    """Return where the cache is."""
    named = os.environ.get("LIKEWISE_CACHE")
    if named:
        return Path(named)
    with extra_explained():
        from platformdirs import user_cache_path

    return user_cache_path("likewise", appauthor=False)


def cached(
    kind: str,
    digests: Sequence[bytes],
    compute: Callable[[list[int]], Computed],
    progress: Progress | None = None,
    *,
    width: int | None = None,
    is_whole: Callable[[npt.NDArray[np.float32]], bool] | None = None,
) -> dict[int, npt.NDArray[np.float32]]:
    """Return the vector of every position; `compute` makes those not in the cache yet.

    Parameters
    ----------
    kind : str
        Names how the vectors are made, with its version: raise it when the numbers become others.
    digests : sequence of bytes
        Of what each vector is made.
    compute : callable
        Given the missing positions, yields each with its vector, or with None (a file that cannot
        be read); such positions are left out, and tried again next time.
    progress : callable, optional
        Called with how many are done, of how many.
    width : int, optional
        How many numbers a vector has; None: as many as most of those in the cache. What the cache
        holds otherwise is computed again.
    is_whole : callable, optional
        Where vectors are of different lengths: whether one of the cache is as it must be.
    """
    with _database() as database:
        found = dict(_look_up(database, kind, digests))
        if is_whole is None:
            found = _of_one_width(found, width)
        else:
            found = {k: vector for k, vector in found.items() if is_whole(vector)}
        missing = [k for k in range(len(digests)) if k not in found]
        done = len(found)
        if progress is not None:
            progress(done, len(digests))
        made: dict[int, npt.NDArray[np.float16]] = {}

        def keep() -> None:
            found.update({k: vector.astype(np.float32) for k, vector in made.items()})
            _keep(database, kind, ((digests[k], vector) for k, vector in made.items()))
            made.clear()

        began = told = monotonic()
        try:
            for k, vector in compute(missing):
                done += 1
                if vector is not None:
                    made[k] = vector.astype(np.float16)
                if len(made) == _BATCH or monotonic() - began > _SECONDS or done == len(digests):
                    keep()
                    began = monotonic()
                now = monotonic()
                if progress is not None and (done == len(digests) or now - told > _TOLD_SECONDS):
                    progress(done, len(digests))
                    told = now
        finally:  # an error, or an interrupt, costs only what it fell upon
            keep()
    return found


def in_cache(kind: str, digests: Collection[bytes]) -> set[bytes]:
    """Return those digests whose vectors of this kind need not be computed."""
    listed, found = list(digests), set[bytes]()
    with _database() as database:
        for first in range(0, len(listed) if database is not None else 0, _BATCH):
            part = listed[first : first + _BATCH]
            places = ",".join("?" * len(part))
            query = f"SELECT digest FROM vectors WHERE kind = ? AND digest IN ({places})"
            with suppress(sqlite3.Error):  # damaged: what it held is computed again
                assert database is not None
                found.update(digest for (digest,) in database.execute(query, (kind, *part)))
    return found


def known_file_digests(paths: Sequence[Path]) -> dict[int, bytes]:
    """Return the digests of those files that were read before and have not changed, by position."""
    with _database() as database:
        known = _known_files(database)
    digests = {}
    for k, path in enumerate(paths if known else ()):
        with suppress(OSError):
            if (found := known.get(_file_key(path))) is not None:
                digests[k] = found
    return digests


def file_digests(paths: Sequence[Path]) -> dict[int, bytes]:
    """Return a short name for the content of each file that can be read, by position.

    A file is read again only if its size or the time of its last change is another.
    """
    digests = {}
    with _database() as database:
        known = _known_files(database)
        news = []
        for k, path in enumerate(paths):
            try:
                key = _file_key(path)
                if key not in known:
                    with open_regular(path) as file:
                        content = hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=16))
                    known[key] = content.digest()
                    news.append((*key, known[key]))
            except OSError:
                continue
            digests[k] = known[key]
        if database is not None and news:
            with suppress(sqlite3.Error, UnicodeEncodeError), database:
                database.executemany("INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?)", news)
    return digests


def _file_key(path: Path) -> tuple[str, int, int]:
    """Return what is another once a file was written."""
    stat = path.stat()
    return os.path.abspath(path), stat.st_size, stat.st_mtime_ns


def _known_files(
    database: sqlite3.Connection | None,
) -> dict[tuple[str, int, int], bytes]:
    """Return the digests of files seen before, by path, size and time of change."""
    if database is None:
        return {}
    try:
        rows = database.execute("SELECT path, size, changed, digest FROM files")
        return {(path, size, changed): digest for path, size, changed, digest in rows}
    except sqlite3.Error:
        return {}


@contextmanager
def _database() -> Iterator[sqlite3.Connection | None]:
    """Open the cache; None when it cannot be used, and then everything is computed."""
    try:
        where = folder()
        where.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(where / "features.db", timeout=10.0)
        for table in _TABLES:
            connection.execute(f"CREATE TABLE IF NOT EXISTS {table} WITHOUT ROWID")
    except (OSError, sqlite3.Error):
        yield None
        return
    with closing(connection):
        yield connection


def _look_up(
    database: sqlite3.Connection | None, kind: str, digests: Sequence[bytes]
) -> Iterator[tuple[int, npt.NDArray[np.float32]]]:
    """Yield the positions whose vectors are in the cache."""
    if database is None:
        return
    for first in range(0, len(digests), _BATCH):
        part = digests[first : first + _BATCH]
        places = ",".join("?" * len(part))
        query = f"SELECT digest, vector FROM vectors WHERE kind = ? AND digest IN ({places})"
        try:
            known = dict(database.execute(query, (kind, *part)))
        except sqlite3.Error:  # damaged: what it held is computed again
            return
        for k, digest in enumerate(part, start=first):
            blob = known.get(digest)
            if isinstance(blob, bytes) and blob and len(blob) % 2 == 0:
                vector = np.frombuffer(blob, dtype=np.float16).astype(np.float32)
                if np.isfinite(vector).all():
                    yield k, vector


def _of_one_width(
    found: dict[int, npt.NDArray[np.float32]], width: int | None
) -> dict[int, npt.NDArray[np.float32]]:
    """Return the vectors that have as many numbers as they must; the others are damaged."""
    if width is None and found:
        width = Counter(len(vector) for vector in found.values()).most_common(1)[0][0]
    return {k: vector for k, vector in found.items() if len(vector) == width}


def _keep(
    database: sqlite3.Connection | None,
    kind: str,
    vectors: Iterable[tuple[bytes, npt.NDArray[np.float16]]],
) -> None:
    """Write vectors; that the disk is full is no reason to stop."""
    if database is None:
        return
    rows = [(kind, digest, vector.tobytes()) for digest, vector in vectors]
    try:
        with database:
            database.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)", rows)
    except sqlite3.Error:  # a full disk costs time on the next start, nothing else
        return
