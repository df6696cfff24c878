"""A store restricted to the items that a pile still holds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from likewise.journal import Answered, Event, Grown, Named, Opened, Retracted
from likewise.journal.pairs import Pair, Verdict
from likewise.journal.state import Journal
from likewise.stores.base import Store, leases_of

_Renumber = Callable[[int], int | None]


class SubsetStore:
    """Another store, as a study of some of its items needs it; fits `LeasingStore`.

    The items at `places` are numbered from 0. Answers about other items still count as far as
    they link items of the subset: of every group, an item of the subset represents the absent
    ones. Events that then concern nothing are left out.

    Parameters
    ----------
    store : Store
        Where the events are kept, by the numbers of all items.
    places : array of int, shape (n_items,)
        The numbers, in `store`, of the items of the subset.
    """

    def __init__(self, store: Store, places: npt.NDArray[np.int64]) -> None:
        self.store = store
        self.places = places.tolist()
        self.leases = leases_of(store)
        self._position = {place: k for k, place in enumerate(self.places)}

    def __str__(self) -> str:
        return str(self.store)

    def append(self, events: Sequence[Event]) -> None:
        """Keep the events, by the numbers that the store knows."""
        outward = [_renumbered(event, self.places.__getitem__) for event in events]
        self.store.append([event for event in outward if event is not None])

    def read(self, since: int = 0) -> list[Event]:
        """Return the events from position `since` on, counting those that concern the subset."""
        return self.restrict(self.store.read())[since:]

    def restrict(self, events: list[Event]) -> list[Event]:
        """Return what all the events of the store are to the subset."""
        if not events or not isinstance(events[0], Opened):
            return events
        whole = Journal.replay(events)
        representative: dict[int, int] = {}
        for place, k in self._position.items():
            representative.setdefault(whole.constraints.component(place), k)

        def inward(place: int) -> int | None:
            component = whole.constraints.component(place)
            return self._position.get(place, representative.get(component))

        found: list[Event] = [replace(whole.opened, n_items=len(self.places))]
        kept: set[int] = set()
        for event in events[1:]:
            if isinstance(event, Grown):
                continue
            if isinstance(event, Retracted) and event.answer_id not in kept:
                continue
            renumbered = None if self._is_vague(event) else _renumbered(event, inward)
            if isinstance(event, Answered):
                if renumbered is None:
                    found += _without_effect(event)
                    continue
                kept.add(event.answer.id)
            if renumbered is not None:
                found.append(renumbered)
        return found

    def _is_vague(self, event: Event) -> bool:
        """Tell whether it is "unsure" about an absent item, which says nothing of those like it."""
        return (
            isinstance(event, Answered)
            and event.answer.verdict is Verdict.UNSURE
            and not self._position.keys() >= set(event.answer.pair)
        )


def _without_effect(event: Answered) -> list[Event]:
    """Return an answer that is taken back at once: its number is used, and that is all."""
    nothing = replace(event.answer, pair=Pair(0, 1), verdict=Verdict.UNSURE)
    return [Answered(nothing), Retracted(nothing.id)]


def _renumbered(event: Event, number: _Renumber) -> Event | None:
    """Return the event by other numbers; None if it is about nothing then."""
    match event:
        case Answered(answer):
            i, j = (number(item) for item in answer.pair)
            if i is None or j is None or i == j:
                return None
            return Answered(replace(answer, pair=Pair(i, j)))
        case Named(item):
            place = number(item)
            return None if place is None else replace(event, item=place)
    return event
