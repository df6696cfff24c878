"""A copy of a study in one file, made while others go on answering."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from likewise.errors import StoreError
from likewise.stores.base import ItemStore, Store, close
from likewise.stores.copy import copy_study
from likewise.stores.resolve import open_store
from likewise.stores.verification import verify_store


def back_up(source: str | Path | Store, target: str | Path, *, overwrite: bool = False) -> int:
    """Write a study to a new file, read it again, and only then give it its name.

    It holds what was acknowledged when it was begun. Nothing that others answer meanwhile waits
    for it or is lost by it.

    Parameters
    ----------
    source : str, Path or Store
        The study, as `open_store` takes it; it is only read.
    target : str or Path
        The file, `.db` or `.jsonl`.
    overwrite : bool
        Whether a file that is there may be replaced; it stays as it is until the new one is whole.

    Returns
    -------
    int
        Number of events in it.

    Raises
    ------
    StoreError
        If there is a file already, if the source is damaged, or the copy is not what was read.

    Examples
    --------
    >>> import tempfile
    >>> from likewise.journal import Opened
    >>> folder = tempfile.TemporaryDirectory()
    >>> here = Path(folder.name, "mails.likewise.db")
    >>> open_store(here).append([Opened(4, "", "auto", None, 0)])
    >>> back_up(here, Path(folder.name, "copy.db"))
    1
    >>> folder.cleanup()
    """
    here, path = open_store(source), Path(target)
    if path.exists() and not overwrite:
        raise StoreError(f"{path} exists already; choose another name, or say --overwrite")
    if problems := verify_store(here):
        raise StoreError(f"{problems[0]}; nothing was written to {path}")
    _require_room_for_items(here, path)
    part = path.with_name(f".{path.stem}.{os.getpid()}{path.suffix}")
    try:
        n_events = copy_study(here, part)
        _require_equal(here, part, n_events)
        _give_name(part, path, overwrite)
    except OSError as error:
        raise StoreError(f"{path} cannot be written: {error.strerror}") from error
    finally:
        for left in (part, *(part.with_name(part.name + end) for end in ("-wal", "-shm"))):
            with suppress(OSError):
                left.unlink(missing_ok=True)
    return n_events


def _require_room_for_items(here: Store, path: Path) -> None:
    """Refuse a kind of file that cannot keep which items there are, where the source does."""
    kept = isinstance(here, ItemStore) and bool(here.read_items())
    if kept and not isinstance(open_store(path), ItemStore):
        raise StoreError(
            f"{path} would not keep which items the study is about; let its name end in .db"
        )


def _require_equal(here: Store, part: Path, n_events: int) -> None:
    """Read the copy again: sound, and event for event what the source holds."""
    there = open_store(part)
    problems = verify_store(there)
    if there.read() != here.read()[:n_events]:
        problems.append("the copy differs from what was read")
    close(there)
    if problems:
        raise StoreError(f"the copy is not sound ({problems[0]}); look at the disk and try again")


def _give_name(part: Path, path: Path, overwrite: bool) -> None:
    """Let the file that is whole have its name; nothing is replaced unless that was said."""
    with part.open("rb+") as file:
        os.fsync(file.fileno())
    if overwrite:
        part.replace(path)
        return
    try:
        os.link(part, path)  # refuses, unlike a rename, what has appeared meanwhile
    except FileExistsError:
        raise StoreError(f"{path} exists already; choose another name") from None
