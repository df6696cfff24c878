"""What single link would make of one more link, found without joining everything again.

One more link changes nothing of what was joined before it first mattered. A "different" matters
when its two items would be joined; a "same" when something is to be joined to one of them that
differs from the other, or when there is one cluster less to join. So the spanning forest is kept
contracted to a few sizes, each with half the nodes of the one before it, and an answer is assumed
in the smallest one in which it has not mattered yet: there are few nodes left, and few edges
between them.
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
    """The consequences of one more link for a fitted `SingleLink`.

    Parameters
    ----------
    fitted : SingleLink
        The clustering.
    must_link, cannot_link : ndarray of shape (m, 2)
        The links it was fitted with.
    """

    def __init__(self, fitted: SingleLink, must_link: PairArray, cannot_link: PairArray) -> None:
        self._n_clusters = fitted.n_clusters
        self._labels = fitted.labels_
        self._n_before = _pairs_within(fitted.labels_)
        tree = fitted.edges_[fitted.tree_]
        node = joined(len(fitted.labels_), must_link)
        self._contracted = [_ContractedGraph.of(node, fitted, cannot_link)]
        n_begin = n_left = self._contracted[0].n_nodes
        while n_left > max(2 * self._n_clusters, n_begin - len(tree) + 1):
            n_left = max(n_left // 2, n_begin - len(tree) + 1)
            smaller = self._contracted[-1].after(tree, fitted.tree_, n_begin - n_left)
            self._contracted.append(smaller)

    def change(self, i: int, j: int, *, same: bool) -> float:
        """Return 1 − the Jaccard index of the clusters now and with one more link."""
        graph, after = self._replay(i, j, same=same)
        both = _pairs_within(self._labels[graph.first] * graph.n_nodes + after, graph.sizes)
        either = self._n_before + _pairs_within(after, graph.sizes) - both
        return 1.0 - (both / either if either else 1.0)

    def clusters(self, i: int, j: int, *, same: bool) -> Labels:  # (n,)
        """Return the cluster of every item with one more link."""
        graph, after = self._replay(i, j, same=same)
        return np.asarray(after[graph.node])

    def _replay(self, i: int, j: int, *, same: bool) -> tuple[_ContractedGraph, Labels]:
        """Return the smallest graph in which the link has not mattered, and its nodes' clusters."""
        from likewise.clusterers.linkage._kernels import spanning_forest

        for graph in reversed(self._contracted):
            a, b = int(graph.node[i]), int(graph.node[j])
            if a != b and not (same and graph.are_different(a, b)):
                break
        link = np.array([[a, b]], dtype=np.int64)
        must, cannot = link[:0], graph.cannot_link
        if same:
            must = link
        else:
            cannot = np.concatenate([cannot, link])
        clusters = spanning_forest(graph.n_nodes, graph.edges, must, cannot, self._n_clusters)[0]
        return graph, clusters


@dataclass(frozen=True)
class _ContractedGraph:
    """The graph when some edges of the forest have been used: what was joined is one node."""

    node: Labels  # (n,), 0 .. n_nodes - 1
    first: Labels  # (n_nodes,): the first item of each
    sizes: Labels  # (n_nodes,)
    edges: PairArray  # between nodes, those that come next first
    numbers: Labels  # of these edges among all
    cannot_link: PairArray  # between nodes, the smaller number first
    cannot_link_keys: frozenset[int]

    @property
    def n_nodes(self) -> int:
        """How many nodes there are."""
        return len(self.first)

    def are_different(self, a: int, b: int) -> bool:
        """Return whether a cannot-link is between two nodes."""
        return min(a, b) * self.n_nodes + max(a, b) in self.cannot_link_keys

    @classmethod
    def of(cls, node: Labels, fitted: SingleLink, cannot_link: PairArray) -> _ContractedGraph:
        """Build the graph before any edge is used; must-linked items are one node."""
        numbers = np.arange(len(fitted.edges_))
        return cls._build(node, fitted.edges_, numbers, cannot_link, node)

    def after(self, tree: PairArray, tree_numbers: Labels, n_used: int) -> _ContractedGraph:
        """Contract the first so many edges of the spanning forest."""
        later = self.numbers > tree_numbers[n_used - 1]
        node = joined(self.n_nodes, self.node[tree[:n_used]])
        edges, numbers = self.edges[later], self.numbers[later]
        return self._build(node[self.node], edges, numbers, self.cannot_link, node)

    @classmethod
    def _build(
        cls,
        node: Labels,
        edges: PairArray,
        numbers: Labels,
        cannot_link: PairArray,
        renamed: Labels,
    ) -> _ContractedGraph:
        """Rename the nodes of edges and links, and drop edges that have become redundant."""
        first, sizes = np.unique(node, return_index=True, return_counts=True)[1:]
        n_nodes = len(first)
        edges, cannot_link = renamed[edges], renamed[cannot_link]
        between = edges[:, 0] != edges[:, 1]
        edges, numbers = edges[between], numbers[between]
        if len(edges) > _CROWDED * n_nodes**2:
            # Two nodes that the first edge between them did not join are never joined.
            once = np.sort(np.unique(pair_keys(edges, n_nodes), return_index=True)[1])
            edges, numbers = edges[once], numbers[once]
        keys = np.unique(pair_keys(cannot_link, n_nodes))
        cannot_link = np.column_stack(np.divmod(keys, n_nodes))
        known = frozenset(keys.tolist())
        return cls(node, first, sizes, np.ascontiguousarray(edges), numbers, cannot_link, known)


def joined(n_nodes: int, pairs: PairArray) -> Labels:  # (n_nodes,)
    """Return the number of every node's cluster when these pairs are joined.

    >>> joined(4, np.array([[0, 2]]))
    array([0, 1, 0, 2])
    """
    ones = np.ones(len(pairs), dtype=np.int8)
    graph = sp.csr_matrix((ones, (pairs[:, 0], pairs[:, 1])), shape=(n_nodes, n_nodes))
    return np.asarray(connected_components(graph, directed=False)[1], dtype=np.int64)


def _pairs_within(clusters: Labels, sizes: Labels | None = None) -> int:
    """Count the pairs of items that share a cluster, given each node's cluster and size."""
    if clusters.max() > _FEW:
        clusters = np.unique(clusters, return_inverse=True)[1]
    counts = np.bincount(clusters, weights=sizes).astype(np.int64)
    return int((counts * (counts - 1) // 2).sum())
