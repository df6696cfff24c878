"""Rows that a journal knows, found again among those of all parts."""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from likewise.items.digests import Digests
from likewise.partitions._assignments import RowAssigner
from likewise.partitions._local_kmeans import Singles
from likewise.partitions.partition import checked_features

Positions = npt.NDArray[np.int64]
Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True)
class SoughtRows:
    """Rows as a journal knows them: what each held, and its name where rows have names.

    Several may hold the same, and names may repeat: the places of those that are alike are given
    together, ascending.
    """

    digests: tuple[bytes, ...]
    ids: tuple[str, ...] | None

    def by_digest(self) -> dict[bytes, list[int]]:
        """Return those that held the same."""
        return _alike(self.digests)

    def by_id(self) -> dict[str, list[int]]:
        """Return those of the same name."""
        return _alike(self.ids or ())

    def by_both(self) -> dict[tuple[str, bytes], list[int]]:
        """Return those of the same name that held the same."""
        return _alike(zip(self.ids or (), self.digests, strict=False))


def _alike(keys: Iterable[Key]) -> dict[Key, list[int]]:
    places: dict[Key, list[int]] = {}
    for place, key in enumerate(keys):
        places.setdefault(key, []).append(place)
    return places


@dataclass(frozen=True)
class FoundRows:
    """The rows of a part that were sought or are shown.

    Of rows that are alike, the first ones, as many as were sought; the first place of those sought
    stands for all that are alike.
    """

    positions: Positions  # (s,), ascending
    by_both: Positions  # (s,), which of those sought has name and content of the row; -1: none
    by_id: Positions  # (s,), the same of the name alone
    by_digest: Positions  # (s,), the same of the content alone
    points: Singles  # (s, d)
    digests: Digests  # (s, 16)


def find_rows(job: tuple[RowAssigner, SoughtRows]) -> FoundRows:
    """Look for rows in a part."""
    members, sought = job
    X = checked_features(members.part)
    digests = members.part.digests(X)
    held = sought.by_digest()
    by_digest = places_of(digests, held)
    by_id, by_both = (np.full(len(X), -1, dtype=np.int64) for _ in range(2))
    if sought.ids is not None:
        names, named, both = members.ids(), sought.by_id(), sought.by_both()
        by_id[:] = [_first(named, name) for name in names]
        for row in np.flatnonzero((by_digest >= 0) & (by_id >= 0)).tolist():
            by_both[row] = _first(both, (names[row], digests[row].tobytes()))
        _keep_as_many(by_both, both)
        _keep_as_many(by_id, named)
    _keep_as_many(by_digest, held)
    is_wanted = (by_both >= 0) | (by_id >= 0) | (by_digest >= 0)
    is_wanted[members.shown[:, 0]] = True
    at = np.flatnonzero(is_wanted)
    points = members.frame.centred(X[at])
    return FoundRows(at, by_both[at], by_id[at], by_digest[at], points, digests[at])


def _first(sought: dict[Key, list[int]], key: Key) -> int:
    """Return the place that stands for a key, -1 if it is not sought."""
    return sought[key][0] if key in sought else -1


def places_of(digests: Digests, sought: dict[bytes, list[int]]) -> Positions:
    """Return for every digest the place that stands for it, -1 if it is not sought."""
    places = np.full(len(digests), -1, dtype=np.int64)
    # By their first halves, which are numbers, so that few have to be looked at.
    halves = np.array([int.from_bytes(one[:8], "little") for one in sought], dtype=np.uint64)
    likely = np.flatnonzero(np.isin(np.ascontiguousarray(digests).view("<u8")[:, 0], halves))
    places[likely] = [_first(sought, digests[k].tobytes()) for k in likely.tolist()]
    return places


def _keep_as_many(found: Positions, sought: dict[Key, list[int]]) -> None:
    """Leave out rows beyond as many as there are sought of their kind."""
    left = {places[0]: len(places) for places in sought.values()}
    for row in np.flatnonzero(found >= 0).tolist():
        place = int(found[row])
        if left[place]:
            left[place] -= 1
        else:
            found[row] = -1


def locate(found: Sequence[FoundRows], sought: SoughtRows) -> Positions:  # (n_sought, 2)
    """Return part and number in `FoundRows` of every row sought; -1 where it is gone.

    By name and content together; then by name, since content may have changed; then by what it
    held, where its name is gone or there are no names.
    """
    places = np.full((len(sought.digests), 2), -1, dtype=np.int64)
    taken: set[tuple[int, int]] = set()
    for by, alike in (
        ("by_both", [*sought.by_both().values()]),
        ("by_id", [*sought.by_id().values()]),
        ("by_digest", [*sought.by_digest().values()]),
    ):
        left = {same[0]: deque(k for k in same if places[k, 0] < 0) for same in alike}
        for part, one in enumerate(found):
            of = getattr(one, by)
            for row in np.flatnonzero(of >= 0).tolist():
                waiting = left[int(of[row])]
                if waiting and (part, row) not in taken:
                    places[waiting.popleft()] = part, row
                    taken.add((part, row))
    return places
