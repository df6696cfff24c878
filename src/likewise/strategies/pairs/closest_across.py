"""The closest items of different clusters: do they really differ?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from likewise.strategies.base import View
from likewise.strategies.pairs.selection import OpenPairs, PairArray
from likewise.strategies.ranking import rounded

_BLOCK = 500  # items whose distances to all others are held at a time


class ClosestAcross:
    """The pair scorer of the closest two items of different clusters that are not known to differ.

    Neighbours in the graph come first, most of the time all that is needed; where none are left,
    all pairs of items. When all clusters are known to differ, the two items of one cluster that
    are farthest from each other are asked.

    References
    ----------
    Schild, Durantin, Lamirel and Miconi, "Iterative and semi-supervised design of chatbots using
    interactive clustering", 2022 (sampling of closest items in different clusters).
    """

    def __init__(self) -> None:
        self._edges: tuple[Any, PairArray] = (None, np.empty((0, 2), dtype=np.int64))

    def pairs(self, view: View, rng: np.random.Generator) -> Iterator[PairArray]:
        """Yield neighbours in different clusters, then others, then pairs within clusters."""
        open_pairs, labels = OpenPairs(view), view.clustering.labels_
        edges = self._by_distance(view)
        edges = edges[labels[edges[:, 0]] != labels[edges[:, 1]]]
        yield edges[open_pairs.among(edges)]
        yield _best_partners(view, open_pairs, labels, across=True)
        yield _best_partners(view, open_pairs, labels, across=False)

    def _by_distance(self, view: View) -> PairArray:
        """Return the edges of the graph, closest first, kept for as long as it stays the same."""
        affinity = view.affinity.affinity_
        if self._edges[0] is not affinity:
            self._edges = (affinity, edges_by_distance(view))
        return self._edges[1]


def edges_by_distance(view: View) -> PairArray:
    """Return all edges of the neighbour graph, the shortest first."""
    graph = sp.csr_matrix(view.affinity.affinity_)
    everyone = np.arange(graph.shape[0])
    found, lengths = [], []
    for start in range(0, len(everyone), _BLOCK):
        rows = everyone[start : start + _BLOCK]
        i, j = graph[rows].nonzero()
        once = rows[i] < j
        i, j = i[once], j[once]
        found.append(np.column_stack([rows[i], j]))
        lengths.append(view.distances(rows, everyone)[i, j])
    order = np.argsort(rounded(np.concatenate(lengths)), kind="stable")
    return np.concatenate(found)[order].astype(np.int64)


def _best_partners(
    view: View, open_pairs: OpenPairs, labels: npt.NDArray[np.int64], *, across: bool
) -> PairArray:
    """Pair every item with the closest of another cluster, or the farthest of its own."""
    everyone = np.arange(len(labels))
    found, lengths = [], []
    for start in range(0, len(everyone), _BLOCK):
        rows = everyone[start : start + _BLOCK]
        distance = view.distances(rows, everyone) * (1.0 if across else -1.0)
        wanted = ((labels[rows][:, None] != labels) == across) & open_pairs.with_all(rows)
        distance = np.where(wanted, distance, np.inf)
        best = distance.argmin(axis=1)
        found.append(np.column_stack([rows, best]))
        lengths.append(distance[np.arange(len(rows)), best])
    length = np.concatenate(lengths)
    some = np.flatnonzero(np.isfinite(length))
    if not len(some):
        return np.empty((0, 2), dtype=np.int64)
    order = np.argsort(rounded(length[some]), kind="stable")
    return np.concatenate(found)[some[order]]
