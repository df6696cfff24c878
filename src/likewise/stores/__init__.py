"""Stores: where the events of a study are kept."""

from pathlib import Path

from likewise.errors import StoreError
from likewise.stores.base import Store
from likewise.stores.jsonl import JsonLinesStore
from likewise.stores.memory import MemoryStore

__all__ = ["JsonLinesStore", "MemoryStore", "Store", "open_store"]


def open_store(where: str | Path | Store | None) -> Store:
    """The store meant by `where`: None is memory, a name ending in .jsonl a file."""
    if where is None:
        return MemoryStore()
    if not isinstance(where, str | Path):
        return where
    if Path(where).suffix != ".jsonl":
        raise StoreError(f"a journal file must end in .jsonl but got {str(where)!r}")
    return JsonLinesStore(where)
