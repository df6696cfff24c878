"""Tasks of Label Studio: pairs with a choice of same, different or unsure; or items with a label.

A task about a pair has `item` and `other` in its data, and what is shown of them. One about a
single item has `item`, or an `id`, and its annotation is the label of the item's group: two items
with one label of one annotator are the same, those with two labels differ.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from likewise.errors import DataError
from likewise.exchange.dedupe import record
from likewise.exchange.labelled_items import answers_of_labels
from likewise.exchange.records import AnswerRecord
from likewise.items import Items

_CHOICE, _SHOWN = "verdict", "pair"
CONFIG = (
    '<View><Text name="pair" value="$shown"/>'
    '<Choices name="verdict" toName="pair" choice="single-radio" showInLine="true">'
    '<Choice value="same"/><Choice value="different"/><Choice value="unsure"/></Choices></View>'
)


def tasks(answers: Sequence[AnswerRecord], items: Items) -> list[dict[str, Any]]:
    """Return a task per pair, with everybody's answers as its annotations."""
    position = items.position()
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for one in answers:
        task = found.setdefault(
            (one.item, one.other),
            {"data": _data(one, items, position), "annotations": []},
        )
        task["annotations"].append(_annotation(one))
    return list(found.values())


def is_tasks(data: Any) -> bool:
    """Return whether these are tasks of Label Studio."""
    return isinstance(data, list) and all(
        isinstance(one, Mapping) and "data" in one for one in data
    )


def from_tasks(data: Sequence[Mapping[str, Any]], name: str) -> list[AnswerRecord]:
    """Return the answers in the tasks of an export."""
    found: list[AnswerRecord] = []
    labels: dict[str, dict[str, str]] = {}
    for number, task in enumerate(data, start=1):
        where = f"{name}, task {number}"
        shown = task["data"]
        if not isinstance(shown, Mapping):
            raise DataError(f"{where}: the data of a task must be a mapping but is {shown!r}")
        for annotation in task.get("annotations") or ():
            said, who = _choice(annotation, where), _who(annotation)
            if said is None:
                continue
            if "other" in shown:
                fields = {
                    "item": shown.get("item"),
                    "other": shown["other"],
                    "verdict": said.lower(),
                    "who": who,
                    "when": annotation.get("created_at"),
                    "seconds": annotation.get("lead_time"),
                }
                found.append(AnswerRecord.of(fields, where))
            else:
                item = shown.get("item", shown.get("id", task.get("id")))
                labels.setdefault(who, {})[str(item)] = said
    return found + answers_of_labels(labels, name)


def _data(one: AnswerRecord, items: Items, position: Mapping[str, int]) -> dict[str, Any]:
    shown = [record(items, position[name]) for name in (one.item, one.other)]
    lines = ["\n".join(f"{key}: {value}" for key, value in each.items()) for each in shown]
    return {"item": one.item, "other": one.other, "shown": "\n\n".join(lines)}


def _annotation(one: AnswerRecord) -> dict[str, Any]:
    chosen = {"choices": [one.verdict.value]}
    result = {"from_name": _CHOICE, "to_name": _SHOWN, "type": "choices", "value": chosen}
    return {
        "result": [result],
        "completed_by": {"email": one.who},
        "created_at": one.when,
        "lead_time": one.seconds,
    }


def _choice(annotation: Any, where: str) -> str | None:
    """Return what was chosen; None for an annotation that was skipped."""
    if not isinstance(annotation, Mapping):
        raise DataError(f"{where}: an annotation must be a mapping but is {annotation!r}")
    if annotation.get("was_cancelled"):
        return None
    for result in annotation.get("result") or ():
        value = result.get("value") if isinstance(result, Mapping) else None
        choices = value.get("choices") if isinstance(value, Mapping) else None
        if isinstance(choices, list) and len(choices) == 1:
            return str(choices[0]).strip()
    return None


def _who(annotation: Mapping[str, Any]) -> str:
    by = annotation.get("completed_by")
    if isinstance(by, Mapping):
        return str(by.get("email") or by.get("id") or "")
    return "" if by is None else str(by)
