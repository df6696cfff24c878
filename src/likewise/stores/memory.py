"""A store for studies that need not outlive the program."""

from __future__ import annotations

from collections.abc import Sequence

from likewise.journal import Event
from likewise.stores.base import ItemReference
from likewise.stores.leases import MemoryLeases


class MemoryStore:
    """Events in a list, and leases; fits `LeasingStore`.

    One object is the whole place: two objects never share a study, so nobody is overtaken.

    Parameters
    ----------
    place : str
        What messages call it.
    """

    def __init__(self, place: str = "memory") -> None:
        self.leases = MemoryLeases()
        self._place = place
        self._events: list[Event] = []

    def __str__(self) -> str:
        return self._place

    def append(self, events: Sequence[Event]) -> None:
        """Keep the events until the program ends."""
        self._events.extend(events)

    def read(self, since: int = 0) -> list[Event]:
        """Return all events from position `since` on."""
        return self._events[since:]


class MemoryItemStore(MemoryStore):
    """The same with items; fits `LeasingStore` and `ItemStore`.

    Parameters
    ----------
    place : str
        What messages call it.

    Examples
    --------
    >>> store = MemoryItemStore()
    >>> store.write_items([ItemReference("cat.png")])
    >>> store.read_items()[0].id
    'cat.png'
    """

    def __init__(self, place: str = "memory") -> None:
        super().__init__(place)
        self._items: list[ItemReference] = []

    def write_items(self, items: Sequence[ItemReference], events: Sequence[Event] = ()) -> None:
        """Keep the items, and the events, until the program ends."""
        self._items = list(items)
        self.append(events)

    def read_items(self) -> list[ItemReference]:
        """Return the items in their order."""
        return list(self._items)
