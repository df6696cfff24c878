"""Compiled loops: the weights of the model of joins. Compiled when first used."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from likewise._compiled import compiled

_ROUNDS = 25
_CLOSE = 1e-9


@compiled()
def climbed(
    design: npt.NDArray[np.float64],  # (m, 3)
    same: npt.NDArray[np.bool_],  # (m,)
    prior: npt.NDArray[np.float64],  # (3,)
    precision: npt.NDArray[np.float64],  # (3,)
    start: npt.NDArray[np.float64],  # (3,)
    least: float,
    most: float,
) -> tuple[npt.NDArray[np.float64], float]:
    """Find the most probable weights by Fisher's scoring with halved steps, from `start`.

    They have independent Gaussian priors, and P(same) = least + (most - least) · σ(design · w).
    Returns them and the log posterior there.
    """
    weights = start.copy()
    value = _log_posterior(design, same, prior, precision, weights, least, most)
    for _ in range(_ROUNDS):
        step = _step(design, same, prior, precision, weights, least, most)
        found = _log_posterior(design, same, prior, precision, weights + step, least, most)
        while np.abs(step).max() > _CLOSE and found < value:
            step = step / 2
            found = _log_posterior(design, same, prior, precision, weights + step, least, most)
        weights = weights + step
        gained, value = found - value, found
        if gained < _CLOSE:
            break
    return weights, value


@compiled()
def _log_posterior(
    design: npt.NDArray[np.float64],
    same: npt.NDArray[np.bool_],
    prior: npt.NDArray[np.float64],
    precision: npt.NDArray[np.float64],
    weights: npt.NDArray[np.float64],
    least: float,
    most: float,
) -> float:
    total = 0.0
    for row in range(len(same)):
        linear = 0.0
        for k in range(3):
            linear += design[row, k] * weights[k]
        along = linear if same[row] else -linear
        # log σ(along), without overflow on either side.
        plain = min(along, 0.0) - math.log1p(math.exp(-abs(along)))
        if least == 0.0 and most == 1.0:
            total += plain
        else:
            # What the answer that came has at least, whatever the weights.
            at_least = least if same[row] else 1.0 - most
            total += math.log(at_least + (most - least) * math.exp(plain))
    for k in range(3):
        total -= 0.5 * precision[k] * (weights[k] - prior[k]) ** 2
    return total


@compiled()
def _step(
    design: npt.NDArray[np.float64],
    same: npt.NDArray[np.bool_],
    prior: npt.NDArray[np.float64],
    precision: npt.NDArray[np.float64],
    weights: npt.NDArray[np.float64],
    least: float,
    most: float,
) -> npt.NDArray[np.float64]:  # (3,)
    gradient = np.zeros(3)
    curvature = np.zeros((3, 3))
    for k in range(3):
        gradient[k] = -precision[k] * (weights[k] - prior[k])
        curvature[k, k] = precision[k]
    between = most - least
    for row in range(len(same)):
        linear = 0.0
        for k in range(3):
            linear += design[row, k] * weights[k]
        one = 1.0 / (1.0 + math.exp(-linear)) if linear > -700.0 else 0.0
        chance = least + between * one
        # The derivative of the chance, and what an answer tells: one in a plain model.
        slope = between * one * (1.0 - one)
        told = 1.0
        if between != 1.0:
            told = slope / max(chance * (1.0 - chance), 1e-300)
        off = (1.0 if same[row] else 0.0) - chance
        for k in range(3):
            gradient[k] += told * off * design[row, k]
            for other in range(3):
                curvature[k, other] += told * slope * design[row, k] * design[row, other]
    return np.linalg.solve(curvature, gradient).astype(np.float64)
