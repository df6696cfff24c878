"""How much the second eigenvector would move if a similarity were measured.

By equation 7 of the paper, dv₂/dw_ij = Σ_{p>2} v₂ᵀ(dL/dw_ij)v_p / (λ₂ − λ_p) v_p. Neither rule
needs the sum written out for every pair.

Of one entry k (IU-RED): with g = Σ_{p>2} v_p(k) v_p / (λ₂ − λ_p), which solves one projected
linear system, it is (v₂(i) − v₂(j)) (g_i − g_j). Normalised, v₁ changes as well and the sums are
over all p ≠ 2; with u = D^-½ v₂, h = D^-½ g and q = D^-½ (e_k − v₂(k) v₂) it is
(u_i − u_j)(h_i − h_j) + e_i + e_j, where e = (q/2 − λ₂ h) u.

Of the whole vector (Shamir and Tishby): ‖dv₂/dw_ij‖ = ‖u_i (x_j − y_i) + u_j (x_i − y_j)‖ with
x_i the row of D^-½ v_p / (λ₂ − λ_p) over these p, and y_i the same times 1 − (λ₂ + λ_p)/2;
unnormalised, y = x.

References
----------
Wauthier, Jojic and Jordan, "Active spectral clustering via iterative uncertainty reduction", 2012,
eq. 7 and algorithms 1 and 2.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from likewise.similarity.graph import Floats, Ints, SimilarityGraph
from likewise.similarity.laplacian import (
    SMALL,
    Laplacian,
    LaplacianSpectrum,
    kernel_arguments,
    lowest_eigenpairs,
)

_SOLVED = 1e-6
# Above this size Shamir and Tishby's rule makes do with the smallest eigenpairs, which count most.
_ALL_PAIRS_UP_TO = 500
_SOME = 20
_ROWS = 256  # of the matrix of all pairs at a time


@dataclass(frozen=True, eq=False)
class EntrySensitivity:
    """Sensitivity of a combination of entries: |Σ_q (a_iq − a_jq)(b_iq − b_jq) + e_i + e_j|."""

    a: Floats  # (n, m)
    b: Floats  # (n, m)
    e: Floats  # (n,)

    def at(self, i: Ints, j: Ints) -> Floats:
        """Return the sensitivity to some pairs."""
        products = ((self.a[i] - self.a[j]) * (self.b[i] - self.b[j])).sum(axis=1)
        return np.asarray(np.abs(products + self.e[i] + self.e[j]))

    def best_open(self, graph: SimilarityGraph) -> tuple[float, tuple[int, int]] | None:
        """Return the largest sensitivity and its pair, among those of which nothing is known."""
        from likewise.similarity._pair_search import best_open_pair

        return best_open_pair(self.a, self.b, self.e, graph)


@dataclass(frozen=True, eq=False)
class VectorSensitivity:
    """Sensitivity of eigenvectors as a whole; one (u, x, y) for each of them."""

    parts: tuple[tuple[Floats, Floats, Floats], ...]  # (n,), (n, p), (n, p)

    def at(self, i: Ints, j: Ints) -> Floats:
        """Return the sensitivity to some pairs."""
        total = np.zeros(len(i))
        for u, x, y in self.parts:
            change = u[i, None] * (x[j] - y[i]) + u[j, None] * (x[i] - y[j])
            total += (change**2).sum(axis=1)
        return np.sqrt(total)

    def best_open(self, graph: SimilarityGraph) -> tuple[float, tuple[int, int]] | None:
        """Return the largest sensitivity and its pair, among those of which nothing is known."""
        best: tuple[float, tuple[int, int]] | None = None
        for low in range(0, graph.n, _ROWS):
            rows = np.arange(low, min(low + _ROWS, graph.n))
            squares = self._squares(rows)
            squares[np.arange(graph.n)[None, :] <= rows[:, None]] = -1.0
            for row in rows:
                squares[row - low, graph.columns[graph.starts[row] : graph.starts[row + 1]]] = -1.0
            top = float(squares.max(initial=-1.0))
            if top >= 0 and (best is None or np.sqrt(top) > best[0] * (1 + 1e-6)):
                i, j = np.unravel_index(np.argmax(squares >= top * (1 - 2e-6)), squares.shape)
                best = float(np.sqrt(top)), (int(rows[i]), int(j))
        return best

    def _squares(self, rows: Ints) -> Floats:
        """Compute squared sensitivities to all pairs of some items with all others."""
        total = np.zeros((len(rows), len(self.parts[0][0])))
        for u, x, y in self.parts:
            xx, yy, xy = (x**2).sum(axis=1), (y**2).sum(axis=1), (x * y).sum(axis=1)
            ui, uj = u[rows, None], u[None, :]
            cross = y[rows] @ x.T  # y_i · x_j
            other = cross if y is x else x[rows] @ y.T  # x_i · y_j
            both = cross if y is x else x[rows] @ x.T  # x_i · x_j
            ys = cross if y is x else y[rows] @ y.T
            total += ui**2 * (xx[None, :] + yy[rows, None] - 2 * cross)
            total += uj**2 * (xx[rows, None] + yy[None, :] - 2 * other)
            total += 2 * ui * uj * (both - xy[None, :] - xy[rows, None] + ys)
        return np.maximum(total, 0.0)


def entry_sensitivity(
    laplacian: Laplacian, spectrum: LaplacianSpectrum, item: int, direction: Floats
) -> EntrySensitivity:
    """Compute how Σ_q direction_q v_q(item) changes, for the eigenvectors q of the spectrum."""
    n, m = spectrum.vectors.shape
    unit = np.zeros(n)
    unit[item] = 1.0
    a, b, e = np.empty((n, m)), np.empty((n, m)), np.zeros(n)
    for q, value in enumerate(spectrum.values):
        g = _resolvent(laplacian, spectrum, q, item)
        a[:, q] = direction[q] * spectrum.vectors[:, q] / laplacian.root_degrees
        b[:, q] = g / laplacian.root_degrees
        if laplacian.normalised:
            # The first eigenvector is no constant here and changes too: it belongs to the sum.
            b[:, q] += laplacian.null[item] * laplacian.null / value / laplacian.root_degrees
            off = unit - spectrum.vectors[:, q] * spectrum.vectors[item, q]
            e += (0.5 * off / laplacian.root_degrees - value * b[:, q]) * a[:, q]
    return EntrySensitivity(a, b, e)


def _resolvent(laplacian: Laplacian, spectrum: LaplacianSpectrum, q: int, item: int) -> Floats:
    """Compute g = Σ_p v_p(item) v_p / (λ_q − λ_p) over all p but the trivial one and q."""
    value = spectrum.values[q]
    n, m = spectrum.vectors.shape
    if n <= SMALL:
        values, vectors = laplacian.full_spectrum.values, laplacian.full_spectrum.vectors
        others = np.arange(len(values)) != q
        gaps = _away_from_zero(value - values[others], values)
        return np.asarray(vectors[:, others] @ (vectors[item, others] / gaps))
    from likewise.similarity._kernels import projected_solve

    # Where two eigenvalues coincide, what comes back is the direction in which their vectors may
    # be mixed: just what is most uncertain.
    basis = np.vstack([laplacian.null[None, :], spectrum.vectors.T])
    right = np.zeros(n)
    right[item] = -1.0
    g, _, _ = projected_solve(
        *kernel_arguments(laplacian), value, basis, right, _SOLVED, max(200, 3 * n)
    )
    others = np.arange(m) != q
    gaps = _away_from_zero(value - spectrum.values[others], spectrum.values)
    vectors = spectrum.vectors[:, others]
    return np.asarray(g + vectors @ (vectors[item] / gaps))


def vector_sensitivity(laplacian: Laplacian, spectrum: LaplacianSpectrum) -> VectorSensitivity:
    """Compute how the eigenvectors of the spectrum change as a whole."""
    if laplacian.n <= _ALL_PAIRS_UP_TO:
        full = laplacian.full_spectrum
    else:
        full = lowest_eigenpairs(laplacian, _SOME, start=spectrum)
    values, vectors = full.values, full.vectors
    if laplacian.normalised:
        # The first eigenvector is no constant here and changes too: it belongs to the sum.
        values, vectors = np.append(values, 0.0), np.column_stack([vectors, laplacian.null])
    vectors = vectors / laplacian.root_degrees[:, None]
    parts = []
    for q in range(len(spectrum.values)):
        others = np.arange(len(values)) != q
        gaps = _away_from_zero(values[q] - values[others], values)
        x = vectors[:, others] / gaps
        y = x * (1 - (values[q] + values[others]) / 2) if laplacian.normalised else x
        parts.append((vectors[:, q], x, y))
    return VectorSensitivity(tuple(parts))


def _away_from_zero(gaps: Floats | float, values: Floats) -> Floats:
    """Replace differences of equal eigenvalues by 1e-12 of the largest."""
    least = 1e-12 * max(float(np.abs(values).max()), 1e-300)
    return np.asarray(np.where(np.abs(gaps) < least, -least, gaps))
