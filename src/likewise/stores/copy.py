"""From one store to another: a file becomes a database, or the other way round."""

from __future__ import annotations

from pathlib import Path

from likewise.errors import StoreError
from likewise.journal import Event, Grown
from likewise.stores.base import ItemReference, ItemStore, Store, close
from likewise.stores.resolve import open_store


def copy_study(source: str | Path | Store, target: str | Path | Store) -> int:
    """Copy all events, and the references to items where both stores keep them.

    Parameters
    ----------
    source : str, Path or Store
        The study to copy, as `open_store` takes it; it is only read.
    target : str, Path or Store
        Where to; it must hold no study.

    Returns
    -------
    int
        Number of events copied.

    Raises
    ------
    StoreError
        If the source holds no study, or the target holds one.
    """
    here, there = open_store(source), open_store(target)
    events, items = _read(here)
    if not events:
        raise StoreError(f"there is no study in {here} to copy")
    if there.read():
        raise StoreError(f"there is a study in {there} already; choose an empty store")
    there.append(events)
    if items and isinstance(there, ItemStore):
        there.write_items(items)
    if there is not target:
        close(there)
    return len(events)


def _read(store: Store) -> tuple[list[Event], list[ItemReference]]:
    """Return the events of a store and the items that they speak of, while others write."""
    while True:
        events = store.read()
        items = store.read_items() if isinstance(store, ItemStore) else []
        if not any(isinstance(event, Grown) for event in store.read(since=len(events))):
            return events, items
