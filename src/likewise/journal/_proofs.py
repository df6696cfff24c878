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
    n_ahead: int = 0  # links that touch the front


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
            side.front, side.n_ahead = np.array([place]), int(self._n_touching[place >> 1])
            side.reached_in[place], side.by_link[place] = self._n_searches, -1
        while True:
            # Always where there is less to look at.
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
        at, used = self._ahead(side, before)
        links, differ = self._touching[at], self._differing[at]
        there = self._beyond[at] + (used ^ differ)
        # A second "different" link proves nothing; backwards it is the first that is missing.
        allowed = ~differ | (used == side.backwards)
        if len(side.front) > 1:
            allowed &= links < before
        # Until now nothing was reached from both ends, so every meeting is a shortest way.
        for k in (other.reached_in[there] == self._n_searches).nonzero()[0].tolist():
            if allowed[k]:
                side.by_link[there[k]] = links[k]
                return int(there[k])
        allowed &= side.reached_in[there] != self._n_searches
        links, there = links[allowed], there[allowed]
        side.by_link[there] = links
        side.front = there[side.by_link[there] == links]  # each once: by the link that was noted
        side.n_ahead = int(self._n_touching[side.front >> 1].sum())
        side.reached_in[there] = self._n_searches
        return None

    def _ahead(self, side: _Side, before: int) -> tuple[slice | _Ints, int | _Ints]:
        """Return which of `_touching` touch the front of a side, and the last bit of where."""
        items = side.front >> 1
        if len(items) == 1:
            end = int(self._end[items[0]])
            begin = end - side.n_ahead
            end = begin + int(self._touching[begin:end].searchsorted(before))
            self.n_looked_at += end - begin
            return slice(begin, end), int(side.front[0]) & 1
        self.n_looked_at += side.n_ahead
        counts = self._n_touching[items]
        # Runs of links, one behind the other: where each begins, less what came before it.
        shift = self._end[items] - counts.cumsum()
        return np.arange(side.n_ahead) + shift.repeat(counts), (side.front & 1).repeat(counts)

    def _way(self, side: _Side, place: int) -> list[int]:
        """Return the links from a place back to where the search began."""
        links = []
        while (link := int(side.by_link[place])) >= 0:
            links.append(link)
            item = int(self._both[link]) - (place >> 1)
            place = 2 * item + ((place & 1) ^ int(self._differ[link]))
        return links
