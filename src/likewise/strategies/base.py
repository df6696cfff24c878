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
    """All that a strategy may know; to be read, not changed.

    `pending` pairs are being looked at by somebody: neither they nor what their answers may imply
    is to be proposed. `resting` pairs (unordered) were answered "unsure" a moment ago. `recent`
    lists the items that the latest answers were about, latest first.
    `clustering` is fitted when it is first looked at, so a strategy that can do without it costs
    no fit; `features` is None when only an affinity or distances are known of the items.
    """

    features: Matrix | None  # (n, d)
    affinity: Affinity
    constraints: Constraints
    n_clusters: int | None
    first_item: int  # stands for the first group until an answer has made one
    pending: frozenset[Pair]
    resting: frozenset[Pair]
    recent: tuple[int, ...]
    fit: Callable[[], Clusterer]
    learned: (
        Callable[[], MetricLearner] | None
    )  # None where nothing but the affinity says what is far

    @cached_property
    def clustering(self) -> Clusterer:
        """The current groups of all items."""
        return self.fit()

    def distances(self, items: Positions, others: Positions) -> npt.NDArray[np.float64]:
        """How far apart items are, (items, others), by what had been learned of it.

        While an item is being placed this stays as it was when the item was chosen: its groups
        are asked in one order, and no fit is spent between two of its questions.
        """
        measure = self.affinity if self.learned is None else self.learned()
        return measure.distances(items, others)

    @cached_property
    def components(self) -> npt.NDArray[np.int64]:  # (n,)
        """The constraints' component of every item: equal components, known to be the same."""
        return self.constraints.components()

    @property
    def representatives(self) -> list[int]:
        """One item of every group known so far, in the order the groups were found."""
        return self.constraints.representatives or [self.first_item]

    @cached_property
    def placed(self) -> npt.NDArray[np.bool_]:  # (n,)
        """Which items are known to belong to one of the groups."""
        return self.constraints.members(self.representatives)


class Strategy(Protocol):
    """Chooses what to ask; it never waits for an answer."""

    def propose(self, view: View, n: int, rng: np.random.Generator) -> list[Pair]:
        """Up to `n` pairs worth asking, best first; empty when nothing is left to ask."""


@runtime_checkable
class Forecaster(Protocol):
    """A strategy that knows better than the nearest placed items what will be answered, and why."""

    def same_probability(self, view: View, pair: Pair) -> float:
        """How likely "same" is for a pair, between 0.01 and 0.99."""

    def explain(self, view: View, pair: Pair) -> str:
        """In a sentence or two, why this pair is asked."""
