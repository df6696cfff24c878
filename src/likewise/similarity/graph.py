"""The similarities measured so far, as a sparse graph."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[Any]  # positions, of 32 or 64 bits

# The weight of a measured similarity of 0. An edge without weight would leave the graph
# disconnected, and its second eigenvector arbitrary.
MIN_WEIGHT = 1e-6
CLOSED = 1 << 30  # in place of how often a pair was measured: it is not to be offered again


@dataclass(frozen=True, eq=False)
class SimilarityGraph:
    """An immutable symmetric graph in compressed sparse rows, columns ascending.

    A pair that is unavailable is there with weight 0: known, but without effect.

    Parameters
    ----------
    starts : ndarray of shape (n + 1,)
        Where the entries of each row begin.
    columns, weights, times : ndarray of shape (2 pairs,)
        Of each entry the column, the similarity, and how often it was measured.
    component : ndarray of shape (n,)
        Every item's connected component, named by its first item.
    """

    starts: Ints  # (n + 1,)
    columns: Ints  # (2 pairs,), 32 bits
    weights: Floats  # (2 pairs,)
    times: Ints  # (2 pairs,), how often measured
    component: Ints  # (n,)

    @classmethod
    def of(cls, n: int, i: Ints, j: Ints, weights: Floats, times: Ints) -> SimilarityGraph:
        """Build the graph of pairs (i, j), each given once."""
        rows, columns = np.concatenate([i, j]), np.concatenate([j, i])
        order = np.lexsort([columns, rows])
        starts = np.zeros(n + 1, dtype=np.int64)
        np.cumsum(np.bincount(rows, minlength=n), out=starts[1:])
        graph = cls(
            starts,
            columns[order].astype(np.int32),
            np.tile(np.asarray(weights, dtype=np.float64), 2)[order],
            np.tile(np.asarray(times, dtype=np.int64), 2)[order],
            np.zeros(n, dtype=np.int64),
        )
        return replace(graph, component=_components(graph))

    @property
    def n(self) -> int:
        """How many items there are."""
        return len(self.starts) - 1

    @property
    def n_known(self) -> int:
        """How many pairs were measured or found to be unavailable."""
        return len(self.columns) // 2

    @property
    def connected(self) -> bool:
        """Whether every item can be reached from every other."""
        return not self.component.any()

    def at(self, i: int, j: int) -> int | None:
        """Return where the entry (i, j) is kept, None if nothing is known of the pair."""
        low, high = self.starts[i], self.starts[i + 1]
        place = int(low + np.searchsorted(self.columns[low:high], j))
        return place if place < high and self.columns[place] == j else None

    def with_pair(self, i: int, j: int, weight: float, times: int) -> SimilarityGraph:
        """Return the graph after a measurement of one pair."""
        known = self.at(i, j)
        if known is not None:
            both = np.array([known, self.at(j, i)])
            weights, counts = self.weights.copy(), self.times.copy()
            weights[both], counts[both] = weight, times
            graph = replace(self, weights=weights, times=counts)
        else:
            i, j = min(i, j), max(i, j)
            places = [
                int(self.starts[a] + np.searchsorted(self._row(a), b)) for a, b in ((i, j), (j, i))
            ]
            starts = self.starts.copy()
            starts[i + 1 :] += 1
            starts[j + 1 :] += 1
            graph = replace(
                self,
                starts=starts,
                columns=_with_two(self.columns, places, j, i),
                weights=_with_two(self.weights, places, weight, weight),
                times=_with_two(self.times, places, times, times),
            )
        return graph._joined(i, j) if weight > 0 else graph

    def with_closed(self, i: int, j: int, *, joined: bool = False) -> SimilarityGraph:
        """Return the graph with a pair that is not to be offered again.

        `joined` connects the components of its items, as if it had been measured.
        """
        known = self.at(i, j)
        weight = 0.0 if known is None else float(self.weights[known])
        graph = self.with_pair(i, j, weight, CLOSED)
        return graph._joined(i, j) if joined else graph

    def _joined(self, i: int, j: int) -> SimilarityGraph:
        """Return the graph with the components of two items joined."""
        one, other = sorted((int(self.component[i]), int(self.component[j])))
        if one == other:
            return self
        return replace(self, component=np.where(self.component == other, one, self.component))

    def pairs(self) -> tuple[Ints, Ints, Ints]:
        """Return every known pair once: i < j, and where its entry is kept."""
        rows = np.repeat(np.arange(self.n), np.diff(self.starts))
        upper = np.flatnonzero(rows < self.columns)
        return rows[upper], self.columns[upper].astype(np.int64), upper

    def restricted(self, items: Ints) -> SimilarityGraph:
        """Return the subgraph of some items, given in ascending order."""
        if len(items) == self.n:
            return self
        position = np.full(self.n, -1)
        position[items] = np.arange(len(items))
        i, j, at = self.pairs()
        inside = (position[i] >= 0) & (position[j] >= 0)
        i, j, at = i[inside], j[inside], at[inside]
        return SimilarityGraph.of(
            len(items), position[i], position[j], self.weights[at], self.times[at]
        )

    def chained(self) -> SimilarityGraph:
        """Return a connected graph: components chained by edges of `MIN_WEIGHT`, in order."""
        graph = self
        if not self.connected:
            firsts = np.unique(self.component)
            i, j, at = self.pairs()
            real = self.weights[at] > 0
            i, j, weights = i[real], j[real], self.weights[at][real]
            graph = SimilarityGraph.of(
                self.n,
                np.concatenate([i, firsts[:-1]]),
                np.concatenate([j, firsts[1:]]),
                np.concatenate([weights, np.full(len(firsts) - 1, MIN_WEIGHT)]),
                np.ones(len(i) + len(firsts) - 1, dtype=np.int64),
            )
        return graph

    def open_pair(self, rank: int) -> tuple[int, int]:
        """Return the pair of that rank, in lexical order, among those of which nothing is known."""
        rows = np.repeat(np.arange(self.n), np.diff(self.starts))
        known = np.bincount(rows[rows < self.columns], minlength=self.n)
        before = np.cumsum(np.arange(self.n - 1, -1, -1) - known)
        i = int(np.searchsorted(before, rank, side="right"))
        rank -= int(before[i - 1]) if i else 0
        row = self._row(i)
        taken = row[row > i].astype(np.int64) - i - 1  # as offsets behind i
        # Behind offset k of the taken ones there are k fewer open ones.
        j = rank + int(np.searchsorted(taken - np.arange(len(taken)), rank, side="right"))
        return i, i + 1 + j

    def _row(self, i: int) -> Ints:
        """Return the columns of one row."""
        return self.columns[self.starts[i] : self.starts[i + 1]]


def _with_two(
    entries: npt.NDArray[Any], places: list[int], one: float, other: float
) -> npt.NDArray[Any]:
    """Return the entries with two more, each before the entry at its place; they do not coincide.

    As `numpy.insert`, which takes several times as long for so few.
    """
    longer = np.empty(len(entries) + 2, dtype=entries.dtype)
    low, high = places
    longer[:low], longer[low] = entries[:low], one
    longer[low + 1 : high + 1], longer[high + 1] = entries[low:high], other
    longer[high + 2 :] = entries[high:]
    return longer


def _components(graph: SimilarityGraph) -> Ints:
    """Return the first item of every item's connected component, by edges of positive weight."""
    n, tied = graph.n, graph.weights > 0
    rows = np.repeat(np.arange(n), np.diff(graph.starts))[tied]
    matrix = sp.csr_matrix((graph.weights[tied], (rows, graph.columns[tied])), (n, n))
    _, component = connected_components(matrix, directed=False)
    first = np.full(component.max() + 1, n)
    np.minimum.at(first, component, np.arange(n))
    return np.asarray(first[component])
