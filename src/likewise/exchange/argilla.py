"""Records of Argilla: pairs with a question "verdict", or items with a question about their label.

A record has `fields` (what is shown), `metadata` (here `item` and `other`, the ids) and
`responses`, which map the name of a question to a list of {"value": ..., "user_id": ...}.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from likewise.errors import DataError
from likewise.exchange.dedupe import record
from likewise.exchange.labelled_items import answers_of_labels
from likewise.exchange.records import AnswerRecord
from likewise.items import Items

_QUESTION = "verdict"


def records(answers: Sequence[AnswerRecord], items: Items) -> list[dict[str, Any]]:
    """Return a record per pair, with everybody's answers as its responses."""
    position = items.position()
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for one in answers:
        shown = {
            side: "\n".join(f"{k}: {v}" for k, v in record(items, position[name]).items())
            for side, name in (("one", one.item), ("two", one.other))
        }
        made = found.setdefault(
            (one.item, one.other),
            {
                "id": f"{one.item}|{one.other}",
                "fields": shown,
                "metadata": {"item": one.item, "other": one.other},
                "responses": {_QUESTION: []},
            },
        )
        made["responses"][_QUESTION].append({"value": one.verdict.value, "user_id": one.who})
    return list(found.values())


def is_records(data: Any) -> bool:
    """Return whether these are records of Argilla."""
    return isinstance(data, list) and all(
        isinstance(one, Mapping) and "responses" in one for one in data
    )


def from_records(data: Sequence[Mapping[str, Any]], name: str) -> list[AnswerRecord]:
    """Return the answers in the records of an export."""
    found: list[AnswerRecord] = []
    labels: dict[str, dict[str, str]] = {}
    for number, one in enumerate(data, start=1):
        where = f"{name}, record {number}"
        about = one.get("metadata") or {}
        if not isinstance(about, Mapping):
            raise DataError(f"{where}: the metadata of a record must be a mapping but is {about!r}")
        for value, who in _responses(one["responses"], where):
            if "other" in about:
                fields = {"item": about.get("item"), "other": about["other"]}
                said = {**fields, "verdict": value.strip().lower(), "who": who}
                found.append(AnswerRecord.of(said, where))
            else:
                labels.setdefault(who, {})[str(about.get("item", one.get("id")))] = value
    return found + answers_of_labels(labels, name)


def _responses(responses: Any, where: str) -> Iterator[tuple[str, str]]:
    """Yield what was said in response, and by whom."""
    if not isinstance(responses, Mapping):
        raise DataError(f"{where}: responses must map questions to lists but are {responses!r}")
    for given in responses.values():
        for one in given or ():
            if not isinstance(one, Mapping) or not isinstance(one.get("value"), str):
                raise DataError(f"{where}: a response must have a value but is {one!r}")
            yield one["value"], str(one.get("user_id") or "")
