"""The contract of a strategy, and the view of a study that it is given."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from likewise.affinities.base import Affinity, Positions
from likewise.clusterers.base import Clusterer, MetricLearner
from likewise.items import Matrix
from likewise.journal.constraints import Constraints
from likewise.journal.pairs import Pair


@dataclass(frozen=True)
class View:
    """All that a strategy may know of a study; to be read, not changed.

    Parameters
    ----------
    features : array, sparse matrix or None
        Of shape (n, d); None when only an affinity or distances of the items are known.
    affinity : Affinity
        How alike items are: `affinity.affinity_` is the graph, `affinity.distances` distances.
    constraints : Constraints
        The answers and all that follows from them.
    n_clusters : int or None
        The number of groups where it is known.
    first_item : int
        The item that stands for the first group until an answer has made one.
    pending : frozenset of Pair
        Pairs that somebody is looking at. Neither they nor what their answers may imply is to be
        proposed.
    deferred : frozenset of Pair
        Unordered pairs that were answered "unsure" by one of the last answers: not to be proposed
        until a few others have been answered.
    recent : tuple of int
        The items that the latest answers were about, latest first.
    fit : callable
        Fits the clusterer to the answers so far; called when `clustering` is first read.
    metric : callable or None
        Returns the metric that had been learned when the item now being placed was chosen. None
        where the clusterer learns none: then distances are the affinity's.

    Examples
    --------
    >>> import likewise as lw
    >>> view = lw.Study([[0.0], [0.1], [5.0]], method="random-items").view
    >>> view.representatives, view.placed
    ([2], array([False, False,  True]))
    """

    features: Matrix | None  # (n, d)
    affinity: Affinity
    constraints: Constraints
    n_clusters: int | None
    first_item: int
    pending: frozenset[Pair]
    deferred: frozenset[Pair]
    recent: tuple[int, ...]
    fit: Callable[[], Clusterer]
    metric: Callable[[], MetricLearner] | None

    @cached_property
    def clustering(self) -> Clusterer:
        """The fitted clusterer. A strategy that never reads it costs no fit."""
        return self.fit()

    def distances(self, items: Positions, others: Positions) -> npt.NDArray[np.float64]:
        """Return the distances of some items to others, (items, others), in the learned metric.

        While an item is being placed the metric stays as it was when the item was chosen: its
        groups are asked in one order, and no fit is spent between two of its questions.
        """
        measure = self.affinity if self.metric is None else self.metric()
        return measure.distances(items, others)

    @cached_property
    def components(self) -> npt.NDArray[np.int64]:  # (n,)
        """The must-link component of every item: equal components, known to be the same."""
        return self.constraints.components()

    @property
    def representatives(self) -> list[int]:
        """One item of every group known so far, in the order in which they were found."""
        return self.constraints.representatives or [self.first_item]

    @cached_property
    def group_components(self) -> npt.NDArray[np.int64]:  # (groups,)
        """The components of the representatives, in their order."""
        component = self.constraints.component
        return np.array([component(representative) for representative in self.representatives])

    @cached_property
    def placed(self) -> npt.NDArray[np.bool_]:  # (n,)
        """Which items are known to belong to one of the groups."""
        return self.constraints.members(self.representatives)

    @property
    def pending_items(self) -> npt.NDArray[np.bool_]:  # (n,)
        """Which items share a component with an item of a pending pair."""
        return self.constraints.members([item for pair in self.pending for item in pair])


class Strategy(Protocol):
    """Chooses the pairs that are asked next.

    A strategy never waits for an answer and keeps no state that matters: equal views and equal
    generators give equal pairs, so that a study goes on after a restart as if never stopped.
    """

    def propose(self, view: View, n: int, rng: np.random.Generator) -> list[Pair]:
        """Return up to `n` pairs worth asking, best first; empty when nothing is left to ask."""


@runtime_checkable
class Forecaster(Protocol):
    """A strategy with a better forecast of answers than the nearest placed items give.

    A study asks it for the probability shown with a question, and for its reason. Any other
    strategy is served by `same_probability`.
    """

    def same_probability(self, view: View, pair: Pair) -> float:
        """Return how likely "same" is for a pair, between 0.01 and 0.99."""

    def explain(self, view: View, pair: Pair) -> str:
        """Say in a sentence or two why this pair is asked."""


@runtime_checkable
class GainEstimator(Protocol):
    """A strategy that knows how many items its next question is expected to put right.

    With that a study weighs the question against verifying what was answered before.
    """

    def gain(self, view: View) -> float:
        """Return how many items the best question is expected to put right; 0 if there is none."""


@runtime_checkable
class Supposes(Protocol):
    """A strategy that may choose questions asked together one after the other.

    A study then supposes the likeliest answer to each before it lets the next be chosen.
    """

    def supposes(self, view: View) -> bool:
        """Return whether that makes better batches of this pile."""
