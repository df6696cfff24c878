"""The gesture that places an item: into a group, or into one of its own."""

from __future__ import annotations

from collections.abc import Sequence

from likewise.journal.pairs import Verdict
from likewise.study.edits.plan import Edit, Plan, carry_out
from likewise.study.study import Study


def place(
    study: Study,
    item: int,
    member: int | None = None,
    *,
    among: Sequence[int] | None = None,
    who: str = "",
    seconds: float | None = None,
    client_id: str = "",
) -> Edit:
    """Place an item into the group of `member`, or into one of its own.

    What follows from other answers is not recorded again; that the item is the same as `member`
    always is, so that a contradiction comes to light.

    Parameters
    ----------
    study : Study
        The study in which the item is.
    item : int
        The item to be placed.
    member : int, optional
        Any item of the group it belongs to; None puts it into a group of its own.
    among : sequence of int, optional
        One item of every group that was offered: the item differs from them. None: for a group of
        its own, from all known groups; else from none.
    who : str
        Who does so.
    seconds : float, optional
        How long it took in all.
    client_id : str
        A name by which the gesture is recognised when it is sent again: it is then kept once.

    Examples
    --------
    >>> study = Study([[0.0], [0.1], [5.0], [5.1]])
    >>> _ = study.tell((0, 2), "different")
    >>> [str(answer) for answer in place(study, 1, 0)]
    ['#1: 1 = 0']
    >>> [str(answer) for answer in place(study, 3)]
    ['#2: 3 ≠ 2', '#3: 3 ≠ 0']
    """
    if among is None:
        among = study.constraints.representatives if member is None else ()
    verdicts = {} if member is None else {member: Verdict.SAME}
    for other in among:
        if other != item:
            verdicts.setdefault(other, Verdict.DIFFERENT)
    for other in verdicts:
        study.require_pair(item, other)
    names = {other: client_id and f"{client_id}:{other}" for other in verdicts}
    earlier = [study.answer_sent_as(name) for name in names.values()]
    if any(earlier):
        return Edit(answer for answer in earlier if answer is not None)

    def gesture(plan: Plan) -> None:
        for other, verdict in verdicts.items():
            if verdict is Verdict.DIFFERENT and plan.known.implied(item, other) is not None:
                continue
            # The gesture took this long, not each of its answers.
            took = None if plan.drafts else seconds
            plan.answer(item, other, verdict, seconds=took, client_id=names[other])

    return carry_out(study, gesture, who)
