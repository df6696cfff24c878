"""Answers about pairs spread to all pairs: F* = (1−α)² (I − αS)⁻¹ Z (I − αS)⁻¹.

Z holds the answers, 1 for "same" and −1 for "different"; S = D^-½ W D^-½ is the normalised graph.
Only the columns T of items that have answers take part: with G = (I − αS)⁻¹ restricted to them,
F* = (1−α)² G Z_TT Gᵀ. G is n × |T|; nothing of size n × n is written unless it is asked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy.linalg
import scipy.sparse as sp

from likewise.affinities.base import Links, Positions
from likewise.clusterers.links import checked_links
from likewise.items import Matrix

Floats = npt.NDArray[np.float64]

# Up to this size a dense factorisation is quicker than any iteration.
DENSE = 2000
_PRECISION = 1e-12  # of a column of G, relative
_CELLS = 2_000_000  # numbers held at a time beside G


def signed_links(n_items: int, must_link: Links, cannot_link: Links) -> sp.csr_matrix:
    """Return Z: symmetric, the mean of all votes on a pair; contradictory answers cancel out.

    >>> signed_links(3, [(0, 1), (1, 0)], [(1, 2), (0, 1)]).toarray().round(2)
    array([[ 0.  ,  0.33,  0.  ],
           [ 0.33,  0.  , -1.  ],
           [ 0.  , -1.  ,  0.  ]])
    """
    must = checked_links(must_link, n_items, "must_link")
    cannot = checked_links(cannot_link, n_items, "cannot_link")
    i, j = np.concatenate([must, cannot]).T
    sign = np.repeat([1.0, -1.0], [len(must), len(cannot)])
    ends = (np.concatenate([i, j]), np.concatenate([j, i]))
    total = sp.csr_matrix((np.concatenate([sign, sign]), ends), (n_items, n_items))
    votes = sp.csr_matrix((np.ones(2 * len(sign)), ends), (n_items, n_items))
    total.data /= votes.data
    return total


@dataclass(frozen=True)
class Propagated:
    """F* as a product: rows i and j of `left` and `right` give F*_ij = left_i · right_j."""

    left: Floats  # (n, m)
    right: Floats  # (n, m)

    def at(self, i: Positions, j: Positions) -> Floats:  # (p,)
        """Return F* of some pairs."""
        step = max(1, _CELLS // max(self.left.shape[1], 1))
        parts = [
            np.einsum("pm,pm->p", self.left[i[a : a + step]], self.right[j[a : a + step]])
            for a in range(0, len(i), step)
        ]
        return np.concatenate(parts) if parts else np.empty(0)

    def rows(self) -> Iterator[tuple[int, Floats]]:
        """Yield F* in blocks of whole rows, each with the position of its first."""
        n = len(self.left)
        step = max(1, _CELLS // n)
        for a in range(0, n, step):
            yield a, self.left[a : a + step] @ self.right.T

    def dense(self) -> Floats:  # (n, n)
        """Return all of F*."""
        scores = self.left @ self.right.T
        return np.asarray((scores + scores.T) / 2)


def propagate(affinity: Matrix, answers: sp.csr_matrix, alpha: float) -> Propagated:
    """Compute F* of the answers Z (symmetric, sparse) on the graph W, for 0 ≤ α < 1.

    An item without edges, or in a piece of the graph without answers, has scores of zero only.
    """
    linked = np.unique(answers.nonzero()[0])
    normalised = _normalised(affinity)
    start = np.zeros((affinity.shape[0], len(linked)))
    start[linked, np.arange(len(linked))] = 1.0
    if len(start) <= DENSE:
        whole = normalised.toarray() if sp.issparse(normalised) else normalised
        columns = scipy.linalg.solve(np.eye(len(start)) - alpha * whole, start, assume_a="pos")
    else:
        columns = _solve(normalised, start, alpha)
    among = answers[linked][:, linked]
    return Propagated((1.0 - alpha) ** 2 * np.asarray(columns @ among), columns)


def _normalised(affinity: Matrix) -> Matrix:
    """Return S, with rows of zeros for items without edges."""
    degree = np.asarray(affinity.sum(axis=1)).ravel()
    scale = np.where(degree > 0, 1.0 / np.sqrt(np.where(degree > 0, degree, 1.0)), 0.0)
    if sp.issparse(affinity):
        return sp.csr_matrix(sp.diags(scale) @ affinity @ sp.diags(scale))
    return scale[:, None] * affinity * scale


def _solve(normalised: Matrix, right: Floats, alpha: float) -> Floats:
    """Multiply (I − αS)⁻¹ by the columns of `right`, all of them at a time.

    Chebyshev's iteration: the eigenvalues of I − αS lie between 1 − α and 1 + α, so that the error
    falls by a known factor in each round (by one half at α = 0.8) and no inner products are needed.
    """
    if alpha == 0.0:
        return right
    solution = np.zeros_like(right)
    ratio = alpha
    rate = alpha / (1.0 + np.sqrt(1.0 - alpha**2))
    residual, step = right.copy(), right.copy()
    for _ in range(int(np.ceil(np.log(_PRECISION) / np.log(rate)))):
        solution += step
        residual -= step - alpha * np.asarray(normalised @ step)
        last, ratio = ratio, 1.0 / (2.0 / alpha - ratio)
        step = ratio * last * step + (2.0 * ratio / alpha) * residual
    return solution
