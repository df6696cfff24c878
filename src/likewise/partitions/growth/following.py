"""Piles in parts that grow: the rows that a journal knows go on standing for others.

Representatives found anew would be other rows, about which nobody has answered anything. So those
of the journal are looked for among all rows, and each lies from then on where the rows are that are
nearest to the row it shows. Where that is not enough for what has come, others join them.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from likewise.partitions._assembled import assemble, content_of
from likewise.partitions._assignments import RowAssigner, count_rows
from likewise.partitions._local_kmeans import Singles
from likewise.partitions.executors import map_tasks, results_in_order
from likewise.partitions.growth._joining import joining
from likewise.partitions.growth._located_rows import FoundRows, SoughtRows, find_rows, locate
from likewise.partitions.kept import keep, load_kept, place_within

if TYPE_CHECKING:
    from likewise.partitions.representative_items import RepresentativeItems

Positions = npt.NDArray[np.int64]

_THERE = "there.npy"


@dataclass(frozen=True)
class FollowedRows:
    """Representatives that a journal knows, and those that have joined them.

    Parameters
    ----------
    items : RepresentativeItems
        Those that are still there, in the order in which they were given; then those that are new.
    is_there : array of bool
        Which of those given are still there.
    """

    items: RepresentativeItems
    is_there: npt.NDArray[np.bool_]


def follow_rows(
    items: RepresentativeItems,
    ids: Sequence[str],
    digests: Sequence[bytes],
    content: str,
) -> FollowedRows:
    """Find rows that a journal knows again, and let others join them if the pile has changed.

    Parameters
    ----------
    items : RepresentativeItems
        Representatives of all rows, found as if none were known.
    ids, digests : sequences
        Names of the known rows, which count where rows have names, and digests of what they held.
    content : str
        The fingerprint of the pile that the journal knows: if it is of the same rows, none joins.
    """
    named = getattr(items.partitions[0].part, "id_column", None) is not None
    sought = SoughtRows(tuple(digests), tuple(ids) if named else None)
    workers = {"client": items.client, "n_jobs": items.n_jobs}
    place = place_within(items.kept_in, sought, content)
    if place is not None:
        kept = load_kept(place, **workers, keep_alive=items.keep_alive)
        with suppress(OSError, ValueError, EOFError):  # cut short by somebody who was stopped
            if kept is not None:
                return FollowedRows(kept, np.load(place / _THERE))
    found = map_tasks(find_rows, [(one, sought) for one in items.partitions], **workers)
    places = locate(found, sought)
    is_there = places[:, 0] >= 0
    if not is_there.any():
        return FollowedRows(items, is_there)
    known = _rows_at(found, places[is_there])
    held = [found[part].digests[row].tobytes() for part, row in places[is_there].tolist()]
    if content_of(held, items.rows_digest) != content:
        known = known.with_rows(_joining_rows(items, found, known, held))
    followed = stand_for_all(items, known)
    if place is not None:
        with suppress(OSError):
            place.mkdir(exist_ok=True)
            np.save(place / _THERE, is_there)
            keep(followed, place)
    return FollowedRows(followed, is_there)


def _joining_rows(
    items: RepresentativeItems, found: Sequence[FoundRows], known: ChosenRows, held: Sequence[bytes]
) -> ChosenRows:
    """Return the rows that join those that are known; `held` is what these hold."""
    new = joining(items.partitions[0].representatives, items.sizes, known.points)
    # A row that holds what a known one holds would lie where that one lies.
    there = set(held)
    others = [k for k in new.tolist() if items.digests[k] not in there]
    return shown_rows(items, found).at(np.array(others, dtype=np.int64))


@dataclass(frozen=True)
class ChosenRows:
    """Rows that are to stand for others: where each is, and what it is compared by."""

    parts: Positions  # (k,)
    positions: Positions  # (k,), in their parts
    points: Singles  # (k, d)

    def at(self, some: Positions) -> ChosenRows:
        """Return some of them."""
        return ChosenRows(self.parts[some], self.positions[some], self.points[some])

    def with_rows(self, others: ChosenRows) -> ChosenRows:
        """Return these and, after them, those of the others that are not among them."""
        there = set(zip(self.parts.tolist(), self.positions.tolist(), strict=True))
        both = zip(others.parts.tolist(), others.positions.tolist(), strict=True)
        new = others.at(np.array([k for k, at in enumerate(both) if at not in there], dtype=int))
        return ChosenRows(
            np.concatenate([self.parts, new.parts]),
            np.concatenate([self.positions, new.positions]),
            np.vstack([self.points, new.points]),
        )


def _rows_at(found: Sequence[FoundRows], places: Positions) -> ChosenRows:
    """Return rows by their parts and their numbers among those found there."""
    width = found[0].points.shape[1]
    return ChosenRows(
        places[:, 0],
        np.array([found[part].positions[row] for part, row in places.tolist()], dtype=np.int64),
        np.array([found[part].points[row] for part, row in places.tolist()]).reshape(-1, width),
    )


def shown_rows(items: RepresentativeItems, found: Sequence[FoundRows]) -> ChosenRows:
    """Return the rows that are shown for representatives, in the order of these."""
    places = np.empty((len(items), 2), dtype=np.int64)
    for part, (one, rows) in enumerate(zip(items.partitions, found, strict=True)):
        at, of = one.shown.T
        places[of, 0], places[of, 1] = part, np.searchsorted(rows.positions, at)
    return _rows_at(found, places)


def stand_for_all(items: RepresentativeItems, rows: ChosenRows) -> RepresentativeItems:
    """Return some rows as the representatives of all.

    Each lies at the mean of the rows that are nearest to the row it shows.
    """
    workers = {"client": items.client, "n_jobs": items.n_jobs}
    points = _means(items, rows.points)
    counted = map_tasks(count_rows, _jobs(items, points), **workers)
    sizes = np.zeros(len(points), dtype=np.int64)
    for one in counted:
        sizes[one.present] += one.sizes
    assigners = [
        replace(
            one,
            candidates=count.candidates,
            representatives=points,
            shown=_shown_in(number, rows),
        )
        for number, (one, count) in enumerate(zip(items.partitions, counted, strict=True))
    ]
    return assemble(
        assigners,
        points.astype(np.float64),
        sizes,
        items.rows_digest,
        **workers,
        keep_alive=items.keep_alive,
        kept_in=None,  # what follows from these is not found as if none were known
    )


def _shown_in(part: int, rows: ChosenRows) -> Positions:  # (s, 2)
    """Return which rows of a part are shown, and for which representatives."""
    of = np.flatnonzero(rows.parts == part)
    return np.column_stack([rows.positions[of], of])


def _jobs(items: RepresentativeItems, points: Singles) -> list[Any]:
    return [(one.part, one.frame, one.centres, points, one.first) for one in items.partitions]


def _means(items: RepresentativeItems, points: Singles) -> Singles:
    """Return the mean of the rows nearest to each point; a point without any stays where it is."""
    sums, sizes = np.zeros(points.shape), np.zeros(len(points), dtype=np.int64)
    jobs = _jobs(items, points)
    for found in results_in_order(sum_rows, jobs, client=items.client, n_jobs=items.n_jobs):
        sums[found.present] += found.sums
        sizes[found.present] += found.sizes
    with_rows = sizes > 0
    means = points.copy()
    means[with_rows] = sums[with_rows] / sizes[with_rows, None]
    return means


@dataclass(frozen=True)
class _Sums:
    """Sums of the rows of a part that are nearest to the same point."""

    present: Positions  # (p,), the points that rows are nearest to
    sizes: Positions  # (p,)
    sums: npt.NDArray[np.float64]  # (p, d)


def sum_rows(job: tuple[Any, Any, Singles, Singles, int]) -> _Sums:
    """Add up the rows of a part that are nearest to the same point."""
    members = RowAssigner.of(job)
    chosen, _ = members.assign_rows()
    order = np.argsort(chosen, kind="stable")
    present, begins, sizes = np.unique(chosen[order], return_index=True, return_counts=True)
    rows = members.frame.rows(members.part)[order].astype(np.float64)
    return _Sums(present, sizes, np.add.reduceat(rows, begins, axis=0))
