"""Compiled by numba: k-means from many beginnings, for the many small parts of a data set.

With a hundred items scikit-learn spends most of its time on everything around the loop. Loops are
written out also where numpy has a word for them: that compiles in half the time. Imported when a
part is first divided.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from likewise._compiled import compiled
from likewise._xorshift import State, draw

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

_TIE = 1e-12  # relative difference of two costs that is a rounding error


@compiled(nogil=True)
def _sum(values: Floats) -> float:
    total = 0.0
    for value in values:
        total += value
    return total


@compiled(nogil=True)
def _square_distances(points: Floats, norms: Floats, centre: Floats, square: Floats) -> None:
    """Write the squared distances of all items from one centre into `square`."""
    product = np.dot(points, centre)
    norm = 0.0
    for f in range(len(centre)):
        norm += centre[f] ** 2
    for i in range(len(points)):
        square[i] = max(norms[i] - 2 * product[i] + norm, 0.0)


@compiled(nogil=True)
def _first_centres(points: Floats, norms: Floats, centres: Floats, state: State) -> None:
    """Draw by k-means++ (Arthur and Vassilvitskii 2007): of several draws the best."""
    n, k = len(points), len(centres)
    n_trials = 2 + int(np.log(k))
    nearest, square, best_nearest = np.empty(n), np.empty(n), np.empty(n)
    first = min(int(draw(state) * n), n - 1)
    for f in range(points.shape[1]):
        centres[0, f] = points[first, f]
    _square_distances(points, norms, centres[0], nearest)
    for c in range(1, k):
        total, best_total = _sum(nearest), np.inf
        for _ in range(n_trials):
            aim, chosen = draw(state) * total, n - 1
            for i in range(n):
                aim -= nearest[i]
                if aim < 0:
                    chosen = i
                    break
            _square_distances(points, norms, points[chosen], square)
            left = 0.0
            for i in range(n):
                square[i] = min(square[i], nearest[i])
                left += square[i]
            if left < best_total:
                best_total = left
                for f in range(points.shape[1]):
                    centres[c, f] = points[chosen, f]
                for i in range(n):
                    best_nearest[i] = square[i]
        for i in range(n):
            nearest[i] = best_nearest[i]


@compiled(nogil=True)
def _average(points: Floats, labels: Ints, centres: Floats, sizes: Ints) -> None:
    """Set the centres to the means of the clusters; an empty one keeps its centre."""
    sums = np.zeros((len(centres), points.shape[1]))
    for i in range(len(points)):
        for f in range(points.shape[1]):
            sums[labels[i], f] += points[i, f]
    for c in range(len(centres)):
        if sizes[c]:
            for f in range(points.shape[1]):
                centres[c, f] = sums[c, f] / sizes[c]


@compiled(nogil=True)
def _lloyd(points: Floats, norms: Floats, centres: Floats, labels: Ints, max_iter: int) -> float:
    """Assign and average until nothing moves; the cost. An empty cluster gets the worst served."""
    n, k = len(points), len(centres)
    nearest, half = np.empty(n), np.empty(k)
    previous = np.full(n, -1, dtype=np.int64)
    for _ in range(max_iter):
        product = np.dot(points, centres.T)
        sizes = np.zeros(k, dtype=np.int64)
        for c in range(k):
            half[c] = 0.0
            for f in range(points.shape[1]):
                half[c] += centres[c, f] ** 2 / 2
        for i in range(n):
            best, gain = 0, product[i, 0] - half[0]
            for c in range(1, k):
                if product[i, c] - half[c] > gain:
                    best, gain = c, product[i, c] - half[c]
            labels[i] = best
            nearest[i] = max(norms[i] - 2 * gain, 0.0)
            sizes[best] += 1
        for c in range(k):
            if sizes[c] == 0:
                worst = 0
                for i in range(1, n):
                    if nearest[i] > nearest[worst]:
                        worst = i
                if nearest[worst] > 0:
                    sizes[labels[worst]] -= 1
                    sizes[c] += 1
                    labels[worst] = c
                    nearest[worst] = 0.0
        moved = False
        for i in range(n):
            moved |= labels[i] != previous[i]
            previous[i] = labels[i]
        if not moved:
            break
        _average(points, labels, centres, sizes)
    return _sum(nearest)


@compiled(nogil=True)
def best_kmeans(
    points: Floats,  # (n, d)
    n_clusters: int,
    n_starts: int,
    max_iter: int,
    state: State,  # (1,), not zero; changed
) -> Ints:  # (n,)
    """Return labels of the cheapest of several runs of k-means, the first of about equal ones."""
    n, d = points.shape
    norms = np.empty(n)
    for i in range(n):
        norms[i] = 0.0
        for f in range(d):
            norms[i] += points[i, f] ** 2
    labels, best_labels = np.zeros(n, dtype=np.int64), np.zeros(n, dtype=np.int64)
    centres = np.empty((n_clusters, d))
    best = np.inf
    for _ in range(n_starts):
        _first_centres(points, norms, centres, state)
        cost = _lloyd(points, norms, centres, labels, max_iter)
        if cost < best * (1 - _TIE):
            best = cost
            for i in range(n):
                best_labels[i] = labels[i]
    return best_labels
