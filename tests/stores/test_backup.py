"""A backup is one file that was read again, and takes the place of nothing unless told."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from likewise.errors import StoreError
from likewise.journal import Answered, Event, Grown, Opened, Retracted
from likewise.journal.pairs import Answer, Pair, Verdict
from likewise.stores import ItemReference, SqlStore, back_up, copy_study, open_store, verify_store
from likewise.testing.postgres import PostgresServer

OPENED = Opened(4, "f", "auto", None, 0, "0123456789abcdef")
EVENTS: list[Event] = [
    OPENED,
    Answered(Answer(0, Pair(0, 1), Verdict.SAME)),
    Answered(Answer(1, Pair(1, 2), Verdict.DIFFERENT)),
    Retracted(0),
]
ITEMS = [ItemReference(name, f"{name}.png", name * 8) for name in "abcd"]


@pytest.fixture(params=[".db", ".jsonl"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / f"study{request.param}"
    store = open_store(path)
    store.append(EVENTS)
    if isinstance(store, SqlStore):
        store.write_items(ITEMS)
    return path


def test_a_backup_is_one_file_with_all_that_was_there(place: Path, tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    copy = tmp_path / "there" / f"copy{place.suffix}"
    in_use = open_store(place)
    in_use.read()
    assert back_up(place, copy) == len(EVENTS)
    in_use.append([Answered(Answer(2, Pair(0, 3), Verdict.SAME))])
    assert list(copy.parent.iterdir()) == [copy]
    restored = open_store(copy)
    assert restored.read() == EVENTS
    assert restored.read()[0].identity == OPENED.identity  # type: ignore[union-attr]
    if isinstance(restored, SqlStore):
        assert restored.read_items() == ITEMS
    assert verify_store(copy) == []


def test_nothing_is_replaced_unless_told(place: Path, tmp_path: Path) -> None:
    copy = tmp_path / f"copy{place.suffix}"
    copy.write_text("precious")
    with pytest.raises(StoreError, match="exists already"):
        back_up(place, copy)
    assert copy.read_text() == "precious"
    back_up(place, copy, overwrite=True)
    assert open_store(copy).read() == EVENTS
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]


def test_what_appears_while_it_is_written_stays(
    place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy, really = tmp_path / f"copy{place.suffix}", copy_study

    def meanwhile(source: Path, target: Path) -> int:
        copy.write_text("precious")
        return really(source, target)

    monkeypatch.setattr("likewise.stores.backup.copy_study", meanwhile)
    with pytest.raises(StoreError, match="exists already"):
        back_up(place, copy)
    assert copy.read_text() == "precious"


def test_a_copy_that_is_not_what_was_read_gets_no_name(
    place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def forgetful(_: Path, target: Path) -> int:
        open_store(target).append(EVENTS[:2])
        return len(EVENTS)

    monkeypatch.setattr("likewise.stores.backup.copy_study", forgetful)
    with pytest.raises(StoreError, match="the copy differs from what was read"):
        back_up(place, tmp_path / f"copy{place.suffix}")
    assert not [path for path in tmp_path.iterdir() if "copy" in path.name]


def test_a_study_with_items_needs_a_file_that_keeps_them(tmp_path: Path) -> None:
    store = SqlStore(tmp_path / "study.db")
    store.write_items(ITEMS, EVENTS)
    with pytest.raises(StoreError, match=r"let its name end in \.db"):
        back_up(store, tmp_path / "copy.jsonl")
    with pytest.raises(StoreError, match="no study"):
        back_up(tmp_path / "nothing.db", tmp_path / "copy.db")


def test_items_found_during_a_backup_are_in_it_with_what_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = SqlStore(tmp_path / "study.db")
    store.write_items(ITEMS, EVENTS)
    read_items, more = SqlStore.read_items, [*ITEMS, ItemReference("e")]

    def grown(self: SqlStore) -> Sequence[ItemReference]:
        found = read_items(self)
        if self is not store and len(read_items(store)) == 4:
            store.write_items(more, [Grown(5, "g")])
        return found

    monkeypatch.setattr(SqlStore, "read_items", grown)
    back_up(tmp_path / "study.db", tmp_path / "copy.db")
    assert SqlStore(tmp_path / "copy.db").read() == [*EVENTS, Grown(5, "g")]
    assert read_items(SqlStore(tmp_path / "copy.db")) == more


def test_a_study_on_a_server_is_backed_up_to_a_file(
    postgres: PostgresServer, tmp_path: Path
) -> None:
    store = SqlStore(postgres.url, study="backed-up")
    store.write_items(ITEMS, EVENTS)
    assert back_up(store, tmp_path / "copy.db") == len(EVENTS)
    assert SqlStore(tmp_path / "copy.db").read_items() == ITEMS
