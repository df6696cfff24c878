"""The rows of a table as a sequence that makes each row only when it is used."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

_TOGETHER = 1000  # rows that are made at a time


class FrameRows(Sequence[Mapping[str, Any]]):
    """The rows of a table, each made only when somebody looks at it.

    Parameters
    ----------
    frame : narwhals.DataFrame
        The table.
    positions : array of int, optional
        Which of its rows, in which order; all of them in theirs unless given.
    """

    def __init__(self, frame: Any, positions: npt.NDArray[np.int64] | None = None) -> None:
        self._frame = frame
        self._positions = np.arange(len(frame)) if positions is None else positions

    def __len__(self) -> int:
        return len(self._positions)

    def __getitem__(self, k: Any) -> Any:
        if isinstance(k, slice):
            return [self[position] for position in range(len(self))[k]]
        return self._frame[[int(self._positions[k])]].rows(named=True)[0]

    def __iter__(self) -> Iterator[Mapping[str, Any]]:
        # Some at a time: to take them out one by one takes a hundred times as long.
        for begin in range(0, len(self), _TOGETHER):
            some = self._positions[begin : begin + _TOGETHER].tolist()
            yield from self._frame[some].rows(named=True)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    @property
    def columns(self) -> list[str]:
        """The names of the cells."""
        return list(self._frame.columns)

    @property
    def narwhals(self) -> Any:
        """The rows as a narwhals frame."""
        return self._frame[self._positions.tolist()]

    @property
    def frame(self) -> Any:
        """The rows as a pandas frame."""
        return self.narwhals.to_pandas().reset_index(drop=True)

    def take(self, positions: npt.NDArray[np.int64]) -> FrameRows:
        """Return some of the rows, in the order given."""
        return FrameRows(self._frame, self._positions[positions])
