"""What a store in a database does when things go wrong, and what it keeps besides events."""

from __future__ import annotations

import os
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from uuid import uuid4

import pytest
from sqlalchemy import Connection
from typer.testing import CliRunner

import likewise as lw
from likewise.cli.app import app as cli
from likewise.errors import MissingExtra, Overtaken, StoreError
from likewise.journal import Answered, Opened
from likewise.journal.pairs import Answer, Pair, Verdict
from likewise.stores import ItemReference, SqlStore, open_store
from likewise.testing.postgres import PostgresServer

OPENED = Opened(9, "c0ffee", "urasc", 3, 7)
NOBODY = 65534


def said(number: int) -> Answered:
    return Answered(Answer(number, Pair(0, number + 1), Verdict.SAME, who="ann"))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "study.db"


@pytest.fixture
def written(path: Path) -> Path:
    """A file with three events, as a program that ended left it."""
    store = SqlStore(path)
    store.append([OPENED, said(0), said(1)])
    store.close()
    return path


def opened(path: Path, timeout: float = 30.0) -> SqlStore:
    """A store as a program uses it: read first."""
    store = SqlStore(path, timeout=timeout)
    store.read()
    return store


def test_a_store_is_chosen_by_the_ending_or_the_address(tmp_path: Path) -> None:
    for name in ("a.likewise.db", "a.sqlite", "a.sqlite3"):
        store = open_store(tmp_path / name)
        assert isinstance(store, SqlStore)
        assert str(store) == str(tmp_path / name)
    store = open_store(f"sqlite:///{tmp_path}/b.data?study=wine")
    assert isinstance(store, SqlStore)
    assert (str(store), store.study) == (f"{tmp_path}/b.data", "wine")
    for address in ("postgresql://ada:secret@host/lab?study=wine", "postgres://host/lab"):
        assert isinstance(open_store(address), SqlStore)


@pytest.mark.parametrize(
    "address", ["mysql://host/lab", "postgresql://", "postgresql://host:x/lab"]
)
def test_an_address_that_is_none_is_explained(address: str) -> None:
    with pytest.raises(StoreError, match="address of a database"):
        open_store(address)


def test_passwords_are_not_shown() -> None:
    store = open_store("postgresql://ada:secret@localhost:1/lab?connect_timeout=1")
    with pytest.raises(StoreError, match=r"ada:.*@localhost:1/lab.*cannot be reached") as caught:
        store.read()
    assert "secret" not in str(caught.value)
    assert "secret" not in str(store)


def test_without_psycopg_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "psycopg", None)
    with pytest.raises(MissingExtra, match=r"likewise\[postgres\]"):
        open_store("postgresql://host/lab")


def test_a_store_that_was_only_read_leaves_no_file(path: Path) -> None:
    assert SqlStore(path).read() == []
    assert SqlStore(path).read_items() == []
    assert SqlStore(path).leases.held() == []
    assert not path.exists()


def test_a_file_is_written_so_that_a_power_cut_loses_nothing(path: Path) -> None:
    store = SqlStore(path)
    store.append([OPENED])
    pragmas = ("journal_mode", "synchronous", "busy_timeout")
    found = store.database.write(
        lambda connection: [connection.exec_driver_sql(f"PRAGMA {p}").scalar() for p in pragmas]
    )
    assert found == ["wal", 2, 30_000]  # 2 is FULL
    ask = "PRAGMA synchronous"
    for durable, level in ((False, 1), (True, 2)):  # 1 is NORMAL: written, but not waited for
        told = store.database.write(
            lambda connection: connection.exec_driver_sql(ask).scalar(), durable=durable
        )
        assert told == level


def test_a_store_that_was_closed_leaves_one_file_behind(written: Path) -> None:
    assert [found.name for found in written.parent.iterdir()] == ["study.db"]


def test_frequent_fields_are_columns_and_the_rest_is_json(path: Path) -> None:
    study = lw.Study([[0.0], [1.0], [5.0]], store=path)
    question = study.ask()
    assert question is not None
    study.tell(question, "different", who="Ada", seconds=2.5)
    with closing(sqlite3.connect(path)) as connection:
        row = connection.execute(
            "SELECT who, seconds, verdict, same_probability, model_version, i, j FROM events "
            "WHERE event = 'answered' AND \"when\" > '2024'"
        ).fetchone()
    expected = ("Ada", 2.5, "different", question.same_probability, lw.__version__)
    assert row == (*expected, *question.pair)


def test_studies_in_one_database_do_not_mix(postgres: PostgresServer) -> None:
    first, second = uuid4().hex, uuid4().hex
    one = open_store(f"{postgres.url}&study={first}")
    one.append([OPENED, said(0)])
    other = SqlStore(postgres.url, study=second)
    assert other.read() == []
    other.append([OPENED])
    assert SqlStore(postgres.url, study=first).read() == [OPENED, said(0)]


def test_references_to_items_are_kept_in_order_and_replaced(path: Path) -> None:
    items = [ItemReference("b", "photos/b.jpg", "22"), ItemReference("a", "photos/a.jpg", "11")]
    SqlStore(path).write_items(items)
    assert SqlStore(path).read_items() == items
    gone = [items[1], ItemReference("b", "photos/b.jpg", "22", present=False)]
    SqlStore(path).write_items(gone)
    assert SqlStore(path).read_items() == gone
    SqlStore(path).write_items([])
    assert SqlStore(path).read_items() == []


# -- things that go wrong ----------------------------------------------------------------------


@pytest.mark.parametrize("place", ["missing/study.db", "file/study.db", "folder.db", "x" * 300])
def test_a_place_that_cannot_hold_a_file_is_named(tmp_path: Path, place: str) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "folder.db").mkdir()
    with pytest.raises(StoreError, match=f"{place} cannot be opened"):
        SqlStore(tmp_path / place).append([OPENED])


def test_a_name_that_no_file_can_have_is_refused() -> None:
    with pytest.raises(StoreError, match="cannot be opened"):
        lw.Study([[0.0], [1.0]], store="a\0.db")


@pytest.mark.parametrize("name", ["a b?c#d%20.db", "ä'\"é.db", "x;y=1&z.db"])
def test_odd_file_names_are_no_trouble(tmp_path: Path, name: str) -> None:
    SqlStore(tmp_path / name).append([OPENED])
    assert SqlStore(tmp_path / name).read() == [OPENED]
    assert (tmp_path / name).exists()


def test_a_program_may_change_its_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    store = SqlStore("study.db")
    store.append([OPENED])
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    store.append([said(0)])
    assert SqlStore(tmp_path / "study.db").read() == store.read() == [OPENED, said(0)]


def _delete(path: Path) -> None:
    path.unlink()


def _replace(path: Path) -> None:
    path.rename(path.with_suffix(".old"))
    SqlStore(path).append([OPENED])


@pytest.mark.parametrize("harm", [_delete, _replace])
def test_a_file_deleted_or_replaced_by_another_program_is_noticed(
    written: Path, harm: Callable[[Path], None]
) -> None:
    store = opened(written)
    harm(written)
    for use in (store.read, lambda: store.append([said(2)])):
        with pytest.raises(StoreError, match="deleted or replaced by another program"):
            use()


def test_events_deleted_by_another_program_are_noticed(written: Path) -> None:
    store = opened(written)
    with closing(sqlite3.connect(written)) as connection:
        connection.execute("DELETE FROM events WHERE position = 2")
        connection.commit()
    with pytest.raises(StoreError, match="cut short by another program"):
        store.append([said(2)])


def test_a_file_in_use_for_too_long_is_said(written: Path) -> None:
    store = opened(written, timeout=0.2)
    with closing(sqlite3.connect(written, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert len(store.read()) == 3  # reading is never in the way
        with pytest.raises(StoreError, match=r"in use by another program.*was not kept"):
            store.append([said(2)])
        other.execute("COMMIT")
    store.append([said(2)])
    assert len(SqlStore(written).read()) == 4


@contextmanager
def not_root() -> Iterator[None]:
    """Root may write everything; for a moment we are somebody else."""
    root = os.geteuid() == 0
    if root:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)


@pytest.mark.skipif(os.name == "nt", reason="permissions are for Unix")
@pytest.mark.parametrize("folder_too", [False, True])
def test_a_file_that_may_only_be_read_is_read_and_not_written(
    written: Path, folder_too: bool
) -> None:
    parents = [p for p in written.parents if p.stat().st_uid == os.geteuid() and p != Path("/")]
    modes = {p: p.stat().st_mode for p in parents}
    for parent in parents:
        parent.chmod(modes[parent] | 0o055)
    written.chmod(0o444)
    written.parent.chmod(0o555 if folder_too else 0o777)
    before = written.read_bytes()
    try:
        with not_root():
            store = SqlStore(written)
            assert store.read() == [OPENED, said(0), said(1)]
            with pytest.raises(StoreError, match=r"study\.db may only be read.*was not kept"):
                store.append([said(2)])
            store.close()
    finally:
        for parent in parents:
            parent.chmod(modes[parent])
    assert written.read_bytes() == before


def _until_it_fails(work: Callable[[], object]) -> None:
    for _ in range(10_000):
        work()


def test_a_full_disk_keeps_what_was_there_and_the_store_goes_on(written: Path) -> None:
    store = opened(written)

    def limit(pages: int) -> None:
        store.database.read(lambda c: c.exec_driver_sql(f"PRAGMA max_page_count={pages}").scalar())

    limit(1)  # never less than there are
    more = (said(number) for number in range(2, 10_000))
    with pytest.raises(StoreError, match=r"the disk is full.*was not kept, all earlier ones are"):
        _until_it_fails(lambda: store.append([next(more)]))
    kept = SqlStore(written).read()
    assert len(kept) > 3
    refused = said(len(kept) - 1)
    assert next(more) == said(len(kept))  # one was refused, and it is the only one missing
    limit(100_000)
    store.append([refused])
    assert SqlStore(written).read() == [*kept, refused]


def test_a_file_that_may_not_grow_keeps_what_was_there(written: Path) -> None:
    resource = pytest.importorskip("resource", reason="limits on file sizes are for Unix")
    store = opened(written)
    store.append([said(2)])  # the log file is there now, and is written from its beginning
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, hard))
    try:
        with pytest.raises(StoreError, match=r"cannot be written.*was not kept"):
            store.append([said(3)])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert len(SqlStore(written).read()) == 4
    store.append([said(3)])
    assert SqlStore(written).read()[-1] == said(3)


@pytest.fixture
def tiny_disk(tmp_path: Path) -> Iterator[Path]:
    disk = tmp_path / "disk"
    disk.mkdir()
    mounting = ["mount", "-t", "tmpfs", "-o", "size=256k", "none", str(disk)]
    if os.name == "nt" or os.geteuid() or subprocess.run(mounting, check=False).returncode:
        pytest.skip("only root can mount a disk")
    yield disk
    subprocess.run(["umount", "--lazy", str(disk)], check=True)


def test_a_disk_that_is_really_full(tiny_disk: Path) -> None:
    X = [[0.0], [1.0], [5.0]]
    study = lw.Study(X, store=tiny_disk / "study.db")
    with pytest.raises(StoreError, match=r"cannot be written"):
        _until_it_fails(lambda: study.tell((0, 1), "unsure", who="Ada" * 33))
    assert study.n_answers > 10
    assert lw.Study(X, store=tiny_disk / "study.db").answers == study.answers


def test_a_disk_that_is_full_before_the_first_answer(tiny_disk: Path) -> None:
    (tiny_disk / "table.csv").write_text("size\n1\n2\n9\n")
    with suppress(OSError), (tiny_disk / "filler").open("wb", buffering=0) as filler:
        while True:
            filler.write(bytes(1024))
    told = CliRunner().invoke(cli, ["start", str(tiny_disk / "table.csv"), "--no-browser"])
    assert told.exit_code == 2
    assert "the disk is full; nothing was begun: make room" in " ".join(told.stderr.split())


def test_a_server_that_is_not_there_is_said_at_once() -> None:
    store = SqlStore("postgresql://ada@/lab?host=/nowhere", timeout=600)
    with pytest.raises(StoreError, match="cannot be reached"):
        store.append([OPENED])


def test_a_server_that_was_killed_and_is_back_goes_on(postgres: PostgresServer) -> None:
    store = SqlStore(postgres.url, study=uuid4().hex)
    store.append([OPENED, said(0)])
    postgres.kill()
    postgres.start()
    store.append([said(1)])
    postgres.kill()
    postgres.start()
    assert store.read() == [OPENED, said(0), said(1)]


def test_events_kept_by_a_server_that_died_before_saying_so_are_not_kept_twice(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = SqlStore(path)
    store.append([OPENED])
    write = store.database.write

    def write_again(work: Callable[[Connection], None]) -> None:
        """What happens when the acknowledgement is lost; meanwhile another program writes."""
        write(work)
        opened(path).append([said(2)])
        write(work)

    monkeypatch.setattr(store.database, "write", write_again)
    store.append([said(0), said(1)])
    assert SqlStore(path).read() == [OPENED, said(0), said(1), said(2)]
    monkeypatch.undo()
    with pytest.raises(Overtaken):
        store.append([said(3)])


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are forked on Unix")
def test_a_forked_process_has_a_connection_of_its_own(written: Path) -> None:
    store = opened(written)
    child = os.fork()
    if child == 0:
        try:
            store.append([said(2)])
        except BaseException:  # noqa: BLE001 - whatever it is, this process must end here
            os._exit(1)
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    assert store.read() == [OPENED, said(0), said(1), said(2)]
    store.append([said(3)])
    assert len(SqlStore(written).read()) == 5
