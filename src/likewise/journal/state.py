"""The state that the events of a study amount to, computed again whenever it is needed.

`Journal.apply` is the only place that turns an event into state, whether it has just happened or
is read from a file years later.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from likewise.errors import StoreError
from likewise.journal.constraints import Constraints
from likewise.journal.events import (
    Answered,
    Event,
    Grown,
    Measured,
    Named,
    Opened,
    OpenedSimilarities,
    Retracted,
)
from likewise.journal.pairs import Answer


class Journal:
    """What the events so far amount to.

    Attributes
    ----------
    opened : Opened
        The settings, with the number of items and the fingerprint as they are by now.
    constraints : Constraints
        What follows from the answers.
    next_id : int
        The id of the next answer; ids are never used twice.
    by_client_id : dict of str to Answer
        By the name its sender gave it, every answer that ever came, also those taken back.
    names : dict of int to str
        The names of groups, by the item that each was given to, the latest last.
    """

    def __init__(self, opened: Opened) -> None:
        self.opened = opened
        self.constraints = Constraints(opened.n_items, opened.n_clusters)
        self.next_id = 0
        self.by_client_id: dict[str, Answer] = {}
        self.names: dict[int, str] = {}

    @classmethod
    def replay(cls, events: Iterable[Event]) -> Journal:
        """Return the state after all the events."""
        stream = iter(events)
        opened = next(stream, None)
        if isinstance(opened, OpenedSimilarities):
            raise StoreError(
                "the journal belongs to a study of similarities; open it with SimilarityStudy.open"
            )
        if not isinstance(opened, Opened):
            raise StoreError("a journal must begin by saying which study it belongs to")
        journal = cls(opened)
        for event in stream:
            journal.apply(event)
        return journal

    @property
    def answers(self) -> list[Answer]:
        """The answers that stand, oldest first."""
        return self.constraints.answers

    def apply(self, event: Event) -> None:
        """Take one more event into account."""
        match event:
            case Answered(answer):
                self.constraints.add(answer)
                self.next_id = max(self.next_id, answer.id + 1)
                if answer.client_id:
                    self.by_client_id[answer.client_id] = answer
            case Retracted(answer_id):
                self.constraints.remove(answer_id)
            case Named(item, name):
                self.names.pop(item, None)
                self.names[item] = name
            case Grown(n_items, fingerprint):
                self.constraints.grow(n_items)
                self.opened = replace(self.opened, n_items=n_items, fingerprint=fingerprint)
            case Opened():
                raise StoreError("a journal can be opened only once")
            case OpenedSimilarities() | Measured():
                raise StoreError("a similarity cannot be kept in a study of answers")
