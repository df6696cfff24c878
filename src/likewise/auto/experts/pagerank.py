"""Personalised PageRank on the neighbour graph as an expert."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import LinearOperator, cg

from likewise.auto.experts.base import Array, Positions, Prediction, Seeds, predict_by_sums
from likewise.auto.experts.group_sums import GroupSums
from likewise.items import Matrix

_DENSE = 1000  # up to so many items the whole matrix R is computed at once
_TOLERANCE = 1e-4
_MAX_ITERATIONS = 200


class PersonalisedPageRank:
    """Takes the PageRank of a seed, personalised to an item, as the similarity of the two.

    A random walk from the item continues with probability `damping` to a neighbour, drawn in
    proportion to the affinity, and stops otherwise; R[i, j] is the probability that a walk from i
    stops at j. So R = (1 - a)(I - a D⁻¹W)⁻¹, which is label spreading with rows that sum to one.

    Parameters
    ----------
    graph : array or sparse matrix of shape (n, n)
        The symmetric affinity W of neighbours.
    damping : float between 0 and 1
        The continuation probability a. Near 0 only the nearest neighbours count; near 1 the walk
        follows the shape of whole groups.

    References
    ----------
    Page, Brin, Motwani and Winograd, "The PageRank citation ranking", 1999. Zhou, Bousquet, Lal,
    Weston and Schölkopf, "Learning with local and global consistency", 2004 (label spreading).
    """

    def __init__(self, graph: Matrix, *, damping: float) -> None:
        self.damping = damping
        self.degree = np.maximum(np.asarray(graph.sum(axis=1)).ravel(), 1e-300)
        root = np.sqrt(self.degree)
        scale = sp.diags_array(1 / root)
        self._symmetric = sp.csr_matrix(scale @ sp.csr_matrix(graph) @ scale)
        self._root = root
        n = graph.shape[0]
        self._matrix: Array | None = None  # R
        if n <= _DENSE:
            between = np.linalg.inv(np.eye(n) - damping * self._symmetric.toarray())
            self._matrix = (1 - damping) * between * root[None, :] / root[:, None]
        self._columns: dict[int, Array] = {}  # of R, of items asked for before
        self._sums = GroupSums(self._column, n)

    def predict(self, seeds: Seeds) -> Prediction:
        """Share each item among the groups by where its walks stop."""
        sums = np.ascontiguousarray(self._sums(seeds).T)
        own = np.array([self._column(item)[item] for item in seeds.items.tolist()])
        return predict_by_sums(sums, own, seeds, pseudo_count=1.0 / len(self.degree))

    def one_step(self, items: Positions, values: sp.csr_matrix) -> Array:
        """Return what the neighbours of some items have of `values`, (n, m), weighted by affinity.

        The rows are not normalised, and neighbours with many neighbours count less.
        """
        return np.asarray((self._symmetric[items] @ values).todense())

    def pagerank_of(self, items: Positions) -> Array:  # (len(items), n)
        """Return columns of R, as rows: the PageRank of some items, personalised to each item."""
        if self._matrix is not None:
            return np.ascontiguousarray(self._matrix[:, items].T)
        return np.stack([self._column(item) for item in items.tolist()])

    def reach(self, items: Positions) -> tuple[Array, float]:
        """Return how likely walks from each item stop at some items.

        And what walks that stop at one of them find there on average: its PageRank.
        """
        total, squares = np.zeros(len(self.degree)), 0.0
        for item in items.tolist():
            column = self._column(item)
            total += column
            squares += float(column @ column)
        return total, squares / float(total.sum())

    def _column(self, item: int) -> Array:  # (n,)
        """Return a column of R."""
        if self._matrix is not None:
            return self._matrix[:, item]
        if item not in self._columns:
            unit = np.zeros(len(self.degree))
            unit[item] = 1.0
            self._columns[item] = self._solve(unit)
        return self._columns[item]

    def pagerank_from(self, restart: Array) -> Array:  # (n,) -> (n,)
        """Return the PageRank of all items for a vector of restart weights, Rᵀ times it."""
        if self._matrix is not None:
            return np.asarray(self._matrix.T @ restart)
        return np.asarray(self.degree * self._solve(restart / self.degree))

    def _solve(self, right: Array) -> Array:
        """Multiply R with a vector, by conjugate gradients on the symmetric form of the system."""
        b = (1 - self.damping) * self._root * right
        operator = LinearOperator(
            (len(b), len(b)), lambda x: x - self.damping * (self._symmetric @ x), dtype=np.float64
        )
        x, _ = cg(operator, b, rtol=_TOLERANCE, atol=0.0, maxiter=_MAX_ITERATIONS)
        return np.asarray(np.maximum(x / self._root, 0.0))
