"""Which representative stands for each row of a part, and which gives it its group.

To hold every row against every representative would take longer than finding them. To be counted,
rows are held against the centres of their own part, which are few, and then against the
representatives nearest to that centre. Groups they have by vote, as items of a large pile in memory
have them: `likewise.clusterers.representative_votes`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from likewise.clusterers.representative_votes import VOTERS, Regions, elect
from likewise.partitions._local_kmeans import CentredUnits, Singles, nearest_centres
from likewise.partitions.partition import Partition, checked_features

Positions = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

_CANDIDATES = 8  # representatives near a centre that its rows may belong to
_ROWS = 8192  # rows held against their candidates at a time


@dataclass(frozen=True)
class RowAssigner:
    """A part, its centres, and the representatives near each of these."""

    part: Partition
    frame: CentredUnits
    centres: Singles  # (m, d)
    candidates: Positions  # (m, some), the nearest first
    representatives: Singles  # (k, d), of the whole pile
    first: int  # the number of the part's first row among all
    # Rows that are shown for representatives: their positions in the part, and for which; (s, 2).
    shown: Positions = field(default_factory=lambda: np.empty((0, 2), dtype=np.int64))

    @classmethod
    def of(cls, job: tuple[Partition, CentredUnits, Singles, Singles, int]) -> RowAssigner:
        """Find the candidates."""
        part, frame, centres, representatives, first = job
        some = min(_CANDIDATES, len(representatives))
        squares = (representatives**2).sum(axis=1)
        size = max(1, 20_000_000 // len(representatives))
        found = []
        for start in range(0, len(centres), size):
            away = squares - 2.0 * (centres[start : start + size] @ representatives.T)
            near = np.argpartition(away, some - 1, axis=1)[:, :some]
            order = np.argsort(np.take_along_axis(away, near, axis=1), axis=1, kind="stable")
            found.append(np.take_along_axis(near, order, axis=1))
        return cls(part, frame, centres, np.vstack(found), representatives, first)

    def assign_rows(self) -> tuple[Positions, Singles]:  # (n_rows,), (n_rows,)
        """Return the representative of every row, and the square of its distance."""
        X = self.frame.rows(self.part)
        chosen = np.empty(len(X), dtype=np.int64)
        away = np.empty(len(X), dtype=np.float32)
        for start in range(0, len(X), _ROWS):
            rows = X[start : start + _ROWS]
            near = self.candidates[nearest_centres(rows, self.centres)]
            squares = ((self.representatives[near] - rows[:, None]) ** 2).sum(axis=2)
            best = squares.argmin(axis=1)
            everyone = np.arange(len(rows))
            chosen[start : start + _ROWS] = near[everyone, best]
            away[start : start + _ROWS] = squares[everyone, best]
        return chosen, away

    def elect_for_rows(
        self, regions: Regions, labels: Positions, confidence: Floats
    ) -> tuple[Positions, Floats]:  # (n_rows,), (n_rows,)
        """Return the representative whose group each row has by vote, and the group's share.

        A row that is shown for a representative was answered about: it has that one's.
        """
        found = regions.nearest(self.frame.rows(self.part), VOTERS)
        elected, share = elect(found, labels, confidence)
        rows, of = self.shown.T
        elected[rows], share[rows] = of, confidence[of]
        return elected, share

    def ids(self) -> list[str]:
        """Return the names of the rows, else their numbers among all."""
        named = self.part.ids()
        return named or [str(self.first + k) for k in range(self.part.n_rows)]


@dataclass(frozen=True)
class PartitionCounts:
    """How many rows of a part each representative stands for, and the nearest of them.

    Of those alone that stand for any: a part has rows near few of many representatives, and what
    all parts send back is held at once.
    """

    candidates: Positions  # (m, some), as of its `RowAssigner`
    present: Positions  # (p,), the representatives that stand for rows of it
    sizes: Positions  # (p,)
    nearest: Positions  # (p,), positions in the part
    away: Singles  # (p,), squares of the distances of those


def count_rows(job: tuple[Partition, CentredUnits, Singles, Singles, int]) -> PartitionCounts:
    """Assign the rows of a part."""
    members = RowAssigner.of(job)
    chosen, distance = members.assign_rows()
    order = np.lexsort((distance, chosen))
    present, at, sizes = np.unique(chosen[order], return_index=True, return_counts=True)
    nearest = order[at]
    return PartitionCounts(members.candidates, present, sizes, nearest, distance[nearest])


@dataclass(frozen=True)
class ShownRows:
    """What there is to know of the rows of a part that are shown for representatives."""

    ids: list[str]
    cells: list[Mapping[str, Any]] | None
    digests: list[bytes]


def describe_shown(members: RowAssigner) -> ShownRows:
    """Return names, cells and digests of the rows of a part that are shown."""
    positions = members.shown[:, 0].tolist()
    if not positions:
        return ShownRows([], [], [])
    part, ids = members.part, members.ids()
    digests = part.digests(checked_features(part))
    return ShownRows(
        [ids[k] for k in positions],
        part.rows(positions),
        [digests[k].tobytes() for k in positions],
    )
