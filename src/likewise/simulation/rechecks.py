"""Second looks at doubtful answers while a study runs: leave them out, or ask again."""

from __future__ import annotations

import numpy as np

from likewise.errors import MethodError
from likewise.journal.pairs import Answer, Pair, Verdict
from likewise.simulation.oracles import Oracle
from likewise.study import Study

POLICIES = ("keep", "filter", "reask", "surprise")
_EVERY = 20  # answers between two looks: a look trains a forest
_ENOUGH = 2  # answers confirmed in a row after which a look ends
# One answer in twenty is thought to be wrong before any was looked at again.
_WRONG, _RIGHT = 1.0, 19.0
# From this chance on that an answer is wrong another is worth its price.
_WORTH_ASKING = 0.1


class Rechecks:
    """What is done about answers that look wrong beside the others; see `study.doubtful`.

    "keep" does nothing. "filter" takes them back. "reask" asks about one of the two items and
    another member of the other's group, since whoever was mistaken about a pair will be again, the
    most doubtful answer first. An answer that this contradicts is taken back; after two in a row
    that it confirms, the look is over, and the next is twice as far away: where answers are right,
    few questions are spent on that. A pair is looked at once.

    "surprise" asks again in the same way, but at once, whenever an answer was unlikely by the
    question's own forecast: who answers x where y was expected with chance p is wrong with odds
    e/(1 - e) · p/(1 - p). The share e of wrong answers is learned from what second answers said, so
    that those who are always right are soon left in peace.
    """

    def __init__(self, study: Study, oracle: Oracle, policy: str) -> None:
        if policy not in POLICIES:
            raise MethodError(f"doubt must be one of {', '.join(POLICIES)} but got {policy!r}")
        self.study = study
        self.oracle = oracle
        self.policy = policy
        self._told = 0
        self._every = self._next = _EVERY
        self._wrong, self._right = _WRONG, _RIGHT
        self._looked_at: set[Pair] = set()

    def after_answer(self, n_left: int) -> list[Pair]:
        """Look back if it is time to; the pairs asked about, `n_left` at most."""
        self._told += 1
        if self.policy == "surprise":
            return self._if_surprising(self.study.answers[-1]) if n_left else []
        if self.policy == "keep" or self._told < self._next:
            return []
        asked = self._filter() if self.policy == "filter" else self._reask(n_left)
        self._next = self._told + self._every
        return asked

    def _doubtful(self) -> list[Answer]:
        """Answers that were not looked at before."""
        doubts = [doubt.answer for doubt in self.study.doubtful()]
        return [answer for answer in doubts if answer.pair.unordered not in self._looked_at]

    def _filter(self) -> list[Pair]:
        for answer in self._doubtful():
            self._looked_at.add(answer.pair.unordered)
            self.study.retract(answer.id)
        return []

    def _reask(self, n_left: int) -> list[Pair]:
        asked: list[Pair] = []
        confirmed = n_wrong = 0
        for answer in self._doubtful():
            if confirmed == _ENOUGH or len(asked) >= n_left:
                break
            stood = self._second_opinion(answer, asked)
            if stood is None:
                continue
            confirmed = confirmed + 1 if stood else 0
            n_wrong += not stood
        if n_wrong or confirmed:
            self._every = _EVERY if n_wrong else 2 * self._every
        return asked

    def _if_surprising(self, answer: Answer) -> list[Pair]:
        """Ask again about an answer that was not expected, and learn how often such are wrong."""
        asked: list[Pair] = []
        if answer.verdict is Verdict.UNSURE or answer.same_probability is None:
            return asked
        same = answer.verdict is Verdict.SAME
        expected = 1 - answer.same_probability if same else answer.same_probability
        odds = self._wrong / self._right * expected / (1 - expected)
        if odds / (1 + odds) >= _WORTH_ASKING:
            stood = self._second_opinion(answer, asked)
            self._right += stood is True
            self._wrong += stood is False
        return asked

    def _second_opinion(self, answer: Answer, asked: list[Pair]) -> bool | None:
        """Whether another pair that says the same confirms an answer; None if there is none."""
        self._looked_at.add(answer.pair.unordered)
        self.study.retract(answer.id)
        # What follows from the other answers is no second opinion: they may hang on this one.
        implied = self.study.constraints.implied(*answer.pair)
        other = self._instead(answer.pair) if implied is None else None
        told = Verdict.UNSURE if other is None else Verdict.of(self.oracle(*other))
        if other is not None:
            self.study.tell(other, told)
            asked.append(other)
        if told is Verdict.UNSURE:
            if implied is None:
                self.study.tell(answer.pair, answer.verdict)
            return None
        if told is answer.verdict:
            self.study.tell(answer.pair, answer.verdict)
        return told is answer.verdict

    def _instead(self, pair: Pair) -> Pair | None:
        """One of the items and the most similar other member of the other's group, if any."""
        components = self.study.constraints.components()
        for one, other in (pair, pair[::-1]):
            members = np.setdiff1d(np.flatnonzero(components == components[other]), [other])
            if len(members):
                away = self.study.view.affinity.distances(np.array([one]), members).ravel()
                return Pair(one, int(members[away.argmin()]))
        return None
