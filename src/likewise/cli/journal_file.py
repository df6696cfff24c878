"""The journal beside a pile: opened once and read once, however many parts of a command need it."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from likewise.errors import StoreError

if TYPE_CHECKING:
    from likewise.stores.stored_journal import StoredJournal


class JournalFile:
    """A journal that a command works on.

    Opening a database and decoding its events takes longer than most commands' own work, so both
    are done when first needed, kept for the life of the command, and passed on.

    Parameters
    ----------
    path : Path
        A `.db` or `.jsonl` file; it need not exist yet.
    read_only : bool
        Work on a copy in memory, for a command that only looks.
    """

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        self.path = path
        self.read_only = read_only

    @cached_property
    def journal(self) -> StoredJournal:
        """The opened store with all its events."""
        from likewise.stores.stored_journal import StoredJournal

        stored = StoredJournal.read(self.path)
        return stored.detached() if self.read_only else stored

    @property
    def is_begun(self) -> bool:
        """Whether a study was begun here; a file without content need not be opened to know."""
        if self.path.suffix == ".jsonl":
            return has_line(self.path)
        return _has_content(self.path) and bool(self.journal.events)


def has_line(path: Path) -> bool:
    """Return whether a file holds a whole line; less than a line was never acknowledged."""
    try:
        with path.open("rb") as file:
            return file.readline().endswith(b"\n")
    except FileNotFoundError:
        return False
    except OSError as error:
        raise StoreError(f"{path} cannot be read: {error.strerror}") from error


def _has_content(path: Path) -> bool:
    """Return whether there is a file that is not empty."""
    try:
        return path.exists() and path.stat().st_size > 0
    except FileNotFoundError:
        return False
    except OSError as error:
        raise StoreError(f"{path} cannot be read: {error.strerror}") from error
