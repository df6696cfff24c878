"""What several people have said about the same pairs, as arrays."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import log

import numpy as np
import numpy.typing as npt

from likewise.journal.pairs import Answer, Pair, Verdict

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

# Of pairs predicted to be the same in 5, 17, 83 and 97 of 100 cases, 16, 23, 91 and 100 are.
_RELIED_ON = 0.6
_LEAST_EXPECTED = 0.05
_MOST_DOUBT_CAST = 0.8  # of the evidence of what was said


@dataclass(frozen=True)
class Votes:
    """Who said what about which pair; whoever repeats himself has one vote.

    Somebody who said both "same" and "different" about a pair has two votes, which cancel.

    Parameters
    ----------
    pairs : array of int, shape (n_pairs, 2)
        The pairs, in the order in which each was first answered.
    people : tuple of str
        Who has answered, in the order of their first answers.
    trust : array of float, shape (n_people,)
        The mean weight of each one's answers.
    pair_of, person_of : array of int, shape (n_votes,)
        The pair and the person of every vote.
    same : array of bool, shape (n_votes,)
        Whether a vote is "same" and not "different"; "unsure" is no vote.
    expected : array of float, shape (n_pairs,)
        The log odds of "same" by what the items look like, as predicted when each pair was first
        asked about; 0 where nothing was.

    Examples
    --------
    >>> votes = Votes.of([Answer(0, Pair(1, 0), Verdict.SAME, who="Ada")])
    >>> votes.pairs, votes.people
    (array([[0, 1]]), ('Ada',))
    """

    pairs: Ints
    people: tuple[str, ...]
    trust: Floats
    pair_of: Ints
    person_of: Ints
    same: Flags
    expected: Floats

    @classmethod
    def of(cls, answers: Iterable[Answer], *, relied_on: float = _RELIED_ON) -> Votes:
        """Return the votes that the answers contain.

        How far predictions are `relied_on` matters where there is nobody else to rely on.
        """
        pairs: dict[Pair, int] = {}
        people: dict[str, int] = {}
        weights: list[list[float]] = []
        votes: dict[tuple[int, int, bool], None] = {}
        expected: list[float] = []
        for answer in answers:
            if answer.verdict is Verdict.UNSURE:
                continue
            pair = pairs.setdefault(answer.pair.unordered, len(pairs))
            if pair == len(expected):
                expected.append(relied_on * _expectation(answer.same_probability))
            person = people.setdefault(answer.who, len(people))
            if person == len(weights):
                weights.append([])
            weights[person].append(answer.weight)
            votes[pair, person, answer.verdict is Verdict.SAME] = None
        table = np.array(list(votes), dtype=np.int64).reshape(-1, 3)
        return cls(
            pairs=np.array(list(pairs), dtype=np.int64).reshape(-1, 2),
            people=tuple(people),
            trust=np.array([np.mean(one) for one in weights], dtype=np.float64),
            pair_of=table[:, 0],
            person_of=table[:, 1],
            same=table[:, 2].astype(bool),
            expected=np.array(expected, dtype=np.float64),
        )

    def said(self, evidence: Floats) -> Floats:  # (n_votes,) -> (n_pairs,)
        """Return the sum of the evidence of all votes about each pair."""
        return np.bincount(self.pair_of, evidence, len(self.pairs)).astype(np.float64)

    def odds(self, evidence: Floats) -> Floats:  # (n_votes,) -> (n_pairs,)
        """Return the log odds of pairs by what was said, and by what was expected.

        What was expected never outweighs what was said: it decides where people are split evenly,
        makes surer what they agree about, and casts doubt on what is nothing but one's word.
        """
        said = self.said(evidence)
        most = np.where(said * self.expected < 0, _MOST_DOUBT_CAST * np.abs(said), np.inf)
        return said + np.clip(self.expected, -most, most)

    @property
    def first_same(self) -> Flags:  # (n_pairs,)
        """Whether the first vote about each pair was "same"."""
        first = np.zeros(len(self.pairs), dtype=bool)
        first[self.pair_of[::-1]] = self.same[::-1]
        return first


def _expectation(same_probability: float | None) -> float:
    """Return the log odds of a prediction; a very sure one is as good as a sure one.

    >>> round(_expectation(0.9), 3), _expectation(None)
    (2.197, 0.0)
    """
    if same_probability is None:
        return 0.0
    likely = min(max(same_probability, _LEAST_EXPECTED), 1 - _LEAST_EXPECTED)
    return log(likely / (1 - likely))
