"""Units in which the columns of an array can be compared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from likewise.errors import DataError
from likewise.items._matrices import finite_numbers


@dataclass(frozen=True)
class Units:
    """Columns brought to unit variance, unless they share a unit already: then nothing is done.

    Parameters
    ----------
    mean : array (d,)
        What is taken off each column.
    spread : array (d,)
        What each column is divided by; 1 for constant columns.
    """

    mean: npt.NDArray[np.float64]
    spread: npt.NDArray[np.float64]

    @classmethod
    def of(cls, array: npt.NDArray[np.float64]) -> Units:
        """Choose the units that suit these rows."""
        unit_rows = bool(np.allclose(np.linalg.norm(array, axis=1), 1.0, atol=1e-3))
        low, high = array.min(axis=0), array.max(axis=0)
        return cls.fitting(low, high, array.mean(axis=0), array.std(axis=0), unit_rows=unit_rows)

    @classmethod
    def fitting(
        cls,
        low: npt.NDArray[np.float64],
        high: npt.NDArray[np.float64],
        mean: npt.NDArray[np.float64],
        spread: npt.NDArray[np.float64],
        *,
        unit_rows: bool,
    ) -> Units:
        """Choose the units that suit rows of which only this much is known, column by column.

        Parameters
        ----------
        low, high, mean, spread : arrays (d,)
            The least and largest value, the mean and the standard deviation of each column.
        unit_rows : bool
            Whether all rows have length one, as embeddings do: then columns stay as they are.
        """
        varying = high > low
        share_range = bool(varying.any()) and (
            _share_of_commonest(low[varying]) > 0.5 and _share_of_commonest(high[varying]) > 0.5
        )
        if not varying.any() or (len(mean) > 1 and (unit_rows or share_range)):
            return cls(np.zeros(len(mean)), np.ones(len(mean)))
        # Constant columns, and those so small that their squares are zero, stay as they are.
        return cls(mean, np.where(varying & (spread > 0), spread, 1.0))

    def __call__(self, rows: Any) -> npt.NDArray[np.float64]:
        """Return rows in these units.

        Raises
        ------
        DataError
            If the rows have another number of columns than those the units were made of.
        """
        array = finite_numbers(rows)
        if array.shape[1] != len(self.mean):
            raise DataError(f"rows need {len(self.mean)} numbers each but have {array.shape[1]}")
        if not self.mean.any() and (self.spread == 1).all():
            return array
        scaled: npt.NDArray[np.float64] = (array - self.mean) / self.spread
        return scaled


def _share_of_commonest(values: npt.NDArray[np.float64]) -> float:
    """Return the share of values that are equal to the commonest of them."""
    counts = np.unique(values, return_counts=True)[1]
    return float(counts.max() / len(values))
