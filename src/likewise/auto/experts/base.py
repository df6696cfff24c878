"""The contract of an expert: from seeds to a distribution over groups for every item."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

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

    def summed(self, rows: Array) -> Array:  # (m, k) -> (n_groups, k)
        """Return the sum of each group's rows."""
        m = len(self.items)
        ones = sp.csr_matrix((np.ones(m), (self.groups, np.arange(m))), shape=(self.n_groups, m))
        return np.asarray(ones @ rows)

    def at_most(self, number: int) -> Seeds:
        """Return so many of the seeds, all if there are no more; of every group about as many.

        Which ones hangs on the seeds of each group alone, and hardly changes with another one.

        >>> Seeds(np.arange(6), np.array([0, 0, 0, 0, 0, 1]), 2).at_most(3).groups
        array([0, 0, 1])
        """
        if len(self.items) <= number:
            return self
        shuffled = scattered(self.items)
        order = np.lexsort((shuffled, self.groups))
        first = np.searchsorted(self.groups[order], np.arange(self.n_groups))
        within = np.empty(len(order), dtype=np.int64)  # how many of its group come first
        within[order] = np.arange(len(order)) - first[self.groups[order]]
        chosen = np.zeros(len(order), dtype=bool)
        chosen[np.lexsort((shuffled, within))[:number]] = True
        return self.only(chosen)

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
        probabilities, held_out = (1 - share) * self.probabilities, (1 - share) * self.held_out
        probabilities += even  # in place: these are large
        held_out += even
        return Prediction(probabilities, held_out)


def scattered(numbers: Positions) -> npt.NDArray[np.uint64]:
    """Return a number for each of some numbers, in an order that has nothing to do with theirs."""
    # Knuth's multiplicative hashing: 2⁶⁴ divided by the golden ratio.
    return numbers.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)


class Expert(Protocol):
    """A model of similarity that is fitted to the pile and predicts groups from seeds."""

    def predict(self, seeds: Seeds) -> Prediction:
        """Return the groups of all items; equal seeds give equal predictions."""


def predict_by_similarity(similarity: Array, seeds: Seeds, pseudo_count: float) -> Prediction:
    """Share each item among the groups in proportion to its similarity to their seeds.

    Parameters
    ----------
    similarity : ndarray of shape (m, n)
        Of the seeds to all items, not negative.
    seeds : Seeds
        Its items belong to the rows of `similarity`.
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
    >>> similarity = np.array([[4.0, 3.0, 0.0], [0.0, 1.0, 4.0]])
    >>> predict_by_similarity(similarity, seeds, 0.0).probabilities
    array([[1.  , 0.  ],
           [0.75, 0.25],
           [0.  , 1.  ]])
    """
    sums = np.ascontiguousarray(seeds.summed(similarity).T)
    own = similarity[np.arange(len(seeds.items)), seeds.items]
    return predict_by_sums(sums, own, seeds, pseudo_count)


def predict_by_sums(sums: Array, own: Array, seeds: Seeds, pseudo_count: float) -> Prediction:
    """Share each item among the groups as `predict_by_similarity` does, by sums over their seeds.

    Parameters
    ----------
    sums : ndarray of shape (n, n_groups)
        The similarity of all items to the seeds of each group.
    own : ndarray of shape (m,)
        Of each seed to itself.
    seeds, pseudo_count
        As there.
    """
    without = np.maximum(sums[seeds.items] - own[:, None] * seeds.one_hot, 0.0)
    return Prediction(_shares(sums, pseudo_count), _shares(without, pseudo_count))


def _shares(sums: Array, pseudo_count: float) -> Array:
    """Normalise rows after adding the pseudo-count; rows without any mass become uniform."""
    total = sums.sum(axis=1, keepdims=True) + pseudo_count
    even = np.full(sums.shape, 1.0 / sums.shape[1])
    shares = np.divide(sums + pseudo_count * even, total, out=even, where=total > 0)
    return np.asarray(shares)
