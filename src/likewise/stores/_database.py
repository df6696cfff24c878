"""A SQLite file or a PostgreSQL database: connections, transactions, the version of its tables."""

from __future__ import annotations

import os
import threading
import time
import weakref
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar
from urllib.parse import quote

from sqlalchemy import URL, Connection, Engine, create_engine, event, insert, inspect, select, text
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError
from sqlalchemy.pool import ConnectionPoolEntry, QueuePool

from likewise.errors import MissingExtra, NewerFormat, StoreError
from likewise.stores import _schema as schema
from likewise.stores._database_errors import describe, is_transient

T = TypeVar("T")

_SCHEMA = "likewise"  # the part of a PostgreSQL database that holds our tables
_CHECKPOINT_SECONDS = 1.0  # between two times that SQLite's log is moved into the file
_LOCK = 0x6C696B65  # the number under which PostgreSQL knows our lock for migrations


class Database:
    """Runs functions of a connection, each in a transaction of its own.

    After an error that may pass by itself (a file that another program is writing to, a server
    that restarts) the function is called again, from its beginning.

    Parameters
    ----------
    url : URL
        A SQLite file or a PostgreSQL server.
    timeout : float
        Seconds until such an error is raised after all, as `StoreError`.
    """

    def __init__(self, url: URL, *, timeout: float = 30.0) -> None:
        self.url = url
        self.timeout = timeout
        # By its full name, since a program may change its folder.
        on_disk = url.get_backend_name() == "sqlite"
        self.path = Path(url.database or "").absolute() if on_disk else None
        self._migrated = False  # whether the tables are known to be there, in the newest version
        self._file_id: tuple[int, int] | None = None  # of the file that was migrated
        self._wal_id: tuple[int, int] | None = None  # of the log that was written to
        self._checkpoint_at = 0.0
        self._checkpoint_timer: threading.Timer | None = None
        self._study_ids: dict[str, int] = {}  # by name
        self._process = os.getpid()
        self._engine = _create_engine(url, self.path, timeout)
        weakref.finalize(self, self._engine.dispose)

    def __str__(self) -> str:
        return str(self.path or self.url.render_as_string(hide_password=True))

    def close(self) -> None:
        """Close all connections; the next function that is run opens one again."""
        if self._checkpoint_timer is not None:
            self._checkpoint_timer.cancel()
            self._checkpoint_timer = None
        self._engine.dispose()  # by which SQLite moves the log into the file as well
        self._wal_id = None

    def read(
        self, work: Callable[[Connection], T], *, since: str = schema.REVISIONS[0]
    ) -> T | None:
        """Return what `work` returns; None when there are no tables yet, and then none are made.

        Nothing is written: tables of an older version stay what they are. `since` is the version
        that brought the tables which `work` reads.
        """
        return self._retry(lambda: self._read(work, since))

    def write(self, work: Callable[[Connection], T], *, durable: bool = True) -> T:
        """Return what `work` returns, once it is on the disk; make the tables if there are none.

        What need not be `durable` outlives every program, but perhaps not a power cut.
        """
        return self._retry(lambda: self._write(work, durable))

    def damage(self) -> list[str]:
        """Return what SQLite's own check of the file finds wrong; servers check themselves."""
        if self.path is None:
            return []

        def work(connection: Connection) -> list[str]:
            found = [str(row[0]) for row in connection.exec_driver_sql("PRAGMA integrity_check")]
            orphans = connection.exec_driver_sql("PRAGMA foreign_key_check").all()
            wrong = [line.splitlines()[0] for line in found if line != "ok"]
            return [
                *(f"{self} is damaged: {line}" for line in wrong),
                *([f"{self} holds {len(orphans)} rows that belong to no study"] if orphans else []),
            ]

        return self.read(work) or []

    def study_id(self, connection: Connection, name: str) -> int:
        """Return the number of the study called `name`, given to it now if it has none.

        To be called once in a transaction: what it finds then was there before, and stays.
        """
        if name in self._study_ids:
            return self._study_ids[name]
        table = schema.studies
        query = select(table.c.id).where(table.c.name == name)
        number = connection.scalar(query)
        if number is None:
            # Another program may be first.
            with suppress(IntegrityError), connection.begin_nested():
                connection.execute(insert(table).values(name=name))
            # Not remembered: the transaction may come to nothing.
            return int(connection.execute(query).scalar_one())
        self._study_ids[name] = int(number)
        return int(number)

    def _read(self, work: Callable[[Connection], T], since: str) -> T | None:
        if not self._file_exists():
            return None
        if not self._migrated:
            with self._engine.begin() as connection:
                found = self._revision(connection)
            if found is None or found < since:
                return None
            if found == schema.NEWEST:
                self._migrate(found)
        with self._engine.begin() as connection:
            return work(connection)

    def _write(self, work: Callable[[Connection], T], durable: bool) -> T:
        self._file_exists()
        if not self._migrated:
            with self._engine.begin() as connection:
                found = self._revision(connection)
            self._migrate(found)
        with self._connect_to_write(durable) as connection:
            with connection.begin():
                result = work(connection)
            if durable and self.path is not None:
                self._checkpoint_soon(connection)
        self._wal_id = self._find_wal()
        return result

    def _checkpoint_soon(self, connection: Connection) -> None:
        """Move what was committed into the file: now, or with what comes in the next second.

        To wait for it takes several times as long as to commit.
        """
        left = self._checkpoint_at - time.monotonic()
        if left <= 0:
            _checkpoint(connection)
            self._checkpoint_at = time.monotonic() + _CHECKPOINT_SECONDS
        elif self._checkpoint_timer is None:
            self._checkpoint_timer = threading.Timer(left, self._checkpoint_late)
            self._checkpoint_timer.daemon = True
            self._checkpoint_timer.start()

    def _checkpoint_late(self) -> None:
        self._checkpoint_timer = None
        # A file that has gone meanwhile must not be made anew; whoever writes next is told.
        with suppress(StoreError, DBAPIError):
            if self._file_exists():
                with self._engine.connect() as connection:
                    _checkpoint(connection)
                self._checkpoint_at = time.monotonic() + _CHECKPOINT_SECONDS

    def _connect_to_write(self, durable: bool = True) -> Connection:
        return self._engine.connect().execution_options(begin="BEGIN IMMEDIATE", durable=durable)

    def _migrate(self, found: str | None) -> None:
        """Make or migrate the tables; of several programs that want to, one does."""
        if found != schema.NEWEST:
            from likewise.stores.migrations import upgrade

            if self.path is not None:
                _use_write_ahead_log(self._engine)
            with self._connect_to_write() as connection, connection.begin():
                if self.path is None:
                    connection.execute(text(f"SELECT pg_advisory_xact_lock({_LOCK})"))
                    connection.execute(text(f"CREATE SCHEMA IF NOT EXISTS {_SCHEMA}"))
                if self._revision(connection) != schema.NEWEST:
                    upgrade(connection)
        self._migrated = True
        self._file_id = _file_identity(self.path)

    def _file_exists(self) -> bool:
        """Return whether there is a file, if one is needed; raise if it is another than before."""
        found = _file_identity(self.path)
        if self._migrated and found != self._file_id:
            raise StoreError(
                f"{self} was deleted or replaced by another program; open the study again"
            )
        # While a connection is open, SQLite lets no other program take its log away.
        pool = self._engine.pool
        is_open = isinstance(pool, QueuePool) and pool.checkedin() > 0
        if is_open and self._wal_id is not None and self._find_wal() != self._wal_id:
            raise StoreError(
                f"{self}-wal was deleted while it was in use; start this program again, and look "
                "with `likewise verify` whether all answers are there"
            )
        return self.path is None or found is not None

    def _find_wal(self) -> tuple[int, int] | None:
        """Return which file is the write-ahead log by now; None if there is none."""
        return None if self.path is None else _file_identity(_wal_of(self.path))

    def _revision(self, connection: Connection) -> str | None:
        """Return the version of the tables, None if there are none."""
        tables = inspect(connection)
        if not tables.has_table(schema.revision.name):
            if self.path is not None and tables.get_table_names():
                raise StoreError(f"{self} is a database, but not of likewise; choose another file")
            return None
        found = connection.scalar(select(schema.revision.c.version_num))
        if found is not None and found not in schema.REVISIONS:
            raise NewerFormat(
                f"the tables of {self} have version {found}, this likewise reads up to "
                f"{schema.NEWEST}; install a newer likewise"
            )
        return found

    def _retry(self, work: Callable[[], T]) -> T:
        """Return what `work` returns; call it again after errors that may pass by themselves."""
        if os.getpid() != self._process:  # a connection must not be used by parent and child
            self._engine.dispose(close=False)
            self._process, self._checkpoint_timer = os.getpid(), None
        deadline, pause = time.monotonic() + self.timeout, 0.01
        while True:
            try:
                return work()
            except DBAPIError as error:
                # Whoever never got through has the wrong address rather than bad luck.
                retried = is_transient(error) and (self.path is not None or self._migrated)
                if not retried or time.monotonic() > deadline:
                    said = describe(error, str(self), self.path, begun=self._migrated)
                    raise StoreError(said) from error
            time.sleep(pause)
            pause = min(2 * pause, 1.0)


def _file_identity(path: Path | None) -> tuple[int, int] | None:
    """Return what a file is whatever its name; None if there is none."""
    try:
        found = None if path is None else path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise StoreError(f"{path} cannot be opened: {reason}") from error
    return None if found is None else (found.st_dev, found.st_ino)


def _create_engine(url: URL, path: Path | None, timeout: float) -> Engine:
    """Return an engine that begins transactions as we need them; `path` is that of a file."""
    try:
        if path is None:
            engine = create_engine(url.set(drivername="postgresql+psycopg"), pool_pre_ping=True)
            event.listen(engine, "connect", _set_search_path)
            event.listen(engine, "begin", _begin_on_server)
        else:
            engine = create_engine(_sqlite_url(path), connect_args={"timeout": timeout})
            event.listen(engine, "connect", _set_up_sqlite)
            event.listen(engine, "begin", _begin_on_sqlite)
    except ArgumentError as error:
        raise StoreError(f"{url.render_as_string()} is no address of a database") from error
    except ImportError as error:
        raise MissingExtra(
            'a store on PostgreSQL needs psycopg; install it with pip install "likewise[postgres]"'
        ) from error
    return engine


def _sqlite_url(path: Path) -> URL:
    """Return the address of a file for SQLite.

    In a folder that cannot be written to, a database in WAL mode can only be read when SQLite is
    promised that nobody changes it.
    """
    options = {"uri": "true"}
    effective = os.access in os.supports_effective_ids
    settled = _file_identity(path) is not None and not _wal_of(path).exists()
    if settled and not os.access(path.parent, os.W_OK, effective_ids=effective):
        options["immutable"] = "1"
    return URL.create("sqlite", database=f"file:{quote(str(path))}", query=options)


def _set_up_sqlite(connection: object, _: ConnectionPoolEntry) -> None:
    connection.isolation_level = None  # type: ignore[attr-defined] # we begin transactions ourselves
    for pragma in ("synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")  # type: ignore[attr-defined]


def _begin_on_sqlite(connection: Connection) -> None:
    options = connection.get_execution_options()
    level = "FULL" if options.get("durable", True) else "NORMAL"
    connection.exec_driver_sql(f"PRAGMA synchronous={level}")
    # Who reads first and then wants to write may find that another has written in between, and
    # no waiting helps; IMMEDIATE takes the right to write before anything is read.
    connection.exec_driver_sql(options.get("begin", "BEGIN"))


def _begin_on_server(connection: Connection) -> None:
    if not connection.get_execution_options().get("durable", True):
        connection.exec_driver_sql("SET LOCAL synchronous_commit TO off")


def _set_search_path(connection: object, _: ConnectionPoolEntry) -> None:
    connection.execute(f"SET search_path TO {_SCHEMA}")  # type: ignore[attr-defined]
    connection.commit()  # type: ignore[attr-defined]


def _wal_of(path: Path) -> Path:
    return path.with_name(f"{path.name}-wal")


def _checkpoint(connection: Connection) -> None:
    """Move what was committed from the log into the file, so that the file alone holds it.

    Whoever reads an older state can hold it up for a while. Whether or not it succeeds, what was
    committed is on the disk.
    """
    with suppress(DBAPIError):
        connection.execution_options(begin="").exec_driver_sql("PRAGMA wal_checkpoint(PASSIVE)")


def _use_write_ahead_log(engine: Engine) -> None:
    with engine.connect() as connection:  # SQLite changes its kind of log outside transactions only
        connection.execution_options(begin="").exec_driver_sql("PRAGMA journal_mode=WAL")
