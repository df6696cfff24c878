"""A first look at a folder or file: what it seems to hold, before anything is read or computed."""

from __future__ import annotations

import csv
import io
import os
import time
from collections import Counter
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

from likewise.errors import DataError
from likewise.features.regular_files import open_regular
from likewise.items.columns import cell_text, naming_column, text_column
from likewise.partitions.discover import holds_parts
from likewise.piles import vector_files
from likewise.piles.picture_files import SUFFIXES
from likewise.piles.table_files import READERS
from likewise.piles.table_rows import guess_pictures

TEXTS = (".txt", ".text", ".md", ".log")
TABLES = (".csv", ".tsv", ".tab", ".dat", ".data", *READERS)
_SECONDS = 1.5  # after which a folder is "at least so many"
_BYTES, _ROWS = 256 * 1024, 200  # of a table that are looked at
_NAMED = 4  # kinds of files that are left aside, in one sentence


@dataclass(frozen=True)
class GlancedColumn:
    """A column of a table: its name, what it seems to hold, and a cell of it.

    Parameters
    ----------
    name : str
        What the header says.
    kind : str
        "numbers", "words", "texts" or "pictures"; "names" for the ids of the rows.
    example : str
        The first cell that is not empty.
    """

    name: str
    kind: str
    example: str


@dataclass(frozen=True)
class Glance:
    """What a pile seems to be.

    Parameters
    ----------
    kind : str
        "pictures", "texts", "table" or "vectors".
    count : int, optional
        How many items there seem to be; None if only reading tells.
    whole : bool
        Whether all of it was looked at.
    aside : str
        Which files are left aside, and how many; "" if none.
    columns : tuple of GlancedColumn
        Those of a table.
    guess : str
        The column that is compared unless another is chosen; "" for all of them.
    """

    kind: str
    count: int | None = None
    whole: bool = True
    aside: str = ""
    columns: tuple[GlancedColumn, ...] = ()
    guess: str = ""


def glance(path: Path) -> Glance:
    """Look at a folder or file for a second or two.

    Raises
    ------
    DataError
        If there is nothing that likewise reads.
    """
    try:
        if path.is_dir():
            return _folder(path)
        if not path.exists():
            raise DataError(f"there is no file {path}; check the name")
        if not path.is_file():
            raise DataError(f"{path} is a pipe or a device, not a file")
        return _file(path)
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror}") from error


def reads(name: str) -> bool:
    """Return whether a file of this name can be a pile.

    >>> reads("mails.CSV"), reads("holiday.jpg"), reads("program.exe")
    (True, False, False)
    """
    return Path(name).suffix.lower() in (*TEXTS, *TABLES, *vector_files.SUFFIXES)


def _folder(folder: Path) -> Glance:
    """Count the pictures below a folder, as far as that goes quickly."""
    pictures, others, until = 0, Counter[str](), time.monotonic() + _SECONDS
    whole = True
    for _, folders, names in os.walk(folder, followlinks=False):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in names:
            suffix = Path(name).suffix.lower()
            if name.startswith("."):
                continue
            if suffix in SUFFIXES:
                pictures += 1
            else:
                others[suffix or "without an ending"] += 1
        if time.monotonic() > until:
            whole = False
            break
    if not pictures and holds_parts(folder):
        return replace(_file(min(folder.glob("[!._]*"))), count=None, whole=False)
    if not pictures and whole:
        raise DataError(
            f"there are no pictures in {folder.name}; choose a folder of pictures, or a file of "
            "texts or rows"
        )
    kinds = [f"{n:,} {suffix}" for suffix, n in others.most_common(_NAMED)]
    more = sum(others.values()) - sum(n for _, n in others.most_common(_NAMED))
    aside = ", ".join([*kinds, f"{more:,} others"] if more else kinds)
    return Glance("pictures", pictures, whole, aside)


def _file(path: Path) -> Glance:
    """Look at the beginning of a file."""
    suffix = path.suffix.lower()
    if suffix in vector_files.SUFFIXES:
        return Glance("vectors", whole=False)
    if suffix in TEXTS:
        head, whole = _head(path)
        n_lines = sum(bool(line.strip()) for line in head.splitlines())
        return Glance("texts", n_lines if whole else None, whole)
    if suffix not in ("", *TABLES):
        raise DataError(
            f"{path.name} is of no kind that likewise reads; choose a folder of pictures, or a "
            "file that ends in .csv, .tsv, .parquet, .jsonl, .txt, .npy or .npz"
        )
    table, count = _beginning(path)
    if table.shape[1] == 0:
        raise DataError(f"{path.name} is empty; it needs a header line and a line per item")
    return _described(table.rename(columns=str), count, path.parent)


def _described(table: Any, count: int | None, folder: Path) -> Glance:
    """Describe the columns of a table by its first rows."""
    import narwhals as nw
    import pandas as pd

    pictures = guess_pictures(table, folder)
    frame = nw.from_native(table, eager_only=True)
    ids = naming_column(frame)
    guess = pictures or text_column(frame) or ""
    columns = []
    for name in table.columns:
        cells = [str(cell_text(cell)) for cell in table[name].dropna().head(_ROWS)]
        kind = "words"
        if name == ids:
            kind = "names"
        elif name == pictures:
            kind = "pictures"
        elif pd.api.types.is_numeric_dtype(table[name]):
            kind = "numbers"
        elif name == guess or (cells and sum(map(len, cells)) / len(cells) > 25):
            kind = "texts"
        columns.append(GlancedColumn(name, kind, cells[0][:80] if cells else ""))
    return Glance("table", count, count is not None, "", tuple(columns), guess)


def _beginning(path: Path) -> tuple[Any, int | None]:
    """Read the first rows of a table, and how many there are as far as that is seen."""
    import pandas as pd

    suffix = path.suffix.lower()
    if suffix in (".parquet", ".pq"):
        import pyarrow.parquet as pq

        try:
            file = pq.ParquetFile(path)
            batches = list(islice(file.iter_batches(_ROWS), 1))
        except Exception as error:
            raise DataError(f"{path.name} cannot be read as Parquet: {error}") from error
        table = batches[0].to_pandas() if batches else pd.DataFrame(columns=file.schema.names)
        return table, int(file.metadata.num_rows)
    if suffix not in READERS:
        head, whole = _head(path)
        separator = max(",;\t", key=head.partition("\n")[0].count)
        try:
            table = pd.read_csv(io.StringIO(head), sep=separator, nrows=_ROWS, index_col=False,
                                on_bad_lines="skip")  # fmt: skip
        except (ValueError, pd.errors.ParserError) as error:
            said = str(error).strip()
            raise DataError(f"{path.name} cannot be read as CSV: {said}") from error
        return table, _n_rows(head, separator) if whole else None
    table, _, _ = READERS[suffix](path)
    return table, len(table)


def _n_rows(text: str, separator: str) -> int | None:
    """Return how many rows follow the header; None where only reading tells.

    >>> _n_rows('name,says\\nAda,"two\\nlines"\\n\\nBob,one\\n', ",")
    2
    """
    try:
        return sum(map(bool, csv.reader(io.StringIO(text), delimiter=separator))) - 1
    except csv.Error:  # a cell that is very long
        return None


def _head(path: Path) -> tuple[str, bool]:
    """Return the first whole lines of a file, and whether these are all."""
    with open_regular(path) as file:
        content = file.read(_BYTES + 1)
    if content.count(b"\0") > len(content) // 10 and content[:2] not in (b"\xff\xfe", b"\xfe\xff"):
        raise DataError(f"{path.name} holds no text")
    encoding = "utf-16" if content[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    text = content.decode(encoding, "replace")
    whole = len(content) <= _BYTES
    return text if whole else text[: text.rfind("\n") + 1], whole
