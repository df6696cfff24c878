"""The strategy of `auto`: ask what puts most items right."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from likewise.auto._explanation import explanation
from likewise.auto.committee import Committee
from likewise.errors import MethodError
from likewise.journal.group_number import exact_number
from likewise.journal.pairs import Pair
from likewise.strategies.base import View
from likewise.strategies.batch import IndependentBatch
from likewise.strategies.group_membership import expected_questions
from likewise.strategies.placing import being_placed, next_question, was_deferred
from likewise.strategies.ranking import unlike_each_other

Array = npt.NDArray[np.float64]
Question = tuple[float, Pair]  # with its gain

# Questions about parts and groups that are looked at for each one that is wanted.
_PER_QUESTION = 8
# A new group is recognised only when so many of the likeliest have been ruled out.
_MIN_QUESTIONS = 4
# An item that was asked about is asked on while it belongs to a group with this probability.
_LIKELY = 0.5
# The share of the smaller of two groups that is right to follow its centre: groups are mixed.
_GROUP_PURITY = 0.7
# What it is worth that an item is out of a wrong group, beside being in the right one.
_OUT = 0.5
# With so many groups the questions of a batch are chosen in turn, their answers supposed.
_MANY_GROUPS = 6


class ExpectedGain:
    """Asks the question from whose answer most items are expected to be put right.

    Two kinds of question compete:

    * **Are two groups one?** If g and h are one group with probability p, "same" puts most items
      of the smaller one right: 0.7 p · min(|g|, |h|). Where they are shown as one already,
      "different" does: (1 - p) · min(|g|, |h|). The items nearest to each other's group, or in
      the centres, stand for them. (Where the number of groups was told, see `merging_gain`.)
    * **Where does an item belong?** Placing item i is worth e_i (1 + Σ_j s_ji e_j) / q_i: with e
      the probability that a label is wrong, s_ji the share of i among the seeds that j's random
      walks stop at (personalised PageRank) and q the expected number of questions that it takes.
      The first of them alone, "different", takes it out of a wrong group: e_i / 2 at least. It is
      asked against its likeliest group, and on while one is likelier than not.

    The clusterer must be a `Committee`.
    """

    def propose(self, view: View, n: int, rng: np.random.Generator) -> list[Pair]:
        """Return up to `n` pairs of largest gain, none of which settles another."""
        committee = committee_of(view)
        batch = IndependentBatch(view)
        pairs: list[Pair] = []
        for item in being_placed(view):
            if item in committee.by_elimination_:
                continue
            pair = self._against_likeliest(view, committee, item, at_least=_LIKELY)
            if len(pairs) < n and pair is not None and batch.add(pair):
                pairs.append(pair)
        for _, pair in self.by_gain(view, committee, n):
            if len(pairs) == n:
                break
            if not was_deferred(view, pair) and batch.add(pair):
                pairs.append(pair)
        return pairs or self._remaining(view, committee, n, batch)

    def supposes(self, view: View) -> bool:
        """Return whether there are many groups.

        While few of many groups are known, questions chosen by what is known all turn on the same
        few; supposed answers let the batch go on to others. Of few groups there is little to find,
        and half of what is supposed is wrong.
        """
        return (view.n_clusters or 0) >= _MANY_GROUPS

    def gain(self, view: View) -> float:
        """Return how many items the best question is expected to put right; 0 if there is none."""
        return next((gain for gain, _ in self.by_gain(view, committee_of(view), 1)), 0.0)

    def by_gain(self, view: View, committee: Committee, n: int) -> Iterator[Question]:
        """Yield questions of both kinds, enough for `n`, by falling gain."""
        most = _PER_QUESTION * n
        return heapq.merge(
            self.merges(view, committee, most),
            self.placements(view, committee, n),
            key=lambda question: -question[0],
        )

    def merges(self, view: View, committee: Committee, most: int) -> Iterator[Question]:
        """Yield the groups that may be one, by falling gain."""
        gain = np.triu(merging_gain(committee), 1)
        for at in _largest(gain.ravel(), most):
            g, h = np.unravel_index(at, gain.shape)
            yield float(gain[g, h]), _nearest_members(committee, int(g), int(h))

    def placements(self, view: View, committee: Committee, n: int) -> Iterator[Question]:
        """Yield the items whose group is in doubt, by falling gain."""
        open_items = ~view.placed & ~view.pending_items
        open_items[committee.seeds_.items] &= committee.partly_compared_[committee.seeds_.items]
        candidates = np.flatnonzero(open_items)
        if not len(candidates):
            return
        # Squared, or many items that are a little uncertain would outweigh the ones that matter.
        gain, doubt = self.placing_gain(view, committee, powers=(1.0, 2.0))
        wanted = unlike_each_other(view, candidates, doubt[candidates], n + _MIN_QUESTIONS)
        for item in sorted(wanted, key=lambda item: -gain[item]):
            pair = self._against_likeliest(view, committee, item)
            if pair is not None:
                yield float(gain[item]), pair

    def placing_gain(
        self, view: View, committee: Committee, powers: Sequence[float] = (1.0,)
    ) -> Array:  # (powers, n)
        """Compute the expected gain of placing each item, per question.

        With a power other than one, that of errors raised to it.
        """
        groups = np.hstack([committee.probabilities_, committee.provisional_probabilities_])
        unseen = np.maximum(1 - groups.sum(axis=1), 0.0)
        # In C order, since the rounding of a product depends on the layout.
        asked = expected_questions(np.ascontiguousarray(groups), all_found=False)
        cost = np.maximum(asked + unseen * min(groups.shape[1], _MIN_QUESTIONS), 1.0)
        error = error_probability(view, committee)
        pagerank = committee.structure_.pagerank
        # What walks that reach a seed find there, on average: what they will find at another one.
        known, usual = pagerank.reach(committee.told_.items)
        share = 1 / (known + usual)
        gains = []
        for wrong in (error**power for power in powers):
            reached = pagerank.pagerank_from(wrong * share)
            gains.append(wrong * (np.maximum(_OUT, 1 / cost) + reached / cost))
        return np.stack(gains)

    def same_probability(self, view: View, pair: Pair) -> float:
        """Return how likely "same" is, between 0.01 and 0.99."""
        return float(np.clip(committee_of(view).same_probability(*pair), 0.01, 0.99))

    def explain(self, view: View, pair: Pair) -> str:
        """Say what the experts predict, and what depends on the answer."""
        return explanation(committee_of(view), pair)

    def _against_likeliest(
        self, view: View, committee: Committee, item: int, at_least: float = 0.0
    ) -> Pair | None:
        """Return the item against the nearest member of its likeliest group that is open."""
        probabilities = committee.placement(item)
        centre = np.flatnonzero(committee.groups_.centres == item)
        if len(centre):
            own = committee.seeds_.n_groups + int(centre[0])
            probabilities = committee.groups_.one_probability[own].copy()
            probabilities[own] = 0.0
        for group in np.argsort(-probabilities, kind="stable").tolist():
            if probabilities[group] <= at_least:
                return None
            members = _members(committee, group)
            members = members[members != item]
            if not len(members):
                continue
            away = view.affinity.distances(np.array([item]), members).ravel()
            pair = Pair(item, int(members[away.argmin()]))
            if view.constraints.implied(*pair) is None and not was_deferred(view, pair):
                return pair
        return None

    def _remaining(
        self, view: View, committee: Committee, n: int, batch: IndependentBatch
    ) -> list[Pair]:
        """Return any open questions about items that are not placed, where nothing is in doubt."""
        pairs: list[Pair] = []
        order = np.argsort(-error_probability(view, committee), kind="stable")
        for item in order[(~view.placed & ~view.pending_items)[order]].tolist():
            question = next_question(view, item, batch) if len(pairs) < n else None
            if question is not None:
                pairs.append(question)
        return pairs


def committee_of(view: View) -> Committee:
    """Return the view's clustering; raise `MethodError` if it is no `Committee`."""
    if not isinstance(view.clustering, Committee):
        raise MethodError(
            "the strategy ExpectedGain needs the clusterer Committee, "
            f"not {type(view.clustering).__name__}"
        )
    return view.clustering


def error_probability(view: View, committee: Committee) -> Array:  # (n,)
    """Return how likely the label of each item is wrong; 0 for those that answers have placed."""
    wrong = np.maximum(1 - committee.label_probabilities_.max(axis=1), 0.0)
    centres = committee.groups_.centres
    wrong[centres] = 0.0  # where they belong is the question whether groups are one
    partly_compared = np.flatnonzero(committee.partly_compared_)
    for item in np.intersect1d(committee.seeds_.items, partly_compared):
        wrong[item] = committee.placement(int(item)).max(initial=0.0)
    for item, probability in committee.by_elimination_.items():
        wrong[item] = 1 - probability
    if view.constraints.representatives:
        wrong[view.placed] = 0.0
    return np.asarray(wrong)


def merging_gain(committee: Committee) -> Array:  # (groups, groups)
    """Compute how many items an answer whether two groups are one is expected to put right.

    A number of groups that was told has labels joined that nobody believes to be one. "Same"
    about two groups then moves what is believed to be one with either, not all of a label; and
    "different" puts the smaller right only as often as the next label would be its own.
    """
    groups, seeds = committee.groups_, committee.judged_by
    label = committee.labels_[_first_seeds(seeds.groups, seeds.n_groups, seeds.items)]
    own = np.bincount(committee.likeliest_group, minlength=seeds.n_groups).astype(np.float64)
    if exact_number(committee.n_clusters) is None:
        sizes = np.bincount(committee.labels_, minlength=1).astype(np.float64)[label]
        alone = own
    else:
        believed = groups.believed_one
        sizes = np.bincount(believed, own).astype(np.float64)[believed]
        alone = own * right_elsewhere(groups.one_probability, label)
    smaller = np.minimum(sizes[:, None], sizes[None])
    apart = np.where(own[:, None] < own[None], alone[:, None], alone[None])
    same = groups.one_probability
    together = label[:, None] == label[None]
    return np.where(together, (1 - same) * apart, _GROUP_PURITY * same * smaller)


def right_elsewhere(same: Array, label: npt.NDArray[np.int64]) -> Array:  # (groups,)
    """Return how likely the next label of each group is right, if its own is not.

    A group belongs to one label only, with odds of its likeliest member there.

    >>> same = np.array([[1, 0.2, 0.5, 0.2], [0.2, 1, 0, 0], [0.5, 0, 1, 0], [0.2, 0, 0, 1]])
    >>> right_elsewhere(same, np.array([0, 0, 1, 2])).round(2)
    array([0.8, 0.5, 1. , 1. ])
    """
    label = np.unique(label, return_inverse=True)[1]
    likely = np.clip(same, 1e-6, 1 - 1e-6)
    odds = likely / (1 - likely)
    best = np.zeros((len(label), int(label.max(initial=-1)) + 1))
    np.maximum.at(best.T, label, odds)
    best[np.arange(len(label)), label] = 0.0
    return np.asarray(best.max(axis=1, initial=0.0) / np.maximum(best.sum(axis=1), 1e-300))


def _members(committee: Committee, group: int) -> npt.NDArray[np.int64]:
    """Return the seeds of a group that are known to be in it, or its centre."""
    seeds = committee.judged_by
    return np.setdiff1d(seeds.items[seeds.groups == group], list(committee.by_elimination_))


def _nearest_members(committee: Committee, g: int, h: int) -> Pair:
    """Return the members of two groups that are nearest to each other's mean."""
    points = committee.structure_.points
    one, other = _members(committee, g), _members(committee, h)
    means = points[one].mean(axis=0), points[other].mean(axis=0)
    i = one[((points[one] - means[1]) ** 2).sum(axis=1).argmin()]
    j = other[((points[other] - means[0]) ** 2).sum(axis=1).argmin()]
    return Pair(int(i), int(j))


def _first_seeds(
    groups: npt.NDArray[np.int64], n_groups: int, items: npt.NDArray[np.int64]
) -> npt.NDArray[np.int64]:  # (n_groups,)
    """Return the first seed of every group."""
    first = np.zeros(n_groups, dtype=np.int64)
    first[groups[::-1]] = items[::-1]
    return first


def _largest(scores: Array, most: int) -> list[int]:
    """Return where the largest positive scores are, largest first; the first of equal ones."""
    found = np.flatnonzero(scores > 0)
    return found[np.argsort(-scores[found], kind="stable")[:most]].tolist()  # type: ignore[no-any-return]
