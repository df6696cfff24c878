"""Cuts of a graph that agree with constraints: the eigenproblem of Wang and Davidson (2010).

Of L v = λ (Q − cI) v only the eigenvectors with λ > 0 are wanted; L is the normalised Laplacian,
Q says who belongs together. With θ = 1/λ it reads (Q − cI) v = θ L v, which is symmetric. L has the
trivial cut v₀ as its null vector, so v₀ᵀ(Q − cI)v = 0: put into the equation, that leaves a problem
orthogonal to v₀, where L is positive. Hence all eigenvalues are real, and as many are positive as
those of Q − cI are (Sylvester's law; one less if v₀ᵀ(Q − cI)v₀ is): a few, the largest, which
Lanczos finds first.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import scipy.linalg
import scipy.sparse as sp
from scipy.sparse.linalg import LinearOperator, cg, eigsh

from likewise.clusterers.spectral.eigenvectors import LinkedGraph
from likewise.items import Matrix

_DENSE = 1500  # up to this size a dense solver is quicker
_MOST_WANTED = 64  # eigenvectors, in a large pile

Vector = npt.NDArray[np.float64]
Vectors = npt.NDArray[np.float64]  # (n, m), a cut in each column


class Cuts:
    """The cuts of one graph; what does not depend on the constraints is computed once."""

    def __init__(self, affinity: Matrix) -> None:
        degrees = np.asarray(affinity.sum(axis=1), dtype=np.float64).ravel()
        self.volume = float(degrees.sum())
        self.scale = 1.0 / np.sqrt(degrees)
        self.trivial = np.sqrt(degrees / self.volume)
        if sp.issparse(affinity):
            self._normal: Matrix = sp.csr_matrix(
                sp.diags(self.scale) @ affinity @ sp.diags(self.scale)
            )
        else:
            self._normal = self.scale[:, None] * affinity * self.scale
        self._white: tuple[Vectors, Vectors] | None = None

    def cost(self, v: Vectors) -> Vector:
        """Compute vᵀLv of each column."""
        return np.asarray((v * (v - self._normal @ v)).sum(axis=0))

    def agreeing(self, normal: LinkedGraph, c: float, possible: Vector) -> Vectors:
        """Find all v with L v = λ (Q − cI) v and λ > 0, each of length √volume; there may be none.

        In a large pile no more than those of the 64 smallest λ. `possible` are the `agreements`.
        """
        image = normal.times(self.trivial) - c * self.trivial
        share = float(self.trivial @ image)
        n_wanted = int((possible > c).sum()) - (share > 0)
        # With no share at all the trivial cut agrees exactly as much as is asked for.
        if n_wanted < 1 or abs(share) < 1e-12:
            return np.empty((len(image), 0))
        solve = self._dense if len(image) <= _DENSE else self._lanczos
        found = self._across(solve(normal, c, image, share, n_wanted))
        found = found - np.outer(self.trivial, image @ found / share)
        return np.asarray(found * (np.sqrt(self.volume) / np.linalg.norm(found, axis=0)))

    def _dense(
        self, normal: LinkedGraph, c: float, image: Vector, share: float, n_wanted: int
    ) -> Vectors:
        """Solve in coordinates in which L is the identity."""
        if self._white is None:
            n = len(image)
            root = scipy.linalg.cholesky(self._laplacian(np.eye(n)), lower=True)
            axes = scipy.linalg.solve_triangular(root, np.eye(n), lower=True).T
            across = self._across(axes)
            self._white = across, across.T @ across
        axes, squares = self._white
        touched, relations = _among_touched(normal)
        seen, aside = axes[touched], image @ axes
        matrix = seen.T @ relations @ seen - c * squares - np.outer(aside, aside / share)
        wanted = len(image) - n_wanted, len(image) - 1
        vectors = scipy.linalg.eigh(matrix, subset_by_index=wanted)[1]
        return np.asarray(axes @ vectors)

    def _lanczos(
        self, normal: LinkedGraph, c: float, image: Vector, share: float, n_wanted: int
    ) -> Vectors:
        """Solve with products of sparse matrices only."""
        n = len(image)

        def times(v: Vector) -> Vector:
            v = self._across(np.ravel(v))
            return self._across(normal.times(v) - c * v - image * (image @ v / share))

        left, right, inverse = (
            LinearOperator((n, n), matvec=matvec, dtype=np.float64)
            for matvec in (times, self._laplacian, self._solve)
        )
        v0 = np.random.default_rng(n).uniform(0.5, 1.5, n)  # fixed: equal input, equal output
        wanted = min(n_wanted, _MOST_WANTED)
        vectors = eigsh(left, k=wanted, M=right, Minv=inverse, which="LA", v0=v0, tol=1e-8)[1]
        return np.asarray(vectors)

    def _across(self, block: Vectors) -> Vectors:
        """Return the part of each column that is orthogonal to the trivial cut."""
        return np.asarray(block - np.multiply.outer(self.trivial, self.trivial @ block))

    def _laplacian(self, block: Vectors) -> Vectors:
        """Compute L v, with the trivial cut as an eigenvector of eigenvalue one."""
        along = np.multiply.outer(self.trivial, self.trivial @ block)
        return np.asarray(block - self._normal @ block + along)

    def _solve(self, b: Vector) -> Vector:
        """Return the inverse of `_laplacian`, by conjugate gradients."""
        operator = LinearOperator((len(b), len(b)), matvec=self._laplacian, dtype=np.float64)
        return np.asarray(cg(operator, np.ravel(b), rtol=1e-12, maxiter=10 * len(b))[0])


def agreements(normal: LinkedGraph) -> Vector:
    """Return the eigenvalues of Q, ascending, those of items that no link touches left out."""
    relations = _among_touched(normal)[1]
    return np.asarray(scipy.linalg.eigvalsh(relations))


def _among_touched(normal: LinkedGraph) -> tuple[npt.NDArray[np.int64], Vectors]:
    """Return the items that links touch, and Q among them."""
    touched = np.flatnonzero(normal.absolute_degrees() > 0)
    columns = np.zeros((len(normal.diagonal), len(touched)))
    columns[touched, np.arange(len(touched))] = 1.0
    return touched, np.asarray(normal.times(columns)[touched])
