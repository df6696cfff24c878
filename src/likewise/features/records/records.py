"""Rows of a table as records, of which some may be about the same thing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from likewise.features.records.blocking import candidate_pairs
from likewise.features.records.columns import ColumnKind, ComparedColumn
from likewise.features.records.normalising import as_text

Pairs = npt.NDArray[np.int64]  # (m, 2)
Levels = npt.NDArray[np.int64]  # (m, columns)

N_NEIGHBOURS = 8
_NAMING = 0.3  # a column tells things apart if it holds so many different cells per row
_SAMPLED = 100_000  # random pairs
_WINDOW = 250  # neighbours in a sorted table that are taken together


class Records:
    """Rows that may be duplicates: which pairs to compare, and how their cells agree.

    Nothing is computed before it is looked at.

    Parameters
    ----------
    cells : mapping of str to sequence of str
        The cells of each column as text, empty where missing.
    numbers : iterable of str
        The columns that hold numbers.

    Examples
    --------
    >>> names = ["Ann Lee", "Lee, Ann", "Bob Ray", "Cy Orr"]
    >>> records = Records({"name": names, "town": ["York", "Yorck", "Bath", "York"]})
    >>> records.pairs[0], records.levels[0]
    (array([0, 1]), array([7, 2]))
    """

    def __init__(self, cells: Mapping[str, Sequence[str]], numbers: Iterable[str] = ()) -> None:
        self._frame: Any = None
        self._cells, self._are_numbers = cells, frozenset(numbers)

    @classmethod
    def of_frame(cls, frame: Any) -> Self:  # a narwhals frame
        """Return the rows of a table; its cells are not read before somebody looks."""
        records = cls.__new__(cls)
        records._frame = frame
        numbers = [str(c.name) for c in frame.iter_columns() if c.dtype.is_numeric()]
        records._are_numbers = frozenset(numbers)
        return records

    @cached_property
    def _cells(self) -> Mapping[str, Sequence[str]]:
        return {str(column.name): _texts(column) for column in self._frame.iter_columns()}

    def __len__(self) -> int:
        if self._frame is not None:
            return len(self._frame)
        return len(next(iter(self._cells.values()), ()))

    def take(self, positions: npt.NDArray[np.int64]) -> Records:
        """Return some of the rows, in the order given."""
        if self._frame is not None:
            return Records.of_frame(self._frame[positions.tolist()])
        at = positions.tolist()
        cells = {name: [column[k] for k in at] for name, column in self._cells.items()}
        return Records(cells, self._are_numbers)

    def neighbourhoods(self, most: int) -> npt.NDArray[np.int64]:
        """Return the positions of at most so many rows, among which partners are left together.

        Rows are sorted by the cells that name them best, and of every so many such neighbours (as
        in the sorted neighbourhood method, Hernández and Stolfo, 1995) the first ones are taken.
        Without a column of texts there are none.
        """
        if self._frame is None:
            named = {name: np.asarray(c) for name, c in self._cells.items()}
            named = {name: cells for name, cells in named.items() if name not in self._are_numbers}
        else:
            found = [c for c in self._frame.iter_columns() if _may_name(c)]
            named = {str(c.name): np.asarray(_texts(c)) for c in found}
        if not named:
            return np.empty(0, dtype=np.int64)
        values = [np.unique(cells, return_inverse=True)[1] for cells in named.values()]
        order = np.argsort(max(values, key=lambda value: int(value.max())), kind="stable")
        n_windows = max(1, most // _WINDOW)
        begins = np.linspace(0, max(len(order) - _WINDOW, 0), n_windows).astype(np.int64)
        places = np.unique(begins[:, None] + np.arange(_WINDOW)[None, :])
        return np.sort(order[places[places < len(order)]])

    @cached_property
    def columns(self) -> list[ComparedColumn]:
        """The columns that differ between rows, in the order of the table."""
        found = [
            ComparedColumn(name, cells, name in self._are_numbers)
            for name, cells in self._cells.items()
        ]
        return [column for column in found if len(np.unique(column.value)) > 1]

    @cached_property
    def tell_apart(self) -> bool:
        """Whether some column of texts or codes could tell things apart, by its different cells."""
        if self._frame is not None and not any(map(_may_name, self._frame.iter_columns())):
            return False  # found out without writing all numbers as text
        return bool(self.naming)

    @cached_property
    def naming(self) -> list[int]:
        """Which of the columns do that."""
        return [
            at
            for at, column in enumerate(self.columns)
            if column.kind in (ColumnKind.TEXT, ColumnKind.CODE) and column.distinctness >= _NAMING
        ]

    @cached_property
    def pairs(self) -> Pairs:
        """The pairs that may be the same: i < j, one among the nearest eight of the other."""
        return candidate_pairs(self.columns, N_NEIGHBOURS)

    @cached_property
    def levels(self) -> Levels:
        """At which level each column of `pairs` agrees."""
        return self.compare(self.pairs)

    @cached_property
    def random_levels(self) -> Levels:
        """At which level each column of random pairs agrees, nearly all of different things."""
        n = len(self)
        rng = np.random.default_rng(0)
        i = rng.integers(n, size=_SAMPLED)
        j = (i + rng.integers(1, n, size=_SAMPLED)) % n
        return self.compare(np.column_stack([i, j]))

    def compare(self, pairs: Pairs) -> Levels:  # (m, 2) -> (m, columns)
        """Return at which level each column of some pairs agrees."""
        i, j = pairs.T
        return np.column_stack([column.compare(i, j) for column in self.columns])


def _texts(column: Any) -> list[str]:  # a narwhals series
    """Return cells as text, empty where there is none, whatever stands for that."""
    cells, missing = column.to_list(), column.is_null().to_list()
    return ["" if gap else as_text(cell) for cell, gap in zip(cells, missing, strict=True)]


def _may_name(column: Any) -> bool:  # a narwhals series
    """Return whether a column holds anything but measurements: texts, or long whole numbers."""
    if not column.dtype.is_numeric():
        return True
    numbers = column.to_numpy().astype(np.float64)
    known = numbers[np.isfinite(numbers)]
    return bool(len(known)) and bool((known == np.round(known)).all() and np.median(known) >= 1e5)
