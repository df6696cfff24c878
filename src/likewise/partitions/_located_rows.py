"""Rows that a journal knows, found again among those of all parts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from likewise.partitions._assignments import RowAssigner
from likewise.partitions._local_kmeans import Singles
from likewise.partitions.partition import checked_features

Positions = npt.NDArray[np.int64]


@dataclass(frozen=True)
class SoughtRows:
    """Rows as a journal knows them: what each held, and its name where rows have names."""

    digests: tuple[bytes, ...]
    ids: tuple[str, ...] | None


@dataclass(frozen=True)
class FoundRows:
    """The rows of a part that were sought or are shown; of equal ones the first."""

    positions: Positions  # (s,), ascending
    by_id: Positions  # (s,), which of those sought has the row's name; -1: none
    by_digest: Positions  # (s,), which of those sought held what the row holds; -1: none
    points: Singles  # (s, d)
    digests: npt.NDArray[np.uint8]  # (s, 16)


def find_rows(job: tuple[RowAssigner, SoughtRows]) -> FoundRows:
    """Look for rows in a part."""
    members, sought = job
    X = checked_features(members.part)
    digests = members.part.digests(X)
    by_digest = _places(digests, sought.digests)
    by_id = np.full(len(X), -1, dtype=np.int64)
    if sought.ids is not None:
        wanted = {name: place for place, name in enumerate(sought.ids)}
        by_id[:] = [wanted.get(name, -1) for name in members.ids()]
    for found in (by_id, by_digest):
        _keep_first(found)
    is_shown = np.zeros(len(X), dtype=bool)
    is_shown[members.shown[:, 0]] = True
    positions = np.flatnonzero((by_id >= 0) | (by_digest >= 0) | is_shown)
    points = members.frame.centred(X[positions])
    return FoundRows(positions, by_id[positions], by_digest[positions], points, digests[positions])


def _places(digests: npt.NDArray[np.uint8], sought: Sequence[bytes]) -> Positions:
    """Return for every digest its place among those sought, -1 if it has none."""
    wanted: dict[bytes, int] = {}
    for place, one in enumerate(sought):
        wanted.setdefault(one, place)
    places = np.full(len(digests), -1, dtype=np.int64)
    # By their first halves, which are numbers, so that few have to be looked at.
    halves = np.array([int.from_bytes(one[:8], "little") for one in wanted], dtype=np.uint64)
    likely = np.flatnonzero(np.isin(np.ascontiguousarray(digests).view("<u8")[:, 0], halves))
    places[likely] = [wanted.get(digests[k].tobytes(), -1) for k in likely.tolist()]
    return places


def _keep_first(found: Positions) -> None:
    """Leave out all but the first row of each that was sought."""
    rows = np.flatnonzero(found >= 0)
    _, first = np.unique(found[rows], return_index=True)
    again = np.ones(len(rows), dtype=bool)
    again[first] = False
    found[rows[again]] = -1


def locate(found: Sequence[FoundRows], n_sought: int) -> Positions:  # (n_sought, 2)
    """Return part and number in `FoundRows` of every row sought; -1 where it is gone.

    By name, and by what it held where that is gone or there are no names.
    """
    places = np.full((n_sought, 2), -1, dtype=np.int64)
    taken: set[tuple[int, int]] = set()
    for by in ("by_id", "by_digest"):
        for part, one in enumerate(found):
            of = getattr(one, by)
            for row in np.flatnonzero(of >= 0).tolist():
                wanted = int(of[row])
                if places[wanted, 0] < 0 and (part, row) not in taken:
                    places[wanted] = part, row
                    taken.add((part, row))
    return places
