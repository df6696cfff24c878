"""The events of a study, and how each is written as plain JSON data.

Events are appended, never edited; what they amount to is computed from them (`journal.state`).
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Callable, Mapping
from dataclasses import MISSING, asdict, dataclass, field
from dataclasses import fields as declared
from datetime import UTC, datetime
from typing import Any

from likewise.errors import AnswerError, NewerFormat, StoreError
from likewise.journal import fields
from likewise.journal.group_number import NumberOfGroups
from likewise.journal.pairs import Answer, Measurement

FORMAT = 4  # raised when an older likewise could no longer read what a newer one writes


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
    n_clusters : int, tuple of two int or None
        The number of groups where it is known, or a range.
    random_state : int
        The seed of every random choice.
    identity : str
        Tells the study from all others, also of equal items and settings; it is no setting, so
        openings that differ in it alone are equal.
    """

    n_items: int
    fingerprint: str
    method: str
    n_clusters: NumberOfGroups
    random_state: int
    identity: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Answered:
    """Somebody answered about a pair.

    Parameters
    ----------
    answer : Answer
        What was answered, by whom and when.
    step : int, optional
        The number of the edit that it belongs to; None if it stands for itself.
    """

    answer: Answer
    step: int | None = None


@dataclass(frozen=True, slots=True)
class Retracted:
    """An answer or a measurement was taken back.

    Parameters
    ----------
    answer_id : int
        The id of the answer, or of the measurement.
    when : str
        ISO 8601 time in UTC; empty in journals that did not keep it.
    who : str
        Who took it back, which need not be who had answered; empty where nobody gave a name.
    step : int, optional
        The number of the edit that it belongs to; None if it stands for itself.
    """

    answer_id: int
    when: str = ""
    who: str = ""
    step: int | None = None


@dataclass(frozen=True, slots=True)
class Undone:
    """A whole edit was taken back: what it gave is gone, what it took back stands again.

    Parameters
    ----------
    step : int
        The number of the edit.
    when : str
        ISO 8601 time in UTC.
    who : str
        Who took it back.
    """

    step: int
    when: str = ""
    who: str = ""


@dataclass(frozen=True, slots=True)
class Redone:
    """A whole edit that was taken back was done again.

    Parameters
    ----------
    step : int
        The number of the edit.
    when : str
        ISO 8601 time in UTC.
    who : str
        Who did it again.
    """

    step: int
    when: str = ""
    who: str = ""


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
    step : int, optional
        The number of the edit that it belongs to; None in journals that did not keep it.
    """

    item: int
    name: str
    when: str = ""
    who: str = ""
    step: int | None = None


@dataclass(frozen=True, slots=True)
class Noted:
    """Somebody noted something about an item or its group; nothing is inferred from it.

    Parameters
    ----------
    item : int
        The position of the item.
    about : {"review", "collection", "also", "apart"}
        Whether the item needs review, in which collection its group lies, to which other group it
        belongs as well, that its stack was taken apart.
    text : str
        What is to be reviewed; the collection, its levels parted by " / ".
    other : int or None
        Of "also": an item of the other group.
    stands : bool
        False takes a note away.
    when : str
        ISO 8601 time in UTC.
    who : str
        Who noted it.
    step : int, optional
        The number of the edit that it belongs to.
    """

    item: int
    about: str
    text: str = ""
    other: int | None = None
    stands: bool = True
    when: str = ""
    who: str = ""
    step: int | None = None


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
class Switched:
    """Somebody said which views of the items do not count from now on.

    Parameters
    ----------
    off : tuple of str
        The names of all views that are off, in the order of the alphabet; all others are on.
    when : str
        ISO 8601 time in UTC.
    who : str
        Who said it.
    """

    off: tuple[str, ...]
    when: str = ""
    who: str = ""


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


Event = (
    Opened
    | Answered
    | Retracted
    | Undone
    | Redone
    | Named
    | Noted
    | Grown
    | Switched
    | OpenedSimilarities
    | Measured
)


def timestamp() -> str:
    """Return the time as events keep it: ISO 8601, in UTC, to the millisecond."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def new_identity() -> str:
    """Return a name that no other study has: 16 hexadecimal digits, drawn by the system."""
    return secrets.token_hex(8)


def to_record(event: Event) -> dict[str, Any]:
    """Return an event as plain JSON data.

    >>> to_record(Retracted(3))
    {'event': 'retracted', 'answer_id': 3, 'when': '', 'who': ''}

    Raises
    ------
    AnswerError
        If `from_record` would refuse it: nothing is kept that cannot be read again.
    """
    record = _plain(event)
    try:
        from_record(record)
    except StoreError as error:
        raise AnswerError(f"this cannot be kept: {error}") from error
    return record


def _plain(event: Event) -> dict[str, Any]:
    record = _fields(event)
    if record.get("step", 0) is None:  # what stands for itself has no word about it
        del record["step"]
    return record


def _fields(event: Event) -> dict[str, Any]:
    match event:
        case Opened():
            return {"event": "opened", "format": FORMAT, **asdict(event)}
        case Answered(answer, step):
            plain = {"pair": list(answer.pair), "verdict": answer.verdict.value, "step": step}
            return {"event": "answered", **asdict(answer), **plain}
        case Retracted():
            return {"event": "retracted", **asdict(event)}
        case Undone():
            return {"event": "undone", **asdict(event)}
        case Redone():
            return {"event": "redone", **asdict(event)}
        case Named():
            return {"event": "named", **asdict(event)}
        case Noted():
            return {"event": "noted", **asdict(event)}
        case Grown():
            return {"event": "grown", **asdict(event)}
        case Switched(off):
            return {"event": "switched", **asdict(event), "off": list(off)}
        case OpenedSimilarities():
            return {"event": "opened-similarities", "format": FORMAT, **asdict(event)}
        case Measured(measurement):
            return {"event": "measured", **asdict(measurement), "pair": list(measurement.pair)}


_ANSWER: fields.Fields = {
    "id": fields.whole,
    "pair": fields.pair,
    "verdict": fields.verdict,
    "who": fields.text,
    "when": fields.text,
    "weight": fields.positive,
    "seconds": fields.maybe(fields.number),
    "same_probability": fields.maybe(fields.finite),
    "model_version": fields.text,
    "client_id": fields.text,
    "cost": fields.finite,
    "step": fields.whole,
}
_MEASUREMENT: fields.Fields = {
    "id": fields.whole,
    "pair": fields.pair,
    "value": fields.maybe(fields.share),
    "cost": fields.finite,
    "who": fields.text,
    "when": fields.text,
    "seconds": fields.maybe(fields.number),
}
_SETTINGS: fields.Fields = {
    "n_items": fields.item_count,
    "fingerprint": fields.text,
    "method": fields.text,
    "n_clusters": fields.maybe(fields.group_number),
    "random_state": fields.seed,
}
_OPENED_SIMILARITIES: fields.Fields = {
    **_SETTINGS,
    "n_clusters": fields.at_least_one,
    "interleave": fields.truth,
    "max_repeats": fields.at_least_one,
    "laplacian": fields.one_of("unnormalised", "normalised"),
    "splitting": fields.one_of("vectors", "recursive"),
}
_STEP: fields.Fields = {"step": fields.whole, "when": fields.text, "who": fields.text}
_NOTE: fields.Fields = {
    "item": fields.whole,
    "about": fields.one_of("review", "collection", "also", "apart"),
    "text": fields.text,
    "other": fields.maybe(fields.whole),
    "stands": fields.truth,
    **_STEP,
}


def _answered(step: int | None = None, **found: Any) -> Answered:
    """Return the event of an answer with these fields."""
    return Answered(Answer(**found), step)


# By the name of the event: what makes it, and how its fields are read.
_EVENTS: dict[str, tuple[Callable[..., Event], type[Any], fields.Fields]] = {
    "opened": (Opened, Opened, {**_SETTINGS, "identity": fields.text}),
    "opened-similarities": (OpenedSimilarities, OpenedSimilarities, _OPENED_SIMILARITIES),
    "answered": (_answered, Answer, _ANSWER),
    "retracted": (
        Retracted,
        Retracted,
        {"answer_id": fields.whole, **_STEP},
    ),
    "undone": (Undone, Undone, _STEP),
    "redone": (Redone, Redone, _STEP),
    "named": (
        Named,
        Named,
        {"item": fields.whole, "name": fields.text, **_STEP},
    ),
    "noted": (Noted, Noted, _NOTE),
    "grown": (
        Grown,
        Grown,
        {"n_items": fields.item_count, "fingerprint": fields.text, "when": fields.text},
    ),
    "switched": (
        Switched,
        Switched,
        {"off": fields.names, "when": fields.text, "who": fields.text},
    ),
    "measured": (lambda **found: Measured(Measurement(**found)), Measurement, _MEASUREMENT),
}


def from_record(record: Any) -> Event:
    """Return the event that `to_record` wrote; unknown fields and wrong values are refused.

    Raises
    ------
    StoreError
        If the record is no event; `NewerFormat` if a newer likewise has written it.
    """
    if not isinstance(record, Mapping):
        raise StoreError("not an event of a study: it must be an object with named fields")
    found = dict(record)
    kind = found.pop("event", None)
    if not isinstance(kind, str) or kind not in _EVENTS:
        raise StoreError(f"not an event of a study: {kind!r}")
    make, _, readers = _EVENTS[kind]
    try:
        if kind.startswith("opened"):
            _require_format(found.pop("format", None))
        if kind == "opened" and "identity" not in found:
            found["identity"] = _identity_by(found)
        return make(**fields.read_fields(found, readers, _OPTIONAL[kind]))
    except ValueError as error:
        raise StoreError(f"not an event of a study: {error}") from error


def _require_format(written_as: Any) -> None:
    """Refuse a journal that a newer likewise has written."""
    if type(written_as) is not int or written_as < 1:
        raise ValueError("format must be a whole number from 1 on")
    if written_as > FORMAT:
        raise NewerFormat(
            f"the journal has format {written_as}, this likewise reads up to {FORMAT}; "
            "install a newer likewise"
        )


def _with_defaults(holder: type[Any]) -> frozenset[str]:
    """Return the fields that older journals may lack, since they have a default."""
    return frozenset(one.name for one in declared(holder) if one.default is not MISSING)


_OPTIONAL = {name: _with_defaults(holder) for name, (_, holder, _) in _EVENTS.items()}
_OPTIONAL["answered"] |= {"step"}


def _identity_by(settings: dict[str, Any]) -> str:
    """Return the identity of a study of format 1, which had none: the first event never changes."""
    plain = json.dumps(settings, sort_keys=True).encode()
    return hashlib.blake2b(plain, digest_size=8).hexdigest()
