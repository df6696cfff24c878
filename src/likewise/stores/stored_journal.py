"""A store and the events that were read from it, so that nobody has to read them again."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from likewise.errors import Overtaken
from likewise.journal import Event
from likewise.stores.base import Store
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
        try:
            self.append([opening])
        except Overtaken:  # another program appended it first
            self.events = self.store.read()

    def append(self, events: Sequence[Event]) -> None:
        """Keep further events."""
        self.store.append(events)
        self.events.extend(events)

    def restricted_to(self, places: npt.NDArray[np.int64]) -> StoredJournal:
        """Return the journal as a study of the items at `places` alone sees it."""
        subset = SubsetStore(self.store, places)
        return StoredJournal(subset, subset.restrict(self.events))
