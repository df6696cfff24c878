"""The journal: facts in the order they happened, from which every state can be computed again.

Events are appended, never edited. `Journal.apply` is the only place that turns an event into
state, whether it has just happened or is read from a file years later.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from typing import Any

from likewise.constraints import Constraints
from likewise.errors import NewerFormat, StoreError
from likewise.pairs import Answer, Measurement, Pair, Verdict

FORMAT = 1  # raised when an older likewise could no longer read what a newer one writes


@dataclass(frozen=True, slots=True)
class Opened:
    """A study was begun: how, and on which items."""

    n_items: int
    fingerprint: str
    method: str
    n_clusters: int | None
    random_state: int


@dataclass(frozen=True, slots=True)
class Answered:
    """Somebody said something about a pair."""

    answer: Answer


@dataclass(frozen=True, slots=True)
class Retracted:
    """An answer was taken back."""

    answer_id: int
    when: str = ""


@dataclass(frozen=True, slots=True)
class Named:
    """The group in which an item lies was given a name; an empty one takes the name away."""

    item: int
    name: str
    when: str = ""
    who: str = ""


@dataclass(frozen=True, slots=True)
class Grown:
    """The pile is another than before: new items come after the known ones, some may be gone."""

    n_items: int  # all that there ever were
    fingerprint: str  # of those that are there
    when: str = ""


@dataclass(frozen=True, slots=True)
class OpenedSimilarities:
    """A study of similarities was begun: how, and on how many items."""

    n_items: int
    fingerprint: str  # of the items, "" if only their number is known
    method: str
    n_clusters: int
    interleave: bool
    max_repeats: int
    laplacian: str
    splitting: str
    random_state: int


@dataclass(frozen=True, slots=True)
class Measured:
    """Somebody looked how alike two items are."""

    measurement: Measurement


Event = Opened | Answered | Retracted | Named | Grown | OpenedSimilarities | Measured


class Journal:
    """What the events so far amount to: the settings, the answers that stand, what follows."""

    def __init__(self, opened: Opened) -> None:
        self.opened = opened
        self.constraints = Constraints(opened.n_items, opened.n_clusters)
        self.next_id = 0
        # By the name its sender gave it, every answer that ever came, also those taken back.
        self.by_client_id: dict[str, Answer] = {}
        # By the item that each was given to, the latest last.
        self.names: dict[int, str] = {}

    @classmethod
    def replay(cls, events: Iterable[Event]) -> Journal:
        """The state after all the events."""
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


def to_record(event: Event) -> dict[str, Any]:
    """An event as plain JSON data.

    >>> to_record(Retracted(3))
    {'event': 'retracted', 'answer_id': 3, 'when': ''}
    """
    match event:
        case Opened():
            return {"event": "opened", "format": FORMAT, **asdict(event)}
        case Answered(answer):
            said = {"pair": list(answer.pair), "verdict": answer.verdict.value}
            return {"event": "answered", **asdict(answer), **said}
        case Retracted():
            return {"event": "retracted", **asdict(event)}
        case Named():
            return {"event": "named", **asdict(event)}
        case Grown():
            return {"event": "grown", **asdict(event)}
        case OpenedSimilarities():
            return {"event": "opened-similarities", "format": FORMAT, **asdict(event)}
        case Measured(measurement):
            return {"event": "measured", **asdict(measurement), "pair": list(measurement.pair)}


_OPENINGS: dict[str, type[Opened] | type[OpenedSimilarities]] = {
    "opened": Opened,
    "opened-similarities": OpenedSimilarities,
}


def from_record(record: Any) -> Event:
    """The event that `to_record` wrote; unknown fields are refused, not dropped."""
    try:
        fields = dict(record)
        kind = fields.pop("event")
        if kind in _OPENINGS:
            written_as = fields.pop("format")
            if written_as > FORMAT:
                raise NewerFormat(
                    f"the journal has format {written_as}, this likewise reads up to {FORMAT}; "
                    "install a newer likewise"
                )
            return _OPENINGS[kind](**fields)
        if kind == "answered":
            i, j = fields.pop("pair")
            verdict = Verdict(fields.pop("verdict"))
            return Answered(Answer(pair=Pair(int(i), int(j)), verdict=verdict, **fields))
        if kind == "retracted":
            return Retracted(**fields)
        if kind == "named":
            return Named(**fields)
        if kind == "grown":
            return Grown(**fields)
        if kind == "measured":
            i, j = fields.pop("pair")
            return Measured(Measurement(pair=Pair(int(i), int(j)), **fields))
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise StoreError(f"not an event of a study: {error}") from error
    raise StoreError(f"not an event of a study: {kind!r}")
