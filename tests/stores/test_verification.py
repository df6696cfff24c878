"""What is missing, doubled or damaged is noticed and said, and the rest can be saved."""

from __future__ import annotations

import json
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest

from likewise.errors import StoreError
from likewise.journal import Answered, Event, Opened, Retracted
from likewise.journal.constraints import Constraints
from likewise.journal.pairs import Answer, Pair, Verdict
from likewise.stores import (
    ItemReference,
    JsonLinesStore,
    SqlStore,
    back_up,
    salvage,
    verification,
    verify_store,
)

OPENED = Opened(4, "f", "auto", None, 0)
EVENTS: list[Event] = [
    OPENED,
    Answered(Answer(0, Pair(0, 1), Verdict.SAME)),
    Answered(Answer(1, Pair(1, 2), Verdict.DIFFERENT)),
    Retracted(0),
]


def test_a_missing_event_in_a_database_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "study.db"
    store = SqlStore(path)
    store.append(EVENTS)
    store.close()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DELETE FROM events WHERE position = 2")
    with pytest.raises(StoreError, match=r"1 events are missing .* from number 2 on; take it from"):
        SqlStore(path).read()
    (problem,) = verify_store(path)
    assert "from number 2 on" in problem
    with pytest.raises(StoreError, match="from number 2 on"):
        back_up(path, tmp_path / "copy.db")
    assert salvage(path, tmp_path / "saved.jsonl").lost == [2]
    assert verify_store(tmp_path / "saved.jsonl") == []


@pytest.mark.parametrize(
    ("order", "sentence"),
    [
        ([0, 1, 3], "line 3, says that it is line 4: 1 before it are missing"),
        ([0, 1, 2, 2, 3], "line 4, says that it is line 3: it stands there twice"),
        ([0, 2, 1, 3], "line 2, says that it is line 3: 1 before it are missing"),
    ],
)
def test_a_missing_or_doubled_line_is_noticed_and_the_rest_can_be_saved(
    tmp_path: Path, order: list[int], sentence: str
) -> None:
    path, saved = tmp_path / "study.likewise.jsonl", tmp_path / "saved.jsonl"
    JsonLinesStore(path).append(EVENTS)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[k] for k in order))
    with pytest.raises(StoreError, match=sentence):
        JsonLinesStore(path).read()
    assert sentence in verify_store(path)[0]
    assert salvage(path, saved).saved == len(set(order))
    assert JsonLinesStore(saved).read() == [EVENTS[k] for k in sorted(set(order))]
    assert verify_store(saved) == []


def test_lines_of_an_older_likewise_say_no_number_and_an_answer_twice_is_noticed(
    tmp_path: Path,
) -> None:
    path = tmp_path / "study.likewise.jsonl"
    JsonLinesStore(path).append(EVENTS[:2])
    plain = [json.loads(line) for line in path.read_text().splitlines()]
    assert [record.pop("line") for record in plain] == [1, 2]
    path.write_text("".join(json.dumps(record) + "\n" for record in plain))
    assert JsonLinesStore(path).read() == EVENTS[:2]
    path.write_text("".join(json.dumps(record) + "\n" for record in [*plain, plain[1]]))
    assert "answer 0 stands twice in the journal" in verify_store(path)[0]


def test_an_event_that_does_not_fit_those_before_it_is_named(tmp_path: Path) -> None:
    path = tmp_path / "study.db"
    SqlStore(path).append([OPENED, Retracted(7)])
    (problem,) = verify_store(path)
    assert "event 1 of the journal does not fit those before it (there is no answer 7" in problem


def test_a_damaged_file_is_not_sound(tmp_path: Path) -> None:
    path = tmp_path / "study.db"
    store = SqlStore(path)
    store.append([OPENED, *(Answered(Answer(k, Pair(0, 1), Verdict.SAME)) for k in range(400))])
    store.close()
    content = bytearray(path.read_bytes())
    middle = len(content) // 2
    content[middle : middle + 2000] = bytes(2000)
    path.write_bytes(content)
    problems = verify_store(path)
    assert problems
    assert "damaged" in problems[0]


def test_items_that_are_not_as_many_as_the_events_say_are_noticed(tmp_path: Path) -> None:
    store = SqlStore(tmp_path / "study.db")
    store.write_items([ItemReference(name) for name in "abc"], EVENTS)
    assert "knows 3 items, but its events speak of 4" in verify_store(store)[0]


def test_a_closure_that_is_not_what_the_answers_imply_is_noticed() -> None:
    known = Constraints(4)
    known.add(Answer(0, Pair(0, 1), Verdict.SAME))
    known.add(Answer(1, Pair(1, 2), Verdict.DIFFERENT))
    known.add(Answer(2, Pair(0, 2), Verdict.SAME))  # disputed
    assert verification.closure_problems(known) == []
    known._parent[3] = 2
    assert verification.closure_problems(known) == [
        "the groups that follow from the answers are not those of a graph search"
    ]


def test_where_there_is_no_study_nothing_can_be_verified(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="there is no study"):
        verify_store(tmp_path / "nothing.db")


# -- the log beside the file -------------------------------------------------------------------


def test_every_answer_that_was_kept_is_soon_in_the_file_itself(tmp_path: Path) -> None:
    store = SqlStore(tmp_path / "study.db")
    store.append(EVENTS[:1])
    for k in range(30):
        store.append([Answered(Answer(k, Pair(0, 1), Verdict.SAME))])
    deadline = time.monotonic() + 30
    while (found := _n_events_without_the_log(tmp_path)) < 31:  # the -wal is forgotten each time
        assert time.monotonic() < deadline, found
        time.sleep(0.05)


def test_a_study_that_is_closed_is_all_in_the_file(tmp_path: Path) -> None:
    store = SqlStore(tmp_path / "study.db")
    store.append(EVENTS[:1])
    store.append([Answered(Answer(0, Pair(0, 1), Verdict.SAME))])
    store.close()
    assert _n_events_without_the_log(tmp_path) == 2


def test_a_file_that_is_deleted_at_once_does_not_come_back(tmp_path: Path) -> None:
    store = SqlStore(tmp_path / "study.db")
    store.append(EVENTS[:1])
    store.append([Answered(Answer(0, Pair(0, 1), Verdict.SAME))])
    late = store.database._checkpoint_timer
    assert late is not None
    for one in tmp_path.iterdir():
        one.unlink()
    late.join()
    assert list(tmp_path.iterdir()) == []


def _n_events_without_the_log(folder: Path) -> int:
    alone = folder / "alone.db"
    alone.write_bytes((folder / "study.db").read_bytes())
    try:
        return len(SqlStore(alone).read())
    finally:
        for one in folder.glob("alone.db*"):
            one.unlink()


def test_a_log_that_vanishes_while_it_is_in_use_is_noticed(tmp_path: Path) -> None:
    store = SqlStore(tmp_path / "study.db")
    store.append(EVENTS[:1])
    (tmp_path / "study.db-wal").unlink()
    with pytest.raises(StoreError, match=r"study\.db-wal was deleted while it was in use"):
        store.append(EVENTS[1:2])
    store.close()
    assert SqlStore(tmp_path / "study.db").read() == EVENTS[:1]
