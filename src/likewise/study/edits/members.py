"""Gestures about many members at once: move them into another group, or confirm where they are."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from likewise.errors import AnswerError
from likewise.journal.pairs import Answer, Verdict
from likewise.study.edits.plan import Edit, Plan, carry_out
from likewise.study.study import Study


def move(
    study: Study, items: Iterable[int], into: int, *, who: str = "", force: bool = False
) -> Edit:
    """Move items into the group in which another one lies.

    Parameters
    ----------
    study : Study
        The study whose groups are meant.
    items : iterable of int
        What is moved.
    into : int
        Any item of the group they go into.
    who : str
        Who does so.
    force : bool
        Take back earlier answers that say that one of them is the same as one that is not moved,
        or differs from the group or from another that is moved.

    Raises
    ------
    Contradiction
        If there are such answers, and `force` is not given; the message names them.

    Examples
    --------
    >>> study = Study([[0.0], [0.1], [0.2], [5.0], [5.1]])
    >>> _ = study.tell((0, 3), "different")
    >>> [str(answer) for answer in move(study, [1, 2], 3)]
    ['#1: 1 = 3', '#2: 2 = 3']
    >>> study.labels_
    array([0, 1, 1, 1, 1])
    """
    moved = list(dict.fromkeys(int(item) for item in items))
    for item in moved:
        study.require_pair(item, into)
    study.refresh()

    def gesture(plan: Plan) -> None:
        labels = study.labels_
        group = np.setdiff1d(np.flatnonzero(labels == labels[into]), moved)
        anchor = plan.anchor(group)
        there = {plan.known.component(anchor), plan.known.component(into)}

        def contradicts(answer: Answer) -> bool:
            ours = [item for item in answer.pair if item in moved]
            if len(ours) != 1:
                return answer.verdict is Verdict.DIFFERENT and len(ours) == 2
            other = answer.pair.j if ours[0] == answer.pair.i else answer.pair.i
            wanted = Verdict.SAME if plan.known.component(other) in there else Verdict.DIFFERENT
            return answer.verdict is not Verdict.UNSURE and answer.verdict is not wanted

        plan.retract(contradicts, f"moving them to the group of {plan.ids[into]}", force)
        plan.ensure(into, anchor, Verdict.SAME)
        for item in moved:
            plan.ensure(item, anchor, Verdict.SAME)

    return carry_out(study, gesture, who)


def confirm(study: Study, items: Iterable[int], *, who: str = "") -> Edit:
    """Say of items that they belong to the group in which they lie, all of them one group.

    Parameters
    ----------
    study : Study
        The study whose groups are meant.
    items : iterable of int
        What was looked at; all in one group.
    who : str
        Who does so.

    Examples
    --------
    >>> study = Study([[0.0], [0.1], [0.2], [5.0], [5.1]])
    >>> _ = study.tell((0, 3), "different")
    >>> [str(answer) for answer in confirm(study, [0, 1, 2])]
    ['#1: 1 = 0', '#2: 2 = 0']
    """
    seen = list(dict.fromkeys(int(item) for item in items))
    for item in seen:
        study.require_item(item)
    study.refresh()

    def gesture(plan: Plan) -> None:
        labels = study.labels_
        if len(set(labels[seen].tolist())) != 1:
            raise AnswerError("confirm the members of one group at a time; these lie in several")
        anchor = plan.anchor(np.flatnonzero(labels == labels[seen[0]]))
        for item in seen:
            plan.ensure(item, anchor, Verdict.SAME)

    return carry_out(study, gesture, who)
