"""From one store to another: a file becomes a database, or the other way round."""

from __future__ import annotations

from pathlib import Path

from likewise.errors import StoreError
from likewise.stores.base import ItemStore, Store
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
    events = here.read()
    if not events:
        raise StoreError(f"there is no study in {here} to copy")
    if there.read():
        raise StoreError(f"there is a study in {there} already; choose an empty store")
    there.append(events)
    if isinstance(here, ItemStore) and isinstance(there, ItemStore):
        there.write_items(here.read_items())
    return len(events)
