"""Sparse neighbour graphs: symmetric, and in one piece."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

from likewise.errors import MethodError
from likewise.items import Matrix

# A bridge between two pieces of the graph weighs at least this share of the mean edge: enough for
# the eigenvectors to be defined, too little to pull two clusters together.
_BRIDGE = 1e-3

Nearest = Callable[
    [npt.NDArray[np.int64], npt.NDArray[np.int64]], tuple[int, int, float]
]  # members of a piece, all other items -> the closest two items and the weight of their edge


def neighbour_count(n_neighbours: float, n_items: int) -> int:
    """Return how many neighbours an item has: a number, or a share of the items when below 1.

    >>> neighbour_count(20, 500), neighbour_count(0.1, 500), neighbour_count(20, 5)
    (20, 50, 4)
    """
    if not n_neighbours > 0 or (n_neighbours > 1 and n_neighbours != int(n_neighbours)):
        raise MethodError(
            "n_neighbours must be a share of the items below 1, a whole number of at least 1 "
            f"or None, not {n_neighbours}"
        )
    wanted = n_neighbours * n_items if n_neighbours < 1 else n_neighbours
    return min(max(round(wanted), 1), n_items - 1)


def symmetric_graph(
    neighbours: npt.NDArray[np.int64],  # (n, k) positions
    weights: npt.NDArray[np.float64],  # (n, k)
) -> sp.csr_matrix:
    """Return the graph in which two items are joined when either is a neighbour of the other."""
    n, k = neighbours.shape
    directed = sp.csr_matrix(
        (weights.ravel(), neighbours.ravel(), np.arange(0, n * k + 1, k)), shape=(n, n)
    )
    directed.sort_indices()
    graph = sp.csr_matrix(directed.maximum(directed.T))
    graph.setdiag(0)
    graph.eliminate_zeros()
    return graph


def bridge_components(graph: sp.csr_matrix, nearest: Nearest) -> sp.csr_matrix:
    """Return the graph with its pieces joined by their closest items, so that it hangs together.

    In each round every piece but the largest is tied to whatever lies closest to it: at most
    log₂(pieces) rounds, n² distances in all when there are many small pieces.
    """
    n_pieces, piece = connected_components(graph, directed=False)
    floor = _BRIDGE * (graph.data.mean() if graph.nnz else 1.0)
    while n_pieces > 1:
        largest = np.bincount(piece).argmax()
        rows, columns, weights = [], [], []
        for name in range(n_pieces):
            if name != largest:
                inside = piece == name
                a, b, weight = nearest(np.flatnonzero(inside), np.flatnonzero(~inside))
                rows.append(a)
                columns.append(b)
                weights.append(max(weight, floor))
        bridges = sp.csr_matrix((weights, (rows, columns)), shape=graph.shape)
        graph = sp.csr_matrix(graph.maximum(bridges).maximum(bridges.T))
        n_pieces, piece = connected_components(graph, directed=False)
    return graph


def with_bridged_components(affinity: Matrix) -> Matrix:
    """Join the components of a given affinity matrix by weak edges between their hubs."""
    if not sp.issparse(affinity) and float(np.min(affinity)) > 0:
        return affinity
    degree = np.asarray(affinity.sum(axis=1)).ravel()

    def hubs(
        inside: npt.NDArray[np.int64], outside: npt.NDArray[np.int64]
    ) -> tuple[int, int, float]:
        return int(inside[degree[inside].argmax()]), int(outside[degree[outside].argmax()]), 0.0

    n_pieces, _ = connected_components(affinity, directed=False)
    if n_pieces == 1:
        return affinity
    joined = bridge_components(sp.csr_matrix(affinity), hubs)
    return joined if sp.issparse(affinity) else np.asarray(joined.todense())
