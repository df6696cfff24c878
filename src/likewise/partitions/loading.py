"""A pile in parts, as the representatives that a study can hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from math import ceil
from typing import Any

import numpy as np
import numpy.typing as npt

from likewise.clusterers.representatives import by_kmeans
from likewise.errors import MethodError
from likewise.partitions.finding import find_parts
from likewise.partitions.local import Frame, Job, Local, summarise
from likewise.partitions.moments import Moments, moments_of
from likewise.partitions.parts import Part
from likewise.partitions.represented import PartCentres, Represented
from likewise.partitions.workers import for_every

# Parts have this many centres in all for each representative: so many that parts which share
# groups agree on where representatives should be.
_SPARE = 1.5


def load_partitioned(
    source: Any,
    representatives: int,
    *,
    drop: Sequence[str] = (),
    id_column: str | None = None,
    client: Any = None,
    n_jobs: int = -1,
    random_state: int = 0,
) -> Represented:
    """Items that stand for the rows of Parquet or .npy files, or of blocks, of any number.

    `source` is a folder, a path with wildcards or an iterable of matrices. Every part is
    summarised by k-means on its own, by a dask `client` (or the address of its scheduler) or by
    `n_jobs` processes; then weighted k-means finds the `representatives` among the centres of all
    parts. The result depends on the parts and the seed alone, not on who works. Columns are
    brought to unit variance unless they share a unit, as in `Items.of`.

    >>> blocks = [np.random.default_rng(k).normal(3.0 * (k % 2), 0.1, (500, 2)) for k in range(4)]
    >>> items = load_partitioned(blocks, representatives=20, n_jobs=1)
    >>> len(items), items.n_rows
    (20, 2000)
    """
    if representatives < 2:
        raise MethodError(f"representatives must be at least 2 but got {representatives}")
    parts, kept = find_parts(source, drop=drop, id_column=id_column)

    def every(work: Any, tasks: Sequence[Any]) -> list[Any]:
        return for_every(work, tasks, client=client, n_jobs=n_jobs)

    moments = moments_of(every(Moments.of, parts))
    units = moments.units()
    frame = Frame(units, units(moments.mean[None])[0])
    share = _SPARE * representatives / moments.n
    jobs = [
        Job(part, frame, max(2, ceil(share * part.n_rows)), (random_state, number))
        for number, part in enumerate(parts)
    ]
    locals_ = every(summarise, jobs)
    # One more task, so that it too has one thread and adds up in one order.
    centres, of_centre = for_every(
        _merge, [(locals_, representatives, random_state, len(parts))], n_jobs=1
    )[0]
    return _represented(parts, frame, locals_, centres, of_centre, client, n_jobs, kept)


def _merge(
    task: tuple[list[Local], int, int, int],
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]:
    """Representatives among the centres of all parts, each of which counts for its rows."""
    locals_, wanted, seed, n_parts = task
    points = np.vstack([local.centres for local in locals_])
    weights = np.concatenate([local.sizes for local in locals_]).astype(np.float64)
    found = by_kmeans(points, wanted, np.random.default_rng((seed, n_parts)), weights)
    return np.asarray(found.points, dtype=np.float64), found.of_item


def _represented(
    parts: list[Part],
    frame: Frame,
    locals_: list[Local],
    points: npt.NDArray[np.float64],
    of_centre: npt.NDArray[np.int64],
    client: Any,
    n_jobs: int,
    kept: Any,
) -> Represented:
    ends = np.cumsum([len(local.centres) for local in locals_])
    per_part = np.split(of_centre, ends[:-1])
    sizes = np.bincount(of_centre, np.concatenate([local.sizes for local in locals_]))
    begins = [0, *accumulate(part.n_rows for part in parts)]
    # Of the rows nearest to the centres of its parts, the one nearest to the representative.
    nearest = np.vstack([local.nearest for local in locals_])
    away = ((nearest - points[of_centre]) ** 2).sum(axis=1)
    order = np.lexsort((away, of_centre))
    shown = order[np.unique(of_centre[order], return_index=True)[1]]
    ids = [name for k, local in enumerate(locals_) for name in _names(local, begins[k])]
    rows: list[Mapping[str, Any]] = [row for local in locals_ for row in local.rows or ()]
    return Represented(
        features=points + frame.origin,
        ids=[ids[k] for k in shown],
        rows=[rows[k] for k in shown] if rows else None,
        prepare=frame.units,
        sizes=sizes.astype(np.int64),
        parts=[
            PartCentres(part, frame, local.centres, own, begin)
            for part, local, own, begin in zip(parts, locals_, per_part, begins, strict=False)
        ],
        client=client,
        n_jobs=n_jobs,
        kept=kept,
    )


def _names(local: Local, first: int) -> list[str]:
    return local.ids or [str(first + position) for position in local.positions.tolist()]
