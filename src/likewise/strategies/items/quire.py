"""QUIRE: the item that is both uncertain and unlike the placed ones."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.linalg import solve_triangular

from likewise.errors import MethodError
from likewise.strategies.base import View
from likewise.strategies.ranking import unlike_each_other

_SAMPLE = 1000  # items from which the width of the kernel is found in a large pile

Vector = npt.NDArray[np.float64]


class InformativeRepresentative:
    """The chooser of items that are both informative and representative (QUIRE).

    With K a Gaussian kernel, y the labels ±1 of the placed items and M = K + λI among them, an
    item s scores yᵀM⁻¹y + (1 + abs f)² / v, the smaller the better: f = kᵀM⁻¹y is what the placed
    items predict for it, v = K_ss + λ − kᵀM⁻¹k how uncertain that is. This is the published score,
    whose sums over all unlabelled items cancel (a test shows it). With more than two groups each
    is taken against the rest and the largest score counts.

    Parameters
    ----------
    smoothing : float
        λ, above 0. The larger, the less the placed items decide.

    References
    ----------
    Huang, Jin and Zhou, "Active learning by querying informative and representative examples",
    2010.
    """

    def __init__(self, *, smoothing: float = 1.0) -> None:
        self.smoothing = smoothing
        self._cache: tuple[Any, KernelRidge] | None = None  # an affinity and what was fitted by it

    def rank(
        self, view: View, candidates: npt.NDArray[np.int64], n: int, rng: np.random.Generator
    ) -> list[int]:
        """Return the candidates of smallest score, unlike one another."""
        if not self.smoothing > 0:
            raise MethodError(f"smoothing must be above 0 but got {self.smoothing}")
        model = self._model(view)
        own = view.components[model.placed][:, None] == view.group_components
        scores = model.scores(np.where(own, 1.0, -1.0))
        return unlike_each_other(view, candidates, 1.0 / scores[candidates], n)

    def _model(self, view: View) -> KernelRidge:
        """Return the model of all placed items, adding those that are new since the last call."""
        placed = np.flatnonzero(view.placed)
        affinity, everyone = view.affinity, np.arange(len(view.components))
        if (
            self._cache is None
            or self._cache[0] is not affinity
            or not np.isin(self._cache[1].placed, placed).all()
        ):
            self._cache = (affinity, KernelRidge(len(everyone), self.smoothing))
            self._gamma = kernel_width(view)
        model = self._cache[1]
        for item in np.setdiff1d(placed, model.placed):
            distance = affinity.distances(np.array([item]), everyone).ravel()
            model.add(int(item), np.exp(-self._gamma * distance**2))
        return model


class KernelRidge:
    """Kernel ridge regression on placed items, grown by one item at a time.

    With LLᵀ = M the rows of L⁻¹K are kept, a row per placed item; one more costs O(n) for each
    that is there already.

    Parameters
    ----------
    n_items : int
        Of the pile; kernels are 1 on the diagonal.
    smoothing : float
        λ.
    """

    def __init__(self, n_items: int, smoothing: float) -> None:
        self.smoothing = smoothing
        self.placed: list[int] = []
        self.variance = np.full(n_items, 1.0 + smoothing)  # v of every item
        self._rows = np.empty((0, n_items))
        self._diagonal: list[float] = []  # of L; below it, L is in the placed items' columns

    def add(self, item: int, kernel: Vector) -> None:
        """Add a placed item, given its kernel with all items."""
        pivot = float(np.sqrt(self.variance[item]))
        row = (kernel - self._rows[:, item] @ self._rows) / pivot
        self._rows = np.vstack([self._rows, row])
        self._diagonal.append(pivot)
        self.placed.append(item)
        # Never below λ but for rounding, and for kernels of distances that no space has.
        self.variance = np.maximum(self.variance - row**2, self.smoothing)

    def scores(self, signs: npt.NDArray[np.float64]) -> Vector:  # (placed, groups) -> (n,)
        """Return the score of every item that is not placed, the largest over the groups."""
        lower = np.tril(self._rows[:, self.placed].T, -1) + np.diag(self._diagonal)
        solved = solve_triangular(lower, signs, lower=True)
        prediction = np.abs(self._rows.T @ solved)  # |f|, (n, groups)
        scores = (solved**2).sum(axis=0) + (1.0 + prediction) ** 2 / self.variance[:, None]
        return np.asarray(scores.max(axis=1))


def kernel_width(view: View) -> float:
    """Return γ of exp(−γd²): 2 / mean d², for columns of unit variance 1 / their number."""
    n = len(view.components)
    some = np.linspace(0, n - 1, min(n, _SAMPLE)).astype(np.int64)
    squares = view.affinity.distances(some, some) ** 2
    mean = float(squares.sum()) / max(1, len(some) * (len(some) - 1))
    return 2.0 / mean if mean > 0 else 1.0
