"""A store for studies that need not outlive the program."""

from __future__ import annotations

from collections.abc import Sequence

from likewise.journal import Event
from likewise.stores.leases import MemoryLeases


class MemoryStore:
    """Events in a list, and leases; fits `LeasingStore`.

    One object is the whole place: two objects never share a study, so nobody is overtaken.
    """

    def __init__(self) -> None:
        self.leases = MemoryLeases()
        self._events: list[Event] = []

    def __str__(self) -> str:
        return "memory"

    def append(self, events: Sequence[Event]) -> None:
        """Keep the events until the program ends."""
        self._events.extend(events)

    def read(self, since: int = 0) -> list[Event]:
        """Return all events from position `since` on."""
        return self._events[since:]
