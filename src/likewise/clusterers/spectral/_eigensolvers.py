"""The largest eigenpairs of a symmetric matrix that is known by what it does to vectors."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy.linalg
from scipy.sparse.linalg import ArpackError, LinearOperator, eigsh

from likewise.clusterers.spectral._linked_graph import Block

Values = npt.NDArray[np.float64]

# Below this size a dense solver is quicker than any iteration.
_DENSE = 128
_DENSE_MATRIX = 1000  # and this one where the matrix is dense
_DENSE_RESCUE = 3000  # and up to this one a dense solver is at least no trouble
_ROUNDS = 60  # restarts after which Lanczos' iteration is given a larger subspace
_LARGE_SUBSPACE = 150  # the least size of that
# A pass of the Chebyshev filter multiplies by the graph this often; after the last pass a start
# that still does not fit is given up for a cold solve.
_DEGREE = 8
_PASSES = 6
_TOLERANCE = 1e-3
_MISSED = 4  # eigenpairs looked for at a time where a cold solve has missed some


@dataclass(frozen=True)
class Eigenpairs:
    """Eigenvalues in order, with their eigenvectors as columns."""

    values: Values  # (m,)
    vectors: Block  # (n, m)


def dense_below(n_vectors: int, *, is_dense: bool) -> int:
    """Return up to how many rows a dense solver is quicker than any iteration.

    More where many eigenvectors are wanted, and where a multiplication costs n² anyway.
    """
    return max(_DENSE, 6 * n_vectors, _DENSE_MATRIX if is_dense else 0)


@dataclass(frozen=True)
class Operator:
    """A symmetric matrix by what it does to a block of vectors; no eigenvalue is below `lowest`.

    `times_single` does the same to blocks of single precision, in half the time.
    """

    times: Callable[[Block], Block]
    times_single: Callable[[Block], Block]
    n: int
    lowest: float
    is_dense: bool = False


def largest_eigenpairs(operator: Operator, m: int) -> tuple[Values, Block]:
    """Return the m largest eigenpairs, from nothing."""
    times, n = operator.times, operator.n
    if n <= dense_below(m, is_dense=operator.is_dense):
        return _dense_pairs(times(np.eye(n)), m)
    values, vectors = _lanczos(times, n, m)
    # A single Lanczos sequence meets each eigenvalue once, however often it is repeated (a graph
    # in pieces repeats its largest). With the pairs found sent to the bottom of the spectrum,
    # whatever is left above the least of them was missed.
    while True:

        def rest(block: Block, values: Values = values, vectors: Block = vectors) -> Block:
            weights = values - operator.lowest
            scaled = (weights if block.ndim == 1 else weights[:, None]) * (vectors.T @ block)
            return np.asarray(times(block) - vectors @ scaled)

        if _lanczos(rest, n, 1, tolerance=1e-2)[0][0] < values.min() + 1e-6:
            return values, vectors
        more_values, more_vectors = _lanczos(rest, n, _MISSED)
        values = np.append(values, more_values)
        keep = np.sort(np.argsort(-values, kind="stable")[:m])
        values, vectors = values[keep], np.hstack([vectors, more_vectors])[:, keep]


def _lanczos(
    times: Callable[[Block], Block], n: int, m: int, tolerance: float = 0.0
) -> tuple[Values, Block]:
    """Return the m largest eigenpairs by Lanczos' iteration, in a subspace as large as it takes.

    A graph that almost falls to pieces has as many eigenvalues next to 1 as it has pieces. Where
    fewer are wanted, a subspace of the usual size, which has no room for all of that crowd, would
    turn them over for thousands of rounds; one that holds the crowd tells them apart at once.
    """
    operator = LinearOperator((n, n), matvec=times, matmat=times, dtype=np.float64)
    v0 = np.random.default_rng(m).uniform(0.5, 1.5, n)  # fixed: equal input gives equal output
    large = max(6 * m, _LARGE_SUBSPACE)

    def attempt(subspace: int, rounds: int) -> tuple[Values, Block]:
        values, vectors = eigsh(
            operator, k=m, which="LA", v0=v0, tol=tolerance, ncv=min(n, subspace), maxiter=rounds
        )
        return values, vectors

    for subspace in (max(2 * m + 1, 20), large):
        with suppress(ArpackError):
            return attempt(subspace, _ROUNDS)
    if n > _DENSE_RESCUE:
        return attempt(4 * large, 50 * n)
    return _dense_pairs(times(np.eye(n)), m)


def _dense_pairs(matrix: Block, m: int) -> tuple[Values, Block]:
    """Return the m largest eigenpairs of a matrix that is written out."""
    try:
        values, vectors = scipy.linalg.eigh(matrix)
    except np.linalg.LinAlgError:
        # The usual driver gives up on some matrices with many nearly equal eigenvalues.
        values, vectors = scipy.linalg.eigh(matrix, driver="ev")
    return values[-m:], vectors[:, -m:]


def refined_eigenpairs(
    operator: Operator,
    start: Eigenpairs,  # descending
    m: int,
    n_leading: int,
) -> tuple[Values, Block] | None:
    """Return the m largest eigenpairs by Chebyshev-filtered subspace iteration from a start.

    The filter damps what lies below the smallest wanted eigenvalue and lets the rest grow, more
    the larger it is. None when the `n_leading` largest have not settled after some passes of it.
    """
    block = start.vectors[:, :m]
    missing = m - block.shape[1]
    if missing:
        fresh = np.random.default_rng(1).standard_normal((operator.n, missing))
        block = np.hstack([block, fresh / np.sqrt(operator.n)])
    cut = float(start.values[min(m, len(start.values)) - 1])
    for _ in range(_PASSES):
        middle, half = (cut + operator.lowest) / 2, (cut - operator.lowest) / 2
        if half < 1e-3:
            return None
        # Single precision will do here: the filter only has to turn the block in the right
        # direction, and the eigenpairs are then taken from it in full precision.
        previous = block.astype(np.float32)
        current = (operator.times_single(previous) - np.float32(middle) * previous) / np.float32(
            half
        )
        for _ in range(_DEGREE - 1):
            following = operator.times_single(current)
            following -= np.float32(middle) * current
            following *= np.float32(2 / half)
            following -= previous
            previous, current = current, following
        values, block, residual = _rayleigh_ritz(operator.times, current.astype(np.float64))
        if residual[-n_leading:].max() < _TOLERANCE:
            return values, block
        # A fresh vector begins somewhere in the middle of the spectrum: to damp only what is
        # below it would let too much grow.
        cut = float(values[missing])
    return None


def _rayleigh_ritz(times: Callable[[Block], Block], basis: Block) -> tuple[Values, Block, Values]:
    """Return the best eigenpairs within a subspace, ascending, and their residuals."""
    basis = basis / np.maximum(np.linalg.norm(basis, axis=0), 1e-300)
    try:
        root = scipy.linalg.cholesky(basis.T @ basis)
        if root.diagonal().min() < 1e-4:
            raise np.linalg.LinAlgError
        basis = basis @ scipy.linalg.solve_triangular(root, np.eye(len(root)))
    except np.linalg.LinAlgError:
        # Columns that have become nearly parallel: slower, but safe.
        basis = np.linalg.qr(basis)[0]
    image = times(basis)
    small = basis.T @ image
    values, turn = np.linalg.eigh((small + small.T) / 2)
    vectors = basis @ turn
    residual = np.linalg.norm(image @ turn - vectors * values, axis=0)
    return values, vectors, residual
