"""The contract of an expert: from items whose group is known to the likely groups of all others."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
Positions = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Seeds:
    """Items whose group is known, and these groups, numbered 0 .. n_groups - 1."""

    items: Positions  # (m,), ascending
    groups: Positions  # (m,)
    n_groups: int

    @cached_property
    def one_hot(self) -> Array:  # (m, n_groups)
        """A one for the group of each item."""
        return np.eye(self.n_groups)[self.groups]

    def only(self, kept: npt.NDArray[np.bool_]) -> Seeds:
        """Some of the items; groups keep their numbers."""
        return Seeds(self.items[kept], self.groups[kept], self.n_groups)


@dataclass(frozen=True)
class Opinion:
    """How likely each group is, for everybody and for the seeds had they not been known.

    Rows sum to one; where an expert has nothing to say, all groups are equally likely.
    """

    everyone: Array  # (n, n_groups)
    held_out: Array  # (m, n_groups)

    @classmethod
    def none(cls, n_items: int, seeds: Seeds) -> Opinion:
        """No opinion at all."""
        even = 1.0 / seeds.n_groups
        return cls(
            np.full((n_items, seeds.n_groups), even),
            np.full((len(seeds.items), seeds.n_groups), even),
        )

    def humble(self, doubt: float) -> Opinion:
        """The same, but nothing is impossible: a share `doubt` goes to all groups alike."""
        even = doubt / self.everyone.shape[1]
        return Opinion((1 - doubt) * self.everyone + even, (1 - doubt) * self.held_out + even)


class Expert(Protocol):
    """Knows the items, and judges by its own idea of likeness who belongs to which group."""

    def opinion(self, seeds: Seeds) -> Opinion:
        """What follows from the seeds; equal seeds, equal opinion."""


def by_likeness(likeness: Array, seeds: Seeds, floor: float) -> Opinion:
    """The opinion of one who adds up how alike an item is to the seeds of each group.

    `likeness` is (n, m), not negative. `floor` is the likeness that counts for nothing: an item
    with less than that to all seeds together might belong to any group.

    >>> seeds = Seeds(np.array([0, 2]), np.array([0, 1]), 2)
    >>> by_likeness(np.array([[4.0, 0.0], [3.0, 1.0], [0.0, 4.0]]), seeds, 0.0).everyone
    array([[1.  , 0.  ],
           [0.75, 0.25],
           [0.  , 1.  ]])
    """
    sums = likeness @ seeds.one_hot
    own = likeness[seeds.items, np.arange(len(seeds.items))]
    without = np.maximum(sums[seeds.items] - own[:, None] * seeds.one_hot, 0.0)
    return Opinion(_shares(sums, floor), _shares(without, floor))


def _shares(sums: Array, floor: float) -> Array:
    total = sums.sum(axis=1, keepdims=True) + floor
    even = np.full(sums.shape, 1.0 / sums.shape[1])
    shares = np.divide(sums + floor * even, total, out=even, where=total > 0)
    return np.asarray(shares)
