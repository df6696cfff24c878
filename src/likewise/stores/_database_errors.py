"""Errors of a database, as one sentence that says what to do."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy.exc import DBAPIError

_KEPT = "the answer was not kept, all earlier ones are"
_NOT_BEGUN = "nothing was begun: make room, or keep the study in another folder"


def is_transient(error: DBAPIError) -> bool:
    """Return whether it may go away by itself: the file is in use, the server restarts."""
    return error.connection_invalidated or _code(error).startswith(("SQLITE_BUSY", "UNREACHABLE"))


def describe(error: DBAPIError, place: str, path: Path | None, *, begun: bool = True) -> str:
    """Return what happened to the store at `place`, a file if there is a `path`.

    `begun` says whether its tables were found or made before.
    """
    reason = str(error.orig).strip().splitlines()[0] if str(error.orig).strip() else "no reason"
    code = _code(error)
    if code == "SQLITE_FULL" or code.startswith("SQLITE_IOERR"):
        why = "the disk is full" if code == "SQLITE_FULL" else reason
        return f"{place} cannot be written: {why}; {_KEPT if begun else _NOT_BEGUN}"
    if code.startswith("SQLITE_READONLY"):
        return f"{place} may only be read; {_KEPT}"
    if code.startswith("SQLITE_BUSY"):
        return f"{place} has been in use by another program for too long; {_KEPT}"
    if path is not None and code.startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB")):
        from likewise.stores._salvage import readable

        found = len(readable(path))
        advice = (
            f"{found} of its events can be saved: likewise.stores.salvage({str(path)!r}, "
            "'saved.jsonl') writes them to a new file"
            if found
            else "nothing in it can be saved, take it from your backup"
        )
        return f"{place} is damaged ({reason}); {advice}"
    if path is not None:
        missing = "" if path.parent.exists() else f", there is no folder {path.parent}"
        return f"{place} cannot be opened: {reason}{missing}"
    if is_transient(error):
        return (
            f"{place} cannot be reached: {reason}; open the study again when it can, and look "
            "whether the last answer is there"
        )
    return f"{place} refused: {reason}"


def _code(error: DBAPIError) -> str:
    """Return SQLite's name of the error; UNREACHABLE if psycopg could not even ask the server."""
    named = getattr(error.orig, "sqlite_errorname", None)
    if named is not None:
        return str(named)
    unasked = type(error.orig).__name__ == "OperationalError" and not getattr(
        error.orig, "sqlstate", None
    )
    return "UNREACHABLE" if unasked else str(getattr(error.orig, "sqlstate", "") or "")
