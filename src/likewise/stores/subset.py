"""A store whose items are numbered as a study of some of them needs it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from likewise.journal import Answered, Event, Grown, Named, Noted, Opened
from likewise.journal.pairs import Pair, Question
from likewise.stores.base import Store, leases_of
from likewise.stores.leases import Lease, Leases

_Renumber = Callable[[int], int]


class SubsetStore:
    """Another store, with the items of a subset numbered first; fits `LeasingStore`.

    The items at `places` are numbered from 0, all others come after them in their order. Every
    event of the store is one event here, so that what was read stays what it is, whoever appends
    or takes back what. What the events say about the subset alone is the journal's business
    (`Journal.restrict`).

    Parameters
    ----------
    store : Store
        Where the events are kept, by the numbers of all items.
    places : array of int, shape (n_items,)
        The numbers, in `store`, of the items of the subset.

    Examples
    --------
    >>> from likewise.stores.memory import MemoryStore
    >>> whole = MemoryStore()
    >>> whole.append([Named(1, "gone"), Named(3, "cats")])
    >>> [event.item for event in SubsetStore(whole, np.array([0, 2, 3])).read()]
    [3, 2]
    """

    def __init__(self, store: Store, places: npt.NDArray[np.int64]) -> None:
        self.store = store
        self.places: list[int] = places.tolist()
        self._position = {place: k for k, place in enumerate(self.places)}
        self._sorted = sorted(self.places)
        # How many absent items come before each of the subset.
        self._absent_before = [place - k for k, place in enumerate(self._sorted)]
        self.leases: Leases = _SubsetLeases(leases_of(store), self.inward, self.outward)

    def __str__(self) -> str:
        return str(self.store)

    def append(self, events: Sequence[Event]) -> None:
        """Keep the events, by the numbers that the store knows."""
        self.store.append([_renumbered(event, self.outward) for event in events])

    def read(self, since: int = 0) -> list[Event]:
        """Return all events from position `since` on, by the numbers of the subset."""
        return self.renumbered(self.store.read(since))

    def renumbered(self, events: Sequence[Event]) -> list[Event]:
        """Return events of the store by the numbers of the subset."""
        return [self._enlarged(_renumbered(event, self.inward)) for event in events]

    def _enlarged(self, event: Event) -> Event:
        """Let there be all items of the subset from the beginning: absent ones come after them."""
        if isinstance(event, Opened | Grown) and self._sorted:
            return replace(event, n_items=max(event.n_items, self._sorted[-1] + 1))
        return event

    def inward(self, place: int) -> int:
        """Return the number here of the item that the store knows by `place`."""
        if place in self._position:
            return self._position[place]
        return len(self.places) + place - bisect_left(self._sorted, place)

    def outward(self, number: int) -> int:
        """Return the number in the store of the item that has `number` here."""
        if number < len(self.places):
            return self.places[number]
        rank = number - len(self.places)  # among those that are absent
        return rank + bisect_left(self._absent_before, rank + 1)


class _SubsetLeases:
    """Leases of another store, by the numbers of a subset."""

    def __init__(self, leases: Leases, inward: _Renumber, outward: _Renumber) -> None:
        self._leases = leases
        self._inward, self._outward = inward, outward

    def take(self, asked: Pair | Question, who: str, seconds: float) -> Lease | None:
        """Lease the pair to `who`; None if somebody else has it."""
        lease = self._leases.take(self._there(asked), who, seconds)
        return None if lease is None else self._here(lease)

    def extend(self, asked: Pair | Question, who: str, seconds: float) -> bool:
        """Keep a pair for `seconds` from now; False when `who` no longer has it."""
        return self._leases.extend(self._there(asked), who, seconds)

    def release(self, asked: Pair | Question, who: str) -> None:
        """Give a pair back; nothing happens if `who` does not have it."""
        self._leases.release(self._there(asked), who)

    def held(self) -> list[Lease]:
        """Return all that run, smallest pair first."""
        return sorted(map(self._here, self._leases.held()), key=lambda lease: lease.pair)

    def _there(self, asked: Pair | Question) -> Pair:
        return _pair(asked.pair if isinstance(asked, Question) else asked, self._outward)

    def _here(self, lease: Lease) -> Lease:
        return replace(lease, pair=_pair(lease.pair, self._inward).unordered)


def _renumbered(event: Event, number: _Renumber) -> Event:
    """Return the event by other numbers of items."""
    match event:
        case Answered(answer):
            return replace(event, answer=replace(answer, pair=_pair(answer.pair, number)))
        case Named(item):
            return replace(event, item=number(item))
        case Noted(item, other=other):
            renumbered = None if other is None else number(other)
            return replace(event, item=number(item), other=renumbered)
    return event


def _pair(pair: Pair, number: _Renumber) -> Pair:
    return Pair(number(pair[0]), number(pair[1]))
