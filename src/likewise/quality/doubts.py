"""Answers that are worth a second look: few, so that hardly anybody is accused wrongly.

By the end the groups are known, and where an item lies among all the others is judged by what
these have in common (`held_out_memberships`). Against that stands what was said: somebody slips now
and then, but hardly ever twice about one item. What was expected when a question was asked says
less, since questions are asked where items are hard to tell; and it rests on the same likeness. So
its odds count by their root, a logarithmic pool of two forecasts that do not know everything anew.

Where many answers look wrong that way, it is the likeness of the items that misleads: nobody slips
so often. So the chances of all answers together are no more than the slips that anybody makes, and
only an answer is doubted for which that leaves one chance in four.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from scipy.special import expit, logit, softmax

from likewise.affinities.forest.inconsistency import FEWEST, Doubt
from likewise.journal.pairs import Answer, Verdict
from likewise.quality.held_out import held_out_memberships
from likewise.study import Study

MOST = 5  # answers that anybody looks through
_JUDGED = 2000  # the latest answers that are judged
_SLIP = 0.05  # of the answers may be slips, before it is seen how many look like one
_USUAL = 0.01  # of the answers are slips, as a rule
_LIKELY = 0.25  # how likely an answer must be wrong
_ASKED = 0.5  # the power of the odds with which the opposite was expected
_UNEXPECTED = 0.001  # nothing is expected less
_SURE = 1e-9


def answers_in_doubt(study: Study, most: int = MOST) -> list[Doubt]:
    """Return the few answers that are likely wrong by all the others, the likeliest first.

    Saying the same about the pair once more confirms an answer: it is not listed again.

    Parameters
    ----------
    study : Study
        The study; it stays as it is.
    most : int
        How many are returned at most.

    Returns
    -------
    list of Doubt
        Each with the probability that it is wrong, by where the other items lie and what else was
        said about its own; none where there is too little to judge by.

    Examples
    --------
    >>> study = Study([[0.0], [0.1], [5.0], [5.1]])
    >>> _ = study.tell((0, 1), "same")
    >>> answers_in_doubt(study)
    []
    """
    answers = _answers_to_judge(study)
    if not answers:
        return []
    # Of a large pile by what stands for it, where items have other numbers but answers the same.
    inside = _answers_to_judge(study.reduced)
    judged = _Judged(study.reduced, inside)
    wrong = np.array([judged.wrong_probability(by_its_numbers) for by_its_numbers in inside])
    wrong = expit(logit(np.clip(wrong, _SURE, 1 - _SURE)) + _ASKED * _surprise(answers))
    wrong *= min(1.0, max(1.0, _USUAL * len(answers)) / max(float(wrong.sum()), 1e-9))
    found = [Doubt(*both) for both in zip(answers, wrong.tolist(), strict=True)]
    said = Counter((answer.pair.unordered, answer.verdict) for answer in answers)
    left = [
        doubt
        for doubt in found
        if doubt.probability > _LIKELY
        and said[doubt.answer.pair.unordered, doubt.answer.verdict] == 1
    ]
    return sorted(left, key=lambda doubt: (-doubt.probability, doubt.answer.id))[:most]


def _surprise(answers: Sequence[Answer]) -> npt.NDArray[np.float64]:  # (answers,)
    """Return the log odds with which the opposite was expected; 0 where nothing was predicted."""
    same = [0.5 if one.same_probability is None else one.same_probability for one in answers]
    signs = [-1.0 if one.verdict is Verdict.SAME else 1.0 for one in answers]
    return np.asarray(np.array(signs) * logit(np.clip(same, _UNEXPECTED, 1 - _UNEXPECTED)))


class _Judged:
    """Where items belong by all the others and by what was said about them, who errs at times."""

    def __init__(self, study: Study, answers: Sequence[Answer]) -> None:
        self._labels = study.labels_
        items = np.unique([item for answer in answers for item in answer.pair])
        self._row = {item: row for row, item in enumerate(items.tolist())}
        believed = held_out_memberships(study, items)
        # The last column: a group that has no other member.
        self._odds = np.log(np.hstack([believed, 1 - believed.sum(axis=1, keepdims=True)]))
        for answer in answers:
            for item, other in (answer.pair, answer.pair[::-1]):
                self._odds[self._row[item]] += np.where(
                    self._wrong(answer, other), np.log(_SLIP), np.log(1 - _SLIP)
                )
        self._posterior = softmax(self._odds, axis=1)

    def _wrong(self, answer: Answer, other: int) -> npt.NDArray[np.bool_]:  # (groups + 1,)
        """Return in which groups the item beside `other` would have to be for a slip."""
        there: npt.NDArray[np.bool_] = np.arange(self._odds.shape[1]) == self._labels[other]
        return there if answer.verdict is Verdict.DIFFERENT else ~there

    def wrong_probability(self, answer: Answer) -> float:
        """Return how likely an answer is wrong because one of its items belongs elsewhere."""
        return max(
            float(self._posterior[self._row[item]] @ self._wrong(answer, other))
            for item, other in (answer.pair, answer.pair[::-1])
        )


def _answers_to_judge(study: Study) -> list[Answer]:
    """Return the answers that count; none while there are few of a verdict."""
    verdicts = Counter(answer.verdict for answer in study.answers)
    if min(verdicts[Verdict.SAME], verdicts[Verdict.DIFFERENT]) < FEWEST:
        return []
    disputed = {answer.id for answer in study.constraints.disputed}
    return [
        answer
        for answer in study.answers[-_JUDGED:]
        if answer.verdict is not Verdict.UNSURE and answer.id not in disputed
    ]
