"""Ask where most is expected to be gained: much is uncertain there, and much hangs on it."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from likewise.auto._explanation import explanation
from likewise.auto.committee import Committee
from likewise.errors import MethodError
from likewise.journal.pairs import Pair
from likewise.strategies.base import View
from likewise.strategies.batch import Independent
from likewise.strategies.items.npu import expected_questions
from likewise.strategies.placing import next_question, unfinished
from likewise.strategies.ranking import unlike_each_other

Array = npt.NDArray[np.float64]

# An item is asked against this many groups at least, and further while one is so likely.
_AT_LEAST = 4
_LIKELY = 0.1
# It is not asked on once a group is as likely as this.
_SURE = 0.9
# What a group that has probably been recognised, but not found, counts less for.
_RECOGNISED = 0.5


class ExpectedGain:
    """Places the item from which most other items' groups would become clear, per question.

    The clusterer must be a `Committee`. The value of an item is how wrong its own label may be,
    times how wrong the labels of all items are from which walks on the neighbour graph end at it,
    over the number of questions that placing it will take. An item is asked against its likeliest
    groups first; when one is as good as certain it counts as found, when none is likely any more
    the item counts as a group of its own, and the rest is asked only when nothing matters more:
    with a hundred groups nobody is asked a hundred times.
    """

    def propose(self, view: View, n: int, rng: np.random.Generator) -> list[Pair]:
        """The next question about each of up to `n` items."""
        committee = committee_of(view)
        batch = Independent(view)
        pairs: list[Pair] = []
        for item in unfinished(view):
            if len(pairs) < n and self._worth_finishing(view, committee, item):
                pairs += self._question(view, committee, item, batch)
        pending = [view.constraints.component(item) for pair in view.pending for item in pair]
        busy = np.isin(view.components, pending)
        candidates = np.flatnonzero(~placed(view, committee) & ~busy)
        while len(pairs) < n and len(candidates):
            score = self.value(view, committee)[candidates]
            wanted = unlike_each_other(view, candidates, score, n - len(pairs))
            for item in wanted:
                pairs += self._question(view, committee, item, batch)
            candidates = np.setdiff1d(candidates, wanted)
        return pairs

    def value(self, view: View, committee: Committee) -> Array:  # (n,)
        """What is expected to be gained by placing each item, per question."""
        wrong = chance_of_error(view, committee)
        member = np.column_stack([committee.probabilities_, committee.newness_])
        # A new group is recognised only when its likeliest few have been ruled out.
        known = expected_questions(member[:, :-1], all_found=False)
        cost = np.maximum(known + member[:, -1] * min(committee.seeds_.n_groups, _AT_LEAST), 1.0)
        # Squared, or many items that are a little uncertain would outweigh the ones that matter.
        wrong = wrong**2
        return np.asarray(wrong * committee.structure_.walks.gathered(wrong) / cost)

    def same_probability(self, view: View, pair: Pair) -> float:
        """How likely "same" is, between 0.01 and 0.99."""
        return float(np.clip(committee_of(view).same_probability(*pair), 0.01, 0.99))

    def explain(self, view: View, pair: Pair) -> str:
        """What the experts believe, and what hangs on the answer."""
        return explanation(committee_of(view), pair)

    def _worth_finishing(self, view: View, committee: Committee, item: int) -> bool:
        n_differing = len(view.constraints.different_from(item))
        chances, _ = committee.outlook(item)
        likeliest = float(chances.max(initial=0.0))
        return likeliest < _SURE and (n_differing < _AT_LEAST or likeliest >= _LIKELY)

    def _question(
        self, view: View, committee: Committee, item: int, batch: Independent
    ) -> list[Pair]:
        """The item against the nearest member of its likeliest group; none if all rest."""
        seeds = committee.seeds_
        chances, _ = committee.outlook(item)
        for group in np.argsort(-chances, kind="stable").tolist():
            if chances[group] <= 0:
                break
            members = seeds.items[seeds.groups == group]
            members = np.setdiff1d(members, list(committee.presumed_))
            away = view.affinity.distances(np.array([item]), members).ravel()
            pair = Pair(item, int(members[away.argmin()]))
            if pair.i != pair.j and not self._rests(view, pair) and batch.accepts(pair):
                return [pair]
        rest = next_question(view, item, batch)
        return [] if rest is None else [rest]

    def _rests(self, view: View, pair: Pair) -> bool:
        """Whether somebody was unsure a moment ago about the item and that group."""
        component = view.constraints.component
        asked = {component(pair.i), component(pair.j)}
        return any({component(a), component(b)} == asked for a, b in view.resting)


def committee_of(view: View) -> Committee:
    """The view's clustering, or a sentence if it is no committee."""
    if not isinstance(view.clustering, Committee):
        raise MethodError(
            "the strategy ExpectedGain needs the clusterer Committee, "
            f"not {type(view.clustering).__name__}"
        )
    return view.clustering


def placed(view: View, committee: Committee) -> npt.NDArray[np.bool_]:  # (n,)
    """Items whose group is settled; before the first answer, the one all begins with."""
    if view.constraints.representatives:
        return view.placed
    return np.isin(np.arange(len(view.components)), committee.seeds_.items)


def chance_of_error(view: View, committee: Committee) -> Array:  # (n,)
    """How likely the label of each item is wrong; 0 for those that answers have placed."""
    likeliest = committee.probabilities_.max(axis=1)
    cell = 1 - _RECOGNISED * committee.newness_
    wrong = np.where(committee.own_, cell, np.maximum(1 - likeliest, 0.0))
    for item in np.intersect1d(committee.seeds_.items, np.flatnonzero(committee.undecided_)):
        wrong[item] = committee.outlook(int(item))[0].max(initial=0.0)
    for item, chance in committee.presumed_.items():
        wrong[item] = 1 - chance
    wrong[placed(view, committee)] = 0.0
    return np.asarray(wrong)
