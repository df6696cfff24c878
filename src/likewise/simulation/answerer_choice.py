"""Whom to ask what: the pair and the answerer with the most expected gain per cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import entr

from likewise.beliefs import Beliefs, ErrorRates
from likewise.journal.pairs import Answer, Pair, Question, Verdict
from likewise.simulation.answerers import Answerer

# What is believed wrongly misplaces whatever was concluded from it: a bit of doubt about a pair
# that was answered is worth so many bits about one that was not.
_WORTH_OF_DOUBT = 4.0
_CHECKED = 8  # pairs that others have answered, too, are asked of everybody first
_MOST_DOUBT = 0.1  # from that chance of being wrong on, another opinion goes before new questions,
_DEAR = 5.0  # unless it costs more than so many times the cheapest
_LEAST_DOUBT = 0.01  # below that chance of being wrong, nobody is asked again
_FREE = 1e-6  # answers that cost nothing are nearly free

_Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Assignment:
    """A question and who is to answer it.

    Parameters
    ----------
    question : Question
        The pair.
    answerer : Answerer
        Who is asked about it.
    """

    question: Question
    answerer: Answerer


def answer_information(same_probability: _Floats, same: float, different: float) -> _Floats:
    """Return how many bits an answer tells about pairs, given the error rates of who answers.

    >>> answer_information(np.array([0.5, 1.0]), 0.1, 0.1).round(3).tolist()
    [0.531, 0.0]
    """
    q = same_probability
    says_same = q * (1 - same) + (1 - q) * different
    return _entropy(says_same) - q * _entropy(same) - (1 - q) * _entropy(different)


def _entropy(p: float | _Floats) -> _Floats:
    bits: _Floats = (entr(p) + entr(1 - np.asarray(p))) / np.log(2)
    return bits


class AnswererChoice:
    """Chooses the next task from what is believed so far.

    At first everybody is asked about pairs that others have answered, until eight of each one's
    answers can be compared. From then on a new question is worth what the answerer can tell at
    all, and another opinion about an answered pair four times what it would tell of that pair; the
    most per cost is taken. Pairs that are believed wrongly with a chance of a tenth or more come
    first, where another opinion is not dear. Error rates are taken cautiously, towards their
    upper bounds.

    Parameters
    ----------
    answerers : sequence of Answerer
        Who can be asked; their names differ.
    """

    def __init__(self, answerers: Sequence[Answerer]) -> None:
        self.answerers = list(answerers)

    def choose(
        self,
        new: Question | None,
        answers: Sequence[Answer],
        beliefs: Beliefs,
        affordable: Sequence[Answerer],
    ) -> Assignment | None:
        """Return the task most worth its cost; None when nothing is worth asking."""
        said: dict[str, set[Pair]] = {one.name: set() for one in self.answerers}
        n_said: Counter[Pair] = Counter()
        for answer in answers:
            said.setdefault(answer.who, set()).add(answer.pair.unordered)
            n_said[answer.pair.unordered] += answer.verdict is not Verdict.UNSURE
        best: tuple[float, float, int, Assignment] | None = None
        for place, one in enumerate(affordable):
            mine = said[one.name]
            checked = sum(n_said[pair] > 1 for pair in mine)
            for worth, task in self._tasks(one, new, mine, checked, beliefs):
                # Who has answered least comes first where it makes no difference.
                key = (round(worth, 9), -len(mine), -place, task)
                if best is None or key[:3] > best[:3]:
                    best = key
        return None if best is None else best[3]

    def _tasks(
        self,
        one: Answerer,
        new: Question | None,
        mine: set[Pair],
        checked: int,
        beliefs: Beliefs,
    ) -> list[tuple[float, Assignment]]:
        """Return what one answerer could be asked, with what each is worth per cost."""
        cost = self._cost(one)
        same, different = _cautious_rates(one, beliefs)
        tasks = []
        if new is not None and new.pair.unordered not in mine:
            gain = float(answer_information(np.array([0.5]), same, different)[0])
            tasks.append((gain / cost, Assignment(new, one)))
        pairs = [Pair(*pair) for pair in beliefs.votes.pairs.tolist()]
        open_to = np.array([pair not in mine for pair in pairs], dtype=bool)
        q = _cautious_probability(beliefs)
        gain_again = _WORTH_OF_DOUBT * answer_information(q, same, different)
        if checked < _CHECKED and len(self.answerers) > 1:
            gain_again = 1e3 + gain_again  # whoever is not known yet is got to know first
        else:
            open_to &= np.minimum(q, 1 - q) >= _LEAST_DOUBT
            if cost <= _DEAR * min(map(self._cost, self.answerers)):
                gain_again += 10 * (np.minimum(q, 1 - q) >= _MOST_DOUBT)
        if open_to.any():
            place = int(np.where(open_to, np.round(gain_again, 9), -1.0).argmax())
            question = Question(pairs[place], float(q[place]))
            tasks.append((float(gain_again[place]) / cost, Assignment(question, one)))
        return tasks

    def _cost(self, one: Answerer) -> float:
        priced = any(getattr(other, "price", 0.0) for other in self.answerers)
        return max(float(getattr(one, "price", 0.0)), _FREE) if priced else 1.0


def _cautious_rates(one: Answerer, beliefs: Beliefs) -> tuple[float, float]:
    """Return error rates halfway from the likeliest to the upper bound, at most even odds.

    Otherwise whoever was lucky at first would be asked for ever, and checked by nobody.
    """
    if one.name not in beliefs.votes.people:
        expected = ErrorRates.expected_of(getattr(one, "weight", 1.0))
        return expected, expected
    rates = _all_cautious(beliefs)
    place = beliefs.votes.people.index(one.name)
    return float(rates.same[place]), float(rates.different[place])


def _all_cautious(beliefs: Beliefs) -> ErrorRates:
    high = beliefs.intervals.high
    return ErrorRates(
        np.minimum((beliefs.rates.same + high) / 2, 0.5),
        np.minimum((beliefs.rates.different + high) / 2, 0.5),
    )


def _cautious_probability(beliefs: Beliefs) -> _Floats:
    """Return how likely pairs are the same: by all that is believed, or by their own votes alone.

    Of the two the one nearer to even odds, with error rates as they may be at worst.
    """
    votes = beliefs.votes
    evidence = _all_cautious(beliefs).evidence(votes)
    alone = 1 / (1 + np.exp(-np.bincount(votes.pair_of, evidence, len(votes.pairs))))
    believed = beliefs.same_probability
    cautious: _Floats = np.where(np.abs(alone - 0.5) < np.abs(believed - 0.5), alone, believed)
    return cautious
