"""The events of a study, and how each is written as plain JSON data.

Events are appended, never edited; what they amount to is computed from them (`journal.state`).
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any

from likewise.errors import NewerFormat, StoreError
from likewise.journal.pairs import Answer, Measurement, Pair, Verdict

FORMAT = 1  # raised when an older likewise could no longer read what a newer one writes


@dataclass(frozen=True, slots=True)
class Opened:
    """A study was begun: how, and on which items.

    Parameters
    ----------
    n_items : int
        How many items there are.
    fingerprint : str
        By which the items are recognised when the study is opened again.
    method : str
        The name of the method.
    n_clusters : int or None
        The number of groups where it is known.
    random_state : int
        The seed of every random choice.
    """

    n_items: int
    fingerprint: str
    method: str
    n_clusters: int | None
    random_state: int


@dataclass(frozen=True, slots=True)
class Answered:
    """Somebody answered about a pair.

    Parameters
    ----------
    answer : Answer
        What was answered, by whom and when.
    """

    answer: Answer


@dataclass(frozen=True, slots=True)
class Retracted:
    """An answer or a measurement was taken back.

    Parameters
    ----------
    answer_id : int
        The id of the answer, or of the measurement.
    when : str
        ISO 8601 time in UTC; empty in journals that did not keep it.
    """

    answer_id: int
    when: str = ""


@dataclass(frozen=True, slots=True)
class Named:
    """The group in which an item lies was given a name.

    Parameters
    ----------
    item : int
        The position of the item.
    name : str
        The name; an empty one takes the name away.
    when : str
        ISO 8601 time in UTC; empty in journals that did not keep it.
    who : str
        Who named it.
    """

    item: int
    name: str
    when: str = ""
    who: str = ""


@dataclass(frozen=True, slots=True)
class Grown:
    """The pile has changed: new items come after the known ones, some may have vanished.

    Parameters
    ----------
    n_items : int
        All items that there ever were.
    fingerprint : str
        Of the items that are there now.
    when : str
        ISO 8601 time in UTC; empty in journals that did not keep it.
    """

    n_items: int
    fingerprint: str
    when: str = ""


@dataclass(frozen=True, slots=True)
class OpenedSimilarities:
    """A study of similarities was begun: how, and on how many items.

    Parameters
    ----------
    n_items : int
        How many items there are.
    fingerprint : str
        By which the items are recognised; empty if only their number is known.
    method : str
        The name of the rule that chooses pairs.
    n_clusters : int
        The number of groups.
    interleave : bool
        Whether every second pair is random.
    max_repeats : int
        How often a pair is measured at most.
    laplacian : str
        "unnormalised" or "normalised".
    splitting : str
        "vectors" or "recursive".
    random_state : int
        The seed of every random choice.
    """

    n_items: int
    fingerprint: str
    method: str
    n_clusters: int
    interleave: bool
    max_repeats: int
    laplacian: str
    splitting: str
    random_state: int


@dataclass(frozen=True, slots=True)
class Measured:
    """Somebody measured how alike two items are.

    Parameters
    ----------
    measurement : Measurement
        What was measured, by whom and when.
    """

    measurement: Measurement


Event = Opened | Answered | Retracted | Named | Grown | OpenedSimilarities | Measured


def timestamp() -> str:
    """Return the time as events keep it: ISO 8601, in UTC, to the millisecond."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def to_record(event: Event) -> dict[str, Any]:
    """Return an event as plain JSON data.

    >>> to_record(Retracted(3))
    {'event': 'retracted', 'answer_id': 3, 'when': ''}
    """
    match event:
        case Opened():
            return {"event": "opened", "format": FORMAT, **asdict(event)}
        case Answered(answer):
            plain = {"pair": list(answer.pair), "verdict": answer.verdict.value}
            return {"event": "answered", **asdict(answer), **plain}
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
    """Return the event that `to_record` wrote; unknown fields are refused, not dropped.

    Raises
    ------
    StoreError
        If the record is no event; `NewerFormat` if a newer likewise has written it.
    """
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
