"""A pile in parts, as the representatives that a study can hold."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from math import ceil
from typing import Any

import numpy as np
import numpy.typing as npt

from likewise.clusterers.representatives import kmeans_representatives
from likewise.errors import DataError, MethodError
from likewise.partitions._assembled import assemble
from likewise.partitions._assignments import (
    PartitionCounts,
    RowAssigner,
    count_rows,
)
from likewise.partitions._local_kmeans import (
    ROUNDS,
    CentredUnits,
    KMeansJob,
    LocalCentres,
    local_kmeans,
)
from likewise.partitions._moments import Moments, merge_moments
from likewise.partitions.discover import find_partitions
from likewise.partitions.executors import map_tasks
from likewise.partitions.kept import InUse, keep, load_kept, own_folder, place_for
from likewise.partitions.representative_items import RepresentativeItems

# Parts have this many centres in all for each representative: so many that parts which share
# groups agree on where representatives should be.
_SPARE = 1.5
# But no part has fewer than these, or than one for so many rows, since a centre that several groups
# share is lost to all of them; of very many parts only so many in all, which one process holds.
_FEWEST, _ROWS_EACH, _MOST = 400, 25, 1_000_000
_TEXT_MODEL = "wordllama"  # of the models of texts the quickest


def load_partitioned(
    source: Any,
    representatives: int,
    *,
    drop: Sequence[str] = (),
    id_column: str | None = None,
    text: str | None = None,
    model: str | None = None,
    client: Any = None,
    n_jobs: int = -1,
    random_state: int = 0,
) -> RepresentativeItems:
    """Find items that stand for the rows of Parquet or .npy files, or of blocks, of any number.

    Every part is summarised by k-means on its own; then weighted k-means finds the representatives
    among the centres of all parts. The result depends on the parts and the seed alone, not on who
    works. Columns are brought to unit variance unless they share a unit, as in `Items.of`.

    Parameters
    ----------
    source : str, Path or iterable of matrices
        A folder, a path with wildcards, or blocks of rows. A folder of Parquet files may be an
        address that fsspec knows, such as s3://bucket/folder: workers open it themselves.
    representatives : int
        How many items stand for all rows, at least 2. More take longer and lose less.
    drop : sequence of str
        Columns that are not compared.
    id_column : str, optional
        The column that names the rows; it is not compared. Without it rows are numbered.
    text : str, optional
        The column of texts by which rows are compared, instead of by numbers. Who works on a part
        computes the features of its texts, which stay in the cache of that machine.
    model : str, optional
        What texts are compared by; None: "wordllama", which is quick.
    client : Executor, distributed.Client or str, optional
        Who works: an `Executor`, a dask client, or the address of its scheduler; None: processes
        of this machine.
    n_jobs : int
        How many processes; -1 for one per core, 1 for none but this one.
    random_state : int
        The seed.

    Returns
    -------
    RepresentativeItems
        The representatives, each with the name and the cells of the row nearest to it.

    Raises
    ------
    DataError
        If parts cannot be read, differ in their columns, or hold gaps; the message names the part.
    MethodError
        If fewer than two representatives are asked for.

    Examples
    --------
    >>> blocks = [np.random.default_rng(k).normal(3.0 * (k % 2), 0.1, (500, 2)) for k in range(4)]
    >>> items = load_partitioned(blocks, representatives=20, n_jobs=1)
    >>> len(items), items.n_rows
    (20, 2000)
    """
    if representatives < 2:
        raise MethodError(f"representatives must be at least 2 but got {representatives}")
    if model is not None and text is None:
        raise MethodError("a model is for texts; say which column holds them with text")
    named = (model or _TEXT_MODEL) if text is not None else ""
    how = (tuple(drop), id_column, text, named)
    place = place_for(source, representatives, *how, random_state)
    in_use = None if place is None else InUse(place)
    if place is not None:
        kept = load_kept(place, client=client, n_jobs=n_jobs, keep_alive=in_use)
        if kept is not None:
            return kept
    parts, folder = find_partitions(
        source,
        drop=drop,
        id_column=id_column,
        text=text,
        model=named,
        folder=None if place is None else own_folder(place),
    )

    def every(work: Any, tasks: Sequence[Any]) -> list[Any]:
        return map_tasks(work, tasks, client=client, n_jobs=n_jobs)

    moments = merge_moments(every(Moments.of, parts))
    units = moments.units()
    frame = CentredUnits(units, units(moments.mean[None])[0])
    jobs = [
        KMeansJob(
            part,
            frame,
            _n_centres(part.n_rows, moments.n, representatives),
            (random_state, number),
        )
        for number, part in enumerate(parts)
    ]
    locals_ = every(local_kmeans, jobs)
    # One more task, so that it too has one thread and adds up in one order.
    (centres,) = map_tasks(_merge, [(locals_, representatives, random_state, len(parts))], n_jobs=1)
    begins = list(accumulate((part.n_rows for part in parts), initial=0))[:-1]
    points = centres.astype(np.float32)
    counted = every(
        count_rows,
        [
            (part, frame, local.centres, points, begin)
            for part, local, begin in zip(parts, locals_, begins, strict=True)
        ],
    )
    sizes = np.zeros(len(centres), dtype=np.int64)
    for one in counted:
        sizes[one.present] += one.sizes
    used = np.flatnonzero(sizes)  # one may have lost all its rows to its neighbours
    if len(used) < 2:
        raise DataError("all rows of the parts are equal; grouping needs at least 2 that differ")
    left = points[used]  # one array for all parts
    assigners = [
        RowAssigner(
            part, frame, local.centres, _renumbered(one.candidates, used), left, begin, shown
        )
        for part, local, one, begin, shown in zip(
            parts, locals_, counted, begins, _nearest_rows(counted, used), strict=True
        )
    ]
    items = assemble(
        assigners,
        centres[used],
        sizes[used],
        moments.rows_digest(),
        client=client,
        n_jobs=n_jobs,
        keep_alive=folder or in_use,
        kept_in=place,
    )
    if place is not None:
        keep(items, place)
    return items


def _n_centres(n_rows: int, n_all: int, representatives: int) -> int:
    """Return how many centres a part of so many rows has, of a pile of so many.

    >>> [_n_centres(50_000, n, 5_000) for n in (100_000, 10_000_000, 10**9)]
    [3750, 400, 50]
    """
    share = n_rows / n_all
    fewest = min(_FEWEST, n_rows / _ROWS_EACH, share * _MOST)
    return max(2, ceil(fewest), ceil(share * _SPARE * representatives))


def _merge(
    task: tuple[list[LocalCentres], int, int, int],
) -> npt.NDArray[np.float64]:  # (representatives, d)
    """Choose representatives among the centres of all parts, each counting for its rows."""
    locals_, wanted, seed, n_parts = task
    points = np.vstack([local.centres for local in locals_])
    weights = np.concatenate([local.sizes for local in locals_]).astype(np.float64)
    rng = np.random.default_rng((seed, n_parts))
    found = kmeans_representatives(points, wanted, rng, weights, rounds=ROUNDS)
    return np.asarray(found.points, dtype=np.float64)


def _nearest_rows(
    counted: list[PartitionCounts], used: npt.NDArray[np.int64]
) -> list[npt.NDArray[np.int64]]:  # (s, 2) of each part
    """Return the rows nearest to representatives: of each part, their positions and for which."""
    n_points = int(used[-1]) + 1
    away = np.full(n_points, np.inf, dtype=np.float32)
    of_part, position = (np.zeros(n_points, dtype=np.int64) for _ in range(2))
    for number, one in enumerate(counted):
        nearer = one.away < away[one.present]
        at = one.present[nearer]
        away[at], of_part[at], position[at] = one.away[nearer], number, one.nearest[nearer]
    asked = [np.flatnonzero(of_part[used] == k) for k in range(len(counted))]
    return [np.column_stack([position[used[wanted]], wanted]) for wanted in asked]


def _renumbered(
    candidates: npt.NDArray[np.int64], used: npt.NDArray[np.int64]
) -> npt.NDArray[np.int64]:
    """Leave out representatives that stand for nothing, and renumber the others."""
    number = np.full(max(int(candidates.max()), int(used[-1])) + 1, -1, dtype=np.int64)
    number[used] = np.arange(len(used))
    found = number[candidates]
    # What is gone cannot be chosen: in its place stands the nearest that is left.
    left = np.take_along_axis(found, (found >= 0).argmax(axis=1)[:, None], axis=1)
    return np.where(found >= 0, found, left)
