from __future__ import annotations

import builtins
import errno
import json
import os
from pathlib import Path
from typing import Any

import pytest

from likewise.errors import StoreError
from likewise.journal import FORMAT, Answered, Opened, Retracted, from_record, to_record
from likewise.journal.pairs import Answer, Pair, Verdict
from likewise.stores import JsonLinesStore, MemoryStore, open_store

OPENED = Opened(9, "c0ffee", "urasc", 3, 7)


def said(number: int) -> Answered:
    return Answered(Answer(number, Pair(0, number + 1), Verdict.SAME, who="ann"))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "study.jsonl"


@pytest.fixture
def written(path: Path) -> Path:
    """A journal of three events."""
    JsonLinesStore(path).append([OPENED, said(0), said(1)])
    return path


def opened(path: Path) -> JsonLinesStore:
    """A store as a program uses it: read first."""
    store = JsonLinesStore(path)
    store.read()
    return store


def test_an_event_is_a_line_of_json(written: Path) -> None:
    lines = written.read_text().splitlines()
    assert [json.loads(line)["event"] for line in lines] == ["opened", "answered", "answered"]
    assert json.loads(lines[0])["format"] == FORMAT
    assert written.read_bytes().endswith(b"\n")


def test_a_store_that_was_only_read_leaves_no_file(path: Path) -> None:
    assert JsonLinesStore(path).read() == []
    assert not path.exists()


@pytest.mark.parametrize("cut", [1, 20, 60])
def test_a_last_line_cut_short_is_left_out_and_overwritten(
    written: Path, cut: int, caplog: pytest.LogCaptureFixture
) -> None:
    written.write_bytes(written.read_bytes()[:-cut])
    store = JsonLinesStore(written)
    assert store.read() == [OPENED, said(0)]
    assert "the last line was cut short" in caplog.text
    store.append([Retracted(0)])
    assert store.read() == [OPENED, said(0), Retracted(0)]
    assert JsonLinesStore(written).read() == [OPENED, said(0), Retracted(0)]
    assert len(written.read_text().splitlines()) == 3


def test_a_file_of_nothing_but_half_a_line_is_an_empty_store(path: Path) -> None:
    path.write_bytes(b'{"event": "ope')
    store = JsonLinesStore(path)
    assert store.read() == []
    store.append([OPENED])
    assert JsonLinesStore(path).read() == [OPENED]


@pytest.mark.parametrize(
    "damage",
    [
        "{not json}",
        "",
        "null",
        "[1, 2]",
        "{}",
        '{"event": "forgotten"}',
        '{"event": "retracted"}',
        '{"event": "retracted", "answer_id": 1, "when": "", "mood": "bad"}',
        '{"event": "answered", "id": 0, "pair": [0], "verdict": "same"}',
        '{"event": "answered", "id": 0, "pair": [0, 1], "verdict": "perhaps"}',
        '{"event": "opened", "format": "one"}',
    ],
)
def test_a_damaged_line_is_named_by_its_number(written: Path, damage: str) -> None:
    lines = written.read_text().splitlines()
    lines[1] = damage
    written.write_text("\n".join(lines) + "\n")
    with pytest.raises(StoreError, match=r"study\.jsonl, line 2, cannot be read"):
        JsonLinesStore(written).read()


def test_bytes_that_are_no_text_are_named_by_their_line(written: Path) -> None:
    written.write_bytes(written.read_bytes() + b"\xff\xfe\xff\n")
    with pytest.raises(StoreError, match="line 4"):
        JsonLinesStore(written).read()


def test_a_newer_format_is_refused_and_not_called_damage(written: Path) -> None:
    record = {**to_record(OPENED), "format": FORMAT + 1, "novelty": True}
    with pytest.raises(StoreError, match=f"format {FORMAT + 1}.*install a newer likewise"):
        from_record(record)
    written.write_text(json.dumps(record) + "\n")
    with pytest.raises(StoreError, match="install a newer likewise") as caught:
        JsonLinesStore(written).read()
    assert "delete" not in str(caught.value)


def test_a_second_writer_is_told_to_open_the_study_again(written: Path) -> None:
    one, other = opened(written), opened(written)
    one.append([said(2)])
    with pytest.raises(StoreError, match=r"another program.*open the study again"):
        other.append([said(3)])
    assert JsonLinesStore(written).read() == [OPENED, said(0), said(1), said(2)]
    other.read()
    other.append([said(3)])
    assert one.read() == [OPENED, said(0), said(1), said(2), said(3)]


def test_a_writer_that_never_read_an_existing_file_does_not_write_to_it(written: Path) -> None:
    before = written.read_bytes()
    with pytest.raises(StoreError, match="open the study again"):
        JsonLinesStore(written).append([said(2)])
    assert written.read_bytes() == before


@pytest.mark.parametrize("harm", [Path.unlink, lambda path: path.write_bytes(b"")])
def test_a_file_deleted_or_emptied_by_another_program_is_noticed(written: Path, harm: Any) -> None:
    store = opened(written)
    harm(written)
    with pytest.raises(StoreError, match="another program"):
        store.append([said(2)])


@pytest.mark.parametrize("place", ["missing/study.jsonl", "file/study.jsonl", "folder.jsonl"])
def test_a_place_that_cannot_hold_a_file_is_named(tmp_path: Path, place: str) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "folder.jsonl").mkdir()
    with pytest.raises(StoreError, match=f"{place} cannot be opened"):
        JsonLinesStore(tmp_path / place).append([OPENED])


def test_a_folder_is_not_read_as_a_journal(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be opened"):
        JsonLinesStore(tmp_path).read()


def test_a_name_too_long_for_a_file_is_refused(tmp_path: Path) -> None:
    store = JsonLinesStore(tmp_path / ("x" * 300 + ".jsonl"))
    for use in (store.read, lambda: store.append([OPENED])):
        with pytest.raises(StoreError, match="cannot be opened"):
            use()


def test_a_file_that_may_not_be_written_is_named_and_can_still_be_read(
    written: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Not by chmod: whoever may do everything, as tests in a container often may, writes anyway.
    really_open = builtins.open

    def read_only(file: Any, mode: str = "r", *rest: Any, **more: Any) -> Any:
        if Path(file) == written and mode != "rb":
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(file))
        return really_open(file, mode, *rest, **more)

    monkeypatch.setattr(builtins, "open", read_only)
    store = JsonLinesStore(written)
    assert store.read() == [OPENED, said(0), said(1)]
    with pytest.raises(StoreError, match=r"study\.jsonl cannot be opened: Permission denied"):
        store.append([said(2)])


def test_a_full_disk_keeps_what_was_there_and_the_store_goes_on(written: Path) -> None:
    resource = pytest.importorskip("resource", reason="limits on file sizes are for Unix")
    store = opened(written)
    before = written.read_bytes()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) + 10, hard))
    try:
        with pytest.raises(StoreError, match=r"cannot be written.*the answer was not kept"):
            store.append([said(2)])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert written.read_bytes() == before
    store.append([said(2)])
    assert JsonLinesStore(written).read() == [OPENED, said(0), said(1), said(2)]


def test_an_event_that_does_not_reach_the_disk_is_not_kept(
    written: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = opened(written)

    def fail(_: int) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", fail)
        with pytest.raises(StoreError, match="cannot be written: Input/output error"):
            store.append([said(2)])
    assert JsonLinesStore(written).read() == [OPENED, said(0), said(1)]
    store.append([said(3)])
    assert JsonLinesStore(written).read() == [OPENED, said(0), said(1), said(3)]


def test_a_store_is_chosen_by_what_is_given(tmp_path: Path) -> None:
    assert isinstance(open_store(None), MemoryStore)
    given = MemoryStore()
    assert open_store(given) is given
    for place in (tmp_path / "a.jsonl", str(tmp_path / "a.jsonl")):
        store = open_store(place)
        assert isinstance(store, JsonLinesStore)
        assert store.path == tmp_path / "a.jsonl"


@pytest.mark.parametrize("name", ["study.json", "study", "study.jsonl.gz", "study.sqlite.gz"])
def test_a_file_of_another_kind_is_refused(name: str) -> None:
    with pytest.raises(StoreError, match=f"must end in .jsonl or .db but got '{name}'"):
        open_store(name)
