"""Rechecks of doubtful answers while a study runs: leave them out, or ask again."""

from __future__ import annotations

import math
from itertools import islice, zip_longest

import numpy as np
import numpy.typing as npt
from scipy.special import expit, logit

from likewise.errors import MethodError
from likewise.journal.pairs import Answer, Pair, Verdict
from likewise.metrics import misclustering_error
from likewise.simulation.oracles import Oracle
from likewise.study import Study

POLICIES = ("keep", "verify", "filter", "reask", "surprise")
_EVERY = 20  # answers between two rechecks: each trains a forest
_ENOUGH = 2  # answers confirmed in a row after which a recheck ends
_WRONG, _RIGHT = 1.0, 19.0  # the prior: one answer in twenty is wrong
# From this chance on that an answer is wrong another is worth its price.
_WORTH_ASKING = 0.1
# Or when so many items are expected to be wrong by it: as many as a question usually puts right.
_ITEMS = 1.0
_MOST_LOOKS = 5  # at one answer


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
        - "verify" asks what is known in place of a new question where that is worth more: see
          `Study.verification`. Answers weigh less than one, so that of those that contradict each
          other the likeliest are believed; nothing is taken back.
        - "filter" takes doubtful answers back, every 20 answers.
        - "reask" asks, every 20 answers and the most doubtful first, about one of the two items
          and another member of the other's group: whoever was mistaken about a pair will be again.
          An answer that this contradicts is taken back. After two in a row that it confirms, the
          recheck is over and the next is twice as far away: where answers are right, few questions
          are spent. A pair is rechecked once.
        - "surprise" asks again in the same way, but at once, whenever an answer was unlikely by
          the question's own prediction, or moves many items: who answers x where y was expected
          with chance p is wrong with odds e/(1 - e) · p/(1 - p). It asks until being mistaken is
          unlikely (10 %) and would cost less than one item, five times at most. The share e of
          wrong answers is learned from the rechecks, so that those who are always right are soon
          left in peace.
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
        self._labels = study.labels_ if policy == "surprise" else None

    def after_answer(self, n_left: int, answer: Answer | None = None) -> list[Pair]:
        """Recheck if it is due after an answer, by default the latest.

        Return the pairs that were asked about, `n_left` at most.
        """
        self._n_answers += 1
        if self.policy == "surprise":
            latest = answer or self.study.answers[-1]
            asked = self._if_surprising(latest, n_left) if n_left else []
            self._labels = self.study.labels_
            return asked
        if self.policy in ("keep", "verify") or self._n_answers < self._next:
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

    def _if_surprising(self, answer: Answer, n_left: int) -> list[Pair]:
        """Ask again until it is clear whether a surprising answer is right; learn how often it is.

        Every answer about an equivalent pair shifts the log-odds that this one is right by those
        of any answer. Those on the side that is left are kept.
        """
        if answer.verdict is Verdict.UNSURE or answer.same_probability is None:
            return []
        same = answer.verdict is Verdict.SAME
        odds = self._log_odds() + float(logit(answer.same_probability)) * (1 if same else -1)
        n_moved = self._n_moved()
        if not _worth_asking(float(expit(-odds)), n_moved):
            return []
        self.study.retract(answer.id)
        # What follows from the other answers confirms nothing: they may depend on this one.
        if self.study.constraints.implied(*answer.pair) is not None:
            return []
        heard: list[tuple[Pair, Verdict]] = []
        for other in self._equivalents(answer.pair)[: min(n_left, _MOST_LOOKS)]:
            heard.append((other, Verdict.of(self.oracle(*other))))
            odds += self._log_odds() * _agreement(heard[-1][1], answer.verdict)
            if not _worth_asking(float(expit(-abs(odds))), n_moved):
                break
        # Where nobody says otherwise it stands, however surprising, or it were asked for ever.
        is_right = odds >= 0 or all(_agreement(given, answer.verdict) >= 0 for _, given in heard)
        self._settle([(answer.pair, answer.verdict), *heard], answer.verdict, is_right)
        return [pair for pair, _ in heard]

    def _settle(self, heard: list[tuple[Pair, Verdict]], verdict: Verdict, is_right: bool) -> None:
        """Tell the study the answers that agree with what was found out, and count them."""
        for pair, given in heard:
            agreement = _agreement(given, verdict) * (1 if is_right else -1)
            if agreement > 0:
                self.study.tell(pair, given)
            if len(heard) > 1:
                self._right += agreement > 0
                self._wrong += agreement < 0

    def _log_odds(self) -> float:
        """Return the log-odds that any answer is right."""
        return math.log(self._right / self._wrong)

    def _n_moved(self) -> int:
        """Count the items that the last answer took to another group."""
        if self._labels is None:
            return 0
        return round(len(self._labels) * misclustering_error(self._labels, self.study.labels_))

    def _recheck(self, answer: Answer, asked: list[Pair]) -> bool | None:
        """Return whether the answer about an equivalent pair confirms this; None if there is none.

        The answer is taken back unless it is confirmed, or cannot be checked.
        """
        self._checked.add(answer.pair.unordered)
        self.study.retract(answer.id)
        # What follows from the other answers confirms nothing: they may depend on this one.
        implied = self.study.constraints.implied(*answer.pair)
        other = self._equivalent(answer.pair) if implied is None else None
        try:
            verdict = Verdict.UNSURE if other is None else Verdict.of(self.oracle(*other))
        except BaseException:
            self.study.tell(answer.pair, answer.verdict)
            raise
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

    def _equivalents(self, pair: Pair) -> list[Pair]:
        """Return each of the items with others that are the same as the other one, best first.

        Those known to be are best, the most similar to the item first. Where there are none, those
        will do that the clustering without this answer takes for the same, beginning with the most
        similar to the other one.
        """
        by_group = self._with_members(pair, self.study.constraints.components(), like_other=False)
        return by_group or self._with_members(pair, self.study.labels_, like_other=True)

    def _with_members(
        self, pair: Pair, groups: npt.NDArray[np.int64], like_other: bool
    ) -> list[Pair]:
        """Return each item of the pair with open members of the other's group, in turn."""
        known, found = self.study.constraints, []
        for one, other in (pair, pair[::-1]):
            members = np.setdiff1d(np.flatnonzero(groups == groups[other]), pair)
            if not len(members):
                continue
            resembled = np.array([other if like_other else one])
            away = self.study.distances(resembled, members).ravel()
            nearest = members[np.argsort(away, kind="stable")].tolist()
            open_ones = (m for m in nearest if known.implied(one, m) is None)
            found.append([Pair(one, m) for m in islice(open_ones, _MOST_LOOKS)])
        return [p for in_turn in zip_longest(*found) for p in in_turn if p is not None]

    def _equivalent(self, pair: Pair) -> Pair | None:
        """Return one of the items with the most similar other member of the other's component."""
        components = self.study.constraints.components()
        return next(iter(self._with_members(pair, components, like_other=False)), None)


def _worth_asking(wrong: float, n_moved: int) -> bool:
    """Return whether another look is worth its price, at this chance of being mistaken."""
    return wrong >= _WORTH_ASKING or wrong * n_moved >= _ITEMS


def _agreement(given: Verdict, verdict: Verdict) -> int:
    """Return 1 if two verdicts agree, -1 if they do not, 0 if the first says nothing."""
    return 0 if given is Verdict.UNSURE else 1 if given is verdict else -1
