"""From one store to another: a file becomes a database, or the other way round."""

from __future__ import annotations

from pathlib import Path

from likewise.errors import StoreError
from likewise.stores.base import Store


def copy_study(source: str | Path | Store, target: str | Path | Store) -> int:
    """Copy all events (and the references to items, where both keep them); how many events.

    The target must be empty. The source is only read.
    """
    from likewise.stores import open_store

    here, there = open_store(source), open_store(target)
    events = here.read()
    if not events:
        raise StoreError(f"there is no study in {here} to copy")
    if there.read():
        raise StoreError(f"there is a study in {there} already; choose an empty store")
    there.append(events)
    read_items = getattr(here, "read_items", None)
    write_items = getattr(there, "write_items", None)
    if read_items is not None and write_items is not None:
        write_items(read_items())
    return len(events)
