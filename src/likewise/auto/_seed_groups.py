"""Which groups the answers have made, and which items are known, or presumed, to belong to them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from likewise.auto.experts.base import Array
from likewise.clusterers.kmeans.centres import differing_groups
from likewise.clusterers.links import Labels, LinkedGroups

# A group that differs from so many others, its likeliest ones, stands for itself from then on even
# if it has not been asked against all.
_ENOUGH = 4
# From this chance on an item that differs from all groups but one counts as one of that group.
_PRESUMED = 0.9


@dataclass(frozen=True)
class SeedGroups:
    """Linked items that count as groups; links tell which of them are known to differ.

    With the number of groups unknown an item that differs from all groups but one might be of a
    new kind. But the more items were placed without a new kind turning up, the likelier it is one
    of that last group: from 90 % on it is presumed to be, as if the number had been known, and
    nobody is asked about it again before everything else is clear.
    """

    links: LinkedGroups
    n_clusters: int | None
    presuming: bool = True

    @cached_property
    def numbers(self) -> Labels:  # (groups,), ascending
        """The linked groups that stand."""
        n_apart = np.asarray(self.links.differ[:, self._apart].sum(axis=1)).ravel()
        stands = np.flatnonzero((self._sizes > 1) | (n_apart >= _ENOUGH))
        return np.unique(np.concatenate([self._apart, stands])).astype(np.int64)

    @cached_property
    def all_found(self) -> bool:
        """Whether there are as many groups as there can be."""
        return self.n_clusters is not None and len(self._apart) >= self.n_clusters

    @cached_property
    def undecided(self) -> npt.NDArray[np.bool_]:  # (n,)
        """Items that are set apart from some groups, but not from all."""
        return (self.links.group >= 0) & ~np.isin(self.links.group, self._apart)

    @cached_property
    def members(self) -> tuple[Labels, Labels, Array]:
        """The items that stand for a group, ascending; which; and how likely that is right."""
        home, chance = self._homes
        items = np.flatnonzero(self.links.group >= 0)
        items = items[home[self.links.group[items]] >= 0]
        linked = self.links.group[items]
        return items, home[linked], chance[linked]

    def differing(self, items: Labels) -> npt.NDArray[np.bool_]:  # (items, groups)
        """Which of the groups each of some linked items is known to differ from."""
        rows = self.links.differ[self.links.group[items]]
        return np.asarray(rows[:, self.numbers].toarray() > 0)

    @cached_property
    def _sizes(self) -> Labels:
        return np.array([len(members) for members in self.links.members], dtype=np.int64)

    @cached_property
    def _apart(self) -> Labels:
        return np.array(differing_groups(self.links, self.links.n_groups), dtype=np.int64)

    @cached_property
    def _homes(self) -> tuple[Labels, Array]:
        """For each linked group the number of the standing group it is (-1: none), and the chance.

        The chance of a new kind is Good and Turing's, over items: groups of one item among all.
        """
        home = np.full(self.links.n_groups, -1, dtype=np.int64)
        home[self.numbers] = np.arange(len(self.numbers))
        chance = np.ones(self.links.n_groups)
        loose = np.flatnonzero(home < 0)
        if not self.presuming or self.all_found or len(self.numbers) < 2 or not len(loose):
            return home, chance
        placed = self._sizes[self.numbers]
        new = (np.sum(placed == 1) + 1) / (placed.sum() + 2)
        possible = self.links.differ[loose][:, self.numbers].toarray() == 0
        last = possible.argmax(axis=1)
        share = placed[last] / placed.sum()
        likely = share / (share + new)
        presumed = (possible.sum(axis=1) == 1) & (likely >= _PRESUMED)
        home[loose[presumed]] = last[presumed]
        chance[loose[presumed]] = likely[presumed]
        return home, chance
