"""The store that is meant by a path or an address."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from likewise._extras import extra_explained
from likewise._plugins import Plugins
from likewise.errors import LikewiseError, StoreError
from likewise.stores.base import Store
from likewise.stores.jsonl import JsonLinesStore
from likewise.stores.memory import MemoryStore

_SERVERS = ("postgresql", "postgres", "sqlite")  # schemes of addresses
_FILES = ("db", "sqlite", "sqlite3")  # suffixes of SQLite files

plugins: Plugins[Callable[[str], Store]] = Plugins(
    "likewise.stores",
    kind="a function that takes the address and returns a store",
    accepts=callable,
    reserved=frozenset((*_SERVERS, *_FILES, "jsonl")),
)


def open_store(where: str | Path | Store | None) -> Store:
    """Return the store meant by a path or an address.

    A package may add stores as entry points of the group `likewise.stores`: the name of the entry
    is a scheme or a suffix without its dot, its value a function that takes the whole address and
    returns a `Store`.

    Parameters
    ----------
    where : str, Path, Store or None
        None is memory; "*.jsonl" a text file; "*.db", "*.sqlite" and "*.sqlite3" a SQLite file;
        "postgresql://user@host/name?study=wine" a study on a server; another scheme or suffix the
        store that a package offers for it. A store is returned as it is.

    Returns
    -------
    Store
        Its place is neither made nor looked at before the store is used.

    Raises
    ------
    StoreError
        If nothing opens such a place.

    Examples
    --------
    >>> type(open_store("wine.likewise.jsonl")).__name__
    'JsonLinesStore'
    """
    if where is None:
        return MemoryStore()
    if isinstance(where, Store):
        return where
    if not isinstance(where, str | Path):
        raise StoreError(f"a store must be a path, an address or a Store but got {where!r}")
    address = str(where)
    is_address = "://" in address
    kind = address.partition("://")[0] if is_address else Path(where).suffix.removeprefix(".")
    if kind == "jsonl" and not is_address:
        return JsonLinesStore(where)
    if kind.partition("+")[0] in _SERVERS if is_address else kind in _FILES:
        with extra_explained():
            from likewise.stores.sql import SqlStore

        return SqlStore(where)
    return _open_plugin(kind, address)


def _open_plugin(kind: str, address: str) -> Store:
    """Open a store that a package offers; the address may hold a password, so none is shown."""
    build = plugins.get(kind)
    if build is None:
        raise StoreError(plugins.problem(kind) or _unknown(kind, address))
    try:
        store = build(address)
    except LikewiseError:
        raise
    except Exception as error:
        raise StoreError(f"the {kind} store cannot be opened: {error}") from error
    if not isinstance(store, Store):
        raise StoreError(
            f"the {kind} store must have the methods append and read, but a "
            f"{type(store).__name__} came"
        )
    return store


def _unknown(kind: str, address: str) -> str:
    if "://" in address:
        return (
            f"{kind}:// is no store; give a file, or the address of a database like "
            "postgresql://user@host/name"
        )
    return f"a journal file must end in .jsonl or .db but got {address!r}"
