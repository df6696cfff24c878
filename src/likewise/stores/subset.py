"""A store as it is to somebody who sees only some of its items: the others have vanished."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from likewise.journal import Answered, Event, Grown, Named, Opened, Retracted
from likewise.journal.pairs import Pair, Verdict
from likewise.journal.state import Journal
from likewise.stores.base import Store

_Renumber = Callable[[int], int | None]


class SubsetStore:
    """Numbers the items at `places` from 0, and leaves out what was said about others.

    What was said about those that are not seen still counts as far as it ties those that are: of
    every group, an item that is seen stands for the ones that are not.
    """

    def __init__(self, store: Store, places: npt.NDArray[np.int64]) -> None:
        self.store = store
        self.places = places.tolist()
        self._position = {place: k for k, place in enumerate(self.places)}

    def __str__(self) -> str:
        return str(self.store)

    @property
    def leases(self) -> Any:
        """Those of the store."""
        return getattr(self.store, "leases")  # noqa: B009 - the contract of a store has none

    def append(self, events: Sequence[Event]) -> None:
        """Keep the events, by the numbers that the store knows."""
        outward = [_renumbered(event, self.places.__getitem__) for event in events]
        self.store.append([event for event in outward if event is not None])

    def read(self, since: int = 0) -> list[Event]:
        """The events from position `since` on, counting those that are about items seen."""
        return self.restrict(self.store.read())[since:]

    def restrict(self, events: Sequence[Event]) -> list[Event]:
        """Return what all events of the store are to the subset."""
        if not events or not isinstance(events[0], Opened):
            return list(events)
        whole = Journal.replay(events)
        stand_in: dict[int, int] = {}
        for place, k in self._position.items():
            stand_in.setdefault(whole.constraints.component(place), k)

        def inward(place: int) -> int | None:
            return self._position.get(place, stand_in.get(whole.constraints.component(place)))

        seen: list[Event] = [replace(whole.opened, n_items=len(self.places))]
        kept: set[int] = set()
        for event in events[1:]:
            if isinstance(event, Grown):
                continue
            if isinstance(event, Retracted) and event.answer_id not in kept:
                continue
            renumbered = None if self._is_vague(event) else _renumbered(event, inward)
            if isinstance(event, Answered):
                if renumbered is None:
                    seen += _without_effect(event)
                    continue
                kept.add(event.answer.id)
            if renumbered is not None:
                seen.append(renumbered)
        return seen

    def _is_vague(self, event: Event) -> bool:
        """Whether somebody was not sure about an item that is gone: that says nothing of others."""
        return (
            isinstance(event, Answered)
            and event.answer.verdict is Verdict.UNSURE
            and not self._position.keys() >= set(event.answer.pair)
        )


def _without_effect(event: Answered) -> list[Event]:
    """An answer that is taken back at once: its number is used, and that is all."""
    nothing = replace(event.answer, pair=Pair(0, 1), verdict=Verdict.UNSURE)
    return [Answered(nothing), Retracted(nothing.id)]


def _renumbered(event: Event, number: _Renumber) -> Event | None:
    """The event by other numbers; None if it is about nothing then."""
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
