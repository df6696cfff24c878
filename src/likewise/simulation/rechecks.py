"""Rechecks of doubtful answers while a study runs: leave them out, or ask again."""

from __future__ import annotations

import numpy as np

from likewise.errors import MethodError
from likewise.journal.pairs import Answer, Pair, Verdict
from likewise.simulation.oracles import Oracle
from likewise.study import Study

POLICIES = ("keep", "filter", "reask", "surprise")
_EVERY = 20  # answers between two rechecks: each trains a forest
_ENOUGH = 2  # answers confirmed in a row after which a recheck ends
_WRONG, _RIGHT = 1.0, 19.0  # the prior: one answer in twenty is wrong
# From this chance on that an answer is wrong another is worth its price.
_WORTH_ASKING = 0.1


class Rechecks:
    """What is done about answers that look wrong beside the others; see `Study.doubtful`.

    Parameters
    ----------
    study : Study
        The study whose answers are checked.
    oracle : Oracle
        Who is asked again.
    policy : str
        - "keep" does nothing.
        - "filter" takes doubtful answers back, every 20 answers.
        - "reask" asks, every 20 answers and the most doubtful first, about one of the two items
          and another member of the other's group: whoever was mistaken about a pair will be again.
          An answer that this contradicts is taken back. After two in a row that it confirms, the
          recheck is over and the next is twice as far away: where answers are right, few questions
          are spent. A pair is rechecked once.
        - "surprise" asks again in the same way, but at once, whenever an answer was unlikely by
          the question's own prediction: who answers x where y was expected with chance p is wrong
          with odds e/(1 - e) · p/(1 - p). The share e of wrong answers is learned from the
          rechecks, so that those who are always right are soon left in peace.
    """

    def __init__(self, study: Study, oracle: Oracle, policy: str) -> None:
        if policy not in POLICIES:
            raise MethodError(f"doubt must be one of {', '.join(POLICIES)} but got {policy!r}")
        self.study = study
        self.oracle = oracle
        self.policy = policy
        self._n_answers = 0
        self._every = self._next = _EVERY
        self._wrong, self._right = _WRONG, _RIGHT
        self._checked: set[Pair] = set()

    def after_answer(self, n_left: int) -> list[Pair]:
        """Recheck if it is due; return the pairs that were asked about, `n_left` at most."""
        self._n_answers += 1
        if self.policy == "surprise":
            return self._if_surprising(self.study.answers[-1]) if n_left else []
        if self.policy == "keep" or self._n_answers < self._next:
            return []
        asked = self._filter() if self.policy == "filter" else self._reask(n_left)
        self._next = self._n_answers + self._every
        return asked

    def _doubtful(self) -> list[Answer]:
        """Return the doubtful answers that were not rechecked before."""
        doubts = [doubt.answer for doubt in self.study.doubtful()]
        return [answer for answer in doubts if answer.pair.unordered not in self._checked]

    def _filter(self) -> list[Pair]:
        for answer in self._doubtful():
            self._checked.add(answer.pair.unordered)
            self.study.retract(answer.id)
        return []

    def _reask(self, n_left: int) -> list[Pair]:
        asked: list[Pair] = []
        confirmed = n_wrong = 0
        for answer in self._doubtful():
            if confirmed == _ENOUGH or len(asked) >= n_left:
                break
            confirms = self._recheck(answer, asked)
            if confirms is None:
                continue
            confirmed = confirmed + 1 if confirms else 0
            n_wrong += not confirms
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
            confirms = self._recheck(answer, asked)
            self._right += confirms is True
            self._wrong += confirms is False
        return asked

    def _recheck(self, answer: Answer, asked: list[Pair]) -> bool | None:
        """Return whether the answer about an equivalent pair confirms this; None if there is none.

        The answer is taken back unless it is confirmed, or cannot be checked.
        """
        self._checked.add(answer.pair.unordered)
        self.study.retract(answer.id)
        # What follows from the other answers confirms nothing: they may depend on this one.
        implied = self.study.constraints.implied(*answer.pair)
        other = self._equivalent(answer.pair) if implied is None else None
        verdict = Verdict.UNSURE if other is None else Verdict.of(self.oracle(*other))
        if other is not None:
            self.study.tell(other, verdict)
            asked.append(other)
        if verdict is Verdict.UNSURE:
            if implied is None:
                self.study.tell(answer.pair, answer.verdict)
            return None
        if verdict is answer.verdict:
            self.study.tell(answer.pair, answer.verdict)
        return verdict is answer.verdict

    def _equivalent(self, pair: Pair) -> Pair | None:
        """Return one of the items with the most similar other member of the other's component."""
        components = self.study.constraints.components()
        for one, other in (pair, pair[::-1]):
            members = np.setdiff1d(np.flatnonzero(components == components[other]), [other])
            if len(members):
                away = self.study.view.affinity.distances(np.array([one]), members).ravel()
                return Pair(one, int(members[away.argmin()]))
        return None
