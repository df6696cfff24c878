"""What the history of a metric says about which features do not matter.

Deng, Yuan, Fu and Qu, "Query-Augmented Active Metric Learning", section 3.3 and, for full metrics,
section 4: the set of penalised features of eq. 7.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy.stats import rankdata

Array = npt.NDArray[np.float64]


def least_relevant(history: Array, n_penalised: int | None) -> npt.NDArray[np.bool_]:  # (p,)
    """Return the features to penalise, given their weights at every step, (steps, p).

    Those with the lowest rank on average; as many as asked for, or as lie below the elbow of the
    average weights, at most half of them: an elbow drawn early takes good features for bad ones.
    """
    rank = np.mean([rankdata(weights) for weights in history], axis=0)
    n = n_penalised
    if n is None:
        n = min(below_elbow(_shares(history).mean(axis=0)), len(rank) // 2)
    chosen = np.zeros(history.shape[1], dtype=bool)
    chosen[np.argsort(rank, kind="stable")[:n]] = True
    return chosen


def below_elbow(weights: Array) -> int:
    """Count the weights before the elbow: the point farthest below the line between the ends.

    >>> below_elbow(np.array([0.1, 5.0, 0.2, 0.3, 6.0]))
    3
    """
    rising = np.sort(weights)
    if len(rising) < 3 or rising[-1] - rising[0] <= 1e-12 * abs(rising[-1]):
        return 0
    line = np.linspace(rising[0], rising[-1], len(rising))
    return int(np.argmax(line - rising)) + 1


def clearest_basis(history: list[Array]) -> Array:  # (p, p), orthonormal columns
    """Return the eigenvectors of the metric with the largest ratio of two adjacent eigenvalues."""
    spectra = [np.linalg.eigh(metric) for metric in history]
    gaps = []
    for values, _ in spectra:
        # Directions of no weight at all would make every gap infinite.
        floored = np.maximum(values, 1e-3 * values[-1])
        gaps.append((floored[1:] / floored[:-1]).max() if values[-1] > 0 and len(values) > 1 else 1)
    return np.asarray(spectra[int(np.argmax(gaps))][1][:, ::-1])


def weights_along(history: list[Array], basis: Array) -> Array:  # (steps, p)
    """Return how much every metric weighs the directions of a basis: the diagonals of Bᵀ A B."""
    return np.array([np.einsum("ij,ik,kj->j", basis, metric, basis) for metric in history])


def _shares(history: Array) -> Array:
    total = history.sum(axis=1, keepdims=True)
    return np.asarray(history / np.where(total > 0, total, 1.0))
