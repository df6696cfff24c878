"""The contract of an expert: from seeds to a distribution over groups for every item."""

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
    """Items whose group is known.

    Parameters
    ----------
    items : ndarray of shape (m,)
        Positions of the items, ascending.
    groups : ndarray of shape (m,)
        The group of each, 0 to `n_groups` - 1.
    n_groups : int
        How many groups there are; some of them may have no seed among `items`.
    """

    items: Positions  # (m,), ascending
    groups: Positions  # (m,)
    n_groups: int

    @cached_property
    def one_hot(self) -> Array:  # (m, n_groups)
        """The groups as rows of the identity matrix."""
        return np.eye(self.n_groups)[self.groups]

    def only(self, kept: npt.NDArray[np.bool_]) -> Seeds:
        """Return some of the seeds; groups keep their numbers."""
        return Seeds(self.items[kept], self.groups[kept], self.n_groups)


@dataclass(frozen=True)
class Prediction:
    """A distribution over groups for every item, and for every seed had it not been one.

    Rows sum to one; where an expert knows nothing, all groups are equally likely.

    Parameters
    ----------
    probabilities : ndarray of shape (n, n_groups)
        Of every item of the pile.
    held_out : ndarray of shape (m, n_groups)
        Of the seeds, each predicted without the seed itself (leave-one-out, folds or
        out-of-bag). Stacking judges an expert by these alone.
    """

    probabilities: Array  # (n, n_groups)
    held_out: Array  # (m, n_groups)

    @classmethod
    def uniform(cls, n_items: int, seeds: Seeds) -> Prediction:
        """Return the prediction of an expert that knows nothing."""
        even = 1.0 / seeds.n_groups
        return cls(
            np.full((n_items, seeds.n_groups), even),
            np.full((len(seeds.items), seeds.n_groups), even),
        )

    def smoothed(self, share: float) -> Prediction:
        """Mix a `share` of the uniform distribution into every row, so that no group has zero."""
        even = share / self.probabilities.shape[1]
        return Prediction(
            (1 - share) * self.probabilities + even, (1 - share) * self.held_out + even
        )


class Expert(Protocol):
    """A model of similarity that is fitted to the pile and predicts groups from seeds."""

    def predict(self, seeds: Seeds) -> Prediction:
        """Return the groups of all items; equal seeds give equal predictions."""


def predict_by_similarity(similarity: Array, seeds: Seeds, pseudo_count: float) -> Prediction:
    """Share each item among the groups in proportion to its similarity to their seeds.

    Parameters
    ----------
    similarity : ndarray of shape (n, m)
        Of all items to the seeds, not negative.
    seeds : Seeds
        Its items belong to the columns of `similarity`.
    pseudo_count : float
        Similarity that every item has beside, spread evenly over the groups (additive
        smoothing): an item with much less than that to all seeds may belong to any group. With 0
        only items without any similarity are uniform.

    Returns
    -------
    Prediction
        Seeds are held out exactly: their similarity to themselves is subtracted.

    Examples
    --------
    >>> seeds = Seeds(np.array([0, 2]), np.array([0, 1]), 2)
    >>> similarity = np.array([[4.0, 0.0], [3.0, 1.0], [0.0, 4.0]])
    >>> predict_by_similarity(similarity, seeds, 0.0).probabilities
    array([[1.  , 0.  ],
           [0.75, 0.25],
           [0.  , 1.  ]])
    """
    sums = similarity @ seeds.one_hot
    own = similarity[seeds.items, np.arange(len(seeds.items))]
    without = np.maximum(sums[seeds.items] - own[:, None] * seeds.one_hot, 0.0)
    return Prediction(_shares(sums, pseudo_count), _shares(without, pseudo_count))


def _shares(sums: Array, pseudo_count: float) -> Array:
    """Normalise rows after adding the pseudo-count; rows without any mass become uniform."""
    total = sums.sum(axis=1, keepdims=True) + pseudo_count
    even = np.full(sums.shape, 1.0 / sums.shape[1])
    shares = np.divide(sums + pseudo_count * even, total, out=even, where=total > 0)
    return np.asarray(shares)
