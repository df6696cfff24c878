"""Connections: how much of the neighbour graph runs between two parts of a pile."""

from __future__ import annotations

from functools import cached_property

import numpy as np
import scipy.sparse as sp

from likewise.auto.experts.base import Array, Positions
from likewise.auto.experts.ward_tree import WardTree
from likewise.items import Matrix

_DEGREE = 10.0  # what the weights of an item's edges sum to on average, after scaling


class Connections:
    """Weights of edges between parts, beside what parts that join at such a height usually have.

    Ward's height goes by means alone. Two parts whose means are as far apart as those of two others
    may still be more of one piece: more items of the one have their neighbours in the other. The
    connection of a and b is log((w + ½) / (min(d_a, d_b) + 1)), with w the weight of the edges
    between them and d of all edges of each; its excess is over what a straight line through all
    joins of the tree says for their height.

    Parameters
    ----------
    graph : array or sparse matrix of shape (n, n)
        The affinity of neighbours.
    tree : WardTree
        Of the pile.
    """

    def __init__(self, graph: Matrix, tree: WardTree) -> None:
        self.tree = tree
        edges = sp.coo_matrix(graph)
        weights = edges.data / max(float(edges.data.sum()) / (_DEGREE * edges.shape[0]), 1e-300)
        self._edges = edges.row.astype(np.int64), edges.col.astype(np.int64), weights
        self._degree = np.bincount(edges.row, weights, minlength=edges.shape[0])

    @cached_property
    def of_joins(self) -> Array:  # (joins,)
        """The excess between the two sides of each join."""
        return self._of_joins - self._usual(self.tree.log_heights[self.tree.n_leaves :])

    def weights(self, labels: Positions, n_parts: int) -> Array:  # (parts, parts)
        """Return the weight of all edges between parts of the pile, and within them."""
        row, column, weight = self._edges
        cells = labels[row] * n_parts + labels[column]
        sums = np.bincount(cells, weight, minlength=n_parts**2).astype(np.float64)
        return sums.reshape(n_parts, n_parts)

    def excess(self, weight: Array, degree: Array, other: Array, log_heights: Array) -> Array:
        """Return the excess between parts with these weights, degrees and joining heights."""
        return _connection(weight, degree, other) - self._usual(log_heights)

    def _usual(self, log_heights: Array) -> Array:
        """Return the connection that parts joining at these heights usually have."""
        level, slope, middle = self._line
        return np.asarray(level + slope * (log_heights - middle))

    @cached_property
    def _line(self) -> tuple[float, float, float]:
        """Level, slope and middle of the straight line through all joins."""
        heights = self.tree.log_heights[self.tree.n_leaves :]
        middle, level = float(heights.mean()), float(self._of_joins.mean())
        away = heights - middle
        slope = float(away @ (self._of_joins - level)) / max(float(away @ away), 1e-12)
        return level, slope, middle

    @cached_property
    def _of_joins(self) -> Array:  # (joins,)
        """The connection of the two sides of each join."""
        tree = self.tree
        row, column, weight = self._edges
        once = tree.leaf[row] < tree.leaf[column]
        weight = weight[once]
        node, aim = tree.leaf[row[once]], tree.begin[tree.leaf[column[once]]]
        total = np.zeros(len(tree.parent))
        while len(node):
            found = (tree.begin[node] <= aim) & (aim < tree.end[node])
            total += np.bincount(node[found], weight[found], minlength=len(total))
            node, aim, weight = tree.parent[node[~found]], aim[~found], weight[~found]
        degree = np.zeros(len(tree.parent))
        np.add.at(degree, tree.leaf, self._degree)
        for join, (a, b) in enumerate(tree.children.tolist(), start=tree.n_leaves):
            degree[join] = degree[a] + degree[b]
        one, other = degree[tree.children.T]
        return _connection(total[tree.n_leaves :], one, other)


def _connection(weight: Array, degree: Array, other: Array) -> Array:
    return np.asarray(np.log((weight + 0.5) / (np.minimum(degree, other) + 1)))
