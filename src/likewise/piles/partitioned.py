"""Piles in parts, too large for memory: representatives stand for all rows."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from likewise.errors import DataError
from likewise.piles.pile import Pile

_LISTED = 8  # column names in one sentence


def read_partitioned(
    path: Path,
    representatives: int,
    *,
    drop: Sequence[str] = (),
    id_column: str | None = None,
    text: str | None = None,
    model: str | None = None,
    client: Any = None,
) -> Pile:
    """Read the representatives of a table, or a folder of them, as a pile of their own.

    `likewise.piles.resume_study` puts those first that a journal knows: such a pile may grow.

    Parameters
    ----------
    path : Path
        A Parquet or CSV file, or a folder of Parquet, CSV or .npy files, without wildcards.
    representatives : int
        How many items stand for all rows.
    drop, id_column, text, model, client
        As for `likewise.partitions.load_partitioned`.
    """
    from likewise.partitions import load_partitioned

    if "*" in path.name:
        raise DataError(f"give the folder of the files, not {path}")
    items = load_partitioned(
        path,
        representatives,
        drop=drop,
        id_column=id_column,
        text=text,
        model=model,
        client=client,
    )
    columns = items.compared_columns
    listed = ", ".join(columns[:_LISTED])
    if len(columns) > _LISTED:
        listed += f" and {len(columns) - _LISTED} more columns"
    return Pile(
        path,
        items,
        digests=[],
        noun="representative",
        compared_by=f"the texts in {text}" if text else listed or "all columns",
        named_by=getattr(items.partitions[0].part, "id_column", None),
        notes=[f"they stand for {items.n_rows:,} rows; labels are written for all of them"],
    )
