"""Files of every version of the tables, of none, and of one that is yet to come."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from uuid import uuid4

import pytest
from schema_files import EVENTS, FILES, dump_of, restore
from sqlalchemy import create_engine, inspect
from sqlalchemy.engine import Engine

from likewise.errors import NewerFormat, StoreError
from likewise.journal import Retracted
from likewise.journal.pairs import Pair
from likewise.stores import ItemReference, SqlStore
from likewise.stores._schema import NEWEST, REVISIONS, metadata
from likewise.stores.migrations import upgrade
from likewise.testing.postgres import PostgresServer


def restored(revision: str, path: Path) -> Path:
    restore((FILES / f"schema-{revision}.sql").read_text(), path)
    return path


def tables(engine: Engine) -> dict[str, dict[str, str]]:
    seen = inspect(engine)
    return {
        name: {column["name"]: str(column["type"]) for column in seen.get_columns(name)}
        for name in seen.get_table_names()
        if name != "likewise_version"
    }


@pytest.mark.parametrize("revision", REVISIONS)
def test_a_file_of_every_version_is_opened_and_goes_on(tmp_path: Path, revision: str) -> None:
    path = restored(revision, tmp_path / "old.db")
    store = SqlStore(path)
    assert store.read() == EVENTS
    store.append([Retracted(0)])
    store.write_items([ItemReference("a", "photos/a.jpg", "c0ffee")])
    assert store.leases.take(Pair(0, 1), "Ada", 60) is not None
    again = SqlStore(path)
    assert again.read() == [*EVENTS, Retracted(0)]
    assert again.read_items() == [ItemReference("a", "photos/a.jpg", "c0ffee")]
    assert [lease.who for lease in again.leases.held()] == ["Ada"]


@pytest.mark.parametrize("revision", REVISIONS)
def test_an_older_file_gets_the_tables_that_a_new_one_has(tmp_path: Path, revision: str) -> None:
    path = restored(revision, tmp_path / "old.db")
    before = path.read_bytes()
    store = SqlStore(path)
    assert store.read() == EVENTS
    assert store.leases.held() == []
    assert path.read_bytes() == before  # who reads does not write
    store.write_items([])
    fresh = create_engine("sqlite://")
    metadata.create_all(fresh)
    old = create_engine(f"sqlite:///{tmp_path / 'old.db'}")
    assert tables(old) == tables(fresh)
    for engine in (old, fresh):
        engine.dispose()


def test_the_file_of_the_newest_version_is_what_is_written_today(tmp_path: Path) -> None:
    store = SqlStore(tmp_path / "new.db")
    store.append(EVENTS)
    store.close()
    kept, today = (
        [line for line in text.splitlines() if not line.startswith('INSERT INTO "events"')]
        for text in ((FILES / f"schema-{NEWEST}.sql").read_text(), dump_of(tmp_path / "new.db"))
    )
    assert kept == today


def test_migrations_are_done_on_a_server_as_well(postgres: PostgresServer) -> None:
    store = SqlStore(postgres.url, study=uuid4().hex)
    store.append(EVENTS)
    seen = create_engine(
        store.database.url.set(drivername="postgresql+psycopg"),
        connect_args={"options": "-csearch_path=likewise"},
    )
    assert set(tables(seen)) == {"studies", "items", "events", "leases"}
    seen.dispose()


def test_migrations_stop_where_they_are_told_to(tmp_path: Path) -> None:
    engine = create_engine(f"sqlite:///{tmp_path / 'first.db'}")
    with engine.begin() as connection:
        upgrade(connection, REVISIONS[0])
    assert "leases" not in tables(engine)
    with engine.begin() as connection:
        upgrade(connection)
        upgrade(connection)
    assert "leases" in tables(engine)
    engine.dispose()


def test_a_newer_file_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    path = restored(NEWEST, tmp_path / "new.db")
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE likewise_version SET version_num = '9999'")
        connection.commit()
    before = dump_of(path)
    for use in (SqlStore(path).read, lambda: SqlStore(path).append(EVENTS)):
        with pytest.raises(NewerFormat, match=r"version 9999.*install a newer likewise"):
            use()
    assert dump_of(path) == before


def test_a_database_of_another_program_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "bookmarks.db"
    restore("CREATE TABLE bookmarks (url TEXT);", path)
    before = path.read_bytes()
    for use in (SqlStore(path).read, lambda: SqlStore(path).append(EVENTS)):
        with pytest.raises(StoreError, match="a database, but not of likewise"):
            use()
    assert path.read_bytes() == before


def test_an_old_file_that_may_only_be_read_is_read_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = restored(REVISIONS[0], tmp_path / "old.db")
    before = dump_of(path)
    really = os.access
    monkeypatch.setattr(
        os, "access", lambda place, mode, **more: mode != os.W_OK and really(place, mode, **more)
    )
    store = SqlStore(path)
    assert store.read() == EVENTS
    with pytest.raises(StoreError, match=r"old\.db may only be read"):
        store.append([Retracted(0)])
    assert dump_of(path) == before
