"""Journals with a wrong value in any field of any event: never a traceback, never taken for right.

And what the sentence about a broken line advises is followed literally: it leaves a journal that
can be opened.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import likewise as lw
from likewise.errors import AnswerError, LikewiseError, StoreError
from likewise.items import Items
from likewise.journal import (
    Answered,
    Event,
    Grown,
    Measured,
    Named,
    Noted,
    Opened,
    OpenedSimilarities,
    Retracted,
    from_record,
    to_record,
)
from likewise.journal.pairs import Answer, AnswerDraft, Measurement, Pair, Verdict

ITEMS = Items.of(np.array([[0.0, 0], [0, 1], [5, 5], [5, 6], [9, 0], [9, 1]]))
NOW = "2026-01-01T00:00:00.000+00:00"
ANSWERS: list[Event] = [
    Opened(4, "four", "random", 3, 0),
    Answered(Answer(0, Pair(0, 1), Verdict.SAME, "ann", NOW, 1.0, 2.5, 0.75, "1", "c-0")),
    Answered(Answer(1, Pair(2, 0), Verdict.DIFFERENT)),
    Retracted(0, NOW),
    Named(2, "cats", NOW, "ann"),
    Noted(3, "also", "", 2, True, NOW, "ann"),
    Grown(6, ITEMS.fingerprint(), NOW),
    Answered(Answer(2, Pair(5, 0), Verdict.UNSURE, seconds=1.0)),
    Retracted(2),
    Answered(Answer(3, Pair(4, 5), Verdict.SAME)),
]
RATINGS: list[Event] = [
    OpenedSimilarities(6, "", "iu-red", 2, True, 3, "normalised", "vectors", 7),
    Measured(Measurement(0, Pair(4, 2), 0.3, 0.5, "ann", NOW, 2.5)),
    Measured(Measurement(1, Pair(0, 5), None, 0.0)),
    Retracted(0),
    Measured(Measurement(2, Pair(1, 2), 0.9)),
]
WRONG: list[Any] = [
    *(None, True, False, 0, -1, 1, 2**40, 10**30, -(10**30), 0.5, -0.5, 1e308),
    *(
        "",
        "x",
        "5",
        "true",
        "\ud800",
        "a" * 5000,
        [],
        [0],
        [0, 0],
        [0, 10**9],
        ["0", "1"],
        [0, 1.0],
    ),
    *([True, False], {}, {"a": 1}, [[[]]], math.nan, math.inf, -math.inf),
]


def lines_of(events: list[Event]) -> list[str]:
    return [json.dumps(to_record(event)) for event in events]


def open_study(path: Path) -> lw.Study | lw.SimilarityStudy:
    if "opened-similarities" in path.read_text(errors="replace").split("\n")[0]:
        return lw.SimilarityStudy.open(path)
    return lw.Study.open(path, ITEMS)


def mutations(events: list[Event]) -> Iterator[tuple[int, str, dict[str, Any]]]:
    for at, event in enumerate(events):
        record = to_record(event)
        for name in record:
            yield at, name, {key: value for key, value in record.items() if key != name}
            for value in WRONG:
                if type(value) is not type(record[name]) or value != record[name]:
                    yield at, name, {**record, name: value}


def same_kind(value: Any, right: Any) -> bool:
    """Return whether a value is of the kind that the field was written with."""
    if isinstance(right, list):
        return isinstance(value, list) and len(value) == 2 and all(type(v) is int for v in value)
    if type(right) in (int, float):
        return type(value) in (int, float)
    return type(value) is type(right)


@pytest.mark.parametrize("events", [ANSWERS, RATINGS], ids=["answers", "ratings"])
def test_no_field_of_a_wrong_kind_is_accepted(events: list[Event]) -> None:
    optional = {
        "n_clusters",
        "seconds",
        "same_probability",
        "value",
        "other",
    }  # null is "not known"
    for at, name, record in mutations(events):
        right = to_record(events[at])[name]
        try:
            event = from_record(record)
        except StoreError:
            continue
        if name not in record:  # it has a default, or is computed
            assert to_record(event)[name] in ("", None, 1.0, 0.0, True) or name == "identity", (
                name,
                record,
            )
            continue
        value = record[name]
        is_null = value is None and name in optional
        assert is_null or same_kind(value, right) or right is None, (name, record)
        kept = to_record(event)[name]
        assert kept == value or value != value or name == "format", (name, record)


@pytest.mark.parametrize("events", [ANSWERS, RATINGS], ids=["answers", "ratings"])
def test_a_mutated_journal_is_opened_or_refused_in_a_sentence(
    tmp_path: Path, events: list[Event]
) -> None:
    path = tmp_path / "study.likewise.jsonl"
    lines = lines_of(events)
    refused = 0
    for at, _, record in mutations(events):
        try:
            from_record(record)
        except StoreError:
            continue  # refused by itself
        path.write_text("\n".join([*lines[:at], json.dumps(record), *lines[at + 1 :]]) + "\n")
        before = path.read_bytes()
        try:
            open_study(path)
        except LikewiseError:
            refused += 1
        assert path.read_bytes() == before
    assert refused > 10


@pytest.mark.parametrize(
    "event",
    [
        Answered(Answer(0, Pair(0, 1), Verdict.SAME, who=5)),  # type: ignore[arg-type]
        Answered(Answer(0, Pair(0, 1), Verdict.SAME, weight=math.inf)),
        Named(0, None),  # type: ignore[arg-type]
        Retracted(True),
    ],
)
def test_nothing_is_written_that_could_not_be_read_again(tmp_path: Path, event: Event) -> None:
    store = lw.stores.JsonLinesStore(tmp_path / "study.jsonl")
    store.append([ANSWERS[0]])
    with pytest.raises(AnswerError, match="cannot be kept"):
        store.append([event])
    assert store.read() == [ANSWERS[0]]


@pytest.mark.parametrize("seconds", [math.nan, math.inf])
def test_seconds_that_are_no_number_are_refused_at_the_door(seconds: float) -> None:
    with pytest.raises(AnswerError, match="finite number of seconds"):
        AnswerDraft(Pair(0, 1), Verdict.SAME, seconds=seconds)
