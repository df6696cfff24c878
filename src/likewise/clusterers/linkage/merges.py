"""Clusters as stretches of one line of items, and who was joined with whom to make them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from likewise.clusterers.links import Labels


@dataclass(frozen=True)
class Stretches:
    """Clusters by number, none of which has to leave the line to stand together."""

    sizes: Labels  # of every cluster
    line: Labels  # (n,): all items, so ordered that the members of any cluster stand together
    first: Labels  # where in the line a cluster begins

    @staticmethod
    def by_label(labels: Labels) -> Stretches:
        """Clusters side by side, by their labels 0, 1, ….

        >>> Stretches.by_label(np.array([1, 0, 1])).members(1)
        array([0, 2])
        """
        sizes = np.bincount(labels)
        return Stretches(sizes, np.argsort(labels, kind="stable"), np.cumsum(sizes) - sizes)

    def stretch(self, cluster: int) -> slice:
        """Where in the line a cluster stands."""
        begin = int(self.first[cluster])
        return slice(begin, begin + int(self.sizes[cluster]))

    def members(self, cluster: int) -> Labels:
        """The items of a cluster."""
        return np.asarray(self.line[self.stretch(cluster)])


@dataclass(frozen=True)
class Merges(Stretches):
    """Clusters by number: 0 to n − 1 are the items, n + t is what the t-th merge made."""

    pairs: Sequence[tuple[int, int]]  # the two clusters of each merge

    @classmethod
    def of(cls, n_items: int, pairs: Sequence[tuple[int, int]]) -> Merges:
        """Put the items in line; what was never merged stands side by side.

        >>> merges = Merges.of(4, [(3, 1), (2, 4)])
        >>> merges.members(4), merges.members(5)
        (array([3, 1]), array([2, 3, 1]))
        """
        # Lists, not arrays: a loop reads their elements several times as fast.
        size = [1] * n_items
        for a, b in pairs:
            size.append(size[a] + size[b])
        sizes, whole = np.array(size), _no_part(n_items, pairs)
        begin = np.zeros(len(size), dtype=np.int64)
        begin[whole] = np.cumsum(sizes[whole]) - sizes[whole]
        first = begin.tolist()
        for (a, b), at in zip(reversed(pairs), range(len(size) - 1, -1, -1), strict=False):
            first[a], first[b] = first[at], first[at] + size[a]
        line = np.empty(n_items, dtype=np.int64)
        line[first[:n_items]] = np.arange(n_items)
        return cls(sizes, line, np.array(first), pairs)

    @classmethod
    def along(cls, n_items: int, edges: Iterable[Sequence[int]]) -> Merges:
        """The merges of joining the ends of edges; one within a cluster joins nothing."""
        cluster_of = list(range(n_items))  # of a root
        parent = list(range(n_items))

        def root(item: int) -> int:
            while parent[item] != item:
                parent[item] = parent[parent[item]]
                item = parent[item]
            return item

        pairs: list[tuple[int, int]] = []
        for i, j in edges:
            a, b = root(i), root(j)
            if a != b:
                pairs.append((cluster_of[a], cluster_of[b]))
                parent[b] = a
                cluster_of[a] = n_items + len(pairs) - 1
        return cls.of(n_items, pairs)

    def whole(self) -> list[int]:
        """The clusters that are no part of a larger one."""
        return [int(k) for k in _no_part(len(self.line), self.pairs)]


def _no_part(n_items: int, pairs: Sequence[tuple[int, int]]) -> Labels:
    is_part = np.zeros(n_items + len(pairs), dtype=bool)
    is_part[np.ravel(np.array(pairs, dtype=np.int64))] = True
    return np.flatnonzero(~is_part)
