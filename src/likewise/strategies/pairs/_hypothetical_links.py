"""What single link would make of one more link, found without joining everything again.

One more link changes nothing of what was joined before it first mattered. A "different" matters
when its two items would be joined; a "same" when something is to be joined to one of them that must
stay apart from the other, or when there is one cluster less to join. So the forest is kept at a few
stages, each with half the clusters of the one before it, and an answer is supposed of the last
stage at which it has not mattered yet: there are few nodes left, and few edges between them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

from likewise.clusterers.linkage.single_link import SingleLink
from likewise.clusterers.links import Labels, pair_keys

PairArray = npt.NDArray[np.int64]  # (m, 2)

_FEW = 50_000  # numbers of clusters: counting all, the unused too, is quicker than sorting
_CROWDED = 1 / 8  # edges over nodes squared: beyond it, many edges join the same two nodes


class HypotheticalLinks:
    """The consequences of single answers for a fitted `SingleLink`, given the links it was fitted
    with."""

    def __init__(self, fitted: SingleLink, must_link: PairArray, cannot_link: PairArray) -> None:
        self._n_clusters = fitted.n_clusters
        self._labels = fitted.labels_
        self._n_before = _pairs_within(fitted.labels_)
        tree = fitted.edges_[fitted.tree_]
        self._stages = [_Stage.of(joined(len(fitted.labels_), must_link), fitted, cannot_link)]
        n_begin = n_left = self._stages[0].n_nodes
        while n_left > max(2 * self._n_clusters, n_begin - len(tree) + 1):
            n_left = max(n_left // 2, n_begin - len(tree) + 1)
            self._stages.append(self._stages[-1].after(tree, fitted.tree_, n_begin - n_left))

    def change(self, i: int, j: int, *, same: bool) -> float:
        """1 − the Jaccard index of the clusters now and if two items were the same, or not."""
        stage, after = self._replayed(i, j, same=same)
        both = _pairs_within(self._labels[stage.first] * stage.n_nodes + after, stage.sizes)
        either = self._n_before + _pairs_within(after, stage.sizes) - both
        return 1.0 - (both / either if either else 1.0)

    def clusters(self, i: int, j: int, *, same: bool) -> Labels:  # (n,)
        """The cluster of every item if two of them were the same, or not."""
        stage, after = self._replayed(i, j, same=same)
        return np.asarray(after[stage.node])

    def _replayed(self, i: int, j: int, *, same: bool) -> tuple[_Stage, Labels]:
        """The last stage at which the answer has not mattered, and the cluster of its nodes."""
        from likewise.clusterers.linkage._kernels import spanning_forest

        for stage in reversed(self._stages):
            a, b = int(stage.node[i]), int(stage.node[j])
            if a != b and not (same and stage.is_apart(a, b)):
                break
        supposed = np.array([[a, b]], dtype=np.int64)
        must, cannot = supposed[:0], stage.apart
        if same:
            must = supposed
        else:
            cannot = np.concatenate([cannot, supposed])
        return stage, spanning_forest(stage.n_nodes, stage.edges, must, cannot, self._n_clusters)[0]


@dataclass(frozen=True)
class _Stage:
    """The forest when some edges have been used: what was joined is one node."""

    node: Labels  # (n,), 0 .. n_nodes - 1
    first: Labels  # (n_nodes,): the first item of each
    sizes: Labels  # (n_nodes,)
    edges: PairArray  # between nodes, those that come next first
    numbers: Labels  # of these edges among all
    apart: PairArray  # nodes known to differ, the smaller number first
    apart_keys: frozenset[int]

    @property
    def n_nodes(self) -> int:
        return len(self.first)

    def is_apart(self, a: int, b: int) -> bool:
        return min(a, b) * self.n_nodes + max(a, b) in self.apart_keys

    @classmethod
    def of(cls, node: Labels, fitted: SingleLink, cannot_link: PairArray) -> _Stage:
        """At the beginning, when what the links tie together has been joined."""
        numbers = np.arange(len(fitted.edges_))
        return cls._with(node, fitted.edges_, numbers, cannot_link, node)

    def after(self, tree: PairArray, tree_numbers: Labels, n_used: int) -> _Stage:
        """When the first so many edges of the spanning forest have been used."""
        later = self.numbers > tree_numbers[n_used - 1]
        node = joined(self.n_nodes, self.node[tree[:n_used]])
        edges, numbers = self.edges[later], self.numbers[later]
        return self._with(node[self.node], edges, numbers, self.apart, node)

    @classmethod
    def _with(
        cls, node: Labels, edges: PairArray, numbers: Labels, apart: PairArray, renamed: Labels
    ) -> _Stage:
        """Edges and links between other nodes than these were, which have been renamed."""
        first, sizes = np.unique(node, return_index=True, return_counts=True)[1:]
        n_nodes = len(first)
        edges, apart = renamed[edges], renamed[apart]
        between = edges[:, 0] != edges[:, 1]
        edges, numbers = edges[between], numbers[between]
        if len(edges) > _CROWDED * n_nodes**2:
            # Two nodes that the first edge between them did not join stay apart for ever.
            once = np.sort(np.unique(pair_keys(edges, n_nodes), return_index=True)[1])
            edges, numbers = edges[once], numbers[once]
        keys = np.unique(pair_keys(apart, n_nodes))
        apart = np.column_stack(np.divmod(keys, n_nodes))
        known = frozenset(keys.tolist())
        return cls(node, first, sizes, np.ascontiguousarray(edges), numbers, apart, known)


def joined(n_nodes: int, pairs: PairArray) -> Labels:  # (n_nodes,)
    """The number of the cluster of every node when these pairs are joined."""
    ones = np.ones(len(pairs), dtype=np.int8)
    graph = sp.csr_matrix((ones, (pairs[:, 0], pairs[:, 1])), shape=(n_nodes, n_nodes))
    return np.asarray(connected_components(graph, directed=False)[1], dtype=np.int64)


def _pairs_within(clusters: Labels, sizes: Labels | None = None) -> int:
    """How many pairs of items share a cluster, given the cluster of every node and its size."""
    if clusters.max() > _FEW:
        clusters = np.unique(clusters, return_inverse=True)[1]
    counts = np.bincount(clusters, weights=sizes).astype(np.int64)
    return int((counts * (counts - 1) // 2).sum())
