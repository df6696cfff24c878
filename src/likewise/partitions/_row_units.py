"""Rows that come later, in the units of a pile in parts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from likewise.errors import DataError
from likewise.items import Units
from likewise.items.columns import texts_of
from likewise.items.digests import text_digest
from likewise.items.given import Texts, table_or_texts
from likewise.partitions.partition import Partition

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class RowUnits:
    """Brings further rows into the units of a pile in parts.

    Parameters
    ----------
    units : Units
        Of the numbers.
    columns : tuple of str
        Those that rows are compared by; none where rows have no columns.
    model : str
        Of the texts in the one column; "" where there are numbers.
    """

    units: Units
    columns: tuple[str, ...] = ()
    model: str = ""

    @classmethod
    def of(cls, part: Partition, units: Units) -> RowUnits:
        """Return those of a pile with such parts."""
        return cls(units, tuple(getattr(part, "columns", ())), getattr(part, "model", ""))

    def __call__(self, X: Any) -> Floats:
        """Return a matrix, the rows of a table or texts as numbers.

        Raises
        ------
        DataError
            If columns are missing or hold something else, or `X` is of another kind.
        """
        given = table_or_texts(X)
        if isinstance(given, Texts):
            if not self.model:
                raise DataError("the study's items are rows of numbers, not texts; give such rows")
            return self._embedded(given.texts)
        if given is None:
            return self.units(X)
        frame = given.frame
        for name in self.columns:
            if name not in frame.columns:
                raise DataError(
                    f"the new rows have no column {name!r}; give them all the columns that the "
                    "study's rows are compared by"
                )
        if self.model:
            return self._embedded(texts_of(frame[self.columns[0]].to_list()))
        columns = [self._numbers(frame, name) for name in self.columns or frame.columns]
        return self.units(np.column_stack(columns))

    def _numbers(self, frame: Any, name: str) -> Floats:
        try:
            return np.asarray(frame[name].to_list(), dtype=np.float64)
        except (TypeError, ValueError) as error:
            raise DataError(
                f"column {name!r} of the new rows holds something else than numbers"
            ) from error

    def _embedded(self, texts: list[str]) -> Floats:
        from likewise.features.models import embed_texts

        return self.units(embed_texts(self.model, texts, [text_digest(one) for one in texts]))
