"""Between which values the numbers of each column usually lie."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from likewise.items.frame_rows import FrameRows

_LOOKED_AT = 10_000  # rows, evenly spread over a long table
_USUAL = (0.05, 0.95)  # a single row that is far from all others says nothing of the column


def number_ranges(rows: Sequence[Mapping[str, Any]]) -> dict[str, tuple[float, float]]:
    """Return the usual lowest and highest number of every column that has numbers.

    Nine of ten numbers lie between the two; where these are equal, all do.

    Examples
    --------
    >>> number_ranges([{"size": k, "colour": "red"} for k in range(101)])
    {'size': (5.0, 95.0)}
    """
    import pandas as pd

    chosen = np.unique(np.linspace(0, len(rows) - 1, min(len(rows), _LOOKED_AT)).astype(np.int64))
    if isinstance(rows, FrameRows):
        frame = rows.take(chosen).frame
    else:
        frame = pd.DataFrame.from_records([rows[k] for k in chosen.tolist()])
    found = {}
    for name in frame.columns:
        numbers = pd.to_numeric(frame[name], errors="coerce").astype(np.float64)
        if frame[name].dtype == bool or numbers.notna().mean() <= 0.9:
            continue
        low, high = numbers.quantile(_USUAL)
        if low == high:
            low, high = numbers.min(), numbers.max()
        if np.isfinite([low, high]).all() and low < high:
            found[str(name)] = float(low), float(high)
    return found
