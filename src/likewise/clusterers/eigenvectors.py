"""The leading eigenvectors of a similarity graph that answers have changed.

Linked items form cliques: written out, their entries would grow with the square of the answers.
They are kept as a product B C Bᵀ instead (B says which item is in which group, C what two groups
are to each other), so that one multiplication costs as much as the graph has edges.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.linalg
import scipy.sparse as sp
from scipy.sparse.linalg import ArpackError, LinearOperator, eigsh

from likewise.clusterers.base import LinkedGroups
from likewise.errors import MethodError
from likewise.items import Matrix

Block = npt.NDArray[Any]  # float64, or float32 where it says so

# Below this size a dense solver is quicker than any iteration.
_DENSE = 128
_DENSE_RESCUE = 3000  # and up to this one a dense solver is at least no trouble
# A pass of the Chebyshev filter multiplies by the graph this often; after the last pass a start
# that still does not fit is given up for a cold solve.
_DEGREE = 8
_PASSES = 6
_TOLERANCE = 1e-3
_MISSED = 4  # eigenpairs looked for at a time where a cold solve has missed some


@dataclass(frozen=True)
class LinkedGraph:
    """A graph W with the entries of linked pairs replaced: 1 for must-, `apart` for cannot-links.

    `edges` holds what is left of W, `member` is B and `relation` is C; `diagonal` takes away what
    B C Bᵀ puts on the diagonal.
    """

    edges: Matrix  # (n, n)
    member: sp.csr_matrix  # (n, groups)
    relation: sp.csr_matrix  # (groups, groups)
    diagonal: npt.NDArray[np.float64]  # (n,)

    @classmethod
    def of(
        cls, affinity: Matrix, links: LinkedGroups, *, together: float, apart: float
    ) -> LinkedGraph:
        """Overwrite the similarities of linked pairs, without writing them out."""
        n, n_groups = affinity.shape[0], links.n_groups
        tied = links.group >= 0
        items = np.flatnonzero(tied)
        member = sp.csr_matrix((np.ones(len(items)), (items, links.group[items])), (n, n_groups))
        relation = sp.csr_matrix(together * sp.eye(n_groups) + apart * links.differ)
        edges = affinity.copy()
        if sp.issparse(affinity):
            row = np.repeat(np.arange(n), np.diff(affinity.indptr))
            both = np.flatnonzero(tied[row] & tied[affinity.indices])
            decided = links.decide(links.group[row[both]], links.group[affinity.indices[both]])
            edges.data[both[decided]] = 0.0
        else:
            block = np.ix_(items, items)
            group = links.group[items]
            decided = links.decide(
                np.repeat(group, len(group)), np.tile(group, len(group))
            ).reshape(len(group), len(group))
            edges[block] = np.where(decided, 0.0, affinity[block])
        return cls(edges, member, relation, np.where(tied, -together, 0.0))

    def times(self, block: Block) -> Block:
        """W times a vector or a block of vectors."""
        product = np.asarray(self.edges @ block)
        if self.member.shape[1]:
            product += self.member @ (self.relation @ (self.member.T @ block))
            product += (self.diagonal if block.ndim == 1 else self.diagonal[:, None]) * block
        return product

    def degrees(self) -> npt.NDArray[np.float64]:  # (n,)
        """Row sums of W."""
        return self.times(np.ones(self.edges.shape[0]))

    def absolute_degrees(self) -> npt.NDArray[np.float64]:  # (n,)
        """Row sums of the absolute entries, or a little more where a diagonal was corrected."""
        apart = abs(self.relation) @ (self.member.T @ np.ones(self.edges.shape[0]))
        return np.asarray(np.asarray(abs(self.edges).sum(axis=1)).ravel() + self.member @ apart)

    def is_positive(self) -> bool:
        """Whether no entry is negative."""
        return self.relation.nnz == 0 or float(self.relation.data.min()) >= 0

    def single(self) -> LinkedGraph:
        """The same in single precision."""
        parts: list[Any] = [self.edges, self.member, self.relation, self.diagonal]
        return LinkedGraph(*(part.astype(np.float32) for part in parts))

    def scaled(self, scale: npt.NDArray[np.float64]) -> LinkedGraph:
        """The graph with entry (i, j) multiplied by scale[i] scale[j]."""
        diagonal = sp.diags(scale)
        if sp.issparse(self.edges):
            edges = self.edges.copy()
            edges.data *= np.repeat(scale, np.diff(edges.indptr)) * scale[edges.indices]
        else:
            edges = scale[:, None] * self.edges * scale
        return LinkedGraph(
            edges, sp.csr_matrix(diagonal @ self.member), self.relation, scale**2 * self.diagonal
        )


@dataclass(frozen=True)
class Spectrum:
    """Eigenvalues of a Laplacian, ascending, with their eigenvectors as columns."""

    values: npt.NDArray[np.float64]  # (m,)
    vectors: Block  # (n, m)


def laplacian_spectrum(
    graph: LinkedGraph,
    n_vectors: int,
    *,
    normalisation: str,
    n_leading: int | None = None,
    start: Spectrum | None = None,
) -> Spectrum:
    """The `n_vectors` smallest eigenpairs of the graph's Laplacian.

    "symmetric": I − D^-½ W D^-½. "additive": L / d_max, of which (W + d_max I − D) / d_max is the
    complement; defined with negative weights too. "none": L = D − W as it is, the literal reading.

    `start`, the spectrum of a similar graph, saves most of the work on large graphs; then only the
    `n_leading` first vectors are refined until they fit, the rest as far as that takes them.
    """
    degrees = graph.degrees()
    n = len(degrees)
    n_vectors = min(n_vectors, n)
    if normalisation == "symmetric":
        # An item that has lost all its edges keeps a row of zeros.
        scale = np.where(degrees > 1e-12, 1.0 / np.sqrt(np.maximum(degrees, 1e-12)), 0.0)
        normal = graph.scaled(scale)
        times, roughly, unit = normal.times, normal.single().times, 1.0
        # Without negative weights the spectrum lies in [−1, 1]; else by Gershgorin's circles.
        lowest = -1.0 if graph.is_positive() else -float(normal.absolute_degrees().max())
    elif normalisation in ("additive", "none"):
        absolute = graph.absolute_degrees()
        # Almost only cannot-links leave no positive degree to divide by.
        d_max = float(degrees.max()) if degrees.max() > 0 else float(absolute.max()) or 1.0
        unit = 1.0 if normalisation == "additive" else d_max
        shift = 1.0 - degrees / d_max
        lowest = float((shift - absolute / d_max).min())

        def times(block: Block) -> Block:
            factor = shift if block.ndim == 1 else shift[:, None]
            return graph.times(block) / d_max + factor * block

        roughly = times

    else:
        raise MethodError(
            f"normalisation must be 'symmetric', 'additive' or 'none' but got {normalisation!r}"
        )
    operator = Operator(times, roughly, n, lowest)
    found = None
    if start is not None and n > _dense_below(n_vectors):
        complement = Spectrum(1.0 - start.values / unit, start.vectors)
        found = _refine(operator, complement, n_vectors, n_leading or n_vectors)
    values, vectors = found if found is not None else _largest(operator, n_vectors)
    order = np.argsort(-values, kind="stable")
    return Spectrum(unit * (1.0 - values[order]), _fix_signs(vectors[:, order]))


def unit_rows(rows: Block) -> Block:
    """Rows brought to length one; rows of zeros (items without edges) stay where they are."""
    length = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.where(length > 1e-12, length, 1.0))


def _dense_below(n_vectors: int) -> int:
    return max(_DENSE, 2 * n_vectors)


@dataclass(frozen=True)
class Operator:
    """A symmetric matrix by what it does to a block of vectors; no eigenvalue is below `lowest`.

    `roughly` does the same to blocks of single precision, in half the time.
    """

    times: Callable[[Block], Block]
    roughly: Callable[[Block], Block]
    n: int
    lowest: float


def _largest(operator: Operator, m: int) -> tuple[npt.NDArray[np.float64], Block]:
    """The m largest eigenpairs, from nothing."""
    times, n = operator.times, operator.n
    if n <= _dense_below(m):
        values, vectors = scipy.linalg.eigh(times(np.eye(n)))
        return values[-m:], vectors[:, -m:]
    values, vectors = _lanczos(times, n, m)
    # A single Lanczos sequence meets each eigenvalue once, however often it is repeated (a graph
    # in pieces repeats its largest). With the pairs found sent to the bottom of the spectrum,
    # whatever is left above the least of them was missed.
    while True:

        def rest(block: Block, values: Any = values, vectors: Block = vectors) -> Block:
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
) -> tuple[npt.NDArray[np.float64], Block]:
    operator = LinearOperator((n, n), matvec=times, matmat=times, dtype=np.float64)
    v0 = np.random.default_rng(m).uniform(0.5, 1.5, n)  # fixed: equal input gives equal output
    try:
        values, vectors = eigsh(operator, k=m, which="LA", v0=v0, tol=tolerance)
    except ArpackError:
        # Clustered eigenvalues can defeat the default subspace (a graph that almost falls to
        # pieces has many close to 1). All of them at once is sure; a roomier subspace is for
        # graphs too large for that.
        if n <= _DENSE_RESCUE:
            values, vectors = scipy.linalg.eigh(times(np.eye(n)), subset_by_index=(n - m, n - 1))
            return values, vectors
        values, vectors = eigsh(operator, k=m, which="LA", v0=v0, ncv=min(n, 6 * m), maxiter=50 * n)
    return values, vectors


def _refine(
    operator: Operator,
    start: Spectrum,  # values descending
    m: int,
    n_leading: int,
) -> tuple[npt.NDArray[np.float64], Block] | None:
    """The m largest eigenpairs by Chebyshev-filtered subspace iteration from a start.

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
        current = (operator.roughly(previous) - np.float32(middle) * previous) / np.float32(half)
        for _ in range(_DEGREE - 1):
            following = operator.roughly(current)
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


def _rayleigh_ritz(
    times: Callable[[Block], Block], basis: Block
) -> tuple[npt.NDArray[np.float64], Block, npt.NDArray[np.float64]]:
    """The best eigenpairs within a subspace, ascending, and how far each is from being one."""
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


def _fix_signs(vectors: Block) -> Block:
    """The same vectors, each with its largest entry positive."""
    largest = np.abs(vectors).argmax(axis=0)
    signs = np.sign(vectors[largest, np.arange(vectors.shape[1])])
    return vectors * np.where(signs == 0, 1.0, signs)
