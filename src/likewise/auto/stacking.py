"""How much each expert is believed: by what it would have said about the items placed."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

_ROUNDS = 40
_POWERS = np.geomspace(0.5, 4.0, 13)
_CAUTION = 2.0


def stacked_weights(
    chances: npt.NDArray[np.float64],  # (experts, seeds)
    prior: npt.NDArray[np.float64],  # (experts,)
) -> npt.NDArray[np.float64]:
    """Weights of most Π over seeds of Σ w·chance, with a Dirichlet prior; they sum to one.

    `chances` are those that each expert gave the true group of a seed without knowing it. The
    prior counts like so many seeds that only that expert had foreseen: without seeds it is all.

    >>> stacked_weights(np.array([[0.9, 0.9, 0.9], [0.1, 0.1, 0.1]]), np.ones(2)).round(1)
    array([0.8, 0.2])
    """
    weights: npt.NDArray[np.float64] = prior / prior.sum()
    if chances.shape[1] == 0:
        return weights
    for _ in range(_ROUNDS):
        credit = weights[:, None] * chances
        credit = credit / np.maximum(credit.sum(axis=0), 1e-300)
        weights = credit.sum(axis=1) + prior
        weights = weights / weights.sum()
    return weights


def sharpness(
    held_out: npt.NDArray[np.float64],  # (seeds, groups)
    groups: npt.NDArray[np.int64],  # (seeds,)
) -> float:
    """The power that, applied to all chances, makes the seeds' own groups likeliest.

    The mean of several opinions is more modest than it has reason to be: where all but one are
    sure, it is not. A power above one puts that right. Few seeds say little about it, so that a
    power other than one has to pay (a prior on its logarithm).

    >>> sharpness(np.array([[0.8, 0.2]] * 30), np.zeros(30, dtype=np.int64)) > 2
    True
    >>> sharpness(np.array([[0.8, 0.2]]), np.zeros(1, dtype=np.int64)) < 1.5
    True
    """
    if not len(groups):
        return 1.0
    own = np.arange(len(groups))

    def credit(power: float) -> float:
        chances = sharpened(held_out, power)[own, groups]
        return float(np.log(np.maximum(chances, 1e-12)).sum() - _CAUTION * np.log(power) ** 2)

    powers: list[float] = _POWERS.tolist()
    return max(powers, key=lambda power: round(credit(power), 9))


def sharpened(chances: npt.NDArray[np.float64], power: float) -> npt.NDArray[np.float64]:
    """Every chance raised to a power, rows summing to one again.

    >>> sharpened(np.array([[0.75, 0.25]]), 2.0)
    array([[0.9, 0.1]])
    """
    raised = np.maximum(chances, 1e-12) ** power
    return np.asarray(raised / raised.sum(axis=1, keepdims=True))
