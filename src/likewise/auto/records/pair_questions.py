"""Which pairs of records to ask: those whose answer puts most pairs right."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from scipy.sparse.csgraph import minimum_spanning_tree
from scipy.special import expit, logit

from likewise.auto.records.record_linkage import RecordLinkage
from likewise.journal.pairs import Pair
from likewise.strategies.base import View
from likewise.strategies.batch import IndependentBatch
from likewise.strategies.placing import was_deferred

Floats = npt.NDArray[np.float64]

_LEAST = 0.001  # pairs less likely than this to be wrong are not worth a question
# After so many answers a pair is asked that is alike but cannot be a duplicate: if it is the same,
# the groups that are meant are no duplicates.
_PROBES = (2, 5, 8)
_SAID = 2  # columns that an explanation names


class PairQuestions:
    """Asks the pairs near the border between same and different, those that most hangs on first.

    A pair of two groups that is the same with probability p puts p · |g| · |h| pairs right if it is
    asked; one within a group (1 - p) · (|g| - 1), if nothing more likely ties the two sides
    together. Three early questions probe whether groups are duplicates at all.
    """

    def propose(self, view: View, model: RecordLinkage, n: int) -> list[Pair]:
        """Return up to `n` pairs of largest gain, none of which settles another."""
        batch, pairs = IndependentBatch(view), list[Pair]()
        for pair in self._ordered(view, model):
            if len(pairs) == n:
                break
            open_still = view.constraints.implied(*pair) is None and not was_deferred(view, pair)
            if open_still and batch.add(pair):
                pairs.append(pair)
        return pairs

    def _ordered(self, view: View, model: RecordLinkage) -> Iterator[Pair]:
        if len(view.constraints.answers) in _PROBES:
            yield from self._probes(view, model)
        gain = self.gains(model)
        found = np.flatnonzero(gain > _LEAST)
        # Rounded, so that the last bit of another machine's arithmetic changes no question.
        for at in found[np.argsort(-np.round(gain[found], 6), kind="stable")].tolist():
            yield Pair(*map(int, model.candidates_.pairs[at]))

    def gains(self, model: RecordLinkage) -> Floats:  # (candidates,)
        """Return how many pairs each answer is expected to put right."""
        i, j = model.candidates_.pairs.T
        labels, same = model.labels_, model.same_
        sizes = np.bincount(labels)
        together = labels[i] == labels[j]
        apart = same * sizes[labels[i]] * sizes[labels[j]]
        # Where hardly anything has two partners, three that go together are a surprise.
        several = np.count_nonzero(sizes > 2) + 0.5
        usual = np.log(min(several / (np.count_nonzero(sizes > 1) + 1), 1.0))
        odds = logit(np.clip(same, 1e-9, 1 - 1e-9)) + np.where(sizes[labels[i]] > 2, usual, 0.0)
        inside = np.where(same < 1, expit(-odds), 0.0) * (sizes[labels[i]] - 1)
        return np.asarray(np.where(together, np.where(_ties(model, together), inside, 0.0), apart))

    def _probes(self, view: View, model: RecordLinkage) -> Iterator[Pair]:
        """Yield pairs that are neighbours by all features but no duplicates, the nearest first."""
        graph = sp.triu(sp.coo_matrix(view.affinity.affinity_), 1).tocoo()
        nearest = np.lexsort((graph.col, graph.row, -np.round(graph.data, 6)))[:200]
        pairs = np.column_stack([graph.row[nearest], graph.col[nearest]]).astype(np.int64)
        if len(pairs):
            # Not the very nearest: they may be duplicates that were overlooked.
            pairs = pairs[model.unthinkable(pairs)][5:]
        yield from (Pair(*map(int, pair)) for pair in pairs)

    def explain(self, model: RecordLinkage, pair: Pair) -> str:
        """Say how likely "same" is, and which columns decide that."""
        records = model.candidates_.records
        pairs = np.array([sorted(pair)])
        levels = records.compare(pairs)
        says = (model.model_.evidence(pairs, levels) * model.model_.trust)[0]
        by = [
            _column_says(records.columns[c].name, int(levels[0, c]), records.columns[c].n_levels)
            for c in np.argsort(-np.abs(says[:-1]), kind="stable")[:_SAID].tolist()
            if levels[0, c]
        ]
        chance = f"These two are the same with a chance of {model.same_probability(*pair):.0%}"
        judged = f", judged mostly by {' and '.join(by)}" if by else ""
        rivals = "; one of them goes at least as well with another" if says[-1] < -1 else ""
        return f"{chance}{judged}{rivals}."


def _column_says(name: str, level: int, n_levels: int) -> str:
    """Return a column's name, and how alike the two cells are."""
    if level == n_levels - 1:
        return f"{name} (equal)"
    share = (level - 1) / (n_levels - 2)
    word = "unlike" if share < 0.2 else "a little alike" if share < 0.6 else "nearly equal"
    return f"{name} ({word})"


def _ties(model: RecordLinkage, together: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Return which pairs hold groups together: the likeliest that do, one fewer than members."""
    n = len(model.labels_)
    at = np.flatnonzero(together)
    i, j = model.candidates_.pairs[at].T
    # Never 0, which would be no edge.
    cost = sp.csr_matrix((1.000001 - model.same_[at], (i, j)), shape=(n, n))
    tree = minimum_spanning_tree(cost).tocoo()
    low, high = np.minimum(tree.row, tree.col), np.maximum(tree.row, tree.col)
    kept = np.zeros(len(together), dtype=bool)
    kept[at] = np.isin(i * n + j, low.astype(np.int64) * n + high)
    return kept
