"""The probability of groups that have no seed yet."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
from scipy.special import expit, logit

from likewise.auto.cells import Cells
from likewise.auto.experts.base import Array, Positions, Seeds
from likewise.auto.experts.pagerank import PersonalisedPageRank

_MAX_RATE = 0.98
_MIN_SHARE = 1e-3  # shares of PageRank below this are taken as equal
# The share of the Good-Turing estimate that remains for items in cells with seeds.
_RATE_AMONG_SEEDS = 0.2


@dataclass(frozen=True)
class NewGroups:
    """How likely each item belongs to a group without seeds.

    Parameters
    ----------
    cells : Cells
        The finest cells of the pile: each without a seed may hold another group.
    pagerank : PersonalisedPageRank
        Of the pile.
    seeds : Seeds
        The items whose group is known.
    all_found : bool
        Whether the number of groups is known and reached; then nothing is new.
    """

    cells: Cells
    pagerank: PersonalisedPageRank
    seeds: Seeds
    all_found: bool

    @cached_property
    def rate(self) -> float:
        """The probability that a cell without seeds holds a new group: a Good-Turing estimate.

        It is the share of groups seen in one cell only among the cells with seeds, and 0 when all
        groups are found.
        """
        if self.all_found:
            return 0.0
        pairs = np.stack([self.seeds.groups, self.cells.labels[self.seeds.items]])
        group, cell = np.unique(pairs, axis=1)
        once = int((np.bincount(group) == 1).sum())
        return min((once + 0.5) / (len(np.unique(cell)) + 2), _MAX_RATE)

    @property
    def rate_among_seeds(self) -> float:
        """The same for items of cells with seeds."""
        return _RATE_AMONG_SEEDS * self.rate

    @cached_property
    def unexplored(self) -> npt.NDArray[np.bool_]:  # (n,)
        """Which items are in cells without seeds."""
        return np.isin(self.cells.labels, self._unexplored_cells)

    @cached_property
    def unexplored_share(self) -> Array:  # (n,) in [0, 1]
        """How much of an item's PageRank at seeds and unexplored centres is at the latter."""
        if not len(self._unexplored_cells):
            return np.zeros(len(self.cells.labels))
        at_seeds = self.pagerank.pagerank_of(self.seeds.items).sum(axis=1)
        centres = self.cells.centres[self._unexplored_cells]
        elsewhere = self.pagerank.pagerank_of(centres).sum(axis=1)
        return np.asarray(elsewhere / np.maximum(at_seeds + elsewhere, 1e-300))

    @cached_property
    def _unexplored_cells(self) -> Positions:
        """The cells without seeds, ascending."""
        explored = np.unique(self.cells.labels[self.seeds.items])
        return np.setdiff1d(np.arange(len(self.cells.sizes)), explored)

    def probability(self) -> Array:  # (n,)
        """Return how likely each item belongs to a new group.

        In unexplored cells this is the Good-Turing rate on average (of log-odds), and more for
        items whose PageRank leads away from seeds more than is usual there.
        """
        share = self.unexplored_share
        probability = self.rate * share
        if self.unexplored.any():
            odds = logit(np.clip(share[self.unexplored], _MIN_SHARE, 1 - _MIN_SHARE))
            probability[self.unexplored] = expit(logit(self.rate) + odds - odds.mean())
        return probability

    def spread_differences(
        self,
        probabilities: Array,  # (n, groups)
        items: Positions,
        differs: npt.NDArray[np.bool_],  # (items, groups)
    ) -> Array:  # (n, groups)
        """Lower the probability of groups that other items of an unexplored cell differ from.

        By Laplace's rule of succession: after m of them the next belongs to that group with one
        part in m + 1 of the probability it had. Cells with seeds stay as they are.
        """
        if self.rate == 0:
            return probabilities
        counts = np.zeros((len(self.cells.sizes), differs.shape[1]))
        np.add.at(counts, self.cells.labels[items], differs)
        counts[self.cells.labels[self.seeds.items]] = 0.0
        return np.asarray(probabilities / (1 + counts[self.cells.labels]))
