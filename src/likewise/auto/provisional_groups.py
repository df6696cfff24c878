"""Provisional groups: parts of the pile that likely hold a group nobody has been asked about."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from likewise.auto._seed_groups import SeedGroups
from likewise.auto.connections import Connections
from likewise.auto.experts.base import Array, Positions, Seeds
from likewise.auto.merge_model import MergeModel
from likewise.auto.parts import Parts, log_height

_MAX_RATE = 0.98
_LIKELIEST = 3  # groups that a part may join


@dataclass(frozen=True)
class ProvisionalGroups:
    """All groups of the pile: those of the seeds, and parts without seeds that join none of them.

    A part without seeds is a group of its own where that is likelier than not, until an answer
    says otherwise; the item in its centre stands for it. All others belong to the seed groups,
    item by item as the experts have it.

    Parameters
    ----------
    parts : Parts
        Of the pile.
    model : MergeModel
        How likely parts are one group.
    connections : Connections
        Of the neighbour graph, between parts.
    seeds : Seeds
        The items whose group is known.
    seed_groups : SeedGroups
        What else is known of their groups.
    n_at_least : int
        How many there must be as long as there are parts without seeds. So many parts that are
        likelier to join another group stay apart.
    """

    parts: Parts
    model: MergeModel
    connections: Connections
    seeds: Seeds
    seed_groups: SeedGroups
    n_at_least: int = 0

    @cached_property
    def unseeded(self) -> Positions:
        """The parts without seeds."""
        return np.setdiff1d(np.arange(len(self.parts.nodes)), self.parts.of_item[self.seeds.items])

    @cached_property
    def new_rate(self) -> float:
        """The probability that a part without seeds holds a new group: a Good-Turing estimate.

        It is the share of groups seen in one part only among the parts with seeds.
        """
        pairs = np.stack([self.seeds.groups, self.parts.of_item[self.seeds.items]])
        group, part = np.unique(pairs, axis=1)
        once = int((np.bincount(group) == 1).sum()) if len(group) else 0
        return min((once + 0.5) / (len(np.unique(part)) + 2), _MAX_RATE)

    @cached_property
    def new_probability(self) -> Array:  # (unseeded parts,)
        """How likely each part without seeds is a group of its own.

        It belongs to one group only, so that the odds of joining the likeliest few add up.
        """
        if not self.seeds.n_groups:
            return np.ones(len(self.unseeded))
        return _none_of(self._joining)

    def clearly_new(self, at_least: float) -> Positions:
        """Return the parts without seeds that are a new group with such a probability.

        Also groups that are scattered are reckoned with, of which a part may be another place.
        """
        possible = np.where(self._joining > 0, self.model.scatter, 0.0)
        joining = self._joining + (1 - self._joining) * possible
        return np.asarray(self.unseeded[_none_of(joining) >= at_least])

    @cached_property
    def chosen(self) -> Positions:  # (provisional groups,), ascending
        """The parts that are provisional groups."""
        n_chosen = max(int((self.new_probability > 0.5).sum()), self.n_at_least)
        if self.seed_groups.all_found:
            n_chosen = 0
        # The larger of equally likely ones: as before any answer, when all are.
        sizes = self.parts.sizes[self.unseeded]
        order = np.lexsort((-sizes, -np.round(self.new_probability, 9)))
        return np.sort(self.unseeded[order[:n_chosen]])

    @cached_property
    def centres(self) -> Positions:  # (provisional groups,)
        """The item that stands for each: one that was asked about, if any, nearest to the mean."""
        tree, part = self.parts.tree, self.parts.of_item
        found = tree.centres[self.parts.nodes[self.chosen]]
        asked = np.flatnonzero(self.parts.links.group >= 0)
        for at, number in enumerate(self.chosen.tolist()):
            inside = asked[part[asked] == number]
            if len(inside):
                away = ((tree.points[inside] - self.parts.means[number]) ** 2).sum(axis=1)
                found[at] = inside[away.argmin()]
        return found

    @cached_property
    def all_seeds(self) -> Seeds:
        """The seeds, and the centres as seeds of their provisional groups."""
        items = np.concatenate([self.seeds.items, self.centres])
        own = self.seeds.n_groups + np.arange(len(self.centres))
        groups = np.concatenate([self.seeds.groups, own])
        order = np.argsort(items, kind="stable")
        return Seeds(items[order], groups[order], self.seeds.n_groups + len(self.centres))

    @cached_property
    def one_probability(self) -> Array:  # (groups, groups)
        """How likely two groups are one, of one piece or not; 0 for groups known to differ."""
        scattered = np.where(self._differ, 0.0, self.model.scatter)
        return np.asarray(self.merging + (1 - self.merging) * scattered)

    @cached_property
    def merging(self) -> Array:  # (groups, groups)
        """How likely two groups are of one piece; 0 if known to differ, 1 on the diagonal."""
        means, sizes = self._means_and_sizes
        heights = log_height(means[:, None], sizes[:, None], means[None], sizes[None])
        merging = self._probability(heights, self._parts_of_groups, self._parts_of_groups)
        merging[self._differ] = 0.0
        np.fill_diagonal(merging, 1.0)
        return merging

    def joined(
        self, at_least: int, at_most: int | None = None, n_items: Positions | None = None
    ) -> Positions:  # (groups,)
        """Return the label of each group: those likelier one than two share it, numbered from 0.

        The likeliest are joined first, while the mean chance between all of both is above one
        half, no two of them are known to differ, and there are more than so many labels. Groups
        that answers have founded stay apart until an answer joins them: at about one half each
        answer would join two large ones and part them again. While there are more labels than
        there can be, groups are joined however unlikely: those that stand out, and where none do
        those that cost the fewest items, of so many in each; rather a small group than two large
        ones that are a little likelier one.
        """
        return _joined(self.merging, self._differ, at_least, at_most, self.seeds.n_groups, n_items)

    @property
    def believed_one(self) -> Positions:  # (groups,)
        """The groups that are likelier one than two, whoever founded them, numbered from 0."""
        return _joined(self.merging, self._differ, 1)

    @cached_property
    def presumed(self) -> Positions:
        """The linked groups that were not compared with all others and likely join one of them."""
        compared = self.seed_groups.compared
        merging = self.merging[: len(compared), : len(compared)][~compared][:, compared]
        likely = merging.max(axis=1, initial=0.0) > 0.5
        return np.asarray(self.seed_groups.linked_groups[~compared][likely])

    @cached_property
    def _joining(self) -> Array:  # (unseeded parts, seed groups)
        """How likely each part without seeds is one group with each seed group."""
        means, sizes = self._of_seed_groups
        own, size = self.parts.means[self.unseeded], self.parts.sizes[self.unseeded]
        heights = log_height(own[:, None], size[:, None], means[None], sizes[None])
        alone = _one_hot(self.unseeded, len(self.parts.nodes))
        joining = self._probability(heights, alone, self._parts_of_seed_groups)
        asked = np.flatnonzero(self.parts.links.group >= 0)
        if len(asked) and joining.size:
            part, group = np.nonzero(self._differing_parts(asked))
            row = np.searchsorted(self.unseeded, part)
            row = np.minimum(row, len(self.unseeded) - 1)
            among = self.unseeded[row] == part
            joining[row[among], group[among]] = 0.0
        return joining

    def _differing_parts(self, asked: Positions) -> npt.NDArray[np.bool_]:  # (parts, seed groups)
        """Return which parts hold an item known to differ from each seed group."""
        differing = np.zeros((len(self.parts.nodes), self.seeds.n_groups), dtype=bool)
        np.logical_or.at(differing, self.parts.of_item[asked], self.seed_groups.differing(asked))
        return differing

    def _probability(self, heights: Array, rows: Array, columns: Array) -> Array:
        """Return how likely sets of parts, given by who is in them, are one group each."""
        heights = np.maximum(heights, self.parts.tree.lowest)
        weights = self._weights
        degree = weights.sum(axis=1)
        excess = self.connections.excess(
            rows @ weights @ columns.T, (rows @ degree)[:, None], (columns @ degree)[None], heights
        )
        return self.model.probability(heights, excess)

    @cached_property
    def _weights(self) -> Array:  # (parts, parts)
        """The weight of all edges between parts."""
        return self.connections.weights(self.parts.of_item, len(self.parts.nodes))

    @cached_property
    def _parts_of_seed_groups(self) -> Array:  # (seed groups, parts)
        """Which parts each seed group has seeds in, 0 or 1."""
        found = np.zeros((self.seeds.n_groups, len(self.parts.nodes)))
        found[self.seeds.groups, self.parts.of_item[self.seeds.items]] = 1.0
        return found

    @cached_property
    def _parts_of_groups(self) -> Array:  # (groups, parts)
        """The parts of each group, the provisional ones last, 0 or 1."""
        own = _one_hot(self.chosen, len(self.parts.nodes))
        return np.concatenate([self._parts_of_seed_groups, own])

    @cached_property
    def _of_seed_groups(self) -> tuple[Array, Array]:  # (seed groups, d), (seed groups,)
        """Mean and size of each seed group: of all parts in which it has seeds."""
        part = self.parts.of_item[self.seeds.items]
        group, part = np.unique(np.stack([self.seeds.groups, part]), axis=1)
        n_groups, sizes = self.seeds.n_groups, self.parts.sizes[part]
        total = np.bincount(group, sizes, minlength=n_groups)
        sums = np.zeros((n_groups, self.parts.means.shape[1]))
        np.add.at(sums, group, self.parts.means[part] * sizes[:, None])
        return sums / np.maximum(total, 1.0)[:, None], np.maximum(total, 1.0)

    @cached_property
    def _means_and_sizes(self) -> tuple[Array, Array]:  # (groups, d), (groups,)
        """Mean and size of each group, the provisional ones last."""
        means, sizes = self._of_seed_groups
        return (
            np.concatenate([means, self.parts.means[self.chosen]]),
            np.concatenate([sizes, self.parts.sizes[self.chosen]]),
        )

    @cached_property
    def _differ(self) -> npt.NDArray[np.bool_]:  # (groups, groups)
        """Which groups are known to differ."""
        n_known, n_groups = self.seeds.n_groups, self.all_seeds.n_groups
        differ = np.zeros((n_groups, n_groups), dtype=bool)
        links = self.parts.links
        numbers = np.full(n_groups, -1, dtype=np.int64)  # of the linked group, where there is one
        numbers[: len(self.seed_groups.linked_groups)] = self.seed_groups.linked_groups
        numbers[n_known:] = links.group[self.centres]
        linked = np.flatnonzero(numbers >= 0)
        if links.n_groups:
            apart = links.differ[numbers[linked]][:, numbers[linked]].toarray() > 0
            differ[np.ix_(linked, linked)] = apart
        return differ


def _none_of(joining: Array) -> Array:  # (parts, groups) -> (parts,)
    """Return how likely each part joins none of the groups, by the odds of the likeliest few."""
    joining = np.clip(joining, 1e-6, 1 - 1e-6)
    odds = np.sort(joining / (1 - joining), axis=1)[:, ::-1][:, :_LIKELIEST].sum(axis=1)
    return np.asarray(1 / (1 + odds))


def _joined(
    merging: Array,
    differ: npt.NDArray[np.bool_],
    at_least: int,
    at_most: int | None = None,
    n_founded: int = 0,
    n_items: Positions | None = None,
) -> Positions:
    """Return the clusters that average linkage of chances above one half makes, from 0.

    No two of the first `n_founded` are joined, unless there are more clusters than `at_most`. If
    there still are, they are joined as `joined_to_number` has it, by their numbers of items.

    >>> chance = np.array([[1, 0.8, 0.6, 0], [0.8, 1, 0.1, 0], [0.6, 0.1, 1, 0.1], [0, 0, 0.1, 1]])
    >>> _joined(chance, np.zeros((4, 4), bool), 0)
    array([0, 0, 1, 2])
    >>> _joined(chance, np.zeros((4, 4), bool), 0, at_most=2)
    array([0, 0, 0, 1])
    >>> _joined(chance, np.zeros((4, 4), bool), 0, n_founded=2)
    array([0, 1, 0, 2])
    >>> chance = np.eye(4) + np.diag([0.3, 0.25, 0.25], 1) + np.diag([0.3, 0.25, 0.25], -1)
    >>> _joined(chance, np.zeros((4, 4), bool), 0, at_most=3, n_items=np.array([9, 9, 9, 1]))
    array([0, 1, 2, 2])
    """
    label = np.arange(len(merging))
    chance = np.where(differ, -np.inf, merging)
    np.fill_diagonal(chance, -np.inf)
    sizes = np.ones(len(merging))
    items = np.ones(len(merging)) if n_items is None else np.maximum(n_items, 1.0)
    founded = label < n_founded
    n_left = len(merging)
    while n_left > at_least:
        too_many = at_most is not None and n_left > at_most
        apart = founded[:, None] & founded[None] & (not too_many)
        possible = np.where(apart, -np.inf, chance)
        if not possible.max(initial=-np.inf) > 0.5:
            break
        a, b = np.unravel_index(int(possible.argmax()), chance.shape)
        row = (sizes[a] * chance[a] + sizes[b] * chance[b]) / (sizes[a] + sizes[b])
        chance[a], chance[:, a] = row, row
        chance[a, a] = -np.inf
        chance[b], chance[:, b] = -np.inf, -np.inf
        label[label == b] = a
        founded[a] |= founded[b]
        n_left -= 1
        sizes[a] += sizes[b]
        items[a] += items[b]
    if at_most is not None and n_left > at_most:
        from likewise.auto._told_number import joined_to_number

        left, label = np.unique(label, return_inverse=True)
        between = chance[np.ix_(left, left)]
        label = joined_to_number(between, sizes[left], items[left], at_most)[label]
    return np.unique(label, return_inverse=True)[1].astype(np.int64)


def _one_hot(positions: Positions, n: int) -> Array:  # (len(positions), n)
    found = np.zeros((len(positions), n))
    found[np.arange(len(positions)), positions] = 1.0
    return found
