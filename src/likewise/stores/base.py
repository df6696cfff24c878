"""The contracts of a store: what it must do, and what it may do besides.

A store of one's own needs the two methods of `Store`. Each further protocol it fits is used where
it helps, and replaced by something simpler where it is missing:

=================  ======================================================================
protocol           what is gained
=================  ======================================================================
`Store`            studies are kept, resumed, undone, copied and answered by several programs
`LeasingStore`     programs that share the store do not ask two people the same question;
                   without it only the people of one program are kept from each other
`ItemStore`        a pile may change between two sessions: the store knows its items again;
                   without it a changed pile is refused
=================  ======================================================================

No class has to be inherited. `likewise.testing` has a contract test for each protocol.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from likewise.journal import Event
from likewise.stores.leases import Leases, MemoryLeases


@runtime_checkable
class Store(Protocol):
    """Keeps the events of one study, in order; what they mean is the journal's business.

    Several programs may open one place, each with a store object of its own. An object knows how
    many events it has read or appended; `append` raises `Overtaken` when there are more by now,
    so that nobody writes without having read what stands before. `str(store)` is its place in
    error messages. `likewise.journal.to_record` and `from_record` turn events into dicts of plain
    values and back.
    """

    def append(self, events: Sequence[Event]) -> None:
        """Keep the events, all or none.

        When this returns they survive a crash. It raises `Overtaken` if another program has
        appended since this object last read, and `StoreError` if the place cannot be written.
        """

    def read(self, since: int = 0) -> list[Event]:
        """Return all events from position `since` on, oldest first; none if there is no study."""


@runtime_checkable
class LeasingStore(Store, Protocol):
    """A store that also knows which pairs have been handed out, for all who share it."""

    @property
    def leases(self) -> Leases:
        """The leases of this study; the same for every object that opens the same place."""


@dataclass(frozen=True, slots=True)
class ItemReference:
    """An item as a store knows it: not its content, but how to find and recognise it.

    Parameters
    ----------
    id : str
        The name of the item in its pile.
    reference : str
        Where its content is, such as the path of a picture; empty if nowhere else.
    fingerprint : str
        A digest of its content.
    present : bool
        False once the pile no longer holds it; its answers are kept.
    """

    id: str
    reference: str = ""
    fingerprint: str = ""
    present: bool = True


@runtime_checkable
class ItemStore(Store, Protocol):
    """A store that also remembers which items the study is about, in the journal's order."""

    def read_items(self) -> list[ItemReference]:
        """Return the items in their order; none if they were never written."""

    def write_items(self, items: Sequence[ItemReference], events: Sequence[Event] = ()) -> None:
        """Keep the items in their order, in place of those written before.

        The events are appended in one piece with them, and refused as `append` would refuse them:
        then the items stay what they were.
        """


def leases_of(store: Store) -> Leases:
    """Return the leases of a store; new ones in this program's memory where it keeps none."""
    return store.leases if isinstance(store, LeasingStore) else MemoryLeases()


def close(store: Store) -> None:
    """Close what a store holds open, such as connections; one that is used again opens it again."""
    closing = getattr(store, "close", None)
    if closing is not None:
        closing()
