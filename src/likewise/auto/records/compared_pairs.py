"""The pairs of records that were compared so far, and what is known of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

from likewise.clusterers.links import LinkedGroups
from likewise.features.records import Records

Floats = npt.NDArray[np.float64]
Pairs = npt.NDArray[np.int64]  # (m, 2), i < j
Levels = npt.NDArray[np.int64]  # (m, columns)

_LARGEST = 30  # records of a group of which all pairs are compared


@dataclass(frozen=True)
class ComparedPairs:
    """Pairs in ascending order, with the levels at which their cells agree.

    Parameters
    ----------
    records : Records
        The rows.
    pairs : ndarray of shape (m, 2)
        The smaller position first.
    levels : ndarray of shape (m, columns)
        How their cells agree.
    """

    records: Records
    pairs: Pairs
    levels: Levels

    @classmethod
    def near(cls, records: Records) -> ComparedPairs:
        """Return the pairs that blocking has found."""
        return cls(records, records.pairs, records.levels)

    def __len__(self) -> int:
        return len(self.pairs)

    def with_pairs(self, pairs: Pairs) -> ComparedPairs:
        """Return these and some more, compared now unless they are here already."""
        n = len(self.records)
        wanted = np.unique(np.sort(pairs, axis=1), axis=0) if len(pairs) else pairs
        known = self.pairs[:, 0] * n + self.pairs[:, 1]
        keys = wanted[:, 0] * n + wanted[:, 1] if len(wanted) else np.empty(0, dtype=np.int64)
        new = wanted[~np.isin(keys, known)] if len(wanted) else wanted
        if not len(new):
            return self
        keys = np.concatenate([known, new[:, 0] * n + new[:, 1]])
        order = np.argsort(keys, kind="stable")
        levels = np.vstack([self.levels, self.records.compare(new)])
        return ComparedPairs(self.records, np.vstack([self.pairs, new])[order], levels[order])

    def closed(self, likely: npt.NDArray[np.bool_]) -> ComparedPairs:
        """Return these and all pairs of records that a chain of likely ones ties together."""
        n = len(self.records)
        i, j = self.pairs[likely].T
        graph = sp.csr_matrix((np.ones(len(i)), (i, j)), shape=(n, n))
        component = connected_components(graph, directed=False)[1]
        order = np.argsort(component, kind="stable")
        sizes = np.bincount(component)
        more = []
        for end, size in zip(np.cumsum(sizes).tolist(), sizes.tolist(), strict=True):
            if 2 < size <= _LARGEST:
                members = np.sort(order[end - size : end])
                a, b = np.triu_indices(size, 1)
                more.append(np.column_stack([members[a], members[b]]))
        return self.with_pairs(np.vstack(more)) if more else self

    def known(self, links: LinkedGroups) -> Floats:  # (m,)
        """Return 1 for pairs known to be the same, 0 for those known to differ, nan for others."""
        found = np.full(len(self.pairs), np.nan)
        a, b = links.group[self.pairs].T
        linked = np.flatnonzero((a >= 0) & (b >= 0))
        same = a[linked] == b[linked]
        found[linked[same]] = 1.0
        decided = links.decide(a[linked], b[linked])
        found[linked[decided & ~same]] = 0.0
        return found

    def position(self, i: int, j: int) -> int | None:
        """Return where a pair is; None where it was not compared."""
        n = len(self.records)
        key = min(i, j) * n + max(i, j)
        keys = self.pairs[:, 0] * n + self.pairs[:, 1]
        at = int(np.searchsorted(keys, key))
        return at if at < len(keys) and keys[at] == key else None
