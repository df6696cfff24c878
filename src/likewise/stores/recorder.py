"""A store and the state that its events amount to, kept in step while others write there too."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from likewise.errors import Overtaken
from likewise.journal import Event
from likewise.stores.base import Store

_E = TypeVar("_E", bound=Event)


class State(Protocol):
    """What events amount to."""

    def apply(self, event: Event) -> None:
        """Take one more event into account."""


class Recorder:
    """Appends events to a store and applies them to a state, each exactly once.

    Parameters
    ----------
    store : Store
        Where the events are kept.
    state : State
        What the events amount to so far.
    events : sequence of Event
        Those that the store holds already and that were applied to the state.
    """

    def __init__(self, store: Store, state: State, events: Sequence[Event]) -> None:
        self.store = store
        self.state = state
        self._n_events = len(events)

    def record(self, make: Callable[[], Sequence[_E]]) -> Sequence[_E]:
        """Append the events that `make` makes of the state as it is when nobody overtakes.

        They are kept in one piece: all of them or, when this raises, none.
        """
        while True:
            events = make()
            try:
                self.store.append(events)
            except Overtaken:
                if not self.refresh():
                    raise
                continue
            for event in events:
                self._apply(event)
            return events

    def refresh(self) -> int:
        """Apply what other programs have appended, and return how many events that was."""
        news = self.store.read(since=self._n_events)
        for event in news:
            self._apply(event)
        return len(news)

    def _apply(self, event: Event) -> None:
        self.state.apply(event)
        self._n_events += 1
