"""Whom to ask what: the pair and the answerer with the most expected gain per cost."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import entr

from likewise.beliefs import Beliefs, Doubts
from likewise.journal.pairs import Answer, Pair, Question
from likewise.simulation.answerers import Answerer

_DEAR = 5.0  # times as much as somebody else: dear in comparison
_FIRST = 2  # answers of whoever is dear come first, about what is least sure of all
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

    Whatever is believed wrongly with a chance of a twentieth or more is settled before anything new
    is asked, with error rates taken cautiously, towards their upper bounds. Somebody else is asked
    about the pair; where all have answered, or everybody else is dear in comparison, somebody is
    asked about another pair whose answer must be the same. Whoever tells most per cost is asked,
    by error rates as they are estimated: of strangers little is known, and rather good, so that
    they are tried soon. Two answers of whoever is dear come first; then they are asked where
    that tells more per cost than anything new.

    Parameters
    ----------
    answerers : sequence of Answerer
        Who can be asked; their names differ.
    """

    def __init__(self, answerers: Sequence[Answerer]) -> None:
        self.answerers = list(answerers)

    def choose(
        self,
        new: Callable[[], Question | None],
        answers: Sequence[Answer],
        beliefs: Beliefs,
        affordable: Sequence[Answerer],
    ) -> Assignment | None:
        """Return the task most worth its cost; None when nothing is worth asking.

        `new` finds a new question, which is computed only where nothing has to be settled first.
        """
        known = Doubts(beliefs)
        said: dict[str, set[Pair]] = {one.name: set() for one in self.answerers}
        for answer in answers:
            said.setdefault(answer.who, set()).add(answer.pair.unordered)
        cheap = [one for one in affordable if not self._is_dear(one, self.answerers)]
        dear = [one for one in affordable if one not in cheap]
        tasks = [
            task
            for one in dear
            if len(said[one.name]) < _FIRST
            for task in self._settling(one, dear, known, said)
        ]
        if not tasks:
            tasks = [task for one in cheap for task in self._settling(one, cheap, known, said)]
        if not tasks:
            tasks = [task for one in dear for task in self._settling(one, affordable, known, said)]
            if (question := new()) is not None:
                tasks += [
                    (self._worth(0.5, one, known), Assignment(question, one))
                    for one in affordable
                    if question.pair.unordered not in said[one.name]
                ]
        # Who has answered least comes first where it makes no difference.
        n_said = {one.name: len(said[one.name]) for one in affordable}
        best = max(tasks, key=lambda task: (task[0], -n_said[task[1].answerer.name]), default=None)
        return None if best is None else best[1]

    def _settling(
        self, one: Answerer, among: Sequence[Answerer], known: Doubts, said: Mapping[str, set[Pair]]
    ) -> Iterator[tuple[float, Assignment]]:
        """Yield what this answerer could settle, the worst of all that is doubtful, and its worth.

        A pair that somebody `among` them has not answered waits for his opinion: whoever errs
        about it is likely to err about others that come to the same. Whoever is alone has to
        find out what comes to the same by such questions, too.
        """
        if len(self.answerers) == 1:  # taken at his word
            return
        mine, alone = said[one.name], len(among) == 1
        for place in known.doubtful[:_MOST_DOUBTFUL]:
            doubtful = known.pairs[place]
            if doubtful in mine and any(doubtful not in said[other.name] for other in among):
                continue
            pair = known.instead_of(place, mine, surely=not alone)
            if pair is not None:
                worth = self._worth(float(known.same_probability[place]), one, known)
                yield worth, Assignment(pair, one)
                return

    def _worth(self, same_probability: float, one: Answerer, known: Doubts) -> float:
        """Return how many bits this answerer tells about a pair, per cost."""
        rates = known.rates_of(one.name, getattr(one, "weight", 1.0))
        bits = answer_information(np.array([same_probability]), *rates)[0]
        return round(float(bits) / self._cost(one), 9)

    def _is_dear(self, one: Answerer, others: Sequence[Answerer]) -> bool:
        return self._cost(one) > _DEAR * min(map(self._cost, others))

    def _cost(self, one: Answerer) -> float:
        priced = any(getattr(other, "price", 0.0) for other in self.answerers)
        return max(float(getattr(one, "price", 0.0)), _FREE) if priced else 1.0
