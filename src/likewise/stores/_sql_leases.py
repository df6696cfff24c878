"""Leases in a table: for all who share a database."""

from __future__ import annotations

import time
from collections.abc import Callable

from sqlalchemy import (
    ColumnElement,
    Connection,
    Double,
    cast,
    delete,
    extract,
    func,
    literal,
    select,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite

from likewise.journal.pairs import Pair, Question
from likewise.stores._database import Database
from likewise.stores._schema import leases, studies
from likewise.stores.leases import Lease, checked_pair, checked_seconds, steady_time

_CLEAN_EVERY = 10.0  # seconds


class SqlLeases:
    """Leases of one study, for all who share its database.

    Nobody waits for the disk here: a lease is nothing that must outlast a power cut.

    Parameters
    ----------
    database : Database
        Where the table is.
    study : str
        Name of the study.
    clock : callable or None
        Returns seconds since 1970; None is the clock of the server, or of the one machine that
        opens a file.
    """

    def __init__(
        self,
        database: Database,
        study: str,
        *,
        clock: Callable[[], float] | None = None,
    ) -> None:
        self._database = database
        self._study = study
        self._clock = clock
        self._clean_at = 0.0  # by this program's own clock

    def take(self, asked: Pair | Question, who: str, seconds: float) -> Lease | None:
        """Lease the pair to `who`; None if somebody else has it."""
        pair, length = checked_pair(asked), checked_seconds(seconds)

        def work(connection: Connection) -> Lease | None:
            now = self._now(connection)
            dialect = sqlite if connection.dialect.name == "sqlite" else postgresql
            key = {"study_id": self._id(connection), "i": pair.i, "j": pair.j}
            value = {"who": who, "until": now + length}
            self._clean(connection, key["study_id"], now)
            # One statement, so that of two programs that want the same pair one gets it.
            taking = dialect.insert(leases).values(**key, **value)
            taking = taking.on_conflict_do_update(
                index_elements=list(key),
                set_=value,
                where=(leases.c.until <= now) | (leases.c.who == who),
            )
            taken = connection.execute(taking.returning(leases.c.until)).first()
            return Lease(pair, who, taken.until) if taken else None

        return self._database.write(work, durable=False)

    def extend(self, asked: Pair | Question, who: str, seconds: float) -> bool:
        """Keep a pair for `seconds` from now; False when `who` no longer has it."""
        pair, length = checked_pair(asked), checked_seconds(seconds)

        def work(connection: Connection) -> bool:
            now = self._now(connection)
            mine = self._is_lease(self._id(connection), pair, who) & (leases.c.until > now)
            changed = connection.execute(update(leases).where(mine).values(until=now + length))
            return changed.rowcount == 1

        return self._database.write(work, durable=False)

    def release(self, asked: Pair | Question, who: str) -> None:
        """Give a pair back."""
        pair = checked_pair(asked)

        def work(connection: Connection) -> None:
            mine = self._is_lease(self._id(connection), pair, who)
            connection.execute(delete(leases).where(mine))

        self._database.write(work, durable=False)

    def held(self) -> list[Lease]:
        """Return all that are running, smallest pair first."""

        def work(connection: Connection) -> list[Lease]:
            mine = select(leases).join(studies).where(studies.c.name == self._study)
            running = mine.where(leases.c.until > self._now(connection))
            rows = connection.execute(running.order_by(leases.c.i, leases.c.j))
            return [Lease(Pair(row.i, row.j), row.who, row.until) for row in rows]

        return self._database.read(work, since="0002") or []

    @staticmethod
    def _is_lease(study: int, pair: Pair, who: str) -> ColumnElement[bool]:
        same_pair = (leases.c.i == pair.i) & (leases.c.j == pair.j)
        return (leases.c.study_id == study) & same_pair & (leases.c.who == who)

    def _id(self, connection: Connection) -> int:
        return self._database.study_id(connection, self._study)

    def _clean(self, connection: Connection, study: int, now: ColumnElement[float]) -> None:
        """Drop leases that have ended, now and then: they harm nobody, but would become many."""
        if time.monotonic() < self._clean_at:
            return
        self._clean_at = time.monotonic() + _CLEAN_EVERY
        ended = (leases.c.study_id == study) & (leases.c.until <= now)
        connection.execute(delete(leases).where(ended))

    def _now(self, connection: Connection) -> ColumnElement[float]:
        if self._clock is not None:
            return literal(self._clock())
        if connection.dialect.name == "sqlite":
            return literal(steady_time())
        return cast(extract("epoch", func.clock_timestamp()), Double)
