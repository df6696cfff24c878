"""What is believed about every pair that was answered, and about everybody who has answered.

Dawid and Skene's model of people who err, on pairs instead of single items, with groups that have
to be consistent: expectation–maximisation whose E step is `consistent_groups` and whose M step
estimates two error rates per person (`ErrorRates`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

from likewise.beliefs.consistency import consistent_groups
from likewise.beliefs.error_rates import ErrorRates, Intervals
from likewise.beliefs.votes import Flags, Floats, Ints, Votes
from likewise.journal.pairs import Answer, Pair, Verdict

_MOST_ROUNDS = 12
_SMALLEST_CHANGE = 4e-3  # of an error rate
_DIGITS = 6  # to which evidence is compared; what is equal goes by age
_TIE = 1e-7  # that is added for older answers


@dataclass(frozen=True)
class Beliefs:
    """What the votes of several people together say.

    Parameters
    ----------
    votes : Votes
        Who said what.
    rates : ErrorRates
        How often each errs, by all the others.
    same_probability : array of float, shape (n_pairs,)
        How likely each pair is the same.
    same : array of bool, shape (n_pairs,)
        Whether it is the same in the likeliest groups; these never contradict one another.

    Examples
    --------
    >>> said = [("Ada", "same"), ("Bob", "different"), ("Cem", "same")]
    >>> votes = [Answer(k, Pair(0, 1), Verdict.of(v), who=w) for k, (w, v) in enumerate(said)]
    >>> found = Beliefs.of(votes)
    >>> round(found.same_probability_of(Pair(0, 1)), 2)
    0.99
    >>> sorted(found.overruled(votes))
    [1]
    """

    votes: Votes
    rates: ErrorRates
    same_probability: Floats
    same: Flags

    @classmethod
    def of(cls, answers: Iterable[Answer]) -> Beliefs:
        """Return what is believed after these answers."""
        votes = Votes.of(answers)
        rates = ErrorRates.expected(votes)
        for _ in range(_MOST_ROUNDS):
            same_probability, same = _expectation(votes, rates)
            estimated = rates.estimated(votes, same_probability)
            change, rates = rates.change(estimated), estimated
            if change < _SMALLEST_CHANGE:
                break
        return cls(votes, rates, same_probability, same)

    @classmethod
    def by_rates(cls, votes: Votes, rates: ErrorRates) -> Beliefs:
        """Return what is believed of these votes if people err at these rates."""
        return cls(votes, rates, *_expectation(votes, rates))

    def with_rates(self, rates: ErrorRates) -> Beliefs:
        """Return what would be believed if people erred at these rates."""
        return Beliefs.by_rates(self.votes, rates)

    @property
    def groups(self) -> Ints:  # (number of items that were asked about,)
        """The likeliest groups, each held together by evidence for "same"."""
        ends = np.unique(self.votes.pairs, return_inverse=True)[1].reshape(-1, 2)
        n, linked = int(ends.max(initial=-1)) + 1, ends[self.same & (self.odds > 0)].T
        graph = sp.csr_matrix((np.ones(linked.shape[1]), linked), shape=(n, n))
        groups: Ints = connected_components(graph, directed=False)[1].astype(np.int64)
        return groups

    @property
    def odds(self) -> Floats:  # (n_pairs,)
        """The log odds that each pair is the same, by what was said and expected of itself."""
        return _leans(self.votes, self.rates)[0]

    def same_probability_of(self, pair: Pair) -> float | None:
        """Return how likely a pair is the same; None if nobody has said anything about it."""
        place = self._places.get(pair.unordered)
        return None if place is None else float(self.same_probability[place])

    def overruled(self, answers: Iterable[Answer]) -> frozenset[int]:
        """Return the ids of those `answers` that are believed to be wrong."""
        same = dict(zip(self._places, self.same.tolist(), strict=True))
        return _contradicting(same, answers)

    def overruled_by_themselves(self, answers: Collection[Answer]) -> frozenset[int]:
        """Return the ids of `answers` that are wrong by what they say of their pairs alone.

        The error rates are as they are; what follows from other pairs is not looked at, so that it
        costs no more than these answers.
        """
        votes = Votes.of(answers)
        by_name = {name: k for k, name in enumerate(self.votes.people)}
        leans = _leans(votes, self.rates.of(votes, by_name))[1]
        pairs = [Pair(*pair) for pair in votes.pairs.tolist()]
        return _contradicting(dict(zip(pairs, leans.tolist(), strict=True)), answers)

    @property
    def intervals(self) -> Intervals:
        """The bounds of everybody's share of wrong answers."""
        return Intervals.of(self.votes, self.rates, self.same_probability)

    def most_doubtful(self) -> list[Pair]:
        """Return all pairs that were answered, the one most likely believed wrongly first."""
        doubt = np.where(self.same, 1 - self.same_probability, self.same_probability)
        order = np.argsort(-np.round(doubt, _DIGITS), kind="stable")
        return [Pair(*pair) for pair in self.votes.pairs[order].tolist()]

    @cached_property
    def _places(self) -> dict[Pair, int]:
        return {Pair(*pair): k for k, pair in enumerate(self.votes.pairs.tolist())}


def _contradicting(same: Mapping[Pair, bool], answers: Iterable[Answer]) -> frozenset[int]:
    """Return the ids of answers that say another thing of a pair than `same` does."""
    return frozenset(
        answer.id
        for answer in answers
        if answer.verdict is not Verdict.UNSURE
        and same[answer.pair.unordered] != (answer.verdict is Verdict.SAME)
    )


def _expectation(votes: Votes, rates: ErrorRates) -> tuple[Floats, Flags]:
    """Return how likely every pair is the same, and whether it is in the likeliest groups."""
    odds, _ = _leans(votes, rates)
    # Only items that were asked about: most of a large pile never are.
    items, ends = np.unique(votes.pairs, return_inverse=True)
    ends = ends.reshape(-1, 2)
    labels, same_probability = consistent_groups(len(items), ends, odds)
    return same_probability, labels[ends[:, 0]] == labels[ends[:, 1]]


def _leans(votes: Votes, rates: ErrorRates) -> tuple[Floats, Flags]:
    """Return the log odds of pairs by their own votes, and where they lean; ties to the first."""
    m = len(votes.pairs)
    odds = votes.odds(rates.evidence(votes)).round(_DIGITS)
    leans: Flags = np.where(odds != 0, odds > 0, votes.first_same).astype(bool)
    by_age = 1 - np.arange(m) / (2 * m)
    return odds + np.where(leans, _TIE, -_TIE) * by_age, leans
