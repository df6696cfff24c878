"""Parts of a pile: what fits in memory at a time, and can be read again whenever it is needed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from likewise._extras import extra_explained
from likewise.errors import DataError
from likewise.items import LARGEST
from likewise.items.digests import Digests, number_digests, text_digest
from likewise.partitions._addresses import is_address, opened_parquet, shown

Floats = npt.NDArray[np.float64]


class Partition(Protocol):
    """Some rows of a pile; small enough to be sent to another process, unless it is an array."""

    @property
    def n_rows(self) -> int:
        """How many."""

    def features(self) -> Floats:
        """Return the numbers by which rows are compared, (n_rows, d)."""

    def digests(self, X: Floats) -> Digests:
        """Return short names for what the rows hold, whose features are `X`."""

    def ids(self) -> list[str] | None:
        """Return the names of the rows, None if they have none."""

    def rows(self, positions: list[int]) -> list[Mapping[str, Any]] | None:
        """Return the cells of some rows by column, None if there is nothing but numbers."""


@dataclass(frozen=True)
class ParquetPartition:
    """Some row groups of a Parquet file."""

    path: str
    groups: tuple[int, ...]
    n_rows: int
    columns: tuple[str, ...]  # those that hold the features
    id_column: str | None
    model: str = ""  # of texts, where there is one column and it holds texts
    flags: tuple[str, ...] = ()  # those of the columns that hold true and false
    stored: tuple[str, ...] = ()  # the numeric columns as they stand in the file
    digested: tuple[str, ...] = ()  # those that digests are made of; none: all, by their names
    given: str = ""  # the file that it was written from, if that was another

    def features(self) -> Floats:
        """Return the numeric columns side by side, or vectors of the texts in the one column."""
        if self.model:
            from likewise.features.models import embed_texts  # not every worker reads texts

            texts = [text or "" for text in self._read([*self.columns]).column(0).to_pylist()]
            return embed_texts(self.model, texts, [text_digest(text) for text in texts])
        return self._numbers(self.columns)

    def digests(self, X: Floats) -> Digests:
        """Return those of the texts, where rows are compared by these, else of the numbers."""
        if not self.model:
            return self._number_digests(X)
        texts = self._read(list(self.columns)).column(0).to_pylist()
        named = b"".join(text_digest(text or "") for text in texts)
        return np.frombuffer(named, dtype=np.uint8).reshape(len(texts), -1)

    def _number_digests(self, X: Floats) -> Digests:
        # By name, since every file of a pile may have its columns in an order of its own.
        order = self.digested or tuple(sorted(self.columns))
        beside = [name for name in order if name not in self.columns]
        if beside:
            X = np.column_stack([X, self._numbers(beside)])
        there = [*self.columns, *beside]
        flags = [k for k, name in enumerate(order) if name in self.flags]
        return number_digests(X[:, [there.index(name) for name in order]], flags)

    def ids(self) -> list[str] | None:
        """Return the column of ids, as text."""
        if self.id_column is None:
            return None
        return [str(name) for name in self._read([self.id_column]).column(0).to_pylist()]

    def rows(self, positions: list[int]) -> list[Mapping[str, Any]] | None:
        """Return all cells of some rows, also those that are not compared."""
        rows: list[Mapping[str, Any]] = self._read(None).take(positions).to_pylist()
        return rows

    def _numbers(self, columns: Sequence[str]) -> Floats:
        return np.column_stack(
            [
                column.to_numpy().astype(np.float64, copy=False)
                for column in self._read([*columns]).columns
            ]
        )

    def _read(self, columns: list[str] | None) -> Any:
        with extra_explained():
            import pyarrow as pa

        try:
            with opened_parquet(self.path) as file:
                table = file.read_row_groups(list(self.groups), columns=columns, use_threads=False)
        except (OSError, pa.ArrowException) as error:
            raise _unreadable_error(self, error) from error
        missing = {*(columns or ())} - {*table.column_names}
        if len(table) != self.n_rows or missing:
            raise _changed_error(self)
        # The file may have them in another order than the pile's first file.
        return table if columns is None else table.select(columns)

    def __str__(self) -> str:
        return shown(self.given or self.path)


@dataclass(frozen=True)
class NumpyPartition:
    """The rows of a matrix in a file of numpy's."""

    path: str
    n_rows: int

    def features(self) -> Floats:
        """Return the matrix."""
        try:
            X = np.asarray(np.load(self.path, mmap_mode="r"), dtype=np.float64)
        except (OSError, ValueError) as error:
            raise _unreadable_error(self, error) from error
        if len(X) != self.n_rows:
            raise _changed_error(self)
        return X

    def digests(self, X: Floats) -> Digests:
        """Return those of the numbers."""
        return number_digests(X)

    def ids(self) -> list[str] | None:
        """Return None: rows of a matrix have no names."""
        return None

    def rows(self, positions: list[int]) -> list[Mapping[str, Any]] | None:
        """Return None: rows of a matrix have nothing to show but numbers."""
        return None

    def __str__(self) -> str:
        return self.path


@dataclass(frozen=True, eq=False)
class ArrayPartition:
    """A matrix in memory."""

    array: npt.NDArray[Any]
    name: str

    @property
    def n_rows(self) -> int:
        """Rows of the matrix."""
        return len(self.array)

    def features(self) -> Floats:
        """Return the matrix."""
        return np.asarray(self.array, dtype=np.float64)

    def digests(self, X: Floats) -> Digests:
        """Return those of the numbers."""
        return number_digests(X)

    def ids(self) -> list[str] | None:
        """Return None: rows of a matrix have no names."""
        return None

    def rows(self, positions: list[int]) -> list[Mapping[str, Any]] | None:
        """Return None: rows of a matrix have nothing to show but numbers."""
        return None

    def __str__(self) -> str:
        return self.name


def _changed_error(part: Partition) -> DataError:
    return DataError(f"{part} has changed since the pile was read; read the pile again")


def _unreadable_error(part: Partition, error: Exception) -> DataError:
    if isinstance(error, FileNotFoundError):
        return DataError(f"{part} is gone; put it back, or read the pile again without it")
    return DataError(f"{part} cannot be read: {str(error).splitlines()[0]}")


def checked_features(part: Partition) -> Floats:
    """Return the features of a part; refuse, with its place, a number that cannot be compared."""
    X = part.features()
    bad = ~(np.abs(X) <= LARGEST)
    if bad.any():
        row, column = (int(k) for k in np.argwhere(bad)[0])
        name: str | int = column
        if isinstance(part, ParquetPartition) and not part.model:
            name = part.columns[column]
        raise DataError(
            f"{part}: row {row} of a part holds {X[row, column]} in column {name} "
            f"({int(bad.sum())} such in the part), but numbers must stay within ±{LARGEST:.0e}; "
            "fill or drop them first, and see whether the file is damaged"
        )
    return X


def file_name(path: Path) -> str:
    """Return the address of a file under which another process on this machine finds it too."""
    return str(path.resolve())


def file_of(part: Partition) -> str | None:
    """Return the file of the pile in which a part is; None: in none."""
    return getattr(part, "given", "") or getattr(part, "path", None)


def require_there(parts: Iterable[Partition]) -> None:
    """Refuse parts in files of this machine that are gone, before anything is made of the others.

    Raises
    ------
    DataError
        If one is gone.
    """
    for part in parts:
        path = getattr(part, "path", "")
        if path and not is_address(path) and not Path(path).is_file():
            raise _unreadable_error(part, FileNotFoundError(path))
