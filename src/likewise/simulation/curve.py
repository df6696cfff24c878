"""The learning curve of a run: a row per checkpoint, of what was spent and what it bought."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

Row = dict[str, float]


class Curve:
    """Rows that are counted by their first column.

    Parameters
    ----------
    counter : str
        The column of whole numbers that grows from row to row, such as "questions".
    measure : callable
        Returns the present row; only called when a row is due.
    on_row : callable, optional
        Is given every row as it comes.
    """

    def __init__(
        self,
        counter: str,
        measure: Callable[[], Row],
        on_row: Callable[[Row], None] | None = None,
    ) -> None:
        self.counter, self.measure, self.on_row = counter, measure, on_row
        self.rows: list[Row] = []

    def add(self, count: int) -> None:
        """Add the present row, unless the last one was at this `count` already."""
        if self.rows and self.rows[-1][self.counter] == count:
            return
        row = {self.counter: count, **self.measure()}
        self.rows.append(row)
        if self.on_row is not None:
            self.on_row(row)

    def frame(self) -> pd.DataFrame:
        """Return the rows as a frame."""
        import pandas as pd

        frame = pd.DataFrame(self.rows)
        frame[self.counter] = frame[self.counter].astype(int)
        return frame
