"""Dendrograms: clusters as contiguous spans of one order of the items."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from likewise.clusterers.links import Labels


@dataclass(frozen=True)
class ContiguousClusters:
    """Clusters by number, each of them a span of one order of all items."""

    sizes: Labels  # of every cluster
    order: Labels  # (n,): all items, so ordered that the members of any cluster are contiguous
    begin: Labels  # where in the order a cluster begins

    @staticmethod
    def by_label(labels: Labels) -> ContiguousClusters:
        """Return the clusters of labels 0, 1, ….

        >>> ContiguousClusters.by_label(np.array([1, 0, 1])).members(1)
        array([0, 2])
        """
        sizes = np.bincount(labels)
        return ContiguousClusters(
            sizes, np.argsort(labels, kind="stable"), np.cumsum(sizes) - sizes
        )

    def span(self, cluster: int) -> slice:
        """Return where in the order a cluster stands."""
        begin = int(self.begin[cluster])
        return slice(begin, begin + int(self.sizes[cluster]))

    def members(self, cluster: int) -> Labels:
        """Return the items of a cluster."""
        return np.asarray(self.order[self.span(cluster)])


@dataclass(frozen=True)
class Dendrogram(ContiguousClusters):
    """A tree of merges: 0 to n − 1 are the items, n + t is what the t-th merge made."""

    pairs: Sequence[tuple[int, int]]  # the two clusters of each merge

    @classmethod
    def of(cls, n_items: int, pairs: Sequence[tuple[int, int]]) -> Dendrogram:
        """Order the items as the leaves of the tree; what was never merged follows each other.

        >>> merges = Dendrogram.of(4, [(3, 1), (2, 4)])
        >>> merges.members(4), merges.members(5)
        (array([3, 1]), array([2, 3, 1]))
        """
        # Lists, not arrays: a loop reads their elements several times as fast.
        size = [1] * n_items
        for a, b in pairs:
            size.append(size[a] + size[b])
        sizes, whole = np.array(size), _roots(n_items, pairs)
        begin = np.zeros(len(size), dtype=np.int64)
        begin[whole] = np.cumsum(sizes[whole]) - sizes[whole]
        first = begin.tolist()
        for (a, b), at in zip(reversed(pairs), range(len(size) - 1, -1, -1), strict=False):
            first[a], first[b] = first[at], first[at] + size[a]
        order = np.empty(n_items, dtype=np.int64)
        order[first[:n_items]] = np.arange(n_items)
        return cls(sizes, order, np.array(first), pairs)

    @classmethod
    def from_edges(cls, n_items: int, edges: Iterable[Sequence[int]]) -> Dendrogram:
        """Merge along the edges in their order; one within a cluster joins nothing."""
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

    def roots(self) -> list[int]:
        """Return the clusters that are no part of a larger one."""
        return [int(k) for k in _roots(len(self.order), self.pairs)]


def _roots(n_items: int, pairs: Sequence[tuple[int, int]]) -> Labels:
    is_part = np.zeros(n_items + len(pairs), dtype=bool)
    is_part[np.ravel(np.array(pairs, dtype=np.int64))] = True
    return np.flatnonzero(~is_part)
