"""How much each expert is believed: by what it would have said about the items placed."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

_ROUNDS = 40


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
