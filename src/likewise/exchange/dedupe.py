"""The training file of dedupe: records that match, and records that are distinct.

A pair there is {"__class__": "tuple", "__value__": [record, record]} or a plain list of two, and a
record a mapping of field names to values. Items are recognised by the id that a record carries,
else by its fields.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from likewise.errors import DataError
from likewise.exchange.records import AnswerRecord
from likewise.items import Items
from likewise.journal.pairs import Verdict

_KEYS = {"match": Verdict.SAME, "distinct": Verdict.DIFFERENT}
_ID = "id"


def training(answers: Sequence[AnswerRecord], items: Items) -> dict[str, list[Any]]:
    """Return the answers as dedupe reads them, "unsure" left out."""
    position = items.position()

    def pair(one: AnswerRecord) -> dict[str, Any]:
        records = [record(items, position[name]) for name in (one.item, one.other)]
        return {"__class__": "tuple", "__value__": records}

    return {
        key: [pair(one) for one in answers if one.verdict is verdict]
        for key, verdict in _KEYS.items()
    }


def from_training(data: Mapping[str, Any], items: Items, name: str) -> list[AnswerRecord]:
    """Return the answer records of a training file."""
    by_fields: dict[frozenset[tuple[str, str]], str] = {}
    for position in range(len(items)):
        # Of items that are alike in every field the first stands for all.
        by_fields.setdefault(_fields(record(items, position)), items.ids[position])
    columns = frozenset(record(items, 0))
    found = []
    for key, verdict in _KEYS.items():
        for number, entry in enumerate(data.get(key) or ()):
            where = f"{name}, {key} {number}"
            pair = entry.get("__value__") if isinstance(entry, Mapping) else entry
            if not (isinstance(pair, list) and len(pair) == 2):
                raise DataError(f"{where}: a pair must hold two records")
            one, other = (_recognised(each, items, by_fields, columns, where) for each in pair)
            found.append(AnswerRecord(one, other, verdict, where=where))
    return found


def record(items: Items, position: int) -> dict[str, Any]:
    """Return an item as dedupe wants it: its fields and its id."""
    shown: dict[str, Any] = {}
    if items.rows is not None:
        shown |= items.rows[position]
    elif items.texts is not None:
        shown["text"] = items.texts[position]
    return {**shown, _ID: items.ids[position]}


def _recognised(
    entry: Any,
    items: Items,
    by_fields: Mapping[frozenset[tuple[str, str]], str],
    columns: frozenset[str],
    where: str,
) -> str:
    """Return the id of the item that a record is; of an unknown one, what it looks like."""
    if not isinstance(entry, Mapping):
        raise DataError(f"{where}: a record must map field names to values but is {entry!r}")
    if _ID in entry:
        return str(entry[_ID])
    known = {name: value for name, value in entry.items() if name in columns}
    return by_fields.get(_fields(known), str(dict(entry)))


def _fields(entry: Mapping[str, Any]) -> frozenset[tuple[str, str]]:
    """Return the fields that hold something, as text: dedupe knows no numbers and no gaps."""
    return frozenset(
        (name, str(value).strip())
        for name, value in entry.items()
        if name != _ID and value is not None and value == value and str(value).strip()
    )
