"""Stores: where the events of a study are kept."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from likewise.errors import StoreError
from likewise.stores.base import Store
from likewise.stores.copy import copy_study
from likewise.stores.jsonl import JsonLinesStore
from likewise.stores.leases import Lease, Leases, MemoryLeases
from likewise.stores.memory import MemoryStore
from likewise.stores.subset import SubsetStore

if TYPE_CHECKING:
    from likewise.stores._salvage import Salvaged, salvage
    from likewise.stores.sql import ItemReference, SqlStore

# Loaded when first used, so that who needs no database does not wait for SQLAlchemy.
_HOME = {"ItemReference": "sql", "Salvaged": "_salvage", "SqlStore": "sql", "salvage": "_salvage"}

__all__ = [
    "ItemReference",
    "JsonLinesStore",
    "Lease",
    "Leases",
    "MemoryLeases",
    "MemoryStore",
    "Salvaged",
    "SqlStore",
    "Store",
    "SubsetStore",
    "copy_study",
    "open_store",
    "salvage",
]

_DATABASES = (".db", ".sqlite", ".sqlite3")


def open_store(where: str | Path | Store | None) -> Store:
    """The store meant by `where`: None is memory, .jsonl a text file, .db a SQLite file.

    An address like `postgresql://user@host/name?study=wine` is a study on a server.
    """
    if where is None:
        return MemoryStore()
    if not isinstance(where, str | Path):
        return where
    if "://" in str(where) or Path(where).suffix in _DATABASES:
        from likewise.stores.sql import SqlStore

        return SqlStore(where)
    if Path(where).suffix != ".jsonl":
        raise StoreError(f"a journal file must end in .jsonl or .db but got {str(where)!r}")
    return JsonLinesStore(where)


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(f"likewise.stores.{_HOME[name]}"), name)
    raise AttributeError(f"module 'likewise.stores' has no attribute {name!r}")
