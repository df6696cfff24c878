"""The clusterer of `auto`: experts that judge between known and provisional groups."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt
from scipy.special import expit, logit

from likewise.auto._fewer_groups import at_most_groups
from likewise.auto._unsure_items import groups_by_neighbours, unsure_items
from likewise.auto.experts import Seeds
from likewise.auto.experts.base import Array, Positions
from likewise.auto.kind_of_pile import sentence_about
from likewise.auto.merge_model import MergeModel
from likewise.auto.parts import Parts, learned_parts
from likewise.auto.provisional_groups import ProvisionalGroups
from likewise.auto.stacked_experts import StackedExperts
from likewise.clusterers.links import LinkedGroups, labels_respecting_links
from likewise.journal.group_number import exact_number, nearest_number

# The share of the Good-Turing estimate that is left for items among seeds.
_AMONG_SEEDS = 0.2
# From this probability on a part that holds a new group keeps its items from being eliminated.
_LIKELY_NEW = 0.95


class Committee(StackedExperts):
    """Clusters a pile by experts that predict groups from the items already linked.

    The pile is cut into parts as fine as the answers show the groups to be (see `learned_parts`).
    Items that links tie into groups are seeds; a part without seeds that likely joins none of
    their groups is a provisional group, and its centre a seed for the time being. Every expert
    (see `likewise.auto.experts`) predicts the groups of all items from the seeds; the experts are
    weighted by how well they predict seeds that were held out (stacking), so that the answers
    decide which model of similarity counts. No link is contradicted.

    Parameters
    ----------
    n_clusters : int, tuple of two int or None
        The number of groups where it is known: there are never more, and once so many are found
        nothing is new any more. A range is where the number is nine times in ten, before any
        answer. With None it follows from the answers and the pile.
    experts : sequence of str or None
        Names of the experts, of "pagerank", "neighbours" (PageRank of short walks), "ward",
        "components", "forest", "gaussian" and "diagonal". None takes all; "components" takes part
        only where the pile falls into separate ones.
    stacking : bool
        Whether weights are learned. With False the experts keep their prior weights.
    calibrate : bool
        Whether the weighted mean is raised to the power under which the seeds were likeliest. With
        False it is taken as it is, which is underconfident.
    elimination : bool
        Whether an item that differs from all groups but one is assigned to that one once a new
        group is unlikely (see `SeedGroups`).
    random_state : int
        Seed of the forest and of whatever is drawn to reduce large piles.
    views : mapping of str to ndarray of shape (n, any) or None
        Several views of the items, of which X is the mixture: each has an expert of its own.

    Attributes
    ----------
    labels_ : ndarray of shape (n,)
        Groups, numbered from 0.
    n_clusters_ : int
        How many there are.
    confidence_ : ndarray of shape (n,)
        How likely each label is right.
    probabilities_ : ndarray of shape (n, groups)
        How likely each item belongs to each seed group.
    new_group_probability_ : ndarray of shape (n,)
        How likely it belongs to none of them; with `probabilities_` rows sum to one.
    provisional_probabilities_ : ndarray of shape (n, provisional groups)
        How likely each item belongs to each provisional group.
    held_out_ : ndarray of shape (seeds, groups)
        The probabilities of seeds had they not been seeds.
    weights_ : dict of str to float
        The weight of each expert; they sum to one.
    expert_probabilities_ : dict of str to ndarray of shape (n, groups)
        What each expert predicts.
    calibration_power_ : float
        The power that the weighted mean was raised to.
    seeds_ : Seeds
        The items whose group is known.
    told_ : Seeds
        What the experts judge by: these and the centres of provisional groups; of very many, some.
    groups_ : ProvisionalGroups
        The groups of the seeds and the provisional ones, and how likely any two are one.
    parts_ : Parts
        The parts that the pile was cut into.
    label_probabilities_ : ndarray of shape (n, labels)
        How likely each item belongs to the groups of each label: those likelier one than two
        share it.
    by_elimination_ : dict of int to float
        Seeds that were assigned by elimination, and how likely that is right.
    partly_compared_ : ndarray of bool of shape (n,)
        Linked items not known to belong to, or differ from, every group.
    about_ : str
        A sentence about the kind of pile.
    structure_ : PileStructure
        The experts and the tree of the pile, handed on to the next fit.

    Examples
    --------
    >>> X = np.array([[0.0], [0.1], [0.2], [5.0], [5.1], [5.2]])
    >>> model = Committee().fit(X, must_link=[(0, 1), (3, 4)], cannot_link=[(0, 3)])
    >>> model.labels_
    array([0, 0, 0, 1, 1, 1])
    """

    provisional_probabilities_: Array  # (n, provisional groups)
    groups_: ProvisionalGroups
    label_probabilities_: Array  # (n, labels)
    parts_: Parts

    def _find_groups(self, links: LinkedGroups, same: Positions, different: Positions) -> None:
        """Cut the pile into parts; find the groups that have seeds and those that have none."""
        told = exact_number(self.n_clusters) is not None
        parts, model = learned_parts(
            self.structure_.connections, links, same, different, self._first_model(), told=told
        )
        self._count_groups(parts, model)
        if self.by_elimination_:
            self._spare_likely_new(parts, model)
        presumed = self.groups_.presumed
        if len(presumed):
            self._seed_groups = replace(self._seed_groups, presumed=tuple(presumed.tolist()))
            self._count_groups(parts, model)
        self.partly_compared_ = self._seed_groups.partly_compared

    def _spare_likely_new(self, parts: Parts, model: MergeModel) -> None:
        """Count again without eliminating items of parts that likely are groups of their own.

        Differing from one group says little about belonging to the other, where that is far away.
        """
        eliminated, seed_groups = np.array(sorted(self.by_elimination_)), self._seed_groups
        self._seed_groups = replace(seed_groups, elimination=False)
        self._count_groups(parts, model)
        new = self.groups_.clearly_new(_LIKELY_NEW)
        spared = eliminated[np.isin(self.parts_.of_item[eliminated], new)]
        likely_new = tuple(np.unique(seed_groups.links.group[spared]).tolist())
        self._seed_groups = replace(seed_groups, likely_new=likely_new)
        self._count_groups(parts, model)

    def _first_model(self) -> MergeModel:
        """Return the model of how fine the groups are, as far as it is known before any answer.

        Of a range of numbers the one is taken to begin with that is nearest to the parts that are
        clearly separate; of one number at least these.
        """
        structure, number = self.structure_, self.n_clusters
        n_clear = len(structure.clear_cells.sizes)
        if not isinstance(number, tuple):
            return MergeModel(structure.log_height(max(number or 1, n_clear)))
        coarsest, finest = (structure.log_height(end) for end in number)
        reference = structure.log_height(nearest_number(number, n_clear))
        return MergeModel.within(reference, finest, coarsest)

    def _count_groups(self, parts: Parts, model: MergeModel) -> None:
        """Set seeds and groups; cut finer while there are fewer groups than are known to be."""
        self._set_seeds(*self._seed_groups.members)
        n_left = max((exact_number(self.n_clusters) or 0) - self.seeds_.n_groups, 0)
        n_left = 0 if self._seed_groups.all_found else n_left
        n_parts, n_leaves = self.structure_.n_parts(parts.threshold), parts.tree.n_leaves
        while True:
            self.parts_ = parts
            self.groups_ = ProvisionalGroups(
                parts, model, self.structure_.connections, self.seeds_, self._seed_groups, n_left
            )
            n_missing = n_left - len(self.groups_.unseeded)
            if n_missing <= 0 or n_parts >= n_leaves:
                return
            # A cut makes at most one more part without seeds, so that these are never too many.
            n_parts = min(n_parts + n_missing, n_leaves)
            parts = replace(parts, threshold=self.structure_.log_height(n_parts))

    @property
    def judged_by(self) -> Seeds:
        """The seeds of the known groups, and the centres of the provisional ones."""
        return self.groups_.all_seeds

    # -- probabilities and labels ------------------------------------------------------------

    @property
    def _unseen_rate(self) -> float:
        """How likely an item among seeds belongs to a group that nothing points to yet.

        As often as a part holds a new group, but no more often than an item does: of two
        Good-Turing estimates the smaller one, since groups of one part each say little about
        the items of these parts.
        """
        if self._seed_groups.all_found:
            return 0.0
        sizes = np.bincount(self.seeds_.groups)
        of_items = (int((sizes == 1).sum()) + 0.5) / (len(self.seeds_.items) + 2)
        return _AMONG_SEEDS * min(self.groups_.new_rate, of_items)

    def _exclude_different(self, links: LinkedGroups) -> None:
        """Exclude groups that items are known to differ from; what is left is a new one."""
        n_known = self.seeds_.n_groups
        linked = np.flatnonzero(links.group >= 0)
        probabilities = self._calibrated.copy()
        unseen = self._unseen_rate
        if len(linked) and n_known:
            differs = self._seed_groups.differing(linked)
            kept = probabilities[linked, :n_known]
            probabilities[linked, :n_known] = np.where(differs, 0.0, kept)
            at = np.searchsorted(linked, self.seeds_.items)
            self.held_out_ = np.where(differs[at], 0.0, self.held_out_)
        total = probabilities.sum(axis=1) + unseen
        nothing = total <= 1e-12
        probabilities /= np.where(nothing, 1.0, total)[:, None]
        self.probabilities_ = probabilities[:, :n_known]
        self.provisional_probabilities_ = probabilities[:, n_known:]
        self.new_group_probability_ = np.clip(1.0 - self.probabilities_.sum(axis=1), 0.0, 1.0)
        if self._seed_groups.all_found:
            self.new_group_probability_ = np.where(nothing, 1.0, 0.0)

    def _label(self, links: LinkedGroups) -> None:
        """Label each item by its likeliest group; where that is unsure, neighbours have a say."""
        seeds = self.judged_by
        n = len(self.structure_)
        groups = np.hstack([self.probabilities_, self.provisional_probabilities_])
        most = exact_number(self.n_clusters)
        fewest = self.n_clusters[0] if isinstance(self.n_clusters, tuple) else self.n_clusters or 1
        n_items = None
        if most is not None:  # of large piles with many groups the count takes some milliseconds
            n_items = np.bincount(self.likeliest_group, minlength=seeds.n_groups)
        joined = self.groups_.joined(fewest, most, n_items)
        of_group = np.eye(int(joined.max(initial=-1)) + 1)[joined]  # (groups, labels)
        chances = self.label_probabilities_ = groups @ of_group
        n_labels = chances.shape[1]
        labels = chances.argmax(axis=1).astype(np.int64)
        confidence = chances[np.arange(n), labels]
        labels[seeds.items] = joined[seeds.groups]
        if not self._seed_groups.all_found:
            # One that differs from its likely groups is alone.
            alone = (links.group >= 0) & (confidence < 0.5)
            alone[seeds.items] = False
            labels[alone] = n_labels + links.group[alone]
            confidence = np.where(alone, self.new_group_probability_, confidence)
        open_items = links.group < 0
        open_items[seeds.items] = False
        unsure = unsure_items(labels, confidence, open_items)
        if len(unsure):
            pagerank = self.structure_.pagerank
            labels[unsure] = groups_by_neighbours(unsure, chances, labels, confidence, pagerank)
            confidence[unsure] = chances[unsure, labels[unsure]]
        confidence[self.seeds_.items] = self._known_confidence()
        self.labels_ = labels_respecting_links(labels, links)
        if most is not None:
            self.labels_ = at_most_groups(self.labels_, most, links, self.structure_.points)
        self.n_clusters_ = int(self.labels_.max()) + 1
        self.confidence_ = np.clip(confidence, 0.0, 1.0)

    @property
    def about_(self) -> str:
        """What the pile looks like, for the person who answers."""
        return sentence_about(self.labels_)

    # -- for strategies ----------------------------------------------------------------------

    def placement(self, item: int) -> Array:  # (groups,)
        """Return how likely an item belongs to each group, the provisional ones last.

        For a seed these are its held-out probabilities of all groups but its own. A group that it
        has by elimination only is not its own yet.
        """
        at = self._seed_index(item)
        if at is None:
            return np.concatenate(
                [self.probabilities_[item], self.provisional_probabilities_[item]]
            )
        own = np.arange(self.judged_by.n_groups) == self.seeds_.groups[at]
        if item in self.by_elimination_:
            return np.asarray(self.by_elimination_[item] * own)
        others = np.zeros(len(own))
        others[: self.seeds_.n_groups] = self.held_out_[at]
        others[own] = 0.0
        return np.asarray(others / (others.sum() + max(self._unseen_rate, 1e-9)))

    @property
    def likeliest_group(self) -> Positions:  # (n,)
        """The likeliest group of each item, the provisional ones last; a seed's is its own."""
        groups = np.hstack([self.probabilities_, self.provisional_probabilities_])
        found = groups.argmax(axis=1)
        found[self.judged_by.items] = self.judged_by.groups
        return np.asarray(found)

    def same_probability(self, i: int, j: int) -> float:
        """Return how likely two items belong to one group.

        Two items of one part are the same unless the part is to be cut between them; others are if
        they belong to one group, or to two that are one.
        """
        if self.parts_.of_item[i] == self.parts_.of_item[j] and not self._placed(i, j):
            node = self.parts_.tree.common_ancestor(i, j)
            return float(self.whole_probability(np.array([node]))[0])
        return float(self._memberships(i) @ self.groups_.one_probability @ self._memberships(j))

    def whole_probability(self, nodes: npt.NDArray[np.int64]) -> Array:  # (len(nodes),)
        """Return how likely both sides of some nodes of the tree are one group.

        Where and how the sides join says how likely, the experts what more: the odds are
        multiplied by those that the items in the centres belong to one group.
        """
        tree = self.parts_.tree
        sides = tree.centres[tree.children[nodes - tree.n_leaves]]
        groups = np.hstack([self.probabilities_, self.provisional_probabilities_])
        known = self.judged_by
        groups[known.items] = known.one_hot
        agreeing = np.einsum("mg,mg->m", groups[sides[:, 0]], groups[sides[:, 1]])
        joined = self.groups_.model.probability(
            tree.log_heights[nodes], self.structure_.connections.of_joins[nodes - tree.n_leaves]
        )
        odds = logit(np.clip(joined, 0.01, 0.99)) + logit(np.clip(agreeing, 0.01, 0.99))
        return np.asarray(expit(odds))

    def _memberships(self, item: int) -> Array:  # (groups,)
        """Return how likely an item belongs to each group; a seed does to its own."""
        seeds = self.judged_by
        own = seeds.groups[seeds.items == item]
        if len(own) and item not in self.by_elimination_:
            return np.asarray(np.arange(seeds.n_groups) == own[0], dtype=np.float64)
        return self.placement(item)

    def _placed(self, i: int, j: int) -> bool:
        """Return whether one of two items is a seed and the other one is not."""
        return (self._seed_index(i) is None) != (self._seed_index(j) is None)
