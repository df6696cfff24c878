"""A store and the events that were read from it, so that nobody has to read them again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from likewise.errors import Overtaken, StoreError
from likewise.journal import Event, Opened
from likewise.stores.base import ItemReference, ItemStore, Store
from likewise.stores.memory import MemoryItemStore, MemoryStore
from likewise.stores.resolve import open_store
from likewise.stores.subset import SubsetStore


class StoredJournal:
    """An open store with all its events; what a study is opened from.

    Reading a long journal takes time. Who has looked into it before a study is opened, for
    instance to find out whether the items have changed, hands this on to `Study.open`.

    Parameters
    ----------
    store : Store
        An open store.
    events : sequence of Event
        All that it holds.

    Examples
    --------
    >>> from likewise.journal import Opened
    >>> journal = StoredJournal.read(None)
    >>> journal.begin(Opened(4, "", "auto", None, 0))
    >>> len(journal.events), len(journal.store.read())
    (1, 1)
    """

    def __init__(self, store: Store, events: Sequence[Event]) -> None:
        self.store = store
        self.events = list(events)
        self._identity = ""

    @classmethod
    def read(cls, where: str | Path | Store | StoredJournal | None) -> StoredJournal:
        """Open a store and read it once; one that was read already is returned as it is."""
        if isinstance(where, StoredJournal):
            return where
        store = open_store(where)
        return cls(store, store.read())

    def begin(self, opening: Event) -> None:
        """Append `opening` as the first event if there is none yet."""
        if self.events:
            return
        if self._identity and isinstance(opening, Opened):
            opening = replace(opening, identity=self._identity)
        try:
            self.append([opening])
        except Overtaken:  # another program appended it first
            self.events = self.store.read()

    def begin_as(self, identity: str) -> None:
        """Let the study that is begun here have this identity: somebody had to know it before."""
        self._identity = identity

    def append(self, events: Sequence[Event]) -> None:
        """Keep further events."""
        self.store.append(events)
        self.events.extend(events)

    def refresh(self) -> int:
        """Read what other programs have appended, and return how many events that was."""
        news = self.store.read(since=len(self.events))
        self.events += news
        return len(news)

    def register(self, items: Sequence[ItemReference], events: Sequence[Event] = ()) -> None:
        """Keep which items there are, with further events, in one piece."""
        if not isinstance(self.store, ItemStore):
            raise StoreError(f"{self.store} keeps no items")
        self.store.write_items(items, events)
        self.events.extend(events)

    def detached(self) -> StoredJournal:
        """Return a copy in memory: whatever happens to it, the store stays as it is."""
        place = str(self.store)
        if not isinstance(self.store, ItemStore):
            store = MemoryStore(place)
        else:
            store = MemoryItemStore(place)
            store.write_items(self.store.read_items())
        store.append(self.events)
        return StoredJournal(store, self.events)

    def restricted_to(self, places: npt.NDArray[np.int64]) -> StoredJournal:
        """Return the journal with the items at `places` numbered first."""
        subset = SubsetStore(self.store, places)
        return StoredJournal(subset, subset.renumbered(self.events))
