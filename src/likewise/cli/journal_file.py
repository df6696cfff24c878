"""The journal beside a pile: opened once and read once, however many parts of a command need it."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from likewise.errors import StoreError

if TYPE_CHECKING:
    from likewise.items import Items
    from likewise.journal import Event
    from likewise.piles import Pile
    from likewise.stores import Store
    from likewise.study import Study


class JournalFile:
    """A journal that a command works on.

    Opening a database and decoding its events takes longer than most commands' own work, so both
    are done when first needed, kept for the life of the command, and passed on.

    Parameters
    ----------
    path : Path
        A `.db` or `.jsonl` file; it need not exist yet.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    @cached_property
    def store(self) -> Store:
        """The opened store."""
        from likewise.stores import open_store

        return open_store(self.path)

    @cached_property
    def events(self) -> list[Event]:
        """All events that the journal held when it was read; none if the file has no content."""
        return self.store.read() if _has_content(self.path) else []

    @property
    def is_begun(self) -> bool:
        """Whether a study was begun here."""
        return has_line(self.path) if self.path.suffix == ".jsonl" else bool(self.events)

    def align(self, pile: Pile) -> Pile:
        """Return the pile in the journal's order; what has changed in it is recorded."""
        from likewise.piles.growth import align

        pile, self.events = align(pile, self.store, self.events)
        return pile

    def open_study(self, items: Items) -> Study:
        """Return the study of these items, as the journal left it."""
        from likewise.study import Study

        return Study.open(self.store, items, events=self.events)


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
