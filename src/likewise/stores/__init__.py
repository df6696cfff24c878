"""Stores: where the events of a study are kept."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from likewise._extras import extra_explained
from likewise.stores.base import ItemReference, ItemStore, LeasingStore, Store, leases_of
from likewise.stores.copy import copy_study
from likewise.stores.jsonl import JsonLinesStore
from likewise.stores.leases import Lease, Leases, MemoryLeases
from likewise.stores.memory import MemoryItemStore, MemoryStore
from likewise.stores.resolve import open_store
from likewise.stores.stored_journal import StoredJournal
from likewise.stores.subset import SubsetStore

if TYPE_CHECKING:
    from likewise.stores._salvage import Salvaged, salvage
    from likewise.stores.backup import back_up
    from likewise.stores.sql import SqlStore
    from likewise.stores.verification import verify_store

# Loaded when first used, so that who needs no database does not wait for SQLAlchemy.
_MODULES = {
    "Salvaged": "_salvage",
    "SqlStore": "sql",
    "back_up": "backup",
    "salvage": "_salvage",
    "verify_store": "verification",
}

__all__ = [
    "ItemReference",
    "ItemStore",
    "JsonLinesStore",
    "Lease",
    "Leases",
    "LeasingStore",
    "MemoryItemStore",
    "MemoryLeases",
    "MemoryStore",
    "Salvaged",
    "SqlStore",
    "Store",
    "StoredJournal",
    "SubsetStore",
    "back_up",
    "copy_study",
    "leases_of",
    "open_store",
    "salvage",
    "verify_store",
]


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        with extra_explained():
            return getattr(import_module(f"likewise.stores.{_MODULES[name]}"), name)
    raise AttributeError(f"module 'likewise.stores' has no attribute {name!r}")
