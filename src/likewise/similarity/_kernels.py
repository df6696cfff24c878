"""Loops that numpy cannot express without n × n arrays, compiled when first used.

Every kernel has a slow twin in the tests: sums written out, `numpy.linalg.eigh`, all pairs.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from likewise._compiled import compiled

Array = npt.NDArray[Any]

EQUAL = 1e-6  # scores that differ by no more than this share of themselves are equal
_EXACT = 1e-10  # the error of an eigenvector that is good enough


# Without fastmath: gathering into wide registers is several times slower than one by one.
@compiled()
def laplacian_times(  # pragma: no cover - compiled
    starts: Array, columns: Array, weights: Array, diagonal: Array, x: Array, out: Array
) -> None:
    """Compute out = (diag(diagonal) − W) x, W symmetric in compressed rows."""
    for i in range(len(x)):
        # Four sums side by side: one alone waits for every addition before the next can begin. And
        # unsigned positions: signed ones are asked each time whether they count from the end.
        first, second, third, fourth = diagonal[i] * x[i], 0.0, 0.0, 0.0
        low, high = starts[i], starts[i + 1]
        even = high - (high - low) % 4
        for at in range(low, even, 4):
            first -= weights[at] * x[np.uint32(columns[at])]
            second -= weights[at + 1] * x[np.uint32(columns[at + 1])]
            third -= weights[at + 2] * x[np.uint32(columns[at + 2])]
            fourth -= weights[at + 3] * x[np.uint32(columns[at + 3])]
        for at in range(even, high):
            first -= weights[at] * x[np.uint32(columns[at])]
        out[i] = (first + second) + (third + fourth)


@compiled(fastmath={"reassoc", "contract"})
def project(basis: Array, x: Array) -> None:  # pragma: no cover - compiled
    """Subtract from x what lies in the span of the orthonormal rows of `basis`, in place."""
    for q in range(basis.shape[0]):
        inner = 0.0
        for i in range(len(x)):
            inner += basis[q, i] * x[i]
        for i in range(len(x)):
            x[i] -= inner * basis[q, i]


@compiled(fastmath={"reassoc", "contract"})
def projected_solve(  # pragma: no cover - compiled
    starts: Array,
    columns: Array,
    weights: Array,
    diagonal: Array,
    shift: float,
    basis: Array,
    right: Array,
    tolerance: float,
    max_iterations: int,
) -> tuple[Array, Array, int]:
    """Solve P (L − shift) x = P right for x orthogonal to `basis`, by conjugate gradients.

    Preconditioned with the diagonal. Also returns (L − shift) x, summed up on the way, and how it
    ended: 0 solved, 1 given up, 2 the matrix is not positive there: x is then a direction of
    negative curvature.
    """
    n = len(right)
    x, turned = np.zeros(n), np.zeros(n)
    r = right.copy()
    project(basis, r)
    scale = 0.0
    for i in range(n):
        scale += r[i] * r[i]
    scale = np.sqrt(scale)
    if scale == 0.0:
        return x, turned, 0
    floor = np.mean(diagonal) * 1e-3
    z = np.empty(n)
    for i in range(n):
        z[i] = r[i] / max(diagonal[i] - shift, floor)
    project(basis, z)
    p = z.copy()
    image = np.empty(n)
    rz = 0.0
    for i in range(n):
        rz += r[i] * z[i]
    for _ in range(max_iterations):
        laplacian_times(starts, columns, weights, diagonal, p, image)
        curvature, length = 0.0, 0.0
        for i in range(n):
            image[i] -= shift * p[i]
            curvature += p[i] * image[i]
            length += p[i] * p[i]
        if curvature <= -1e-13 * length * floor:
            return p / np.sqrt(length), image / np.sqrt(length), 2
        if curvature <= 0.0:
            return x, turned, 1
        step = rz / curvature
        for i in range(n):
            x[i] += step * p[i]
            turned[i] += step * image[i]
            r[i] -= step * image[i]
        project(basis, r)
        norm = 0.0
        for i in range(n):
            norm += r[i] * r[i]
        if np.sqrt(norm) <= tolerance * scale:
            project(basis, x)
            return x, turned, 0
        for i in range(n):
            z[i] = r[i] / max(diagonal[i] - shift, floor)
        project(basis, z)
        before, rz = rz, 0.0
        for i in range(n):
            rz += r[i] * z[i]
        for i in range(n):
            p[i] = z[i] + rz / before * p[i]
    return x, turned, 1


@compiled()
def lowest_eigenpair(  # pragma: no cover - compiled
    starts: Array,
    columns: Array,
    weights: Array,
    diagonal: Array,
    basis: Array,
    start: Array,
    max_steps: int,
    max_iterations: int,
) -> tuple[float, Array, bool]:
    """Compute the least eigenpair orthogonal to `basis`, by Newton on the Rayleigh quotient.

    Every step solves for a correction t orthogonal to the current vector, as exactly as is
    needed to bring the error below 1e-10 soon. A direction of negative curvature shows that the
    vector sits near a higher eigenvector, and leads away from it.
    """
    n = len(start)
    v = start.copy()
    project(basis, v)
    v /= np.sqrt(np.sum(v * v))
    inner = np.empty((basis.shape[0] + 1, n))
    inner[: basis.shape[0]] = basis
    image = np.empty(n)
    laplacian_times(starts, columns, weights, diagonal, v, image)
    value = np.sum(v * image)
    # A step triples digits at best. By a rough guess of how far the start is off, one is either
    # enough and has to be exact, or it is not, and little exactness is good enough at first.
    floor = np.mean(diagonal) * 1e-3
    guess = np.sqrt(np.sum(((image - value * v) / np.maximum(diagonal - value, floor)) ** 2))
    tolerance = max(0.1 * _EXACT / guess, 1e-7) if 0.0 < guess < 1e-3 else 1e-2
    for _ in range(max_steps):
        inner[basis.shape[0]] = v
        residual = np.sqrt(np.sum((image - value * v) ** 2))
        t, turned, how = projected_solve(
            starts, columns, weights, diagonal, value, inner, -image, tolerance, max_iterations
        )
        size = np.sqrt(np.sum(t * t))
        if size == 0.0:
            return value, v, how == 0
        # The best combination of v and t: a 2 × 2 eigenproblem.
        t /= size
        cross = np.sum(t * image)
        angle = 0.5 * np.arctan2(2.0 * cross, np.sum(t * turned) / size)
        v = np.cos(angle) * v - np.sin(angle) * t
        project(basis, v)
        v /= np.sqrt(np.sum(v * v))
        laplacian_times(starts, columns, weights, diagonal, v, image)
        value = np.sum(v * image)
        if how == 0:
            # The solve told how large an error goes with how large a residual.
            error = np.sqrt(np.sum((image - value * v) ** 2)) * size / residual
            if error <= _EXACT:
                return value, v, True
            tolerance = min(max(0.1 * _EXACT / error, 1e-6), 1e-1)
        elif how == 1 and size <= _EXACT:
            break
    return value, v, False


@compiled()
def _score(  # pragma: no cover - compiled
    a: Array, b: Array, e: Array, i: int, j: int
) -> float:
    """Compute |Σ_q Δa_q Δb_q + e_i + e_j| of one pair."""
    total = e[i] + e[j]
    for q in range(a.shape[1]):
        total += (a[i, q] - a[j, q]) * (b[i, q] - b[j, q])
    return float(abs(total))


@compiled()
def _known(starts: Array, columns: Array, i: int, j: int) -> bool:  # pragma: no cover - compiled
    """Return whether a pair is in the graph, by binary search in its row."""
    low, high = starts[i], starts[i + 1]
    while low < high:
        middle = (low + high) // 2
        if columns[middle] < j:
            low = middle + 1
        else:
            high = middle
    return bool(low < starts[i + 1] and columns[low] == j)


@compiled()
def block_bounds(  # pragma: no cover - compiled
    a: Array, b: Array, e: Array, order: Array, edges: Array
) -> tuple[Array, Array, Array]:
    """Compute for every two blocks a score that no pair between them exceeds."""
    n_blocks, m = len(edges) - 1, a.shape[1]
    low_a, high_a = np.empty((n_blocks, m)), np.empty((n_blocks, m))
    low_b, high_b = np.empty((n_blocks, m)), np.empty((n_blocks, m))
    extra = np.zeros(n_blocks)
    for block in range(n_blocks):
        members = order[edges[block] : edges[block + 1]]
        for q in range(m):
            low_a[block, q] = high_a[block, q] = a[members[0], q]
            low_b[block, q] = high_b[block, q] = b[members[0], q]
            for k in members:
                low_a[block, q] = min(low_a[block, q], a[k, q])
                high_a[block, q] = max(high_a[block, q], a[k, q])
                low_b[block, q] = min(low_b[block, q], b[k, q])
                high_b[block, q] = max(high_b[block, q], b[k, q])
        for k in members:
            extra[block] = max(extra[block], abs(e[k]))
    size = n_blocks * (n_blocks + 1) // 2
    bounds = np.empty(size)
    one, other = np.empty(size, np.int64), np.empty(size, np.int64)
    at = 0
    for s in range(n_blocks):
        for t in range(s, n_blocks):
            bound = extra[s] + extra[t]
            for q in range(m):
                width = max(high_a[s, q] - low_a[t, q], high_a[t, q] - low_a[s, q])
                height = max(high_b[s, q] - low_b[t, q], high_b[t, q] - low_b[s, q])
                bound += width * height
            bounds[at], one[at], other[at] = bound, s, t
            at += 1
    return bounds, one, other


@compiled()
def best_score(  # pragma: no cover - compiled
    a: Array,
    b: Array,
    e: Array,
    starts: Array,
    columns: Array,
    order: Array,
    edges: Array,
    bounds: Array,
    one: Array,
    other: Array,
    by_bound: Array,
) -> tuple[float, float, int, int]:
    """Return the highest score of an open pair, −1 if there is none, the next, and the pair.

    Blocks are searched by their bounds, as far as one may hold a score that is as good as equal.
    """
    best, next_best = -1.0, -1.0
    first, second = -1, -1
    # In the order of the blocks, so that what is compared lies side by side.
    sorted_a, sorted_b, sorted_e = a[order], b[order], e[order]
    scores = np.empty(len(order))
    for at in by_bound:
        if bounds[at] < best * (1 - EQUAL):
            break
        s, t = one[at], other[at]
        low, high = edges[t], edges[t + 1]
        for x in range(edges[s], edges[s + 1]):
            begin = x + 1 if s == t else low
            for y in range(begin, high):
                scores[y] = sorted_e[x] + sorted_e[y]
            for q in range(a.shape[1]):
                for y in range(begin, high):
                    scores[y] += (sorted_a[x, q] - sorted_a[y, q]) * (
                        sorted_b[x, q] - sorted_b[y, q]
                    )
            for y in range(begin, high):
                score = abs(scores[y])
                if score > next_best and not _known(starts, columns, order[x], order[y]):
                    if score > best:
                        next_best, best = best, score
                        first, second = min(order[x], order[y]), max(order[x], order[y])
                    else:
                        next_best = score
    return best, next_best, first, second


@compiled()
def first_pair(  # pragma: no cover - compiled
    a: Array,
    b: Array,
    e: Array,
    starts: Array,
    columns: Array,
    order: Array,
    edges: Array,
    bounds: Array,
    one: Array,
    other: Array,
    by_bound: Array,
    least: float,
) -> tuple[int, int]:
    """Return the first open pair, by position, whose score is at least `least`."""
    first, second = len(order), len(order)
    for at in by_bound:
        if bounds[at] < least:
            break
        s, t = one[at], other[at]
        for x in range(edges[s], edges[s + 1]):
            for y in range(x + 1 if s == t else edges[t], edges[t + 1]):
                i, j = min(order[x], order[y]), max(order[x], order[y])
                if (
                    (i < first or (i == first and j < second))
                    and _score(a, b, e, i, j) >= least
                    and not _known(starts, columns, i, j)
                ):
                    first, second = i, j
    return first, second
