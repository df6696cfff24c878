"""Metrics in which similar pairs lie close together and dissimilar ones far apart.

Deng, Yuan, Fu and Qu, "Query-Augmented Active Metric Learning", eqs. 4 and 10. In the form (10),
which has the solutions of (4) up to scale, the mean distance of dissimilar pairs is maximised while
the mean squared distance of similar pairs is bounded. The bound is taken here with a margin:

    Σ sₘ aₘ + ridge ‖s ∘ a‖₂ ≤ 1,        for a full metric tr(S A) + ridge ‖S^½ A S^½‖ ≤ 1.

`ridge=0` is the paper's. Its optimum is flat and sits in a corner: of features that are about
equally good it weighs the luckiest, and another one after the next answers. The margin spreads
the weight over all of them; as it grows, aₘ becomes proportional to what feature m gives divided by
what it costs.

Directions in which similar pairs do not differ at all cost nothing, and the bound does not bound
them. They are taken to cost a billionth of the dearest; where no pair of similar items differs in
anything, there is nothing to learn from and features are taken as they are.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from likewise.clusterers.aqm._weighted_pairs import CHEAPEST, WeightedPairs

Array = npt.NDArray[np.float64]

_ROUNDS = 200
_TOLERANCE = 1e-4  # of the objective, per round
_TINY = 1e-300


def diagonal_metric(pairs: WeightedPairs, ridge: float, extra: Array | float = 0.0) -> Array:
    """Return weights of the features, (p,); `extra` is added to what each one costs (γ of eq. 7).

    With b = s ∘ a the rows √b are multiplied by gain over cost until both agree, by less where
    the objective would not grow. Without ridge such a step never overshoots (Cauchy-Schwarz).
    """
    cost = pairs.costs + extra
    if not cost.max() > 0:
        return np.ones(len(cost))
    varies = cost > 0
    if not varies.all():
        varies |= (pairs.differences != 0).any(axis=0)
    cheapest = CHEAPEST * float(cost.max())
    inverse = varies / np.maximum(cost, cheapest)
    squares = np.square(pairs.differences)
    squares *= inverse
    root = varies / np.sqrt(max(varies.sum(), 1))

    def evaluate(root: Array) -> tuple[float, Array]:
        """Return the objective, free of scale, and the direction in which it grows."""
        b = root**2
        length = max(float(np.linalg.norm(b)), _TINY)
        price, margin = 1 + ridge * b / length, float(b.sum() + ridge * length)
        distance = np.sqrt(np.maximum(squares @ b, _TINY))
        mean = float(pairs.weight @ distance)
        gain = (pairs.weight / distance) @ squares
        return mean / np.sqrt(margin), root * (gain / price * margin / max(mean, _TINY) - 1)

    similar = np.maximum(pairs.costs, cheapest)
    return scaled_metric(_ascend(root, evaluate) ** 2 * inverse, similar)


def feature_metric(pairs: WeightedPairs, extra: Array | float = 0.0) -> Array:
    """Return the weights (gₘ / cₘ)², (p,), of the problem that the authors' published code solves.

    It sums the distance along each feature, √aₘ |δₘ|, where eq. 10 has the distance √(Σ aₘ δₘ²);
    with gₘ the mean of |δₘ| over dissimilar and cₘ that of δₘ² over similar pairs the optimum of
    c·a - log(g·√a) is a closed form.
    """
    cost = pairs.costs + extra
    if not cost.max() > 0:
        return np.ones(len(cost))
    cheapest = CHEAPEST * float(cost.max())
    gain = pairs.weight @ np.abs(pairs.differences)
    similar = np.maximum(pairs.costs, cheapest)
    return scaled_metric((gain / np.maximum(cost, cheapest)) ** 2, similar)


def full_metric(pairs: WeightedPairs, ridge: float, rank: int | None = None) -> Array:
    """Return a positive semidefinite matrix, (p, p), of at most the given rank.

    A = L Lᵀ in coordinates in which similar pairs differ alike in all directions; L is moved as √b
    is for a diagonal metric, so that A needs no projection.
    """
    value, vectors = np.linalg.eigh(pairs.similar)
    if not value[-1] > 0:
        return np.eye(len(value))
    value = np.maximum(value, CHEAPEST * value[-1])
    whiten = vectors / np.sqrt(value)
    differences = pairs.differences @ whiten
    p = differences.shape[1]
    spread = (differences.T * pairs.weight) @ differences
    start = np.linalg.eigh(spread)[1][:, ::-1][:, : min(rank or p, p)]

    def evaluate(L: Array) -> tuple[float, Array]:
        length = max(float(np.linalg.norm(L.T @ L)), _TINY)
        price = np.eye(p) + ridge / length * L @ L.T
        margin = float((L**2).sum()) + ridge * length
        along = differences @ L
        distance = np.sqrt(np.maximum((along**2).sum(axis=1), _TINY))
        mean = float(pairs.weight @ distance)
        gain = differences.T @ (along * (pairs.weight / distance)[:, None])
        step = np.linalg.solve(price, gain) * (margin / max(mean, _TINY)) - L
        return mean / np.sqrt(max(margin, _TINY)), step

    root = whiten @ _ascend(start, evaluate)
    return scaled_metric(root @ root.T, vectors * value @ vectors.T)


def _ascend(root: Array, evaluate: Callable[[Array], tuple[float, Array]]) -> Array:
    """Take steps that never lower the objective, until they hardly raise it."""
    value, step = evaluate(root)
    for _ in range(_ROUNDS):
        for shrink in (1.0, 0.3, 0.1, 0.03, 0.01):
            moved = root + shrink * step
            higher, next_step = evaluate(moved)
            if higher > value:
                break
        else:
            return root
        settled = higher <= value * (1 + _TOLERANCE)
        root, value, step = moved, higher, next_step
        if settled:
            break
    return root


def scaled_metric(metric: Array, similar: Array) -> Array:  # as `metric`
    """Return the metric in which the mean squared distance of similar pairs is one."""
    mean = float((metric * similar).sum())
    return metric / mean if mean > 0 else metric
