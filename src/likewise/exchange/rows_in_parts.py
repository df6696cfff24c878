"""The group of every row of a pile in parts, as CSV that is written part by part."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from likewise.exchange.spreadsheet_cells import csv_text
from likewise.partitions import RepresentativeItems


def rows_as_csv(
    items: RepresentativeItems,
    labels: npt.NDArray[np.int64],
    names: Mapping[int, str],
    confidence: npt.NDArray[np.float64],
    noted: Mapping[str, Sequence[str]] = MappingProxyType({}),
    *,
    named: str = "id",
    raw_cells: bool = False,
) -> Iterator[str]:
    """Yield a header, then the rows of each part; only one part is in memory.

    Parameters
    ----------
    items : RepresentativeItems
        What stands for the rows.
    labels, confidence : arrays (n,)
        The groups of the representatives, and how sure these are.
    names : mapping
        What groups are called, by their numbers.
    noted : mapping
        Further columns, a cell per representative: `Annotations.columns`.
    named : str
        What the column of the rows' names is called.
    raw_cells : bool
        Whether cells that a spreadsheet would run are kept as they are.

    Examples
    --------
    >>> from likewise.partitions import load_partitioned
    >>> items = load_partitioned([np.array([[0.0], [1.0]]), np.array([[9.0]])], 3, n_jobs=1)
    >>> groups = np.array([0 if name in "01" else 1 for name in items.ids])
    >>> print("".join(rows_as_csv(items, groups, {1: "far"}, np.ones(3))), end="")
    id,group,name,confidence
    0,0,,1.0
    1,0,,1.0
    2,1,far,1.0
    """
    header = (named, "group", "name", "confidence", *noted)
    yield csv_text(header, ())
    group = labels.tolist()
    every = items.all_elected(labels, confidence)
    for part, (elected, share) in zip(items.partitions, every, strict=True):
        found = zip(part.ids(), elected.tolist(), share.round(4).tolist(), strict=True)
        cells = (
            (name, group[k], names.get(group[k], ""), sure, *(cell[k] for cell in noted.values()))
            for name, k, sure in found
        )
        text = csv_text(header, cells, raw_cells=raw_cells)
        yield text[text.index("\n") + 1 :]
