"""The contract of a store: it keeps the events of one study, in order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from likewise.journal import Event


class Store(Protocol):
    """Two methods and nothing more; what the events mean is the journal's business."""

    def append(self, events: Sequence[Event]) -> None:
        """Keep the events; when this returns they survive a crash, when it raises none is kept."""

    def read(self, since: int = 0) -> list[Event]:
        """All events from position `since` on, oldest first."""
