"""Seed groups: which linked items count as groups, and which items belong to them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from likewise.auto.experts.base import Array
from likewise.clusterers.kmeans.centres import differing_groups
from likewise.clusterers.links import Labels, LinkedGroups

# A single item that differs from so many groups counts as a group of its own from then on, even
# if it has not been asked against all.
_MIN_DIFFERENCES = 4
# From this probability on an item that differs from all groups but one is assigned to that one.
_MIN_ELIMINATION = 0.9

# Every expert says of every item how likely it is of every group. Where answers hang together so
# loosely that these would be more numbers, only the largest of the groups that were not compared
# with all others count, but so many in any case.
_MOST_CELLS = 1_000_000
_LEAST = 64


@dataclass(frozen=True)
class SeedGroups:
    """Linked groups that count as groups of the clustering.

    These are a set of groups that are all known to differ, every linked group of two or more
    items, and every item that differs from four of the former.

    While the number of groups is unknown, an item that differs from all groups but one might
    belong to a new one. But the more items were placed without a new group, the less likely that
    is: from 90 % on the item is assigned to the remaining group by elimination, as if the number
    of groups had been known, and is asked about again only when nothing else is uncertain.

    Parameters
    ----------
    links : LinkedGroups
        Must- and cannot-links, closed under transitivity.
    n_clusters : int or None
        The number of groups, where it is known.
    elimination : bool
        Whether items are assigned by elimination.
    presumed : tuple of int
        Linked groups that are likelier the same as another group than not: they do not count.
    likely_new : tuple of int
        Linked groups in parts of the pile that likely are groups of their own: these are assigned
        to no other by elimination.
    """

    links: LinkedGroups
    n_clusters: int | None
    elimination: bool = True
    presumed: tuple[int, ...] = ()
    likely_new: tuple[int, ...] = ()

    @cached_property
    def linked_groups(self) -> Labels:  # (seed groups,), ascending
        """The numbers, among the linked groups, of those that are seed groups."""
        n_differing = np.asarray(self.links.differ[:, self._differing].sum(axis=1)).ravel()
        others = np.flatnonzero((self._sizes > 1) | (n_differing >= _MIN_DIFFERENCES))
        others = np.setdiff1d(others, [*self.presumed, *self._differing.tolist()])
        most = max(_MOST_CELLS // max(len(self.links.group), 1), _LEAST) - len(self._differing)
        if len(others) > most:
            others = others[np.argsort(-self._sizes[others], kind="stable")[: max(most, 0)]]
        return np.unique(np.concatenate([self._differing, others])).astype(np.int64)

    @cached_property
    def compared(self) -> npt.NDArray[np.bool_]:  # (seed groups,)
        """Which seed groups are of those that are all known to differ."""
        return np.isin(self.linked_groups, self._differing)

    @cached_property
    def all_found(self) -> bool:
        """Whether there are as many groups as there can be."""
        return self.n_clusters is not None and len(self._differing) >= self.n_clusters

    @cached_property
    def partly_compared(self) -> npt.NDArray[np.bool_]:  # (n,)
        """Which linked items are not known to belong to, or differ from, every group."""
        return (self.links.group >= 0) & ~np.isin(self.links.group, self._differing)

    @cached_property
    def members(self) -> tuple[Labels, Labels, Array]:
        """The items of the seed groups, ascending; their groups; how likely that is right.

        The probability is 1 but for items assigned by elimination.
        """
        seed_group, probability = self._assignment
        items = np.flatnonzero(self.links.group >= 0)
        items = items[seed_group[self.links.group[items]] >= 0]
        linked = self.links.group[items]
        return items, seed_group[linked], probability[linked]

    def differing(self, items: Labels) -> npt.NDArray[np.bool_]:  # (items, seed groups)
        """Return which seed groups each of some linked items is known to differ from."""
        rows = self.links.differ[self.links.group[items]]
        return np.asarray(rows[:, self.linked_groups].toarray() > 0)

    @cached_property
    def _sizes(self) -> Labels:
        """How many items each linked group has."""
        return np.array([len(members) for members in self.links.members], dtype=np.int64)

    @cached_property
    def _differing(self) -> Labels:
        """The numbers of linked groups of which any two are known to differ."""
        return np.array(differing_groups(self.links, self.links.n_groups), dtype=np.int64)

    @cached_property
    def _assignment(self) -> tuple[Labels, Array]:
        """The seed group that each linked group belongs to (-1: none), and the probability.

        A new group is as likely as the Good-Turing estimate over items has it: seed groups of one
        item among all placed items.
        """
        seed_group = np.full(self.links.n_groups, -1, dtype=np.int64)
        seed_group[self.linked_groups] = np.arange(len(self.linked_groups))
        probability = np.ones(self.links.n_groups)
        loose = np.flatnonzero(seed_group < 0)
        few = len(self.linked_groups) < 2 or not len(loose)
        if not self.elimination or self.all_found or few:
            return seed_group, probability
        sizes = self._sizes[self.linked_groups]
        new = (np.sum(sizes == 1) + 1) / (sizes.sum() + 2)
        possible = self.links.differ[loose][:, self.linked_groups].toarray() == 0
        last = possible.argmax(axis=1)
        share = sizes[last] / sizes.sum()
        likely = share / (share + new)
        assigned = (possible.sum(axis=1) == 1) & (likely >= _MIN_ELIMINATION)
        assigned &= ~np.isin(loose, self.likely_new)
        seed_group[loose[assigned]] = last[assigned]
        probability[loose[assigned]] = likely[assigned]
        return seed_group, probability
