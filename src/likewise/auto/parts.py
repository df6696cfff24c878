"""Parts: the pile cut into what likely is one group each, as far as the answers allow."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from likewise.auto.connections import Connections
from likewise.auto.experts.base import Array, Positions, scattered
from likewise.auto.experts.ward_tree import FEWEST_INNER, WardTree
from likewise.auto.merge_model import MergeModel
from likewise.clusterers.links import LinkedGroups, pair_keys

# Heights and model depend on each other: parts are cut, the model learned by them, and so on. Where
# nobody knows how many groups there are, the first cut may be far off: then it takes more turns,
# from the second on half the way, since whole ones may go back and forth for ever.
_TURNS_IF_TOLD, _TURNS = 2, 4
_HALF = 0.5
_MOST_ANSWERS = 2_000  # that the model of joins learns from
# Parts that a pile is cut into at most, or as many as make so many numbers with its items: what is
# computed per question is in proportion to both. No answers could tell more of them apart.
_MOST_PARTS, _MOST_NUMBERS = 250, 1_250_000


@dataclass(frozen=True)
class Parts:
    """The largest subtrees of the pile's tree that join below a height and hold no contradiction.

    A subtree that holds two items known to differ is cut further until none does, however low.

    Parameters
    ----------
    tree : WardTree
        Of the pile.
    links : LinkedGroups
        The answers, closed under transitivity.
    threshold : float
        The log height up to which subtrees stay whole.
    """

    tree: WardTree
    links: LinkedGroups
    threshold: float

    @cached_property
    def nodes(self) -> Positions:  # (parts,)
        """The subtrees, as nodes of the tree, in the order of their leaves."""
        tree = self.tree
        whole = self.whole
        has_parent = tree.parent >= 0
        top = whole & ~(has_parent & whole[tree.parent])
        found = np.flatnonzero(top)
        return np.asarray(found[np.argsort(tree.begin[found], kind="stable")])

    @cached_property
    def whole(self) -> npt.NDArray[np.bool_]:  # (nodes,)
        """Which nodes of the tree lie within a part; leaves always do."""
        tree = self.tree
        low = tree.log_heights <= self.threshold
        consistent = self._next_differing[tree.begin] >= tree.end
        whole = low & consistent
        whole[: tree.n_leaves] = True
        return np.asarray(whole)

    @cached_property
    def of_item(self) -> Positions:  # (n,)
        """The part of every item."""
        tree = self.tree
        return np.searchsorted(tree.begin[self.nodes], tree.begin[tree.leaf], side="right") - 1

    @property
    def sizes(self) -> Array:  # (parts,)
        """How many items each part has."""
        return self.tree.sizes[self.nodes].astype(np.float64)

    @property
    def means(self) -> Array:  # (parts, d)
        """The mean of each part's items."""
        return self.tree.means[self.nodes]

    def joins(self, pairs: Positions, connections: Connections) -> tuple[Array, Array]:
        """Return where the parts of two items join, or, in one part, the sides that hold them do.

        Parameters
        ----------
        pairs : ndarray of shape (m, 2)
            Of items.
        connections : Connections
            Of the pile.

        Returns
        -------
        ndarray of shape (m,)
            The log heights.
        ndarray of shape (m,)
            The excess connections.
        """
        one, other = self.of_item[pairs].T
        heights = log_height(self.means[one], self.sizes[one], self.means[other], self.sizes[other])
        heights = np.maximum(heights, self.tree.lowest)
        weights = connections.weights(self.of_item, len(self.nodes))
        degree = weights.sum(axis=1)
        excess = connections.excess(weights[one, other], degree[one], degree[other], heights)
        for at in np.flatnonzero(one == other).tolist():
            node = self.tree.common_ancestor(*pairs[at].tolist())
            heights[at] = self.tree.log_heights[node]
            leaf = node < self.tree.n_leaves
            excess[at] = 0.0 if leaf else connections.of_joins[node - self.tree.n_leaves]
        return heights, excess

    def central(self, pairs: Positions) -> npt.NDArray[np.bool_]:  # (m, 2) -> (m,)
        """Return whether both items of a pair are in the inner halves of what they stand for.

        These are their parts or, in one part, the two sides that join where they do, if they are
        half of it at least; in a side of two either will do. Only such answers are about parts;
        items at the border may be of another group than most around them.
        """
        inner = self._rank < np.maximum(self.sizes[self.of_item] / 2, FEWEST_INNER)
        central = np.asarray(inner[pairs].all(axis=1))
        within = np.flatnonzero(self.of_item[pairs[:, 0]] == self.of_item[pairs[:, 1]])
        for at in within.tolist():
            i, j = pairs[at].tolist()
            node = self.tree.common_ancestor(i, j)
            half = 2 * self.tree.sizes[node] >= self.sizes[self.of_item[i]]
            central[at] = node < self.tree.n_leaves or (half and self.tree.inner_in_sides(i, j))
        return central

    @cached_property
    def _rank(self) -> Positions:  # (n,)
        """How many items of its part are nearer to the mean than each item."""
        away = ((self.tree.points - self.means[self.of_item]) ** 2).sum(axis=1)
        order = np.lexsort((away, self.of_item))
        first = np.searchsorted(self.of_item[order], np.arange(len(self.nodes)))
        rank = np.empty(len(away), dtype=np.int64)
        rank[order] = np.arange(len(away)) - first[self.of_item[order]]
        return rank

    @cached_property
    def _next_differing(self) -> Positions:  # (leaves + 1,)
        """For every leaf, in the tree's order, where the first contradiction from there on ends.

        A subtree of leaves b to e holds two items known to differ if this is below e at b.
        """
        tree, links = self.tree, self.links
        n_leaves = tree.n_leaves
        first = np.full(n_leaves + 1, n_leaves, dtype=np.int64)
        items, bounds = links.by_group
        sizes = np.diff(bounds)
        position = tree.begin[tree.leaf[items]]
        # By group, then by position: one search finds an item's neighbours in another group.
        places = np.sort(links.group[items] * (n_leaves + 1) + position)
        # Of two groups that differ, every item of the smaller and the nearest of the larger
        # before and behind it: whatever else contradicts holds one of these.
        small, large = links.differing.T
        small, large = np.where(sizes[small] <= sizes[large], (small, large), (large, small))
        counts = sizes[small]
        shift = bounds[small] - np.cumsum(counts) + counts
        mine = places[np.arange(counts.sum()) + shift.repeat(counts)] % (n_leaves + 1)
        other = large.repeat(counts)
        begin, end = bounds[other], bounds[other + 1]
        behind = np.searchsorted(places, other * (n_leaves + 1) + mine, side="right")
        before = np.searchsorted(places, other * (n_leaves + 1) + mine, side="left") - 1
        found = behind < end
        np.minimum.at(first, mine[found], places[behind[found]] % (n_leaves + 1))
        found = before >= begin
        np.minimum.at(first, places[before[found]] % (n_leaves + 1), mine[found])
        return np.minimum.accumulate(first[::-1])[::-1]


def learned_parts(
    connections: Connections,
    links: LinkedGroups,
    same: Positions,
    different: Positions,
    before: MergeModel,
    *,
    told: bool,
) -> tuple[Parts, MergeModel]:
    """Cut the pile into parts as fine as the answers show the groups to be.

    Parameters
    ----------
    connections : Connections
        Of the pile, with its tree.
    links : LinkedGroups
        All that follows from the answers.
    same, different : ndarray of shape (m, 2)
        The answers.
    before : MergeModel
        The model before any answer.
    told : bool
        Whether the number of groups is known, and the first cut about right.

    Returns
    -------
    Parts
    MergeModel
        The model they were cut by.
    """
    model, tree = before, connections.tree
    nothing = LinkedGroups.none(len(links.group))
    # In one order, whatever the order of the answers: sums depend on it.
    n_items = len(links.group)
    same, different = (np.unique(pair_keys(pairs, n_items)) for pairs in (same, different))
    keys = np.concatenate([same, different])
    answers = np.arange(len(keys)) < len(same)
    if len(keys) > _MOST_ANSWERS:
        # Three weights need no more; which ones hardly changes with another answer.
        chosen = np.sort(np.argsort(scattered(keys), kind="stable")[:_MOST_ANSWERS])
        keys, answers = keys[chosen], answers[chosen]
    pairs = np.column_stack(np.divmod(keys, n_items))
    lowest = _lowest_cut(tree, n_items)
    n_turns = _TURNS_IF_TOLD if told else _TURNS
    for turn in range(n_turns if len(pairs) else 0):
        # Parts as they were before answers cut them: the answer was about these.
        parts = Parts(tree, nothing, model.threshold)
        central = parts.central(pairs)
        heights, excess = parts.joins(pairs[central], connections)
        learned = before.fit(heights, answers[central], excess)
        cut = max(learned.threshold, lowest)
        if turn and not told:
            cut = model.threshold + _HALF * (cut - model.threshold)
        model = replace(learned, cut=cut)
    return Parts(tree, links, model.threshold), model


def _lowest_cut(tree: WardTree, n_items: int) -> float:
    """Return the log height below which a pile would fall into too many parts."""
    joins = tree.log_heights[tree.n_leaves :]
    most = max(_MOST_PARTS, _MOST_NUMBERS // n_items)
    if len(joins) < most:
        return -np.inf
    return float(np.partition(joins, len(joins) - most)[len(joins) - most])


def log_height(means: Array, sizes: Array, others: Array, other_sizes: Array) -> Array:
    """Return the log of the height at which Ward's linkage joins two sets of items."""
    squares = ((means - others) ** 2).sum(axis=-1)
    weight = 2 * sizes * other_sizes / (sizes + other_sizes)
    return np.asarray(0.5 * np.log(np.maximum(weight * squares, 1e-300)))
