"""Files by their paths, and by addresses of object stores and other machines that fsspec knows."""

from __future__ import annotations

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


def listed(address: str) -> list[str]:
    """Return the files in a folder, or those that an address with wildcards names, in order.

    Raises
    ------
    DataError
        If nothing is there, or it cannot be reached.
    """
    fs, root = _file_system(address)
    try:
        if fs.isdir(root):
            root = f"{root.rstrip('/')}/*"
        names = [name for name in fs.glob(root) if fs.isfile(name)]
    except Exception as error:  # every file system has errors of its own
        raise DataError(f"{shown(address)} cannot be reached: {error}") from error
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


def _file_system(address: str) -> tuple[Any, str]:
    with extra_explained():
        import fsspec

    try:
        fs, root = fsspec.core.url_to_fs(address)
    except (ValueError, ImportError) as error:
        raise DataError(f"{shown(address)} cannot be opened: {error}") from error
    return fs, str(root)
