"""Who was joined with whom: clusters that grew by merging, each a stretch of one line of items."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from likewise.clusterers.base import Labels


@dataclass(frozen=True)
class Merges:
    """Clusters by number: 0 to n − 1 are the items, n + t is what the t-th merge made."""

    pairs: Sequence[tuple[int, int]]  # the two clusters of each merge
    sizes: Labels  # of every cluster
    line: Labels  # (n,): all items, so ordered that the members of any cluster stand together
    first: Labels  # where in the line a cluster begins

    @classmethod
    def of(cls, n_items: int, pairs: Sequence[tuple[int, int]]) -> Merges:
        """Put the items in line; what was never merged stands side by side.

        >>> merges = Merges.of(4, [(3, 1), (2, 4)])
        >>> merges.members(4), merges.members(5)
        (array([3, 1]), array([2, 3, 1]))
        """
        n_clusters = n_items + len(pairs)
        sizes = np.ones(n_clusters, dtype=np.int64)
        is_part = np.zeros(n_clusters, dtype=bool)
        for made, (a, b) in enumerate(pairs, start=n_items):
            sizes[made] = sizes[a] + sizes[b]
            is_part[a] = is_part[b] = True
        whole = np.flatnonzero(~is_part)
        first = np.zeros(n_clusters, dtype=np.int64)
        first[whole] = np.cumsum(sizes[whole]) - sizes[whole]
        for made in range(n_clusters - 1, n_items - 1, -1):
            a, b = pairs[made - n_items]
            first[a], first[b] = first[made], first[made] + sizes[a]
        line = np.empty(n_items, dtype=np.int64)
        line[first[:n_items]] = np.arange(n_items)
        return cls(pairs, sizes, line, first)

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

    def stretch(self, cluster: int) -> slice:
        """Where in the line a cluster stands."""
        begin = int(self.first[cluster])
        return slice(begin, begin + int(self.sizes[cluster]))

    def members(self, cluster: int) -> Labels:
        """The items of a cluster."""
        return np.asarray(self.line[self.stretch(cluster)])
