from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from uuid import uuid4

import pytest

import likewise as lw
from likewise.errors import StoreError
from likewise.stores import ItemReference, MemoryStore, SqlStore, copy_study, open_store
from likewise.testing.postgres import PostgresServer

X = [[0.0], [0.1], [5.0], [5.1]]


def test_a_study_goes_through_all_stores_and_comes_back_the_same(
    tmp_path: Path, postgres: PostgresServer
) -> None:
    first = tmp_path / "first.jsonl"
    study = lw.Study(X, store=first)
    for verdict in ("same", "different", "unsure"):
        question = study.ask()
        assert question is not None
        study.tell(question, verdict, who="Zoë", seconds=0.1)
    study.undo()
    last = tmp_path / "last.jsonl"
    places: list[str | Path] = [
        first,
        tmp_path / "second.db",
        f"{postgres.url}&study={uuid4().hex}",
        tmp_path / "third.sqlite",
        last,
    ]
    for source, target in pairwise(places):
        assert copy_study(source, target) == 5
    assert last.read_bytes() == first.read_bytes()
    assert lw.Study.open(places[2], X).ask() == study.ask()


def test_references_to_items_come_along(tmp_path: Path) -> None:
    lw.Study(X, store=tmp_path / "a.db")
    SqlStore(tmp_path / "a.db").write_items([ItemReference("a", "a.jpg", "1")])
    copy_study(tmp_path / "a.db", tmp_path / "b.db")
    assert SqlStore(tmp_path / "b.db").read_items() == [ItemReference("a", "a.jpg", "1")]
    assert copy_study(tmp_path / "a.db", MemoryStore()) == 1


def test_nothing_is_overwritten_and_nothing_comes_from_nothing(tmp_path: Path) -> None:
    lw.Study(X, store=tmp_path / "a.db")
    lw.Study(X, store=tmp_path / "b.jsonl").tell((0, 1), "same")
    before = (tmp_path / "b.jsonl").read_bytes()
    with pytest.raises(StoreError, match=r"there is a study in .*b\.jsonl already"):
        copy_study(tmp_path / "a.db", tmp_path / "b.jsonl")
    assert (tmp_path / "b.jsonl").read_bytes() == before
    with pytest.raises(StoreError, match=r"no study in .*c\.db to copy"):
        copy_study(tmp_path / "c.db", tmp_path / "d.db")
    assert open_store(tmp_path / "d.db").read() == []
