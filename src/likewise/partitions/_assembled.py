"""Representatives as items: with the names, the cells and the digests of the rows they show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from likewise.items.digests import content_fingerprint
from likewise.partitions._assignments import RowAssigner, describe_shown
from likewise.partitions._row_units import RowUnits
from likewise.partitions.executors import map_tasks
from likewise.partitions.representative_items import RepresentativeItems


def assemble(
    assigners: list[RowAssigner],
    points: npt.NDArray[np.float64],
    sizes: npt.NDArray[np.int64],
    rows_digest: bytes,
    *,
    client: Any,
    n_jobs: int,
    keep_alive: Any,
    kept_in: Path | None,
) -> RepresentativeItems:
    """Return the items.

    Parameters
    ----------
    assigners : list of RowAssigner
        One for every part, with the rows that are shown.
    points : array (k, d)
        Where the representatives are, as the assigners have them.
    sizes : array of int (k,)
        For how many rows each stands.
    rows_digest : bytes
        Of all rows together.
    client, n_jobs, keep_alive, kept_in
        As of `RepresentativeItems`.
    """
    ids, digests = [""] * len(points), [b""] * len(points)
    rows: list[Mapping[str, Any]] = [{}] * len(points)
    has_rows = False
    described = map_tasks(describe_shown, assigners, client=client, n_jobs=n_jobs)
    for one, found in zip(assigners, described, strict=True):
        for k, place in enumerate(one.shown[:, 1].tolist()):
            ids[place], digests[place] = found.ids[k], found.digests[k]
            if found.cells is not None:
                rows[place], has_rows = found.cells[k], True
    frame, part = assigners[0].frame, assigners[0].part
    text = part.columns[0] if getattr(part, "model", "") else None  # type: ignore[attr-defined]
    return RepresentativeItems(
        features=points + frame.origin,
        ids=ids,
        rows=rows if has_rows else None,
        texts=None if text is None else [str(row[text] or "") for row in rows],
        digests=digests,
        content=content_of(digests, rows_digest),
        prepare=RowUnits.of(part, frame.units),
        sizes=sizes,
        rows_digest=rows_digest,
        partitions=assigners,
        client=client,
        n_jobs=n_jobs,
        keep_alive=keep_alive,
        kept_in=kept_in,
    )


def content_of(digests: Sequence[bytes], rows_digest: bytes) -> str:
    """Return the fingerprint of representatives, which says too for which rows they stand."""
    return content_fingerprint([*digests, rows_digest])
