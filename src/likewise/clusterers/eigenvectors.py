"""The leading eigenvectors of a similarity graph that answers have changed.

Linked items form cliques: written out, their entries would grow with the square of the answers.
They are kept as a product B C Bᵀ instead (B says which item is in which group, C what two groups
are to each other), so that one multiplication costs as much as the graph has edges.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy.linalg
import scipy.sparse as sp
from scipy.sparse.linalg import ArpackError, LinearOperator, eigsh

from likewise.clusterers.base import LinkedGroups
from likewise.errors import MethodError
from likewise.items import Matrix

Block = npt.NDArray[np.float64]

# Below this size a dense solver is quicker than any iteration.
_DENSE = 128
# A pass of the Chebyshev filter multiplies by the graph this often; after the last pass a start
# that still does not fit is given up for a cold solve.
_DEGREE = 8
_PASSES = 6
_TOLERANCE = 1e-4


@dataclass(frozen=True)
class LinkedGraph:
    """A graph W with the entries of linked pairs replaced: 1 for must-, `apart` for cannot-links.

    `edges` holds what is left of W (and the correction that keeps the diagonal at zero),
    `member` is B and `relation` is C.
    """

    edges: sp.csr_matrix | Block  # (n, n)
    member: sp.csr_matrix  # (n, groups)
    relation: sp.csr_matrix  # (groups, groups)

    @classmethod
    def of(
        cls, affinity: Matrix, links: LinkedGroups, *, together: float, apart: float
    ) -> LinkedGraph:
        """Overwrite the similarities of linked pairs, without writing them out."""
        n, n_groups = affinity.shape[0], links.n_groups
        tied = np.flatnonzero(links.group >= 0)
        member = sp.csr_matrix((np.ones(len(tied)), (tied, links.group[tied])), shape=(n, n_groups))
        differ = links.differ()
        if n_groups == 0:
            return cls(affinity, member, differ)
        graph = sp.coo_matrix(affinity)
        a, b = np.sort(links.group[np.vstack([graph.row, graph.col])], axis=0)
        apart_keys = links.differing[:, 0] * n_groups + links.differing[:, 1]
        decided = (a >= 0) & ((a == b) | np.isin(a * n_groups + b, apart_keys))
        weight = np.where(decided, 0.0, graph.data)
        row, col = np.append(graph.row, tied), np.append(graph.col, tied)
        edges = sp.csr_matrix(
            (np.append(weight, np.full(len(tied), -together)), (row, col)), (n, n)
        )
        if not sp.issparse(affinity):
            edges = np.asarray(edges.todense())
        relation = sp.csr_matrix(together * sp.eye(n_groups) + apart * differ)
        return cls(edges, member, relation)

    def times(self, block: Block) -> Block:
        """W times a vector or a block of vectors."""
        product = self.edges @ block
        if self.member.shape[1]:
            product = product + self.member @ (self.relation @ (self.member.T @ block))
        return np.asarray(product)

    def degrees(self) -> npt.NDArray[np.float64]:  # (n,)
        """Row sums of W."""
        return self.times(np.ones(self.edges.shape[0]))


@dataclass(frozen=True)
class Spectrum:
    """Eigenvalues of a Laplacian, ascending, with their eigenvectors as columns."""

    values: npt.NDArray[np.float64]  # (m,)
    vectors: Block  # (n, m)


def laplacian_spectrum(
    graph: LinkedGraph, n_vectors: int, *, normalisation: str, start: Block | None = None
) -> Spectrum:
    """The `n_vectors` smallest eigenpairs of the graph's Laplacian.

    "symmetric": I − D^-½ W D^-½. "additive": L / d_max, of which (W + d_max I − D) / d_max is the
    complement; defined with negative weights too. "none": L = D − W as it is, the literal reading.
    `start`, eigenvectors of a similar graph, saves most of the work on large graphs.
    """
    degrees = graph.degrees()
    n = len(degrees)
    n_vectors = min(n_vectors, n)
    if normalisation == "symmetric":
        # An item that has lost all its edges keeps a row of zeros.
        scale = np.where(degrees > 1e-12, 1.0 / np.sqrt(np.maximum(degrees, 1e-12)), 0.0)
        unit, lowest = 1.0, -1.0

        def times(block: Block) -> Block:
            factor = scale if block.ndim == 1 else scale[:, None]
            return factor * graph.times(factor * block)

    elif normalisation in ("additive", "none"):
        absolute = np.asarray(abs(graph.edges).sum(axis=1)).ravel()
        d_max = float(degrees.max()) if degrees.max() > 0 else float(absolute.max()) or 1.0
        unit = 1.0 if normalisation == "additive" else d_max
        shift = 1.0 - degrees / d_max
        # W + d_max I − D can have any lower end once weights are negative; ARPACK does not mind.
        lowest = -np.inf

        def times(block: Block) -> Block:
            factor = shift if block.ndim == 1 else shift[:, None]
            return graph.times(block) / d_max + factor * block

    else:
        raise MethodError(
            f"normalisation must be 'symmetric', 'additive' or 'none' but got {normalisation!r}"
        )
    values, vectors = _largest(times, n, n_vectors, lowest, start)
    order = np.argsort(-values, kind="stable")
    return Spectrum(unit * (1.0 - values[order]), _fix_signs(vectors[:, order]))


def _largest(
    times: Callable[[Block], Block], n: int, m: int, lowest: float, start: Block | None
) -> tuple[npt.NDArray[np.float64], Block]:
    """The m largest eigenpairs of a symmetric operator whose spectrum begins at `lowest`."""
    if n <= max(_DENSE, 2 * m):
        values, vectors = scipy.linalg.eigh(times(np.eye(n)))
        return values[-m:], vectors[:, -m:]
    if start is not None and np.isfinite(lowest):
        warm = _filtered(times, _fill_up(start, n, m), lowest)
        if warm is not None:
            return warm
    operator = LinearOperator((n, n), matvec=times, matmat=times, dtype=np.float64)
    v0 = np.random.default_rng(0).uniform(0.5, 1.5, n)  # fixed: equal input gives equal output
    try:
        values, vectors = eigsh(operator, k=m, which="LA", v0=v0, tol=_TOLERANCE * 1e-2)
    except ArpackError:
        # Clustered eigenvalues can defeat the default subspace; a roomier one is slow but sure.
        values, vectors = eigsh(operator, k=m, which="LA", v0=v0, ncv=min(n, 6 * m), maxiter=50 * n)
    return values, vectors


def _filtered(
    times: Callable[[Block], Block], block: Block, lowest: float
) -> tuple[npt.NDArray[np.float64], Block] | None:
    """Refine a start by Chebyshev-filtered subspace iteration; None when it will not settle.

    The filter damps what lies between `lowest` and the smallest wanted eigenvalue and lets the
    rest grow. The last quarter of the block is a cushion: its vectors need not have converged.
    """
    m = block.shape[1]
    checked = slice(m // 4, None)
    values, block = _rayleigh_ritz(times, np.linalg.qr(block)[0])[:2]
    for _ in range(_PASSES):
        half = (values[0] - lowest) / 2
        if half <= 0:
            return None
        middle = (values[0] + lowest) / 2
        previous, current = block, (times(block) - middle * block) / half
        for _ in range(_DEGREE - 1):
            # Each product is scaled as it goes only by the final orthonormalisation: the growth
            # of eight steps stays far below what doubles hold.
            previous, current = current, 2 * (times(current) - middle * current) / half - previous
        values, block, residual = _rayleigh_ritz(times, np.linalg.qr(current)[0])
        if residual[checked].max() < _TOLERANCE * 10:
            return values, block
    return None


def _rayleigh_ritz(
    times: Callable[[Block], Block], basis: Block
) -> tuple[npt.NDArray[np.float64], Block, npt.NDArray[np.float64]]:
    """The best eigenpairs within a subspace, ascending, and how far each is from being one."""
    image = times(basis)
    small = basis.T @ image
    values, turn = np.linalg.eigh((small + small.T) / 2)
    vectors = basis @ turn
    residual = np.linalg.norm(image @ turn - vectors * values, axis=0)
    return values, vectors, residual


def _fill_up(start: Block, n: int, m: int) -> Block:
    """The first m columns of a start, topped up with fixed random ones when it has fewer."""
    missing = m - start.shape[1]
    if missing <= 0:
        return start[:, :m]
    return np.hstack([start, np.random.default_rng(1).standard_normal((n, missing))])


def _fix_signs(vectors: Block) -> Block:
    """The same vectors, each with its largest entry positive."""
    largest = np.abs(vectors).argmax(axis=0)
    signs = np.sign(vectors[largest, np.arange(vectors.shape[1])])
    return vectors * np.where(signs == 0, 1.0, signs)
