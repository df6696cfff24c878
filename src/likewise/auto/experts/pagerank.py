"""Random walks on the neighbour graph: where somebody who starts at an item ends up."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from likewise.auto.experts.base import Array, Opinion, Positions, Seeds, by_likeness
from likewise.items import Matrix

_DENSE = 1000  # up to so many items all walks are computed at once
_TOLERANCE = 1e-4
_MOST_ROUNDS = 200


class PersonalisedPageRank:
    """An item is like a seed as likely as a walk from it is to end there.

    At every step the walk goes on with probability `going_on` to a neighbour, a likelier one the
    more alike the two are; it ends otherwise. So R = (1 − a)(I − a D⁻¹W)⁻¹, label spreading with
    its rows summing to one. A walk that hardly goes on sees the nearest neighbours only; a long
    one follows the shape of whole groups.
    """

    def __init__(self, graph: Matrix, *, going_on: float) -> None:
        self.going_on = going_on
        self.degree = np.maximum(np.asarray(graph.sum(axis=1)).ravel(), 1e-300)
        root = np.sqrt(self.degree)
        scale = sp.diags_array(1 / root)
        self._symmetric = sp.csr_matrix(scale @ sp.csr_matrix(graph) @ scale)
        self._root = root
        n = graph.shape[0]
        self._all: Array | None = None
        if n <= _DENSE:
            between = np.linalg.inv(np.eye(n) - going_on * self._symmetric.toarray())
            self._all = (1 - going_on) * between * root[None, :] / root[:, None]
        self._ends: dict[int, Array] = {}

    def opinion(self, seeds: Seeds) -> Opinion:
        """Groups by where walks that end at a seed would end."""
        return by_likeness(self.ends_at(seeds.items), seeds, floor=1.0 / len(self.degree))

    def ends_at(self, items: Positions) -> Array:  # (n, len(items))
        """The chance that a walk from each item ends at the given ones."""
        if self._all is not None:
            return self._all[:, items]
        for item in items.tolist():
            if item not in self._ends:
                start = np.zeros(len(self.degree))
                start[item] = 1.0
                self._ends[item] = self._solve(start)
        return np.stack([self._ends[item] for item in items.tolist()], axis=1)

    def gathered(self, amount: Array) -> Array:  # (n,) -> (n,)
        """How much of an amount spread over the items arrives at each when all of it walks."""
        if self._all is not None:
            return np.asarray(self._all.T @ amount)
        return np.asarray(self.degree * self._solve(amount / self.degree))

    def _solve(self, right: Array) -> Array:
        """R times a vector, by conjugate gradients on the symmetric form of the system."""
        b = (1 - self.going_on) * self._root * right
        x = np.zeros_like(b)
        residual, direction = b.copy(), b.copy()
        size = float(residual @ residual)
        enough = _TOLERANCE**2 * size
        for _ in range(_MOST_ROUNDS):
            if size <= enough:
                break
            moved = direction - self.going_on * (self._symmetric @ direction)
            step = size / float(direction @ moved)
            x += step * direction
            residual -= step * moved
            size, before = float(residual @ residual), size
            direction = residual + (size / before) * direction
        return np.asarray(np.maximum(x / self._root, 0.0))
