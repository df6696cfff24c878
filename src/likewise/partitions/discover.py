"""From a path, or an iterable of blocks, to the parts of a pile."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from glob import glob
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import Any
from weakref import finalize

import numpy as np

from likewise._extras import extra_explained
from likewise.errors import DataError
from likewise.partitions._addresses import (
    is_address,
    is_aside,
    listed,
    opened_parquet,
    rows_beside_folders_error,
    shown,
)
from likewise.partitions._columns import compared_columns, naming_column, row_numbers
from likewise.partitions._csv_files import as_parquet as csv_as_parquet
from likewise.partitions._csv_files import holds_rows
from likewise.partitions._json_lines import as_parquet as json_as_parquet
from likewise.partitions.partition import (
    ArrayPartition,
    NumpyPartition,
    ParquetPartition,
    Partition,
    file_name,
)

_JSON_LINES = (".jsonl", ".ndjson", ".json")
# Files whose rows are read part by part; in folders only those that are surely tables.
PARTITIONED = (".parquet", ".pq", ".csv", ".tsv", ".tab", ".dat", ".data", *_JSON_LINES)
_IN_FOLDERS = (".csv", ".tsv")
_ROWS = 50_000  # row groups of a file are read together up to this many rows


class TemporaryFolder:
    """A temporary folder that goes when nobody needs it any more."""

    def __init__(self) -> None:
        self.path = Path(mkdtemp(prefix="likewise-"))
        finalize(self, rmtree, self.path, ignore_errors=True)


def holds_parts(path: Path) -> bool:
    """Return whether a folder holds files of rows alone, all of a kind, that are one pile.

    >>> holds_parts(Path("nowhere"))
    False
    """
    if not path.is_dir():
        return False
    there = [one for one in path.iterdir() if not is_aside(one.name)]
    kinds = {one.suffix.lower() if one.is_file() else "/" for one in there}
    if kinds == {".parquet"}:
        return True
    # A single table or matrix is a pile by itself: who means it names the file.
    return len(there) > 1 and (kinds == {".npy"} or (bool(kinds) and kinds <= {*_IN_FOLDERS}))


@dataclass(frozen=True)
class Compared:
    """What rows are compared by, and named by."""

    drop: tuple[str, ...]
    id_column: str | None
    text: str | None
    model: str

    @property
    def has_columns(self) -> bool:
        """Whether any column was chosen."""
        return bool(self.drop or self.id_column or self.text)


def find_partitions(
    source: Any,
    *,
    drop: Sequence[str] = (),
    id_column: str | None = None,
    text: str | None = None,
    model: str = "",
    folder: Path | None = None,
) -> tuple[list[Partition], Any]:
    """Find the parts, and whatever has to be kept alive for as long as they are read.

    A path may be a folder or hold wildcards, and be the address of an object store. Blocks in
    memory are taken as they are; those of an iterator, which come only once, are put in a temporary
    folder one by one. With `text`, rows are compared by the texts of that column, as `model` sees
    them. What has to be written is written to `folder`; None: to a temporary one.
    """
    compared = Compared(tuple(drop), id_column, text, model)
    if is_address(source):
        return _remote_partitions(source, compared), None
    if isinstance(source, str | Path):
        return _file_partitions(Path(source), compared, folder)
    if drop or id_column or text:
        raise DataError("blocks have no columns to choose from; leave drop and id_column out")
    if not isinstance(source, Iterable):
        raise DataError(f"a pile in parts must be a path or blocks of rows, not {type(source)}")
    blocks = (_block(block, number) for number, block in enumerate(source))
    if isinstance(source, Sequence):
        return _require_two_rows(
            [ArrayPartition(X, f"block {k}") for k, X in enumerate(blocks)]
        ), None
    temporary = TemporaryFolder()
    parts: list[Partition] = []
    for number, X in enumerate(blocks):
        path = temporary.path / f"{number:06d}.npy"
        np.save(path, X)
        parts.append(NumpyPartition(str(path), len(X)))
    return _require_two_rows(parts), temporary


def _block(block: Any, number: int) -> Any:
    X = np.asarray(block)
    if X.ndim != 2 or not np.issubdtype(X.dtype, np.number) or np.iscomplexobj(X):
        raise DataError(
            f"block {number} must be a matrix of numbers but has shape {X.shape} of {X.dtype}"
        )
    return X


def _remote_partitions(address: str, compared: Compared) -> list[Partition]:
    names = listed(address)
    if {Path(name).suffix.lower() for name in names} != {".parquet"}:
        raise DataError(f"a pile elsewhere must be all .parquet files, but {shown(address)} is not")
    return _parquet_partitions(names, compared)


def _file_partitions(
    path: Path, compared: Compared, folder: Path | None
) -> tuple[list[Partition], Any]:
    pattern = path / "*" if path.is_dir() else path
    # Who names one file means it.
    there = [
        one
        for one in sorted(glob(str(pattern)))
        if one == str(path) or not is_aside(Path(one).name)
    ]
    names = [one for one in there if Path(one).is_file()]
    if path.is_dir() and len(names) < len(there):
        raise rows_beside_folders_error(str(path), Path(min({*there} - {*names})).name)
    kinds = {Path(name).suffix.lower().replace(".pq", ".parquet") for name in names}
    if not names:
        raise DataError(f"there is no file {path}; check the name")
    if kinds == {".npy"}:
        if compared.has_columns:
            raise DataError("matrices have no columns to choose from; leave drop and id_column out")
        return _require_two_rows([_numpy_partition(Path(name)) for name in names]), None
    if len(kinds) > 1 or not kinds <= {*PARTITIONED}:
        raise DataError(
            f"a pile in parts must be all .parquet, all .csv or all .npy files but {path} has "
            f"{', '.join(sorted(kind or 'files without ending' for kind in kinds))}; leave "
            "representatives out: other piles are read whole, and large ones reduced by themselves"
        )
    if kinds == {".parquet"}:
        return _parquet_partitions([file_name(Path(name)) for name in names], compared), None
    if not kinds <= {*_JSON_LINES}:  # they have no header
        names = [name for name in names if holds_rows(Path(name))]
    keep_alive = None
    if folder is None:
        keep_alive = TemporaryFolder()
        folder = keep_alive.path
    as_parquet = json_as_parquet if kinds <= {*_JSON_LINES} else csv_as_parquet
    files = [
        as_parquet(
            Path(name),
            folder / f"{k:06d}.parquet",
            compared.drop,
            compared.id_column,
            compared.text,
        )
        for k, name in enumerate(names)
    ]
    given = [file_name(Path(name)) for name in names]
    return _parquet_partitions([file_name(file) for file in files], compared, given), keep_alive


def not_an_array(path: Path, error: Exception) -> DataError:
    """Return the error for a file that numpy cannot read, in words of whoever wrote it."""
    about = str(error)
    if "pickle" in about or "Python objects" in about:
        reason = "it holds no numbers; save a matrix of numbers"
    elif "mmap length" in about:  # what a copy that has not ended looks like
        reason = "it is cut off; copy it again, or wait until it is written"
    else:
        reason = about
    return DataError(f"{path} cannot be read as an array: {reason}")


def _numpy_partition(path: Path) -> NumpyPartition:
    try:
        array = np.load(path, mmap_mode="r")
    except (OSError, ValueError) as error:
        raise not_an_array(path, error) from error
    _block(array[:1], 0)
    return NumpyPartition(file_name(path), len(array))


@dataclass(frozen=True)
class _Table:
    """A Parquet file: its row groups that are read together, and its columns in its own order."""

    place: str
    groups: list[tuple[tuple[int, ...], int]]
    columns: tuple[str, ...]
    named_by: str | None
    flags: tuple[str, ...]
    stored: tuple[str, ...]
    given: str


def _parquet_partitions(
    places: list[str], compared: Compared, given: Sequence[str] | None = None
) -> list[Partition]:
    """Return the parts of Parquet files; errors name the files that were given."""
    with extra_explained():
        import pyarrow as pa

    drop, id_column = compared.drop, compared.id_column
    found: list[_Table] = []
    files = [shown(place) for place in given or places]
    for place, name in zip(places, files, strict=True):
        try:
            with opened_parquet(place) as file:
                schema, metadata = file.schema_arrow, file.metadata
        except (OSError, pa.ArrowInvalid) as error:
            raise DataError(f"{name} cannot be read as Parquet: {error}") from error
        columns = compared_columns(name, schema, drop, id_column, compared.text)
        if found and (different := set(found[0].columns) ^ set(columns)):
            raise DataError(
                f"{name} has other columns than {files[0]}: {min(different)!r} is in one of them "
                "alone; parts must be alike"
            )
        named = id_column or naming_column(schema, drop)
        flags = tuple(one for one in columns if pa.types.is_boolean(schema.field(one).type))
        there = {*columns, *row_numbers(schema)} - {*drop, id_column}
        stored = tuple(one for one in schema.names if one in there)
        groups = _neighbouring_row_groups(metadata)
        of = name if given else ""
        found.append(_Table(place, groups, columns, named, flags, stored, of))
    columns = _usual_order(found)
    return _require_two_rows(
        [
            ParquetPartition(
                one.place,
                groups,
                n_rows,
                columns,
                one.named_by,
                compared.model,
                flags=one.flags,
                stored=one.stored,
                given=one.given,
            )
            for one in found
            for groups, n_rows in one.groups
        ]
    )


def _usual_order(tables: Sequence[_Table]) -> tuple[str, ...]:
    """Return the columns in the order in which most rows have them."""
    n_rows: Counter[tuple[str, ...]] = Counter()
    for one in tables:
        n_rows[one.columns] += sum(rows for _, rows in one.groups)
    return max(n_rows, key=n_rows.__getitem__, default=())


def _neighbouring_row_groups(metadata: Any) -> list[tuple[tuple[int, ...], int]]:
    """Group neighbouring row groups that are read together as long as they are few rows."""
    grouped: list[tuple[tuple[int, ...], int]] = []
    for group in range(metadata.num_row_groups):
        rows = metadata.row_group(group).num_rows
        if grouped and grouped[-1][1] + rows <= _ROWS:
            groups, so_far = grouped.pop()
            grouped.append(((*groups, group), so_far + rows))
        else:
            grouped.append(((group,), rows))
    return [(groups, rows) for groups, rows in grouped if rows]


def _require_two_rows(parts: Sequence[Partition]) -> list[Partition]:
    """Return the parts that hold any row; refuse fewer than two rows in all."""
    if sum(part.n_rows for part in parts) < 2:
        raise DataError("grouping needs at least 2 items but the parts hold fewer")
    return [part for part in parts if part.n_rows]
