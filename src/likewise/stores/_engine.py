"""A SQLite file or a PostgreSQL database: connections, transactions, the version of its tables."""

from __future__ import annotations

import os
import time
import weakref
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar
from urllib.parse import quote

from sqlalchemy import URL, Connection, Engine, create_engine, event, insert, inspect, select, text
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError
from sqlalchemy.pool import ConnectionPoolEntry

from likewise.errors import MissingExtra, NewerFormat, StoreError
from likewise.stores import _schema as schema
from likewise.stores._error_messages import is_passing, sentence

T = TypeVar("T")

_SCHEMA = "likewise"  # the part of a PostgreSQL database that holds our tables
_LOCK = 0x6C696B65  # the number under which PostgreSQL knows our lock for migrations


class Database:
    """Runs pieces of work, each in a transaction of its own.

    What passes by itself (a file that another program is writing to, a server that restarts) is
    waited for up to `patience` seconds; work is then done again from its beginning.
    """

    def __init__(self, url: URL, *, patience: float = 30.0) -> None:
        self.url = url
        self.patience = patience
        # By its full name, since a program may change its folder.
        on_disk = url.get_backend_name() == "sqlite"
        self.path = Path(url.database or "").absolute() if on_disk else None
        self._ready = False  # whether the tables are known to be there, in the newest version
        self._opened: tuple[int, int] | None = None
        self._numbers: dict[str, int] = {}  # of studies, by name
        self._process = os.getpid()
        self._engine = _engine(url, self.path, patience)
        weakref.finalize(self, self._engine.dispose)

    def __str__(self) -> str:
        return str(self.path or self.url.render_as_string(hide_password=True))

    def close(self) -> None:
        """Close all connections; the next piece of work opens one again."""
        self._engine.dispose()

    def read(self, work: Callable[[Connection], T]) -> T | None:
        """What `work` finds; None when there are no tables yet, and then none are made."""
        return self._patiently(lambda: self._read(work))

    def write(self, work: Callable[[Connection], T], *, durable: bool = True) -> T:
        """What `work` returns, once it is on the disk; the tables are made if there are none.

        What need not be `durable` outlives every program, but perhaps not a power cut.
        """
        return self._patiently(lambda: self._write(work, durable))

    def study_id(self, connection: Connection, name: str) -> int:
        """The number of the study called `name`, given to it now if it has none.

        To be called once in a transaction: what it finds then was there before, and stays.
        """
        if name in self._numbers:
            return self._numbers[name]
        table = schema.studies
        query = select(table.c.id).where(table.c.name == name)
        number = connection.scalar(query)
        if number is None:
            # Another program may be first.
            with suppress(IntegrityError), connection.begin_nested():
                connection.execute(insert(table).values(name=name))
            # Not remembered: the transaction may come to nothing.
            return int(connection.execute(query).scalar_one())
        self._numbers[name] = int(number)
        return int(number)

    def _read(self, work: Callable[[Connection], T]) -> T | None:
        if not self._file():
            return None
        if not self._ready:
            with self._engine.begin() as connection:
                found = self._revision(connection)
            if found is None:
                return None
            self._prepare(found)
        with self._engine.begin() as connection:
            return work(connection)

    def _write(self, work: Callable[[Connection], T], durable: bool) -> T:
        self._file()
        if not self._ready:
            with self._engine.begin() as connection:
                found = self._revision(connection)
            self._prepare(found)
        with self._writing(durable) as connection, connection.begin():
            return work(connection)

    def _writing(self, durable: bool = True) -> Connection:
        return self._engine.connect().execution_options(begin="BEGIN IMMEDIATE", durable=durable)

    def _prepare(self, found: str | None) -> None:
        """Make or migrate the tables; of several programs that want to, one does."""
        if found != schema.NEWEST:
            from likewise.stores.migrations import upgrade

            if self.path is not None:
                _use_write_ahead_log(self._engine)
            with self._writing() as connection, connection.begin():
                if self.path is None:
                    connection.execute(text(f"SELECT pg_advisory_xact_lock({_LOCK})"))
                    connection.execute(text(f"CREATE SCHEMA IF NOT EXISTS {_SCHEMA}"))
                if self._revision(connection) != schema.NEWEST:
                    upgrade(connection)
        self._ready = True
        self._opened = _identity(self.path)

    def _file(self) -> bool:
        """Whether there is a file, if one is needed; it must still be the one that was opened."""
        found = _identity(self.path)
        if self._ready and found != self._opened:
            raise StoreError(
                f"{self} was deleted or replaced by another program; open the study again"
            )
        return self.path is None or found is not None

    def _revision(self, connection: Connection) -> str | None:
        """The version of the tables, None if there are none."""
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

    def _patiently(self, work: Callable[[], T]) -> T:
        if os.getpid() != self._process:  # a connection must not be used by parent and child
            self._engine.dispose(close=False)
            self._process = os.getpid()
        deadline, pause = time.monotonic() + self.patience, 0.01
        while True:
            try:
                return work()
            except DBAPIError as error:
                # Whoever never got through has the wrong address rather than bad luck.
                hopeful = is_passing(error) and (self.path is not None or self._ready)
                if not hopeful or time.monotonic() > deadline:
                    raise StoreError(sentence(error, str(self), self.path)) from error
            time.sleep(pause)
            pause = min(2 * pause, 1.0)


def _identity(path: Path | None) -> tuple[int, int] | None:
    """What a file is whatever its name; None if there is none."""
    try:
        found = None if path is None else path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise StoreError(f"{path} cannot be opened: {reason}") from error
    return None if found is None else (found.st_dev, found.st_ino)


def _engine(url: URL, path: Path | None, patience: float) -> Engine:
    try:
        if path is None:
            engine = create_engine(url.set(drivername="postgresql+psycopg"), pool_pre_ping=True)
            event.listen(engine, "connect", _look_in_our_schema)
            event.listen(engine, "begin", _begin_on_server)
        else:
            engine = create_engine(_of_file(path), connect_args={"timeout": patience})
            event.listen(engine, "connect", _keep_safe)
            event.listen(engine, "begin", _begin)
    except ArgumentError as error:
        raise StoreError(f"{url.render_as_string()} is no address of a database") from error
    except ImportError as error:
        raise MissingExtra(
            'a store on PostgreSQL needs psycopg; install it with pip install "likewise[postgres]"'
        ) from error
    return engine


def _of_file(path: Path) -> URL:
    """The file as SQLite is told of it.

    In a folder that cannot be written to, a database in WAL mode can only be read when SQLite is
    promised that nobody changes it.
    """
    options = {"uri": "true"}
    effective = os.access in os.supports_effective_ids
    settled = _identity(path) is not None and not path.with_name(f"{path.name}-wal").exists()
    if settled and not os.access(path.parent, os.W_OK, effective_ids=effective):
        options["immutable"] = "1"
    return URL.create("sqlite", database=f"file:{quote(str(path))}", query=options)


def _keep_safe(connection: object, _: ConnectionPoolEntry) -> None:
    connection.isolation_level = None  # type: ignore[attr-defined] # we begin transactions ourselves
    for pragma in ("synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")  # type: ignore[attr-defined]


def _begin(connection: Connection) -> None:
    options = connection.get_execution_options()
    level = "FULL" if options.get("durable", True) else "NORMAL"
    connection.exec_driver_sql(f"PRAGMA synchronous={level}")
    # Who reads first and then wants to write may find that another has written in between, and
    # no waiting helps; IMMEDIATE takes the right to write before anything is read.
    connection.exec_driver_sql(options.get("begin", "BEGIN"))


def _begin_on_server(connection: Connection) -> None:
    if not connection.get_execution_options().get("durable", True):
        connection.exec_driver_sql("SET LOCAL synchronous_commit TO off")


def _look_in_our_schema(connection: object, _: ConnectionPoolEntry) -> None:
    connection.execute(f"SET search_path TO {_SCHEMA}")  # type: ignore[attr-defined]
    connection.commit()  # type: ignore[attr-defined]


def _use_write_ahead_log(engine: Engine) -> None:
    with engine.connect() as connection:
        raw = connection.connection.driver_connection
        assert raw is not None
        raw.execute("PRAGMA journal_mode=WAL")
