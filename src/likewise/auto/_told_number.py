"""A number of groups that was told, as evidence of which groups are one. Compiled when first used.

Whoever tells the number says that more groups are one than it seems, not which. So the odds of all
pairs are multiplied by the one factor under which as many joins are expected, along the tree of the
likeliest ones, as it takes. Chances that differ become clearly large and clearly small; where they
hardly differ all stay middling, and how many items they are about decides.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from likewise._compiled import compiled

_RAREST = 1e-4  # chances below are not told apart
_MOST_RAISED = 60.0  # the logarithm of the factor
_CLOSE = 1e-9


@compiled()
def joined_to_number(
    chance: npt.NDArray[np.float64],  # (n, n)
    weights: npt.NDArray[np.float64],  # (n,)
    n_items: npt.NDArray[np.float64],  # (n,)
    number: int,
) -> npt.NDArray[np.int64]:  # (n,)
    """Return the label of each cluster, one of those joined, once no more than a number are left.

    With chances raised as the number has it, the likeliest two are joined as long as they are
    likelier one than two, then those that add the fewest wrong items to the expected ones: if
    clusters of a and b items are one with probability p, joining them adds min(a, b) (1 - 2p). The
    chance of joined ones is the mean, by `weights`. It takes about n² steps per join.

    Parameters
    ----------
    chance : ndarray of shape (n, n)
        How likely two clusters are one, symmetric; -inf for those that cannot be joined.
    weights, n_items : ndarray of shape (n,)
        How much each counts in a mean; how many items it has.
    number : int
        How many may be left; more are if no two of them can be joined.
    """
    n = len(chance)
    chance, weights, n_items = chance.copy(), weights.copy(), n_items.copy()
    label = np.arange(n)
    there = np.arange(n)
    while len(there) > number:
        factor = _raising(_likeliest_tree(chance, there), len(there) - number)
        a, b = _next_join(chance, there, n_items, factor)
        if a < 0:
            break
        total = weights[a] + weights[b]
        for other in there:
            mean = (weights[a] * chance[a, other] + weights[b] * chance[b, other]) / total
            chance[a, other] = chance[other, a] = mean
        weights[a], n_items[a] = total, n_items[a] + n_items[b]
        label[label == b] = a
        there = there[there != b]
    return label


@compiled()
def _likeliest_tree(
    chance: npt.NDArray[np.float64], there: npt.NDArray[np.int64]
) -> npt.NDArray[np.float64]:
    """Return the chances along the tree, or the trees, of the likeliest joins (Prim)."""
    best = np.full(len(chance), -np.inf)
    outside = there.copy()
    edges = []
    while len(outside) > 0:
        at = 0
        for k in range(1, len(outside)):
            if best[outside[k]] > best[outside[at]]:
                at = k
        reached = outside[at]
        if best[reached] > -np.inf:
            edges.append(max(best[reached], _RAREST))
        outside = outside[outside != reached]
        for other in outside:
            best[other] = max(best[other], chance[reached, other])
    return np.array(edges, dtype=np.float64)


@compiled()
def _raised(chance: float, factor: float) -> float:
    """Return a chance whose odds are multiplied by a factor."""
    chance = max(chance, _RAREST)
    return chance * factor / (chance * factor + 1.0 - chance)


@compiled()
def _raising(edges: npt.NDArray[np.float64], n_joins: int) -> float:
    """Return the factor, at least one, under which so many joins are expected, by halving."""
    if len(edges) <= n_joins:
        return 1.0
    low, high = 0.0, _MOST_RAISED
    while high - low > _CLOSE:
        middle = (low + high) / 2.0
        expected = 0.0
        factor = math.exp(middle)
        for chance in edges:
            expected += _raised(chance, factor)
        if expected >= n_joins:
            high = middle
        else:
            low = middle
    return math.exp(high)


@compiled()
def _next_join(
    chance: npt.NDArray[np.float64],
    there: npt.NDArray[np.int64],
    n_items: npt.NDArray[np.float64],
    factor: float,
) -> tuple[int, int]:
    """Return the likeliest two if they are likelier one than two, else those that cost least."""
    likeliest, cheapest = (-1, -1), (-1, -1)
    most, least = -np.inf, np.inf
    for k, a in enumerate(there):
        for b in there[k + 1 :]:
            if chance[a, b] == -np.inf:
                continue
            if chance[a, b] > most:
                most, likeliest = chance[a, b], (a, b)
            cost = min(n_items[a], n_items[b]) * (1.0 - 2.0 * _raised(chance[a, b], factor))
            if cost < least:
                least, cheapest = cost, (a, b)
    if most > -np.inf and _raised(most, factor) > 0.5:
        return likeliest
    return cheapest
