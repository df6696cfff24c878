"""Numbers for a table: as those of an array if it holds nothing else, else column by column."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from likewise.errors import MissingExtra
from likewise.features.tables import vectorise
from likewise.items.units import Units, require_scaling


def table_features(
    frame: Any, scaling: str = "auto", n_known: int | None = None
) -> tuple[npt.NDArray[np.float64], list[str], str]:
    """Return features of a narwhals frame, the columns whose gaps were filled, and what was done.

    Parameters
    ----------
    frame : narwhals.DataFrame
        The table.
    scaling : {"auto", "columns", "none"}
        As for `Items.of`; only columns of numbers without gaps can stay as they are.
    n_known : int, optional
        How many rows, the first ones, say what the units are; None: all of them. In the others
        gaps are filled with the median of these.
    """
    require_scaling(scaling)
    if all(column.dtype.is_numeric() for column in frame.iter_columns()):
        numbers = frame.to_numpy().astype(np.float64)
        known = numbers[:n_known]
        if np.isfinite(known).all() and (known != known[:1]).any():
            units = Units.of(known, scaling)
            whole = np.where(np.isfinite(numbers), numbers, np.median(known, axis=0))
            return units(whole), [], units.why
    features, filled = vectorise(frame, n_known)
    return features, filled, ""


def other_columns(frame: Any, column: str) -> dict[str, npt.NDArray[np.float64]]:
    """Return the view "columns": all of a table but the column that rows are compared by.

    There is none where they are equal in all rows, or a package is missing that reads them.
    """
    rest = frame.drop(column)
    if not rest.columns:
        return {}
    try:
        features = table_features(rest)[0]
    except MissingExtra:
        return {}
    return {"columns": features} if np.ptp(features, axis=0).any() else {}
