"""Answers that are worth a second look: few, so that hardly anybody is accused wrongly.

A forest that looks at pairs alone calls every third truthful answer odd, since questions are asked
where items are hard to tell. So its suspects are judged once more: what would the study believe
about the pair if nothing had been said about the item that was being placed? Only what it would
think very unlikely stays.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from likewise.affinities.forest.inconsistency import Doubt
from likewise.errors import MethodError
from likewise.journal.pairs import Answer, Verdict
from likewise.study import Study
from likewise.study.branch import Branch

MOST = 5  # answers that anybody looks through
_HEARD = 25  # answers that are judged again: for each of them the groups are computed once
_UNLIKELY = 0.9  # how likely the opposite must be


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
        Each with the probability of the opposite by what was said about other items; none where
        there is too little to judge by.

    Examples
    --------
    >>> study = Study([[0.0], [0.1], [5.0], [5.1]])
    >>> _ = study.tell((0, 1), "same")
    >>> answers_in_doubt(study)
    []
    """
    branch, said = Branch.of(study), study.answers
    heard = []
    for answer in answers_to_judge(study):
        branch.follow(answers_without(said, answer.pair.i))
        heard.append(doubt_of(answer, branch.same_probability(answer.pair)))
    return likeliest_wrong(heard, most)


def answers_to_judge(study: Study) -> list[Answer]:
    """Return the answers that look odd to a forest, the oddest first: suspects, and not more."""
    try:
        odd = [doubt.answer for doubt in study.doubtful()]
    except MethodError:
        return []
    said = Counter((answer.pair.unordered, answer.verdict) for answer in study.answers)
    return [one for one in odd if said[one.pair.unordered, one.verdict] == 1][:_HEARD]


def answers_without(answers: Sequence[Answer], item: int) -> list[Answer]:
    """Return the answers that say nothing about an item."""
    return [answer for answer in answers if item not in answer.pair]


def doubt_of(answer: Answer, same_probability: float) -> Doubt:
    """Return the doubt about an answer by how likely its pair is the same according to others."""
    same = answer.verdict is Verdict.SAME
    return Doubt(answer, 1 - same_probability if same else same_probability)


def likeliest_wrong(heard: Sequence[Doubt], most: int = MOST) -> list[Doubt]:
    """Return those of whom the opposite is very likely, the likeliest first, at most so many."""
    left = [doubt for doubt in heard if doubt.probability > _UNLIKELY]
    return sorted(left, key=lambda doubt: (-doubt.probability, doubt.answer.id))[:most]
