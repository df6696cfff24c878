"""Second looks at doubtful answers while a study runs: leave them out, or ask again."""

from __future__ import annotations

import numpy as np

from likewise.errors import MethodError
from likewise.oracles import Oracle
from likewise.pairs import Answer, Pair, Verdict
from likewise.study import Study

POLICIES = ("keep", "filter", "reask", "surprise")
_EVERY = 20  # answers between two looks: a look trains a forest
# One answer in twenty is thought to be wrong before any was looked at again.
_WRONG, _RIGHT = 1.0, 19.0
# From this chance on that an answer is wrong another is worth its price.
_WORTH_ASKING = 0.1


class SecondLooks:
    """What is done about answers that look wrong beside the others; see `study.doubtful`.

    "keep" does nothing. "filter" takes them back. "reask" takes them back and asks about the item
    and another member of the same group, since whoever was mistaken about a pair will be again; if
    that confirms the answer, it is put back. A pair is looked at once.

    "surprise" asks again in the same way, but at once, whenever an answer was unlikely by the
    question's own forecast: whoever answers x where y was expected with chance p is wrong with odds
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
        self._wrong, self._right = _WRONG, _RIGHT
        self._looked_at: set[Pair] = set()

    def after_answer(self, n_left: int) -> list[Pair]:
        """Look back if it is time to; the pairs asked about, `n_left` at most."""
        self._told += 1
        if self.policy == "surprise":
            return self._if_surprising(self.study.answers[-1]) if n_left else []
        if self.policy == "keep" or self._told % _EVERY:
            return []
        asked: list[Pair] = []
        for doubt in self.study.doubtful():
            pair = doubt.answer.pair.unordered
            if pair in self._looked_at or len(asked) >= n_left:
                continue
            self._looked_at.add(pair)
            self.study.retract(doubt.answer.id)
            if self.policy == "reask":
                asked += self._second_opinion(doubt.answer)
        return asked

    def _if_surprising(self, answer: Answer) -> list[Pair]:
        """Ask again about an answer that was not expected, and learn how often such are wrong."""
        if answer.verdict is Verdict.UNSURE or answer.same_probability is None:
            return []
        same = answer.verdict is Verdict.SAME
        expected = 1 - answer.same_probability if same else answer.same_probability
        odds = self._wrong / self._right * expected / (1 - expected)
        if odds / (1 + odds) < _WORTH_ASKING:
            return []
        self.study.retract(answer.id)
        asked = self._second_opinion(answer)
        if asked:
            confirmed = self.study.constraints.implied(*answer.pair) is answer.verdict
            self._right += confirmed
            self._wrong += not confirmed
        return asked

    def _second_opinion(self, answer: Answer) -> list[Pair]:
        """Ask about another pair that says the same; put the answer back if it is confirmed."""
        told = self.study.constraints.implied(*answer.pair)  # the other answers may say it already
        asked = [] if told is not None else self._instead(answer.pair)
        for pair in asked:
            told = Verdict.of(self.oracle(*pair))
            self.study.tell(pair, told)
        if told is answer.verdict or told is None:
            self.study.tell(answer.pair, answer.verdict)
        return asked

    def _instead(self, pair: Pair) -> list[Pair]:
        """One of the items and another member of the other's group, if it has one."""
        marks = self.study.constraints.marks()
        for one, other in (pair, pair[::-1]):
            members = np.setdiff1d(np.flatnonzero(marks == marks[other]), [other])
            if len(members):
                away = self.study.view.affinity.distances(np.array([one]), members).ravel()
                return [Pair(one, int(members[away.argmin()]))]
        return []
