"""The contract of a store: it keeps the events of one study, in order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from likewise.journal import Event


class Store(Protocol):
    """Two methods and nothing more; what the events mean is the journal's business.

    Several programs may open one place, each with a store object of its own. An object knows how
    many events it has read or appended; `append` raises `Overtaken` when there are more by now,
    so that nobody writes without having read what stands before.
    """

    def append(self, events: Sequence[Event]) -> None:
        """Keep the events; when this returns they survive a crash, when it raises none is kept."""

    def read(self, since: int = 0) -> list[Event]:
        """All events from position `since` on, oldest first."""
