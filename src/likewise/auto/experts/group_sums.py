"""Sums over the seeds of each group, kept from one answer to the next."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np

from likewise.auto.experts.base import Array, Seeds


class GroupSums:
    """Sums of a vector per seed over the seeds of each group.

    From one answer to the next, hardly any group has other seeds: only these are summed anew.

    Parameters
    ----------
    vector : callable
        Returns that of an item.
    length : int
        Of the vectors.
    """

    def __init__(self, vector: Callable[[int], Array], length: int) -> None:
        self._vector, self._length = vector, length
        self._kept: dict[bytes, Array] = {}  # by the seeds

    def __call__(self, seeds: Seeds) -> Array:  # (n_groups, length)
        """Return the sums."""
        by_group = np.argsort(seeds.groups, kind="stable")
        bounds = np.searchsorted(seeds.groups[by_group], np.arange(seeds.n_groups + 1))
        before, self._kept = self._kept, {}
        sums = np.zeros((seeds.n_groups, self._length))
        for group, (begin, end) in enumerate(pairwise(bounds.tolist())):
            items = seeds.items[by_group[begin:end]]
            key = items.tobytes()
            if key in before:
                sums[group] = before[key]
            else:
                for item in items.tolist():
                    sums[group] += self._vector(item)
            self._kept[key] = sums[group]
        return sums
