"""Damaged files: what they say, and what can be saved of them."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

import likewise as lw
from likewise.errors import StoreError
from likewise.journal import Answered, Opened, Retracted
from likewise.journal.pairs import Answer, Pair, Verdict
from likewise.stores import JsonLinesStore, SqlStore, salvage

X = [[float(n)] for n in range(60)]
PAGE = 4096


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file of many pages, with 400 answers of which two were taken back."""
    path = tmp_path / "study.db"
    lw.Study(X, store=path)
    answers = [
        Answered(Answer(n, Pair(n % 59, 59), Verdict.UNSURE, who="Ada" * 10)) for n in range(400)
    ]
    store = SqlStore(path)
    store.read()
    store.append([*answers, Retracted(3), Retracted(390)])
    store.close()
    return path


def page_of(path: Path, answer: int) -> int:
    """The number of the page on which an answer is written, counted from 0."""
    content = path.read_bytes()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE events SET who = 'HERE' || who WHERE id = ?", [answer])
        connection.commit()
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    page = path.read_bytes().index(b"HEREAda") // PAGE
    path.write_bytes(content)
    return page


def overwrite(path: Path, page: int) -> None:
    content = bytearray(path.read_bytes())
    content[page * PAGE : (page + 1) * PAGE] = b"\xa5" * PAGE
    path.write_bytes(content)


def test_a_bad_page_is_said_and_all_other_events_are_saved(path: Path, tmp_path: Path) -> None:
    before = SqlStore(path).read()
    overwrite(path, page_of(path, 200))
    with pytest.raises(StoreError, match=r"damaged.*\d+ of its events can be saved: .*salvage"):
        SqlStore(path).read()
    damaged = path.read_bytes()
    saved = salvage(path, tmp_path / "saved.jsonl")
    assert path.read_bytes() == damaged
    assert saved.saved > 300
    assert 201 in saved.lost
    kept = [event for n, event in enumerate(before) if n not in saved.lost]
    assert JsonLinesStore(tmp_path / "saved.jsonl").read() == kept
    assert lw.Study.open(tmp_path / "saved.jsonl", X).n_answers > 300


def test_the_number_of_saved_events_is_the_one_that_was_promised(
    path: Path, tmp_path: Path
) -> None:
    overwrite(path, page_of(path, 200))
    with pytest.raises(StoreError, match="damaged") as caught:
        SqlStore(path).read()
    saved = salvage(path, tmp_path / "saved.jsonl").saved
    assert f"{saved} of its events" in str(caught.value)


def test_without_its_beginning_a_study_cannot_be_saved(path: Path, tmp_path: Path) -> None:
    overwrite(path, page_of(path, 0))
    with pytest.raises(StoreError, match=r"damaged.*nothing in it can be saved"):
        SqlStore(path).read()
    with pytest.raises(StoreError, match="beginning of the study"):
        salvage(path, tmp_path / "saved.jsonl")
    assert not (tmp_path / "saved.jsonl").exists()


def test_an_event_that_makes_no_sense_is_named_and_the_others_are_saved(
    path: Path, tmp_path: Path
) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE events SET verdict = 'perhaps' WHERE position = 4")
        connection.execute("UPDATE events SET rest = '{' WHERE position = 6")
        connection.commit()
    with pytest.raises(StoreError, match=r"event 4 in .*study\.db cannot be read.*salvage"):
        SqlStore(path).read()
    saved = salvage(path, tmp_path / "saved.jsonl")
    assert saved.lost == [4, 6, 401]  # the last took back answer 3, which stood at 4
    study = lw.Study.open(tmp_path / "saved.jsonl", X)
    assert [answer.id for answer in study.answers][:5] == [0, 1, 2, 4, 6]


@pytest.mark.parametrize("content", [b"not a database at all" * 400, b"\0" * 8192])
def test_a_file_of_which_nothing_is_left_says_so(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(StoreError, match=r"damaged.*nothing in it can be saved"):
        SqlStore(path).read()
    with pytest.raises(StoreError, match="beginning of the study"):
        salvage(path, path.with_suffix(".jsonl"))
    assert path.read_bytes() == content


def test_a_file_cut_in_half_gives_what_it_still_has(path: Path, tmp_path: Path) -> None:
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2 // PAGE * PAGE])
    with pytest.raises(StoreError, match="damaged"):
        SqlStore(path).read()
    saved = salvage(path, tmp_path / "saved.jsonl")
    events = JsonLinesStore(tmp_path / "saved.jsonl").read()
    assert len(events) == saved.saved > 50
    assert isinstance(events[0], Opened)


def test_a_rescue_overwrites_nothing(path: Path, tmp_path: Path) -> None:
    (tmp_path / "saved.jsonl").write_text("precious")
    with pytest.raises(StoreError, match="exists already"):
        salvage(path, tmp_path / "saved.jsonl")
    assert (tmp_path / "saved.jsonl").read_text() == "precious"


def test_a_healthy_file_is_saved_whole(path: Path, tmp_path: Path) -> None:
    assert salvage(path, tmp_path / "saved.jsonl").lost == []
    assert JsonLinesStore(tmp_path / "saved.jsonl").read() == SqlStore(path).read()
