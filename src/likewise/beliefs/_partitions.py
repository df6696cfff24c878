"""All ways to divide a few items into groups, for what is small enough to be enumerated."""

from __future__ import annotations

from functools import cache

import numpy as np

from likewise.beliefs.votes import Floats, Ints

LARGEST = 7  # items; they have 877 partitions


@cache
def partitions(n: int) -> Ints:  # (number of partitions, n)
    """Return the groups of the items in every partition; the first item is always in group 0.

    >>> partitions(3).tolist()
    [[0, 0, 0], [0, 0, 1], [0, 1, 0], [0, 1, 1], [0, 1, 2]]
    """
    found = [[0]]
    for _ in range(n - 1):
        found = [[*so_far, group] for so_far in found for group in range(max(so_far) + 2)]
    return np.array(found, dtype=np.int64)


def enumerate_groups(n: int, ends: Ints, odds: Floats) -> tuple[Ints, Floats]:
    """Return the likeliest groups, and for every pair the probability that it is the same.

    Parameters
    ----------
    n : int
        How many items there are, at most `LARGEST`.
    ends : array of int, shape (n_pairs, 2)
        The pairs about which something is known.
    odds : array of float, shape (n_pairs,)
        The log odds that each is the same, seen alone.
    """
    every = partitions(n)
    together = every[:, ends[:, 0]] == every[:, ends[:, 1]]
    # Partitions that agree about all these pairs are one and the same for what is known.
    together = np.unique(together, axis=0)
    score = together @ odds
    weight = np.exp(score - score.max())
    agree = (every[:, ends[:, 0]] == every[:, ends[:, 1]]) == together[score.argmax()]
    finest = every[np.flatnonzero(agree.all(axis=1))[-1]]
    return finest, (weight @ together) / weight.sum()
