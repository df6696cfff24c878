"""The leading eigenvectors of the Laplacian of a similarity graph.

L = D − W or, normalised, I − D^-½ W D^-½.

References
----------
Wauthier, Jojic and Jordan, "Active spectral clustering via iterative uncertainty reduction", 2012,
eq. 3 (the Laplacian of what was measured) and 4 to 6 (its second eigenvector).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import eigsh

from likewise.similarity.graph import Floats, Ints, SimilarityGraph

# Up to this size a full decomposition is quicker than any iteration, and no start is needed.
SMALL = 128
# Up to this size a full decomposition is used where the iteration does not converge.
_DENSE = 2048
_STEPS = 25


@dataclass(frozen=True, eq=False)
class Laplacian:
    """A Laplacian in compressed rows, diag(diagonal) − W, and its eigenvector `null` to 0."""

    starts: Ints
    columns: Ints
    weights: Floats
    diagonal: Floats  # (n,)
    null: Floats  # (n,), of length 1
    root_degrees: Floats  # (n,), all 1 unless normalised
    normalised: bool

    @classmethod
    def of(cls, graph: SimilarityGraph, *, normalised: bool) -> Laplacian:
        """Build the Laplacian of a connected graph."""
        # Every row has an entry, since the graph is connected.
        degrees = np.add.reduceat(graph.weights, graph.starts[:-1])
        if not normalised:
            ones = np.ones(graph.n)
            null = ones / np.sqrt(graph.n)
            return cls(graph.starts, graph.columns, graph.weights, degrees, null, ones, False)
        root = np.sqrt(degrees)
        rows = np.repeat(np.arange(graph.n), np.diff(graph.starts))
        weights = graph.weights / (root[rows] * root[graph.columns])
        null = root / np.linalg.norm(root)
        return cls(graph.starts, graph.columns, weights, np.ones(graph.n), null, root, True)

    @property
    def n(self) -> int:
        """How many items there are."""
        return len(self.diagonal)

    def sparse(self) -> sp.csr_matrix:
        """Return the Laplacian as a sparse matrix."""
        graph = sp.csr_matrix((self.weights, self.columns, self.starts), (self.n, self.n))
        return sp.csr_matrix(sp.diags(self.diagonal) - graph)

    def dense(self) -> Floats:  # (n, n)
        """Return the Laplacian as an array."""
        matrix = np.zeros((self.n, self.n))
        matrix[np.repeat(np.arange(self.n), np.diff(self.starts)), self.columns] = -self.weights
        np.fill_diagonal(matrix, self.diagonal)
        return matrix

    @cached_property
    def full_spectrum(self) -> LaplacianSpectrum:
        """All eigenpairs but the trivial one: O(n³), for small graphs and as a yardstick."""
        values, vectors = np.linalg.eigh(self.dense())
        return LaplacianSpectrum(values[1:], vectors[:, 1:])


@dataclass(frozen=True, eq=False)
class LaplacianSpectrum:
    """The smallest eigenvalues but the first, ascending, and their eigenvectors as columns."""

    values: Floats  # (m,)
    vectors: Floats  # (n, m)


def lowest_eigenpairs(
    laplacian: Laplacian, n_vectors: int, *, start: LaplacianSpectrum | None = None
) -> LaplacianSpectrum:
    """Compute the `n_vectors` smallest eigenpairs after the trivial one, to about 1e-10.

    One after the other by Newton's method on the Rayleigh quotient, from `start`, the eigenvectors
    of a similar graph, if there are any.
    """
    n = laplacian.n
    n_vectors = min(n_vectors, n - 1)
    if n <= SMALL:
        return _dense(laplacian, n_vectors)
    from likewise.similarity._kernels import lowest_eigenpair

    noise = _noise(n, n_vectors)
    basis = laplacian.null[None, :]
    values = []
    for q in range(n_vectors):
        begin = noise[:, q]
        if start is not None and q < start.vectors.shape[1]:
            # A little of everything, lest a start that has become another eigenvector stays one.
            begin = start.vectors[:, q] + 1e-4 * begin
        value, vector, converged = lowest_eigenpair(
            *kernel_arguments(laplacian), basis, begin, _STEPS, max(200, 3 * n)
        )
        if not converged:
            return _fallback(laplacian, n_vectors)
        values.append(value)
        basis = np.vstack([basis, vector])
    return _in_order(np.array(values), basis[1:].T)


@lru_cache(maxsize=4)
def _noise(n: int, n_vectors: int) -> Floats:
    """Return a vector of length about 1 per column, always the same."""
    noise = np.asarray(np.random.default_rng(0).standard_normal((n, n_vectors)) / np.sqrt(n))
    noise.flags.writeable = False
    return noise


def kernel_arguments(laplacian: Laplacian) -> tuple[Ints, Ints, Floats, Floats]:
    """Return the arrays that the compiled loops take."""
    return laplacian.starts, laplacian.columns, laplacian.weights, laplacian.diagonal


def _dense(laplacian: Laplacian, n_vectors: int) -> LaplacianSpectrum:
    """Take the eigenpairs from a full decomposition."""
    full_spectrum = laplacian.full_spectrum
    return _in_order(full_spectrum.values[:n_vectors], full_spectrum.vectors[:, :n_vectors])


def _fallback(laplacian: Laplacian, n_vectors: int) -> LaplacianSpectrum:
    """Compute the eigenpairs of a graph too loosely connected for the iteration."""
    if laplacian.n <= _DENSE:
        return _dense(laplacian, n_vectors)
    # A graph that large and that loose is sparse: factors of it are, too.
    below = -1e-3 * float(laplacian.diagonal.mean())
    begin = np.random.default_rng(0).uniform(0.5, 1.5, laplacian.n)
    values, vectors = eigsh(laplacian.sparse().tocsc(), k=n_vectors + 1, sigma=below, v0=begin)
    order = np.argsort(values)[1:]
    return _in_order(values[order], vectors[:, order])


def _in_order(values: Floats, vectors: Floats) -> LaplacianSpectrum:
    """Sort eigenpairs by value, and make each vector's largest entry positive."""
    order = np.argsort(values, kind="stable")
    values, vectors = values[order], vectors[:, order]
    # To nine digits, so that rounding does not decide which of two equal entries is the largest.
    size = np.abs(vectors)
    largest = np.argmax(size >= (1 - 1e-9) * size.max(axis=0), axis=0)
    signs = np.sign(vectors[largest, np.arange(len(values))])
    return LaplacianSpectrum(values, vectors * np.where(signs == 0, 1.0, signs))
