"""Verification: where a mistake would cost most, and which question brings it to light.

Whoever answers alone is never asked twice about what follows from the answers, so that one wrong
answer may hold two groups together, or one apart, for ever: everything that is placed later is
placed by it. A verification question is a question whose answer is known if nobody erred.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from scipy.special import expit

from likewise.beliefs._cut_trees import CutTree
from likewise.beliefs._local_repairs import between_groups
from likewise.beliefs.posterior import Beliefs
from likewise.beliefs.votes import Floats, Ints
from likewise.journal.pairs import Pair

_MOST_OF_A_SIDE = 6  # items of either side among which a pair is looked for


@dataclass(frozen=True)
class VerificationQuestion:
    """A question whose answer is known if nobody erred.

    Parameters
    ----------
    pair : Pair
        The two items.
    gain : float
        How many items it is expected to put right.
    same_probability : float
        How likely they are the same, by what is believed.
    """

    pair: Pair
    gain: float
    same_probability: float


class VerificationQuestions:
    """What one person may have got wrong, and what hangs on it.

    Two kinds of mistake are weighed. A group may be held together by a wrong "same": for every way
    to cut a few items off it (`CutTree`), the evidence across the cut says how likely they do not
    belong. Or two groups may be kept apart by a wrong "different". Either is worth the chance that
    it is so times the items that would be put right, those of the smaller side.

    Where a known number of groups is found, two of these and any other one must be the same
    (see `pigeonhole_chances`). What differs from all but one is taken for that one, by elimination;
    what differs from all shows that somebody erred, most likely where least was said.

    Parameters
    ----------
    beliefs : Beliefs
        What is believed of the answers.
    representatives : sequence of int
        An item of each group, where a known number of them is found; else none.

    Examples
    --------
    >>> from likewise.beliefs.one_person import beliefs_of_one
    >>> from likewise.journal.pairs import Answer, Verdict
    >>> told = [Answer(k, Pair(*p), Verdict.SAME) for k, p in enumerate([(0, 1), (2, 3), (0, 2)])]
    >>> looks = VerificationQuestions(beliefs_of_one(told))
    >>> [(look.pair, round(look.gain, 2)) for look in looks.by_gain(np.full(4, 10.0), least=0.9)]
    [(Pair(i=2, j=1), 1.0)]
    """

    def __init__(self, beliefs: Beliefs, representatives: Sequence[int] = ()) -> None:
        votes, odds = beliefs.votes, beliefs.odds
        self.items, ends = np.unique(votes.pairs, return_inverse=True)
        ends = ends.reshape(-1, 2)
        self._answered = {Pair(*pair) for pair in votes.pairs.tolist()}
        self.groups: Ints = beliefs.groups
        self._tree = CutTree(self.groups, ends, odds)
        self._wrong_together: Floats = expit(-self._tree.cut)  # 0 where nothing can be cut
        between = between_groups(self.groups, ends, odds).tocoo()
        self._apart = np.column_stack([between.row, between.col])
        self._wrong_apart: Floats = expit(between.data)
        self._eliminated, self._as_eliminated = np.zeros((0, 2), dtype=np.int64), np.zeros(0)
        at = np.flatnonzero(np.isin(self.items, representatives))
        found = np.unique(self.groups[at])
        if len(representatives) > 1 and len(found) == len(representatives):
            self._weigh_by_number(sp.csr_matrix(between), found)

    def _weigh_by_number(self, between: sp.csr_matrix, found: Ints) -> None:
        """Weigh what follows from there being no other groups than those that were found."""
        odds = between + between.T
        among = odds[found][:, found].toarray()
        to_found = odds[:, found].toarray()
        n_compared = (to_found != 0).sum(axis=1)
        n_compared[found] = 0
        place = {(g, h): k for k, (g, h) in enumerate(self._apart.tolist())}
        eliminated = []
        for group in np.flatnonzero(n_compared >= len(found) - 1).tolist():
            chances = pigeonhole_chances(among, to_found[group])
            groups = np.append(found, group)
            if n_compared[group] < len(found):
                last = int(np.flatnonzero(to_found[group] == 0)[0])
                eliminated.append((group, found[last], chances[last, -1]))
                continue
            for a, b in zip(*np.triu_indices(len(groups), 1), strict=True):
                k = place.get((min(groups[a], groups[b]), max(groups[a], groups[b])))
                if k is not None:
                    self._wrong_apart[k] = max(self._wrong_apart[k], chances[a, b])
        if eliminated:
            self._eliminated = np.array([one[:2] for one in eliminated], dtype=np.int64)
            self._as_eliminated = np.array([one[2] for one in eliminated])

    def by_gain(self, followers: Floats, least: float) -> Iterator[VerificationQuestion]:
        """Yield verification questions, those first that are expected to put most items right.

        Parameters
        ----------
        followers : array of float, shape (n_items,)
            How many items of the pile go where each of `items` goes.
        least : float
            Below that gain none is worth asking.
        """
        in_groups = np.bincount(self.groups, followers)
        below = self._tree.summed_below(followers)
        together = self._wrong_together * np.minimum(below, in_groups[self.groups] - below)
        apart = self._wrong_apart * in_groups[self._apart].min(axis=1)
        eliminated = (1 - self._as_eliminated) * in_groups[self._eliminated[:, 0]]
        gains = np.concatenate([together, apart, eliminated])
        same = np.concatenate([1 - self._wrong_together, self._wrong_apart, self._as_eliminated])
        for k in np.argsort(-gains.round(9), kind="stable").tolist():
            if gains[k] < least:
                return
            pair = self._across(*self._sides(k), followers)
            if pair is not None:
                yield VerificationQuestion(pair, float(gains[k]), float(same[k]))

    def _sides(self, k: int) -> tuple[Ints, Ints]:
        """Return the items on either side of a cut, or of two groups."""
        n = len(self.items)
        if k < n:
            below = self._tree.below(k)
            rest = (self.groups == self.groups[k]) & ~below
            return np.flatnonzero(below), np.flatnonzero(rest)
        g, h = np.concatenate([self._apart, self._eliminated])[k - n]
        return np.flatnonzero(self.groups == g), np.flatnonzero(self.groups == h)

    def _across(self, one: Ints, other: Ints, followers: Floats) -> Pair | None:
        """Return a pair across that nobody has answered, of items with most followers."""
        one, other = (
            self.items[side[np.argsort(-followers[side], kind="stable")]][:_MOST_OF_A_SIDE]
            for side in (one, other)
        )
        places = ((a + b, a, b) for a in range(len(one)) for b in range(len(other)))
        for _, a, b in sorted(places):
            pair = Pair(int(one[a]), int(other[b]))
            if pair.unordered not in self._answered:
                return pair
        return None


def pigeonhole_chances(among: Floats, to_others: Floats) -> Floats:  # (k + 1, k + 1)
    """Return how likely each two of k + 1 groups are one if there are k, and one pair is.

    P(g = h) = exp(o_gh) / Σ exp(o), over all pairs, with o the log odds of the answers about two
    groups, 0 where nothing was asked.

    Parameters
    ----------
    among : array of float, shape (k, k)
        The log odds that two of k groups are one, symmetric.
    to_others : array of float, shape (k,)
        The same of another group and each of them.

    Examples
    --------
    >>> sure = np.array([[0.0, -8.0], [-8.0, 0.0]])
    >>> pigeonhole_chances(sure, np.array([-2.0, 0.0])).round(2)[:, -1]
    array([0.12, 0.88, 0.  ])
    """
    k = len(among)
    odds = np.full((k + 1, k + 1), -np.inf)
    odds[:k, :k] = among
    odds[-1, :k] = odds[:k, -1] = to_others
    np.fill_diagonal(odds, -np.inf)
    weights = np.exp(odds - odds.max())
    return np.asarray(weights / np.triu(weights).sum())
