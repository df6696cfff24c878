"""Stacking: weights of experts from held-out predictions, and power calibration of their mean."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

_EM_ROUNDS = 40
_POWERS = np.geomspace(0.5, 4.0, 13)
_LOG_POWER_PENALTY = 2.0


def stacked_weights(
    likelihoods: npt.NDArray[np.float64],  # (experts, seeds)
    prior: npt.NDArray[np.float64],  # (experts,)
) -> npt.NDArray[np.float64]:
    """Compute the mixture weights that make the seeds' own groups likeliest.

    Maximises Π over seeds of Σ over experts of weight · likelihood, times a Dirichlet prior, by
    40 rounds of EM.

    Parameters
    ----------
    likelihoods : ndarray of shape (experts, seeds)
        The probability that each expert gave the true group of a seed that was held out.
    prior : ndarray of shape (experts,)
        Pseudo-counts: each is worth so many seeds that only that expert had predicted. Without
        seeds the weights are the prior, normalised.

    Returns
    -------
    ndarray of shape (experts,)
        They sum to one.

    References
    ----------
    Wolpert, "Stacked generalization", 1992. Smyth and Wolpert, "Linearly combining density
    estimators via stacking", 1999 (the EM).

    Examples
    --------
    >>> stacked_weights(np.array([[0.9, 0.9, 0.9], [0.1, 0.1, 0.1]]), np.ones(2)).round(1)
    array([0.8, 0.2])
    """
    weights: npt.NDArray[np.float64] = prior / prior.sum()
    if likelihoods.shape[1] == 0:
        return weights
    for _ in range(_EM_ROUNDS):
        credit = weights[:, None] * likelihoods
        credit = credit / np.maximum(credit.sum(axis=0), 1e-300)
        weights = credit.sum(axis=1) + prior
        weights = weights / weights.sum()
    return weights


def calibration_power(
    held_out: npt.NDArray[np.float64],  # (seeds, groups)
    groups: npt.NDArray[np.int64],  # (seeds,)
) -> float:
    """Find the power that, applied to all probabilities, makes the seeds' own groups likeliest.

    This is temperature scaling with temperature 1 / power. A mean of experts is underconfident:
    where all but one are sure, it is not; a power above one corrects that. Few seeds say little
    about it, so that a power other than one is penalised (a Gaussian prior on its logarithm).

    Parameters
    ----------
    held_out : ndarray of shape (seeds, groups)
        Held-out probabilities.
    groups : ndarray of shape (seeds,)
        The true groups. Without any the power is 1.

    Returns
    -------
    float
        Between 0.5 and 4.

    References
    ----------
    Guo, Pleiss, Sun and Weinberger, "On calibration of modern neural networks", 2017.

    Examples
    --------
    >>> calibration_power(np.array([[0.8, 0.2]] * 30), np.zeros(30, dtype=np.int64)) > 2
    True
    >>> calibration_power(np.array([[0.8, 0.2]]), np.zeros(1, dtype=np.int64)) < 1.5
    True
    """
    if not len(groups):
        return 1.0
    own = np.arange(len(groups))

    def log_posterior(power: float) -> float:
        likelihood = np.maximum(raised(held_out, power)[own, groups], 1e-12)
        return float(np.log(likelihood).sum() - _LOG_POWER_PENALTY * np.log(power) ** 2)

    powers: list[float] = _POWERS.tolist()
    return max(powers, key=lambda power: round(log_posterior(power), 9))


def raised(
    probabilities: npt.NDArray[np.float64], power: float
) -> npt.NDArray[np.float64]:  # (m, groups) -> (m, groups)
    """Raise every probability to a power and normalise the rows.

    Above one the rows become more confident, below one less; 1 changes nothing.

    >>> raised(np.array([[0.75, 0.25]]), 2.0)
    array([[0.9, 0.1]])
    """
    powers = np.maximum(probabilities, 1e-12) ** power
    return np.asarray(powers / powers.sum(axis=1, keepdims=True))
