"""The strategy of `auto`: place the item of largest expected gain per question."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from likewise.auto._explanation import explanation
from likewise.auto.committee import Committee
from likewise.errors import MethodError
from likewise.journal.pairs import Pair
from likewise.strategies.base import View
from likewise.strategies.batch import IndependentBatch
from likewise.strategies.group_membership import expected_questions
from likewise.strategies.placing import being_placed, next_question
from likewise.strategies.ranking import unlike_each_other

Array = npt.NDArray[np.float64]

# An item is asked against this many groups at least, and further while one is so likely.
_MIN_QUESTIONS = 4
_LIKELY = 0.1
# It is not asked on once a group is as likely as this.
_CERTAIN = 0.9
# How much of an item's error a new group that was probably recognised, but not found, takes away.
_RECOGNISED = 0.5


class ExpectedGain:
    """Places the item from which most other items' groups would become clear, per question.

    The gain of item i is e_i² Σ_j R_ji e_j² / q_i: with e the probability that a label is wrong,
    R the personalised PageRank (so that items count whose random walks stop at i) and q the
    expected number of questions that placing i takes.

    An item is asked against its likeliest groups first. Once one is as likely as 90 % it counts as
    found; after four "different", once none is as likely as 10 %, the item counts as a group of
    its own. The rest is asked only when nothing matters more: with a hundred groups nobody is
    asked a hundred times about one item.

    The clusterer must be a `Committee`.
    """

    def propose(self, view: View, n: int, rng: np.random.Generator) -> list[Pair]:
        """Return the next question about each of up to `n` items."""
        committee = committee_of(view)
        batch = IndependentBatch(view)
        pairs: list[Pair] = []
        for item in being_placed(view):
            if len(pairs) < n and self._worth_finishing(view, committee, item):
                pairs += self._question(view, committee, item, batch)
        candidates = np.flatnonzero(~placed_or_first(view, committee) & ~view.pending_items)
        while len(pairs) < n and len(candidates):
            score = self.gain(view, committee)[candidates]
            wanted = unlike_each_other(view, candidates, score, n - len(pairs))
            for item in wanted:
                pairs += self._question(view, committee, item, batch)
            candidates = np.setdiff1d(candidates, wanted)
        return pairs

    def gain(self, view: View, committee: Committee) -> Array:  # (n,)
        """Compute the expected gain of placing each item, per question."""
        new = committee.new_group_probability_
        # A new group is recognised only when its likeliest few have been ruled out.
        # In C order, since the rounding of a product depends on the layout.
        known = expected_questions(np.ascontiguousarray(committee.probabilities_), all_found=False)
        cost = np.maximum(known + new * min(committee.seeds_.n_groups, _MIN_QUESTIONS), 1.0)
        # Squared, or many items that are a little uncertain would outweigh the ones that matter.
        error = error_probability(view, committee) ** 2
        return np.asarray(error * committee.structure_.pagerank.pagerank_from(error) / cost)

    def same_probability(self, view: View, pair: Pair) -> float:
        """Return how likely "same" is, between 0.01 and 0.99."""
        return float(np.clip(committee_of(view).same_probability(*pair), 0.01, 0.99))

    def explain(self, view: View, pair: Pair) -> str:
        """Say what the experts predict, and what depends on the answer."""
        return explanation(committee_of(view), pair)

    def _worth_finishing(self, view: View, committee: Committee, item: int) -> bool:
        """Return whether an item that was asked about is to be asked against another group."""
        n_differing = len(view.constraints.different_from(item))
        probabilities, _ = committee.placement(item)
        likeliest = float(probabilities.max(initial=0.0))
        return likeliest < _CERTAIN and (n_differing < _MIN_QUESTIONS or likeliest >= _LIKELY)

    def _question(
        self, view: View, committee: Committee, item: int, batch: IndependentBatch
    ) -> list[Pair]:
        """Return the item against the nearest member of its likeliest group; [] if all wait."""
        seeds = committee.seeds_
        probabilities, _ = committee.placement(item)
        for group in np.argsort(-probabilities, kind="stable").tolist():
            if probabilities[group] <= 0:
                break
            members = seeds.items[seeds.groups == group]
            members = np.setdiff1d(members, list(committee.by_elimination_))
            away = view.affinity.distances(np.array([item]), members).ravel()
            pair = Pair(item, int(members[away.argmin()]))
            if pair.i != pair.j and not self._deferred(view, pair) and batch.add(pair):
                return [pair]
        other = next_question(view, item, batch)
        return [] if other is None else [other]

    def _deferred(self, view: View, pair: Pair) -> bool:
        """Return whether a recent "unsure" was about the item and that group."""
        component = view.constraints.component
        asked = {component(pair.i), component(pair.j)}
        return any({component(a), component(b)} == asked for a, b in view.deferred)


def committee_of(view: View) -> Committee:
    """Return the view's clustering; raise `MethodError` if it is no `Committee`."""
    if not isinstance(view.clustering, Committee):
        raise MethodError(
            "the strategy ExpectedGain needs the clusterer Committee, "
            f"not {type(view.clustering).__name__}"
        )
    return view.clustering


def placed_or_first(view: View, committee: Committee) -> npt.NDArray[np.bool_]:  # (n,)
    """Return the placed items; before the first answer, the first group's only item."""
    if view.constraints.representatives:
        return view.placed
    return np.isin(np.arange(len(view.components)), committee.seeds_.items)


def error_probability(view: View, committee: Committee) -> Array:  # (n,)
    """Return how likely the label of each item is wrong; 0 for those that answers have placed."""
    likeliest = committee.probabilities_.max(axis=1)
    of_cell = 1 - _RECOGNISED * committee.new_group_probability_
    wrong = np.where(committee.labelled_by_cell_, of_cell, np.maximum(1 - likeliest, 0.0))
    partly_compared = np.flatnonzero(committee.partly_compared_)
    for item in np.intersect1d(committee.seeds_.items, partly_compared):
        wrong[item] = committee.placement(int(item))[0].max(initial=0.0)
    for item, probability in committee.by_elimination_.items():
        wrong[item] = 1 - probability
    wrong[placed_or_first(view, committee)] = 0.0
    return np.asarray(wrong)
