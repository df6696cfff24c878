"""Second looks at doubtful answers while a study runs: leave them out, or ask again."""

from __future__ import annotations

import numpy as np

from likewise.errors import MethodError
from likewise.oracles import Oracle
from likewise.pairs import Answer, Pair, Verdict
from likewise.study import Study

POLICIES = ("keep", "filter", "reask")
_EVERY = 20  # answers between two looks: a look trains a forest


class SecondLooks:
    """What is done about answers that look wrong beside the others; see `study.doubtful`.

    "keep" does nothing. "filter" takes them back. "reask" takes them back and asks about the item
    and another member of the same group, since whoever was mistaken about a pair will be again; if
    that confirms the answer, it is put back. A pair is looked at once.
    """

    def __init__(self, study: Study, oracle: Oracle, policy: str) -> None:
        if policy not in POLICIES:
            raise MethodError(f"doubt must be one of {', '.join(POLICIES)} but got {policy!r}")
        self.study = study
        self.oracle = oracle
        self.policy = policy
        self._told = 0
        self._looked_at: set[Pair] = set()

    def after_answer(self, n_left: int) -> list[Pair]:
        """Look back if it is time to; the pairs asked about, `n_left` at most."""
        self._told += 1
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
                return [Pair(one, int(members[0]))]
        return []
