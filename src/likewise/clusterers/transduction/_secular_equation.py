"""A quadratic form made small on a sphere: the secular equation of a trust region."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy.optimize import brentq

Floats = npt.NDArray[np.float64]

# Eigenvalues that differ by less, and components of the linear part that are smaller, both in
# relation to the largest, are rounding errors.
_SAME = 1e-12
_NOTHING = 1e-14


def smallest_on_sphere(values: Floats, linear: Floats, radius: float) -> Floats:
    """Return the w of length `radius` that makes Σ tᵢ wᵢ² − 2 Σ bᵢ wᵢ smallest, t ascending.

    It is w = b / (t − λ) with λ the smallest root of the secular equation Σ (bᵢ / (tᵢ − λ))² =
    radius², which lies left of t₁. Where b says nothing about the direction of t₁ there may be no
    root there, the "hard case": then λ = t₁, and that direction takes what is missing in length.
    Its sign is free; the positive one is taken.

    >>> smallest_on_sphere(np.array([0.0, 1.0]), np.array([0.0, 3.0]), 1.0)
    array([0., 1.])
    >>> smallest_on_sphere(np.array([0.0, 1.0]), np.array([0.0, 0.6]), 1.0)
    array([0.8, 0.6])
    """
    above = values - values[0]  # in terms of s = t₁ − λ ≥ 0 no digits are lost near the root
    lowest = above <= _SAME * max(float(above[-1]), 1.0)
    above[lowest] = 0.0
    size = float(np.linalg.norm(linear))
    if size == 0.0:
        return _completed(np.zeros_like(values), linear, lowest, radius)
    along_lowest = float(np.linalg.norm(linear[lowest]))

    def solution(s: float) -> Floats:
        return np.asarray(linear / (above + s))

    # Σ (bᵢ / (above + s))² lies between (along_lowest / s)² and (size / s)².
    nearest, farthest = max(along_lowest, _NOTHING * size) / radius, size / radius
    if np.linalg.norm(solution(nearest)) <= radius:
        return _completed(solution(nearest), linear, lowest, radius)
    # A little beyond both ends, so that rounding does not put the root outside.
    root = brentq(
        lambda log_s: 1.0 / np.linalg.norm(solution(np.exp(log_s))) - 1.0 / radius,
        np.log(nearest) - 1e-9, np.log(farthest) + 1e-9, xtol=1e-14, rtol=1e-14, maxiter=500,
    )  # fmt: skip
    solved = solution(float(np.exp(root)))
    return np.asarray(solved * (radius / np.linalg.norm(solved)))


def _completed(w: Floats, linear: Floats, lowest: npt.NDArray[np.bool_], radius: float) -> Floats:
    """Add the length that w misses along the eigenvectors of the least value."""
    w = np.where(lowest, 0.0, w)
    missing = float(np.sqrt(max(radius**2 - float(w @ w), 0.0)))
    direction = np.where(lowest, linear, 0.0)
    length = float(np.linalg.norm(direction))
    if length > 0.0:
        return np.asarray(w + missing * direction / length)
    w[0] = missing
    return w
