"""How often each person errs: one rate for pairs that are the same, one for those that differ."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from scipy.stats import beta

from likewise.beliefs.votes import Floats, Votes

# Before anything is known of a person: as if half an answer had been wrong and half right, and as
# many more right as his answers weigh. One answer in twenty is wrong of whoever is fully trusted.
KNOWN_TO_ERR = 0.9  # the weight of somebody alone who is not taken at his word
_HALF = 0.5
_RIGHT_PER_WEIGHT = 9.0
_CERTAIN = 1e-9
_TIED = 10.0  # pairs on which either rate of a person is expected to be the same
_SHARE = 0.95  # of the rates that could be meant lies between `low` and `high`


@dataclass(frozen=True)
class ErrorRates:
    """Two error rates per person.

    Parameters
    ----------
    same : array of float, shape (n_people,)
        How often each says "different" about a pair that is the same.
    different : array of float, shape (n_people,)
        How often each says "same" about a pair that is different.
    """

    same: Floats
    different: Floats

    @classmethod
    def expected(cls, votes: Votes) -> ErrorRates:
        """Return what is expected of people before their answers are compared."""
        rates = np.array([cls.expected_of(weight) for weight in votes.trust.tolist()])
        return cls(rates, rates)

    @staticmethod
    def expected_of(weight: float) -> float:
        """Return the share of errors that is expected of somebody trusted so far.

        >>> ErrorRates.expected_of(1.0)
        0.05
        """
        return _HALF / (2 * _HALF + _RIGHT_PER_WEIGHT * weight)

    @classmethod
    def checked(cls, votes: Votes, *, n_wrong: int, n_right: int) -> ErrorRates:
        """Return the rates of somebody of whom so many answers were found to be wrong, or right.

        >>> from likewise.journal.pairs import Answer, Pair, Verdict
        >>> alone = Votes.of([Answer(0, Pair(0, 1), Verdict.SAME)])
        >>> ErrorRates.checked(alone, n_wrong=0, n_right=10).same.tolist()
        [0.025]
        """
        in_advance = 2 * _HALF + _RIGHT_PER_WEIGHT * votes.trust
        rates = (_HALF + n_wrong) / (in_advance + n_wrong + n_right)
        return cls(rates, rates)

    def estimated(self, votes: Votes, same_probability: Floats) -> ErrorRates:
        """Return better rates, where each pair is the same with this probability (M step).

        A vote counts by how much is known of its pair without it. Otherwise somebody whom nobody
        checks would be taken for right because he is believed.
        """
        q = same_probability[votes.pair_of]
        known = self.known_without(votes, same_probability)
        n = len(votes.people)

        def counted(counts: Floats) -> Floats:
            return np.bincount(votes.person_of, known * counts, n).astype(np.float64)

        wrong_same, wrong_different = counted(q * ~votes.same), counted((1 - q) * votes.same)
        in_advance = _RIGHT_PER_WEIGHT * votes.trust
        pooled = (wrong_same + wrong_different + _HALF) / (
            counted(np.ones(len(q))) + 2 * _HALF + in_advance
        )
        # The two rates of a person differ, but not without reason.
        return ErrorRates(
            (wrong_same + _TIED * pooled) / (counted(q) + _TIED),
            (wrong_different + _TIED * pooled) / (counted(1 - q) + _TIED),
        )

    def known_without(self, votes: Votes, same_probability: Floats) -> Floats:  # (n_votes,)
        """Return how much is known about a vote's pair without it, from 0 to 1 for certainty.

        That is what others have said about the pair, and what follows from other pairs.
        """
        evidence, q = self.evidence(votes), same_probability.clip(_CERTAIN, 1 - _CERTAIN)
        by_other_pairs = np.log(q / (1 - q)) - votes.odds(evidence)
        without = (by_other_pairs + votes.said(evidence))[votes.pair_of] - evidence
        known: Floats = np.tanh(without / 2) ** 2
        return known

    def of(self, votes: Votes, places: Mapping[str, int]) -> ErrorRates:
        """Return the rates of those who have these votes, or what is expected of unknown people.

        `places` says where among the rates each name is found.
        """
        rates = ErrorRates.expected(votes)
        same, different = rates.same.copy(), rates.different.copy()
        for k, name in enumerate(votes.people):
            if name in places:
                same[k], different[k] = self.same[places[name]], self.different[places[name]]
        return ErrorRates(same, different)

    def evidence(self, votes: Votes) -> Floats:  # (n_votes,)
        """Return the log odds that every vote adds for "same".

        Nobody is believed in reverse: the votes of a person who errs more often than chance would
        count for nothing.
        """
        for_same = np.log((1 - self.same) / self.different).clip(0)[votes.person_of]
        for_different = np.log((1 - self.different) / self.same).clip(0)[votes.person_of]
        return np.where(votes.same, for_same, -for_different)

    def change(self, other: ErrorRates) -> float:
        """Return the largest difference of a rate."""
        both = (self.same - other.same, self.different - other.different)
        return float(np.max(np.abs(both), initial=0.0))


@dataclass(frozen=True)
class Intervals:
    """Between which bounds the share of wrong answers of each person lies, with 95 % probability.

    Parameters
    ----------
    low, high : array of float, shape (n_people,)
        The bounds; 0 and 1 are far apart for somebody whom nobody has checked.
    """

    low: Floats
    high: Floats

    @classmethod
    def of(
        cls, votes: Votes, rates: ErrorRates, same_probability: Floats, *, trusting: bool = False
    ) -> Intervals:
        """Return the bounds, from what all others say about the pairs that each has answered.

        A vote about a pair of which nothing else is known says nothing about who gave it: it counts
        by how far the rest is from even odds. When `trusting`, what is expected of people in
        advance counts, too.
        """
        q = same_probability[votes.pair_of]
        known = rates.known_without(votes, same_probability)
        wrong = np.where(votes.same, 1 - q, q)
        n = len(votes.people)
        n_wrong = np.bincount(votes.person_of, known * wrong, n) + _HALF
        n_right = np.bincount(votes.person_of, known * (1 - wrong), n) + _HALF
        if trusting:
            n_right += _RIGHT_PER_WEIGHT * votes.trust
        tail = (1 - _SHARE) / 2
        return cls(beta.ppf(tail, n_wrong, n_right), beta.ppf(1 - tail, n_wrong, n_right))
