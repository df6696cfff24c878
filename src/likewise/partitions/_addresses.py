"""Files by their paths, and by addresses of object stores and other machines that fsspec knows."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from likewise._extras import extra_explained
from likewise.errors import DataError


def is_address(place: object) -> bool:
    """Return whether something names a place that only fsspec can open.

    >>> is_address("s3://bucket/data"), is_address("data/*.parquet"), is_address(Path("a"))
    (True, False, False)
    """
    return isinstance(place, str) and "://" in place


def shown(place: str) -> str:
    """Return an address without a password that may be in it.

    >>> shown("ftp://ada:secret@host/data"), shown("data/1.parquet")
    ('ftp://host/data', 'data/1.parquet')
    """
    if not is_address(place):
        return place
    parts = urlsplit(place)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()


def is_aside(name: str) -> bool:
    """Return whether a file or folder of this name holds no rows: what engines write beside them.

    >>> is_aside("_SUCCESS"), is_aside(".part-0.parquet.crc"), is_aside("part-0.parquet")
    (True, True, False)
    """
    return name.startswith(("_", "."))


def rows_beside_folders_error(place: str, folder: str) -> DataError:
    """Return the error for a folder of rows that holds folders, too."""
    return DataError(
        f"{place} holds a folder, {folder}, and rows in folders are not looked for; move files "
        "of rows into one folder, and others elsewhere (from Python, "
        f"load_items({place + '/*/*.parquet'!r}, representatives=...) reads those of all folders)"
    )


def listed(address: str) -> list[str]:
    """Return the files of rows in a folder, or those that wildcards name, in order.

    Raises
    ------
    DataError
        If nothing is there, or folders, or it cannot be reached.
    """
    fs, root = _file_system(address)
    try:
        is_folder = fs.isdir(root)
        found = fs.glob(f"{root.rstrip('/')}/*" if is_folder else root)
        # Who names one file means it.
        there = [one for one in found if one == root or not is_aside(_name(one))]
        names = [one for one in there if fs.isfile(one)]
    except Exception as error:  # every file system has errors of its own
        raise DataError(f"{shown(address)} cannot be reached: {error}") from error
    if is_folder and len(names) < len(there):
        folder = _name(min({*there} - {*names}))
        raise rows_beside_folders_error(shown(address).rstrip("/"), folder)
    if not names:
        raise DataError(f"there is no file {shown(address)}; check the name")
    login = urlsplit(address).netloc.rpartition("@")[0]
    found = sorted(fs.unstrip_protocol(name) for name in names)
    return [one.replace("://", f"://{login}@", 1) for one in found] if login else found


@contextmanager
def opened_parquet(place: str) -> Iterator[Any]:
    """Open a Parquet file, here or elsewhere."""
    with extra_explained():
        import pyarrow.parquet as pq

    if not is_address(place):
        with pq.ParquetFile(place) as file:
            yield file
        return
    fs, path = _file_system(place)
    with fs.open(path, "rb") as raw, pq.ParquetFile(raw) as file:
        yield file


def write_parquet(table: Any, place: str) -> None:
    """Write a table, never half of it: elsewhere a file is there when it is closed."""
    with extra_explained():
        import pyarrow.parquet as pq

    if is_address(place):
        fs, path = _file_system(place)
        fs.makedirs(path.rpartition("/")[0], exist_ok=True)
        with fs.open(path, "wb") as raw:
            pq.write_table(table, raw)
        return
    unfinished = Path(place).with_suffix(".tmp")
    pq.write_table(table, unfinished)
    unfinished.replace(place)


def names_in(folder: str) -> list[str]:
    """Return the names of what is in a folder, here or elsewhere; none if it is not there."""
    if not is_address(folder):
        return sorted(os.listdir(folder)) if Path(folder).is_dir() else []
    fs, root = _file_system(folder)
    found = fs.ls(root, detail=False) if fs.isdir(root) else []
    return sorted(map(_name, found))


def remove_file(place: str) -> None:
    """Remove a file, here or elsewhere."""
    if not is_address(place):
        Path(place).unlink()
        return
    fs, path = _file_system(place)
    fs.rm_file(path)


def place_of(folder: str) -> tuple[str, str]:
    """Return what is equal for two names of the same folder.

    >>> place_of("/data/parts") == place_of("/data/other/../parts/")
    True
    """
    if not is_address(folder):
        return "file", str(Path(folder).resolve())
    fs, root = _file_system(folder)
    protocol = fs.protocol if isinstance(fs.protocol, str) else fs.protocol[0]
    return protocol, root.rstrip("/")


def _name(path: str) -> str:
    return path.rstrip("/").rpartition("/")[2]


def _file_system(address: str) -> tuple[Any, str]:
    with extra_explained():
        import fsspec

    try:
        fs, root = fsspec.core.url_to_fs(address)
    except (ValueError, ImportError) as error:
        raise DataError(f"{shown(address)} cannot be opened: {error}") from error
    return fs, str(root)
