"""Numbers for a table: as those of an array if it holds nothing else, else column by column."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from likewise.features.tables import vectorise
from likewise.items.units import Units, require_scaling


def table_features(
    frame: Any, scaling: str = "auto"
) -> tuple[npt.NDArray[np.float64], list[str], str]:
    """Return features of a narwhals frame, the columns whose gaps were filled, and what was done.

    Parameters
    ----------
    frame : narwhals.DataFrame
        The table.
    scaling : {"auto", "columns", "none"}
        As for `Items.of`; only columns of numbers without gaps can stay as they are.
    """
    require_scaling(scaling)
    if all(column.dtype.is_numeric() for column in frame.iter_columns()):
        numbers = frame.to_numpy().astype(np.float64)
        if np.isfinite(numbers).all() and (numbers != numbers[:1]).any():
            units = Units.of(numbers, scaling)
            return units(numbers), [], units.why
    features, filled = vectorise(frame)
    return features, filled, ""
