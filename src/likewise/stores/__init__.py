"""Stores: where the events of a study are kept."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from likewise.stores.base import ItemReference, ItemStore, LeasingStore, Store, leases_of
from likewise.stores.copy import copy_study
from likewise.stores.jsonl import JsonLinesStore
from likewise.stores.leases import Lease, Leases, MemoryLeases
from likewise.stores.memory import MemoryStore
from likewise.stores.resolve import open_store
from likewise.stores.stored_journal import StoredJournal
from likewise.stores.subset import SubsetStore

if TYPE_CHECKING:
    from likewise.stores._salvage import Salvaged, salvage
    from likewise.stores.sql import SqlStore

# Loaded when first used, so that who needs no database does not wait for SQLAlchemy.
_MODULES = {"Salvaged": "_salvage", "SqlStore": "sql", "salvage": "_salvage"}

__all__ = [
    "ItemReference",
    "ItemStore",
    "JsonLinesStore",
    "Lease",
    "Leases",
    "LeasingStore",
    "MemoryLeases",
    "MemoryStore",
    "Salvaged",
    "SqlStore",
    "Store",
    "StoredJournal",
    "SubsetStore",
    "copy_study",
    "leases_of",
    "open_store",
    "salvage",
]


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return getattr(import_module(f"likewise.stores.{_MODULES[name]}"), name)
    raise AttributeError(f"module 'likewise.stores' has no attribute {name!r}")
