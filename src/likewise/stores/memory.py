"""A store for studies that need not outlive the program."""

from __future__ import annotations

from collections.abc import Sequence

from likewise.journal import Event


class MemoryStore:
    """Events in a list."""

    def __init__(self) -> None:
        self._events: list[Event] = []

    def append(self, events: Sequence[Event]) -> None:
        """Keep the events until the program ends."""
        self._events.extend(events)

    def read(self, since: int = 0) -> list[Event]:
        """All events from position `since` on."""
        return self._events[since:]
