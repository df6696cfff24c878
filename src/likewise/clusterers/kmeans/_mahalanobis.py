"""Learned metrics ‖x − y‖²_A = (x − y)ᵀ A (x − y): one for all clusters or one for each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy.linalg

from likewise.clusterers.kmeans.centres import Points, square_distances
from likewise.errors import MethodError

Forms = npt.NDArray[np.float64]  # (m, d) diagonals or (m, d, d) matrices


@dataclass(frozen=True)
class Metrics:
    """The matrices A, and which of them each cluster goes by."""

    forms: Forms
    of_label: npt.NDArray[np.int64]  # (clusters,)

    def __len__(self) -> int:
        """Return how many matrices there are."""
        return len(self.forms)

    def times(self, rows: Points, metric: int) -> Points:
        """Multiply rows by A."""
        form = self.forms[metric]
        return np.asarray(rows * form if form.ndim == 1 else rows @ form)

    def mapped(self, rows: Points, metric: int) -> Points:
        """Map rows to coordinates in which A is the identity."""
        return mapped(rows, self.forms[metric])

    def log_determinants(self) -> npt.NDArray[np.float64]:  # (m,)
        """Return log det A of each matrix."""
        if self.forms.ndim == 2:
            return np.asarray(np.log(self.forms).sum(axis=1))
        return np.asarray(np.linalg.slogdet(self.forms)[1])

    def square_distances(self, points: Points, centres: Points) -> npt.NDArray[np.float64]:
        """Return distances of points from the centre of each cluster, by that cluster's metric."""
        squares = np.empty((len(points), len(centres)))
        for metric in range(len(self)):
            theirs = np.flatnonzero(self.of_label == metric)
            squares[:, theirs] = square_distances(
                self.mapped(points, metric), self.mapped(centres[theirs], metric)
            )
        return squares


def mapped(rows: Points, form: npt.NDArray[np.float64]) -> Points:
    """Map rows to coordinates in which the metric is the identity."""
    if form.ndim == 1:
        return np.asarray(rows * np.sqrt(form))
    # By eigenvectors, because a metric may be blind to a direction.
    values, vectors = np.linalg.eigh(form)
    return np.asarray(rows @ (vectors * np.sqrt(np.maximum(values, 0.0))))


def check_metric(metric: str) -> None:
    """Raise a `MethodError` for a kind of metric that there is not."""
    if metric not in ("diagonal", "full"):
        raise MethodError(f"metric must be 'diagonal' or 'full' but got {metric!r}")


def outer(left: Points, right: Points, full: bool) -> npt.NDArray[np.float64]:
    """Return Σ of the products of rows: (d, d), or only its diagonal, (d,)."""
    return np.asarray(left.T @ right if full else (left * right).sum(axis=0))


def metric_of(
    bracket: npt.NDArray[np.float64], scatter: npt.NDArray[np.float64], n_items: float
) -> npt.NDArray[np.float64]:
    """Return n · bracket⁻¹; no direction weighs more than ten times what its scatter says.

    Violated cannot-links take away from the bracket and can make it negative: the objective then
    has no minimum, and something must bound the weights.
    """
    if bracket.ndim == 1:
        return np.asarray(n_items / np.maximum(bracket, scatter / 10))
    values, vectors = scipy.linalg.eigh(bracket, scatter)
    return np.asarray(n_items * (vectors / np.maximum(values, 0.1)) @ vectors.T)


def farthest_pair(points: Points, directions: Points) -> tuple[int, int, float]:
    """Find two items far apart and their squared distance; nearly always the farthest two.

    One of them is looked for among the extremes along `directions`, (d, m), the other among all;
    then each is replaced by whatever is farther from the other. O(n m d) in place of O(n² d).
    """
    along = points @ directions
    ends = np.unique(np.concatenate([along.argmin(axis=0), along.argmax(axis=0)]))
    best = -1.0
    while True:
        squares = square_distances(points[ends], points)
        end, other = (int(place) for place in np.unravel_index(squares.argmax(), squares.shape))
        if squares[end, other] <= best * (1 + 1e-12):
            return int(ends[0]), int(ends[1]), best
        best = float(squares[end, other])
        ends = np.array([ends[end], other])
