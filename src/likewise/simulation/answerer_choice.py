"""Whom to ask what: the pair and the answerer with the most expected gain per cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import entr

from likewise.beliefs import Beliefs, Doubts
from likewise.journal.pairs import Answer, Pair, Question, Verdict
from likewise.simulation.answerers import Answerer

_CHECKED = 8  # pairs that others have answered, too, are asked of everybody first,
_CHECKED_DEAR = 2  # or so many of whoever is dear: costs more than
_DEAR = 5.0  # so many times the cheapest
_MOST_DOUBTFUL = 20  # pairs are looked at for one that somebody can be asked about
_FREE = 1e-6  # answers that cost nothing are nearly free

_Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Assignment:
    """A question and who is to answer it.

    Parameters
    ----------
    question : Question or Pair
        What is asked: something new, or a pair by which something is to be settled.
    answerer : Answerer
        Who is asked about it.
    """

    question: Question | Pair
    answerer: Answerer

    @property
    def pair(self) -> Pair:
        """The two items."""
        return self.question.pair if isinstance(self.question, Question) else self.question


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
    answers can be compared (two, where an answer is dear). From then on whatever is believed
    wrongly with a chance of a twentieth or more is settled before anything new is asked: somebody
    who has not answered about the pair gives his opinion, or, where all have, somebody is
    asked about another pair whose answer must be the same. Whoever tells most per cost is asked.
    Error rates are taken cautiously, towards their upper bounds.

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
        known = Doubts(beliefs)
        said: dict[str, set[Pair]] = {one.name: set() for one in self.answerers}
        n_said: Counter[Pair] = Counter()
        for answer in answers:
            said.setdefault(answer.who, set()).add(answer.pair.unordered)
            n_said[answer.pair.unordered] += answer.verdict is not Verdict.UNSURE
        best: tuple[int, float, int, int, Assignment] | None = None
        for place, one in enumerate(affordable):
            mine = said[one.name]
            checked = sum(n_said[pair] > 1 for pair in mine)
            for rank, worth, task in self._tasks(one, new, mine, checked, known):
                # Who has answered least comes first where it makes no difference.
                key = (rank, round(worth, 9), -len(mine), -place, task)
                if best is None or key[:4] > best[:4]:
                    best = key
        return None if best is None else best[4]

    def _tasks(
        self, one: Answerer, new: Question | None, mine: set[Pair], checked: int, known: Doubts
    ) -> Iterator[tuple[int, float, Assignment]]:
        """Yield what one answerer could be asked, its rank, and what it is worth per cost."""
        cost = self._cost(one)
        rates = known.rates_of(one.name, getattr(one, "weight", 1.0))
        dear = cost > _DEAR * min(map(self._cost, self.answerers))
        if new is not None and new.pair.unordered not in mine:
            gain = float(answer_information(np.array([0.5]), *rates)[0])
            yield 0, gain / cost, Assignment(new, one)
        if not len(known.pairs):
            return
        gains = answer_information(known.same_probability, *rates)
        if checked < (_CHECKED_DEAR if dear else _CHECKED) and len(self.answerers) > 1:
            for place in np.argsort(-gains.round(9), kind="stable").tolist():
                if known.pairs[place] not in mine:
                    yield 2, float(gains[place]) / cost, Assignment(known.pairs[place], one)
                    return
        for place in known.doubtful[:_MOST_DOUBTFUL]:
            pair = known.instead_of(place, mine)
            if pair is not None:
                yield int(not dear), float(gains[place]) / cost, Assignment(pair, one)
                return

    def _cost(self, one: Answerer) -> float:
        priced = any(getattr(other, "price", 0.0) for other in self.answerers)
        return max(float(getattr(one, "price", 0.0)), _FREE) if priced else 1.0
