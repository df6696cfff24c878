"""The shortest way from one item to another over links: what proves that they are the same, or not.

The search goes breadth first from both items at the same time, whole steps at once as arrays: the
representative of a large group has thousands of links.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

_Ints = npt.NDArray[np.int64]
_Flags = npt.NDArray[np.bool_]


@dataclass(slots=True)
class _Side:
    """What was reached from one end of a proof.

    A place is twice an item, plus one where a "different" link lies between the item and the
    first item of the proof.
    """

    backwards: bool  # from the last item of the proof
    reached_in: _Ints  # by place: the number of the latest search that has come there
    by_link: _Ints  # by place: the link over which it has
    front: _Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    ahead: slice | _Ints = field(
        default_factory=lambda: slice(0)
    )  # which of the links by item touch the front
    used: int | _Ints = 0  # the last bit of the place that each of them touches
    n_ahead: int = 0  # how many they are


class LinkGraph:
    """Links between items, numbered by their age, and the shortest proofs that they give.

    Parameters
    ----------
    n_items : int
        How many items there are.
    ends : array of int, shape (n_links, 2)
        The items of every link, oldest first.
    differ : array of bool, shape (n_links,)
        Whether a link says that its items are different.

    Attributes
    ----------
    n_looked_at : int
        How many links were looked at so far: what proofs have cost.
    """

    def __init__(self, n_items: int, ends: _Ints, differ: _Flags) -> None:
        self.n_looked_at = 0
        self._ends, self._differ = ends, differ
        self._both = ends.sum(axis=1)
        # By item, then by age: the links that touch it, twice the item at the other end of each,
        # and whether they differ.
        by_item = np.lexsort((np.tile(np.arange(len(ends)), 2), ends.T.ravel()))
        self._touching = by_item % max(len(ends), 1)
        self._beyond = 2 * ends[:, ::-1].T.ravel()[by_item]
        self._differing = differ[self._touching]
        self._n_touching = np.bincount(ends.ravel(), minlength=n_items)
        self._end = np.cumsum(self._n_touching)  # of an item's links among `_touching`
        self._sides = [
            _Side(backwards, np.zeros(2 * n_items, np.int64), np.zeros(2 * n_items, np.int64))
            for backwards in (False, True)
        ]
        self._n_searches = 0

    def ends_of(self, link: int) -> tuple[int, int]:
        """Return the items of a link."""
        a, b = self._ends[link].tolist()
        return a, b

    def shortest_proof(self, start: int, goal: int, differ: bool, before: int) -> list[int]:
        """Return the fewest links that prove start = goal or, with `differ`, start ≠ goal.

        Only links with numbers below `before` count; there must be a proof among them. One of
        difference uses exactly one "different" link.
        """
        self._n_searches += 1
        for side, place in zip(self._sides, (2 * start, 2 * goal + differ), strict=True):
            side.front = np.array([place])
            side.reached_in[place], side.by_link[place] = self._n_searches, -1
            self._look_ahead(side, before)
        while True:
            # Always where there is less to look at. Only links that count are counted: else a
            # later answer would change which of two equally short proofs is found.
            side, other = self._sides
            if other.n_ahead < side.n_ahead:
                side, other = other, side
            met = self._step(side, other, before)
            if met is not None:
                forwards, backwards = (self._way(one, met) for one in self._sides)
                return forwards[::-1] + backwards
            assert len(side.front), "there is a proof"

    def _step(self, side: _Side, other: _Side, before: int) -> int | None:
        """Move the front of a side one link on; return a place that the other had reached."""
        self.n_looked_at += side.n_ahead
        links, differ = self._touching[side.ahead], self._differing[side.ahead]
        there = self._beyond[side.ahead] + (side.used ^ differ)
        # A second "different" link proves nothing; backwards it is the first that is missing.
        allowed = ~differ | (side.used == side.backwards)
        # Until now nothing was reached from both ends, so every meeting is a shortest way.
        for k in (other.reached_in[there] == self._n_searches).nonzero()[0].tolist():
            if allowed[k]:
                side.by_link[there[k]] = links[k]
                return int(there[k])
        allowed &= side.reached_in[there] != self._n_searches
        links, there = links[allowed], there[allowed]
        side.by_link[there] = links
        side.front = there[side.by_link[there] == links]  # each once: by the link that was noted
        side.reached_in[there] = self._n_searches
        self._look_ahead(side, before)
        return None

    def _look_ahead(self, side: _Side, before: int) -> None:
        """Find the links below `before` that touch the front of a side."""
        items = side.front >> 1
        if len(items) == 1:
            end = int(self._end[items[0]])
            begin = end - int(self._n_touching[items[0]])
            side.n_ahead = int(self._touching[begin:end].searchsorted(before))
            side.ahead, side.used = slice(begin, begin + side.n_ahead), int(side.front[0]) & 1
            return
        counts = self._n_touching[items]
        # Runs of links, one behind the other: where each begins, less what came before it.
        shift = self._end[items] - counts.cumsum()
        at = np.arange(counts.sum()) + shift.repeat(counts)
        counted = self._touching[at] < before
        side.ahead, side.used = at[counted], (side.front & 1).repeat(counts)[counted]
        side.n_ahead = int(counted.sum())

    def _way(self, side: _Side, place: int) -> list[int]:
        """Return the links from a place back to where the search began."""
        links = []
        while (link := int(side.by_link[place])) >= 0:
            links.append(link)
            item = int(self._both[link]) - (place >> 1)
            place = 2 * item + ((place & 1) ^ int(self._differ[link]))
        return links
