"""Where groups could fall in two: a tree of evidence in each, and what every cut would break."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import breadth_first_order

from likewise.beliefs.votes import Flags, Floats, Ints


class CutTree:
    """A tree per group, along evidence for "same", from the item with most of it.

    Taking away the edge above an item cuts off all items below it. With the items of each group
    connected by evidence for "same", every item is in a tree.

    Parameters
    ----------
    labels : array of int, shape (n,)
        The groups.
    ends : array of int, shape (n_pairs, 2)
        The pairs about which something is known.
    odds : array of float, shape (n_pairs,)
        The log odds that each is the same.

    Attributes
    ----------
    cut : array of float, shape (n,)
        The summed log odds between the items cut off above each item and the rest of its group;
        infinite for the first item of a group.
    size : array of int, shape (n,)
        How many items would be cut off.
    """

    def __init__(self, labels: Ints, ends: Ints, odds: Floats) -> None:
        inside = labels[ends[:, 0]] == labels[ends[:, 1]]
        n, self.ends = len(labels), ends[inside]
        self.inside = inside
        self._grow(n, labels, self.ends[odds[inside] > 0])
        self.lowest_common = self._lowest_common(*self.ends.T)
        a, b = self.ends.T
        crossing: Floats = np.zeros(n)
        crossing += np.bincount(a, odds[inside], n) + np.bincount(b, odds[inside], n)
        crossing -= 2 * np.bincount(self.lowest_common, odds[inside], n)
        self.cut = self.summed_below(crossing)
        self.cut[self.parent == np.arange(n)] = np.inf
        self.size = self.summed_below(np.ones(n)).astype(np.int64)

    def below(self, item: int) -> Flags:  # (n,)
        """Return which items are cut off together with this one."""
        found = np.zeros(len(self.parent), dtype=bool)
        found[item] = True
        for level in self._levels:
            found[level] |= found[self.parent[level]]
        return found

    def summed_between(self, values: Floats) -> Floats:  # (number of pairs inside groups,)
        """Return for every pair inside a group the sum of values over the edges between the two."""
        total = values.copy()
        total[self.parent == np.arange(len(values))] = 0.0
        for level in self._levels[1:]:
            total[level] += total[self.parent[level]]
        a, b = self.ends.T
        between: Floats = total[a] + total[b] - 2 * total[self.lowest_common]
        return between

    def _grow(self, n: int, labels: Ints, links: Ints) -> None:
        """Set the parent and the depth of every item, breadth first from each group's centre."""
        degree = np.bincount(links.ravel(), minlength=n)
        order = np.lexsort((-degree, labels))
        centres = order[np.unique(labels[order], return_index=True)[1]]
        # One search for all groups: from a root that is linked to each centre.
        a = np.concatenate([links[:, 0], np.full(len(centres), n)])
        b = np.concatenate([links[:, 1], centres])
        graph = sp.csr_matrix((np.ones(len(a)), (a, b)), shape=(n + 1, n + 1))
        parent = breadth_first_order(graph, n, directed=False)[1]
        self.parent = parent[:n].astype(np.int64)
        self.parent[centres] = centres
        self.depth, here = np.zeros(n, dtype=np.int64), np.arange(n)
        while (climbs := self.parent[here] != here).any():
            self.depth += climbs
            here = self.parent[here]
        by_depth = np.argsort(self.depth, kind="stable")
        bounds = np.searchsorted(self.depth[by_depth], np.arange(self.depth.max(initial=0) + 2))
        self._levels = [by_depth[a:b] for a, b in pairwise(bounds)]

    def _lowest_common(self, a: Ints, b: Ints) -> Ints:
        a, b = a.copy(), b.copy()
        while len(apart := np.flatnonzero(a != b)):
            deeper = self.depth[a[apart]] >= self.depth[b[apart]]
            a_up, b_up = apart[deeper], apart[~deeper]
            a[a_up], b[b_up] = self.parent[a[a_up]], self.parent[b[b_up]]
        return a

    def summed_below(self, values: Floats) -> Floats:  # (n,)
        """Return for every item the sum of values over all that would be cut off with it."""
        total = np.asarray(values, dtype=np.float64).copy()
        for level in self._levels[:0:-1]:
            np.add.at(total, self.parent[level], total[level])
        return total
