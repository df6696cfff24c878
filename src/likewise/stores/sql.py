"""A store in a database: one SQLite file, or a study among others on a PostgreSQL server."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import cached_property
from math import isfinite
from pathlib import Path
from typing import Any
from uuid import uuid4

from sqlalchemy import URL, Connection, delete, insert, make_url, select
from sqlalchemy.exc import ArgumentError, IntegrityError

from likewise.errors import NewerFormat, Overtaken, StoreError
from likewise.journal import Event, from_record, to_record
from likewise.stores import _schema as schema
from likewise.stores._database import Database
from likewise.stores._sql_leases import SqlLeases
from likewise.stores.base import ItemReference
from likewise.stores.jsonl import SALVAGE

_ONLY_STUDY = "study"  # the name of the one study in a file
_FIELDS: dict[str, type] = {
    "id": int,
    "verdict": str,
    "who": str,
    "when": str,
    "seconds": float,
    "same_probability": float,
    "model_version": str,
}  # the fields of an event that have a column; all others are kept as JSON


class SqlStore:
    """The events, items and leases of one study in tables; fits `LeasingStore` and `ItemStore`.

    Parameters
    ----------
    where : str or Path
        A SQLite file, or the address of a database, "postgresql://user@host/name". The tables are
        made by the first append.
    study : str or None
        Its name among other studies of the database; None takes it from the address,
        "...?study=wine", or is the one study in a file.
    timeout : float
        Seconds to wait for what may pass by itself: a file that another program writes to, a
        server that restarts. 0 does not wait.

    Attributes
    ----------
    study : str
        Its name.
    leases : SqlLeases
        Leases for all who share the database.
    """

    def __init__(
        self, where: str | Path, *, study: str | None = None, timeout: float = 30.0
    ) -> None:
        url = _address(where)
        named = url.query.get("study", _ONLY_STUDY)
        self.study = study or (named if isinstance(named, str) else named[-1])
        self.database = Database(url.difference_update_query(["study"]), timeout=timeout)
        self._n_events = 0  # that this object has read or appended

    def __str__(self) -> str:
        return str(self.database)

    @cached_property
    def leases(self) -> SqlLeases:
        """Who was handed which pair."""
        return SqlLeases(self.database, self.study)

    def close(self) -> None:
        """Close the connections; a store that is used again opens them again."""
        self.database.close()

    def damage(self) -> list[str]:
        """Return what the database itself finds wrong, in sentences; nothing if it is sound."""
        return self.database.damage()

    def append(self, events: Sequence[Event]) -> None:
        """Add the events in one transaction; all of them are on the disk when this returns."""
        if events:
            self._write(events)

    def write_items(self, items: Sequence[ItemReference], events: Sequence[Event] = ()) -> None:
        """Keep the items in place of those written before, and add the events, all or nothing."""
        self._write(events, items)

    def _write(self, events: Sequence[Event], items: Sequence[ItemReference] | None = None) -> None:
        rows = [_to_row(to_record(event)) for event in events]
        # A server may die after it kept the events and before it said so. Their token tells, when
        # it is back and this is tried again, that the rows found there are these.
        token = uuid4().hex

        def work(connection: Connection) -> None:
            study = self.database.study_id(connection, self.study)
            if rows:
                self._insert_events(connection, study, rows, token)
            if items is not None:
                self._replace_items(connection, study, items)

        self.database.write(work)
        self._n_events += len(rows)

    def _insert_events(
        self, connection: Connection, study: int, rows: Sequence[Mapping[str, Any]], token: str
    ) -> None:
        """Insert the rows after all that this object knows of, unless they are there already."""
        found = self._tokens_from(connection, study, self._n_events - 1)
        if found.get(self._n_events) == token:
            return
        cut_short = self._n_events > 0 and self._n_events - 1 not in found
        if cut_short or self._n_events in found:
            raise (StoreError if cut_short else Overtaken)(
                f"{self} was {'cut short' if cut_short else 'written to'} by another "
                "program since it was read; open the study again and repeat the answer"
            )
        try:
            connection.execute(
                insert(schema.events),
                [
                    {"study_id": study, "position": position, "token": token, **row}
                    for position, row in enumerate(rows, start=self._n_events)
                ],
            )
        except IntegrityError as error:
            raise Overtaken(f"{self} was written to by another program just now") from error

    @staticmethod
    def _replace_items(connection: Connection, study: int, items: Sequence[ItemReference]) -> None:
        connection.execute(delete(schema.items).where(schema.items.c.study_id == study))
        if items:
            connection.execute(
                insert(schema.items),
                [
                    {"study_id": study, "position": position, **asdict(item)}
                    for position, item in enumerate(items)
                ],
            )

    def read(self, since: int = 0) -> list[Event]:
        """Return all events from position `since` on; none when there is no database yet."""
        table = schema.events

        def work(connection: Connection) -> list[Mapping[str, Any]]:
            mine = select(table).join(schema.studies).where(schema.studies.c.name == self.study)
            later = mine.where(table.c.position >= since).order_by(table.c.position)
            return [dict(row) for row in connection.execute(later).mappings()]

        rows = self.database.read(work) or []
        self._require_sequence([int(row["position"]) for row in rows], since)
        events = [self._event(row) for row in rows]
        if rows:
            self._n_events = int(rows[-1]["position"]) + 1
        return events

    def read_items(self) -> list[ItemReference]:
        """Return the items in their order; none if they were never written."""
        kept = schema.items.c
        columns = (kept.id, kept.reference, kept.fingerprint, kept.present)

        def work(connection: Connection) -> list[ItemReference]:
            query = select(*columns).join(schema.studies).where(schema.studies.c.name == self.study)
            rows = connection.execute(query.order_by(kept.position))
            return [ItemReference(*row) for row in rows]

        return self.database.read(work) or []

    def _require_sequence(self, positions: Sequence[int], since: int) -> None:
        """Refuse events among which some are missing; the table keeps none twice."""
        for expected, found in enumerate(positions, start=since):
            if found != expected:
                raise StoreError(
                    f"{found - expected} events are missing in {self}, from number {expected} on; "
                    f"take it from your backup, or {SALVAGE}"
                )

    def _event(self, row: Mapping[str, Any]) -> Event:
        try:
            return from_record(to_fields(row))
        except NewerFormat:
            raise
        except (ValueError, TypeError, RecursionError, StoreError) as error:
            raise StoreError(
                f"event {row['position']} in {self} cannot be read ({error}); {SALVAGE}"
            ) from error

    @staticmethod
    def _tokens_from(connection: Connection, study: int, position: int) -> dict[int, str]:
        """Return the tokens of the events at this position and the next, where there are any."""
        kept = schema.events.c
        query = select(kept.position, kept.token).where(
            kept.study_id == study, kept.position >= position
        )
        rows = connection.execute(query.order_by(kept.position).limit(2))
        return {int(row.position): row.token for row in rows}


def _address(where: str | Path) -> URL:
    """Return the address of a file or a server; StoreError for one that is neither."""
    text = str(where)
    if "://" not in text:
        return URL.create("sqlite", database=text)
    try:
        url = make_url(text.replace("postgres://", "postgresql://", 1))
    except (ArgumentError, ValueError) as error:
        raise StoreError(
            "the address of a database must look like postgresql://user:password@host:5432/name"
        ) from error
    if url.get_backend_name() not in ("sqlite", "postgresql") or not url.database:
        raise StoreError(
            f"{url.render_as_string()!r} is no store; give a file, or the address of a database "
            "like postgresql://user@host/name"
        )
    return url


def _to_row(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return the record as columns, and as JSON what has none or does not fit into it."""
    rest = dict(record)
    row: dict[str, Any] = dict.fromkeys((*_FIELDS, "i", "j"))
    row["event"] = rest.pop("event")
    for name, kind in _FIELDS.items():
        if _fits(rest.get(name), kind):
            row[name] = rest.pop(name)
    match rest.get("pair"):
        case [i, j] if _fits(i, int) and _fits(j, int):
            row["i"], row["j"] = i, j
            del rest["pair"]
    return {**row, "rest": json.dumps(rest)}


def to_fields(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return the record of which a row was made."""
    record: dict[str, Any] = {"event": row["event"], **json.loads(row["rest"])}
    record |= {name: row[name] for name in _FIELDS if row[name] is not None}
    if row["i"] is not None:
        record["pair"] = [row["i"], row["j"]]
    return record


def _fits(value: Any, kind: type) -> bool:
    """Return whether a column of this kind gives back exactly what it was given."""
    if type(value) is not kind:
        return False
    match value:
        case int():
            return -(2**63) <= value < 2**63
        case float():
            return isfinite(value)  # SQLite has no NaN
        case str():  # PostgreSQL has no NUL, and nobody half of a surrogate pair
            return "\0" not in value and not any("\ud800" <= c <= "\udfff" for c in value)
    return False
