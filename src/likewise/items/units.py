"""Units in which the columns of an array can be compared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from likewise.errors import DataError
from likewise.items._matrices import blocks, finite_numbers

Scaling = Literal["auto", "columns", "none"]
SCALINGS: tuple[Scaling, ...] = get_args(Scaling)
# Spreads (the tenth of columns that spread least and that which spreads most left out) that differ
# by more than this do not share a unit. Embeddings and maps stay below 3.1 (a network's features),
# tables whose units differ are above 11; between them lie iris and such: it matters little there.
_ALIKE = 4.0
# Of principal components all means are zero and all spreads fall; of a table's columns at most two
# thirds do. A tenth may be off, since rows may have been left out or numbers rounded.
_MOST = 0.9


@dataclass(frozen=True)
class Units:
    """Columns brought to unit variance, unless they share a unit already: then nothing is done.

    Parameters
    ----------
    mean : array (d,)
        What is taken off each column.
    spread : array (d,)
        What each column is divided by; 1 for constant columns.
    why : str
        A sentence for the user: what was done, and why.
    """

    mean: npt.NDArray[np.float64]
    spread: npt.NDArray[np.float64]
    why: str = ""

    @classmethod
    def of(cls, array: npt.NDArray[Any], scaling: str = "auto") -> Units:
        """Choose the units that suit these rows, or those that are asked for."""
        n, d = array.shape
        unit_rows = all(
            np.allclose(np.linalg.norm(array[some], axis=1), 1.0, atol=1e-3)
            for some in blocks(n, d)
        )
        low, high = (np.asarray(end(axis=0), np.float64) for end in (array.min, array.max))
        mean = array.mean(axis=0, dtype=np.float64)
        spreads = (array[:, some].std(axis=0, dtype=np.float64) for some in blocks(d, n))
        spread = np.concatenate(list(spreads))
        return cls.fitting(low, high, mean, spread, unit_rows=unit_rows, scaling=scaling)

    @classmethod
    def fitting(
        cls,
        low: npt.NDArray[np.float64],
        high: npt.NDArray[np.float64],
        mean: npt.NDArray[np.float64],
        spread: npt.NDArray[np.float64],
        *,
        unit_rows: bool,
        scaling: str = "auto",
    ) -> Units:
        """Choose the units that suit rows of which only this much is known, column by column.

        Parameters
        ----------
        low, high, mean, spread : arrays (d,)
            The least and largest value, the mean and the standard deviation of each column.
        unit_rows : bool
            Whether all rows have length one, as embeddings do: then columns stay as they are.
        scaling : {"auto", "columns", "none"}
            "columns" brings every column to unit variance, "none" none.

        Raises
        ------
        DataError
            If there is no such scaling.
        """
        require_scaling(scaling)
        varying = high > low
        if scaling == "none":
            why = "as asked for"
        elif scaling == "columns" or len(mean) == 1:
            why = ""
        else:
            why = _shared_unit(
                low[varying], high[varying], mean[varying], spread[varying], unit_rows=unit_rows
            )
        if why or not varying.any():
            said = f"numbers are compared as they are, {why}" if why else ""
            return cls(np.zeros(len(mean)), np.ones(len(mean)), said)
        reason = "as asked for" if scaling == "columns" else "since their units seem to differ"
        # Constant columns, and those so small that their squares are zero, stay as they are.
        factors = np.where(varying & (spread > 0), spread, 1.0)
        return cls(mean, factors, f"every column is brought to unit variance, {reason}")

    def __call__(self, rows: Any) -> npt.NDArray[Any]:
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
        scaled = array - self.mean
        scaled /= self.spread
        return scaled


def require_scaling(scaling: str) -> None:
    """Refuse a scaling that there is not."""
    if scaling not in SCALINGS:
        raise DataError(f"there is no scaling {scaling!r}; there are {', '.join(SCALINGS)}")


def _shared_unit(
    low: npt.NDArray[np.float64],
    high: npt.NDArray[np.float64],
    mean: npt.NDArray[np.float64],
    spread: npt.NDArray[np.float64],
    *,
    unit_rows: bool,
) -> str:
    """Return what speaks for one unit of all columns, none of which is constant; "" if nothing."""
    if not len(spread):
        return ""
    if unit_rows:
        return "since every row has length one, as embeddings do"
    if _share_of_commonest(low) > 0.5 and _share_of_commonest(high) > 0.5:
        return "since the columns share one range"
    least = np.quantile(spread, 0.1, method="lower")
    if np.quantile(spread, 0.9, method="higher") <= _ALIKE * least:
        return "since the columns spread alike"
    centred = np.abs(mean) <= 0.25 * spread
    falling = spread[1:] <= 1.02 * spread[:-1]
    if len(spread) > 2 and centred.mean() >= _MOST and falling.mean() >= _MOST:
        return "since the columns look like principal components"
    return ""


def _share_of_commonest(values: npt.NDArray[np.float64]) -> float:
    """Return the share of values that are equal to the commonest of them."""
    counts = np.unique(values, return_counts=True)[1]
    return float(counts.max() / len(values))
