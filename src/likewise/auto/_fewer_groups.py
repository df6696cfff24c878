"""The number of groups at its word: groups are joined until there are no more than were given."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from likewise.auto.experts.base import Array
from likewise.auto.parts import log_height
from likewise.clusterers.links import Labels, LinkedGroups

_MAX_STEPS = 5000  # of the search; what is not found by then is not looked for


def at_most_groups(labels: Labels, most: int, links: LinkedGroups, points: Array) -> Labels:
    """Join groups so that at most so many are left, none of them with two items that differ.

    The largest groups stay; each of the others joins the one that Ward's linkage would join it to
    first, of those it is not known to differ from. One that differs from all of them stays instead
    of the smallest. Which groups may be joined is the colouring of a graph: where that way leads
    nowhere, it is searched for one, and choices are taken back.

    Parameters
    ----------
    labels : ndarray of shape (n,)
        Groups, numbered from 0, that contradict no link.
    most : int
        How many may be left.
    links : LinkedGroups
        The answers, closed under transitivity.
    points : ndarray of shape (n, d)
        Coordinates of the items.

    Returns
    -------
    ndarray of shape (n,)
        Groups, numbered from 0; as they were where the answers leave no such grouping, or none is
        found in 5000 steps.

    Examples
    --------
    >>> points = np.array([[0.0], [0.1], [1.0], [9.0], [9.1]])
    >>> at_most_groups(np.array([0, 0, 1, 2, 2]), 2, LinkedGroups.none(5), points)
    array([0, 0, 0, 1, 1])
    """
    n_groups = int(labels.max()) + 1
    if n_groups <= most:
        return labels
    sizes = np.bincount(labels).astype(np.float64)
    means = np.stack([np.bincount(labels, column) for column in points.T], axis=1) / sizes[:, None]
    heights = log_height(means[:, None], sizes[:, None], means[None], sizes[None])
    differ = _differing(labels, n_groups, links)
    found = _around_largest(differ, sizes, heights, most)
    if found is None:
        found = _Search(differ, sizes, heights, most).run()
    if found is not None:
        return np.unique(found[labels], return_inverse=True)[1].astype(np.int64)
    # A group may hold linked items that nothing relates but that cannot stay together once there
    # are fewer groups: then what is linked is joined anew, piece by piece.
    apart = labels * (links.n_groups + 1) + links.group + 1
    pieces = np.unique(apart, return_inverse=True)[1].astype(np.int64)
    if pieces.max() == labels.max():
        return labels
    smaller = at_most_groups(pieces, most, links, points)
    return smaller if smaller.max() < most else labels


def _differing(labels: Labels, n_groups: int, links: LinkedGroups) -> npt.NDArray[np.bool_]:
    """Return which groups hold items that are known to differ, (n_groups, n_groups)."""
    apart = np.zeros((n_groups, n_groups), dtype=bool)
    of_linked = np.array([labels[members[0]] for members in links.members], dtype=np.int64)
    rows, columns = links.differ.nonzero()
    apart[of_linked[rows], of_linked[columns]] = True
    return apart


def _around_largest(
    differ: npt.NDArray[np.bool_], sizes: Array, heights: Array, most: int
) -> Labels | None:
    """Return which group each one joins where the largest stay; None if they cannot.

    Odd items differ from many groups and have the fewest choices. Were they to choose first, as in
    a search for any colouring, each would keep a number that a large group then goes without.

    >>> differ = np.zeros((4, 4), dtype=bool)
    >>> differ[0, 1] = differ[1, 0] = differ[0, 2] = differ[2, 0] = True
    >>> _around_largest(differ, np.array([1.0, 9, 8, 7]), 1.0 - np.eye(4), 3)
    array([3, 1, 2, 3])
    """
    by_size = np.argsort(-sizes, kind="stable").tolist()
    must_stay: list[int] = []
    while len(must_stay) <= most:
        largest = [group for group in by_size if group not in must_stay]
        stay = must_stay + largest[: most - len(must_stay)]
        colour, stuck = _joining_nearest(differ, sizes, heights, stay)
        if stuck is None:
            return colour
        must_stay.append(stuck)
    return None


def _joining_nearest(
    differ: npt.NDArray[np.bool_], sizes: Array, heights: Array, stay: list[int]
) -> tuple[Labels, int | None]:
    """Return which of those that stay each group joins, and one that can join none, if any.

    Those with the fewest choices left are the first to choose, of them the largest.
    """
    colour = np.full(len(sizes), -1, dtype=np.int64)
    colour[stay] = stay
    excluded = differ[:, stay]  # (groups, those that stay)
    by_size = np.argsort(-sizes, kind="stable")
    n_excluded = excluded.sum(axis=1)
    while (colour < 0).any():
        left = by_size[colour[by_size] < 0]
        group = int(left[n_excluded[left].argmax()])
        if n_excluded[group] == len(stay):
            return colour, group
        nearest = int(np.where(excluded[group], np.inf, heights[group, stay]).argmin())
        colour[group] = stay[nearest]
        n_excluded += differ[group] & ~excluded[:, nearest]
        excluded[:, nearest] |= differ[group]
    return colour, None


class _Search:
    """Colours groups, known to differ or not, with at most so many colours.

    A colour is named by the first group that has it.
    """

    def __init__(
        self, differ: npt.NDArray[np.bool_], sizes: Array, heights: Array, most: int
    ) -> None:
        self.differ, self.sizes, self.heights, self.most = differ, sizes, heights, most
        self.colour = np.full(len(sizes), -1, dtype=np.int64)
        self._n_steps = 0

    def run(self) -> Labels | None:
        """Return the colours; None if none were found."""
        stack = [iter(self._choices(self._next()))]
        chosen = [self._next()]
        while stack:
            self._n_steps += 1
            if self._n_steps > _MAX_STEPS:
                return None
            group = chosen[-1]
            self.colour[group] = -1
            colour = next(stack[-1], None)
            if colour is None:
                stack.pop()
                chosen.pop()
                continue
            self.colour[group] = colour
            if (self.colour >= 0).all():
                return self.colour
            chosen.append(self._next())
            stack.append(iter(self._choices(chosen[-1])))
        return None

    def _excluded(self) -> npt.NDArray[np.bool_]:  # (groups, groups)
        """Return which colours each group cannot have."""
        excluded = np.zeros_like(self.differ)
        coloured = np.flatnonzero(self.colour >= 0)
        np.logical_or.at(excluded.T, self.colour[coloured], self.differ[coloured])
        return excluded

    def _next(self) -> int:
        """Return the group without a colour that most are excluded for, the largest of them."""
        n_excluded = self._excluded().sum(axis=1)
        order = np.lexsort((-self.sizes, -n_excluded, self.colour >= 0))
        return int(order[0])

    def _choices(self, group: int) -> list[int]:
        """Return the colours for a group: its own while there may be more, then the nearest."""
        colours = np.unique(self.colour[self.colour >= 0])
        open_ones = colours[~self._excluded()[group, colours]]
        nearest = open_ones[np.argsort(self.heights[group, open_ones], kind="stable")].tolist()
        return [group, *nearest] if len(colours) < self.most else nearest
