"""The gesture that places an item: into a group, or into one of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from likewise.errors import ReusedClientId
from likewise.journal.pairs import AnswerDraft, Pair, Verdict
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
    weight: float = 1.0,
    cost: float = 0.0,
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
    weight : float
        How far the answerer is trusted before others have spoken, above 0.
    cost : float
        What it has cost in all, at least 0.
    client_id : str
        A name by which the gesture is recognised when it is sent again: it is then kept once.

    Raises
    ------
    AnswerError
        If something else was kept under this `client_id`.

    Examples
    --------
    >>> study = Study([[0.0], [0.1], [5.0], [5.1]])
    >>> _ = study.tell((0, 2), "different")
    >>> [str(answer) for answer in place(study, 1, 0)]
    ['#1: 1 = 0']
    >>> [str(answer) for answer in place(study, 3)]
    ['#2: 3 ≠ 2', '#3: 3 ≠ 0']
    """
    verdicts = _verdicts(study, item, member, among)
    if client_id and study.answer_sent_as(client_id) is not None:
        return _sent_before(study, client_id, item, verdicts, who)

    def gesture(plan: Plan) -> None:
        for other, verdict in verdicts.items():
            if _follows(plan, item, other, verdict):
                continue
            # The gesture took this long, not each of its answers; the first has its name.
            took, paid = (None, 0.0) if plan.drafts else (seconds, cost)
            name = client_id and (f"{client_id}:{other}" if plan.drafts else client_id)
            plan.answer(
                item, other, verdict, seconds=took, weight=weight, cost=paid, client_id=name
            )

    return carry_out(study, gesture, who)


def foreseen_place(
    study: Study, item: int, member: int | None = None, *, among: Sequence[int] | None = None
) -> list[tuple[Pair, Verdict]]:
    """Return the answers that `place` would record, without recording them."""
    plan = Plan(study, "")
    for other, verdict in _verdicts(study, item, member, among).items():
        if not _follows(plan, item, other, verdict):
            plan.answer(item, other, verdict)
    return [(draft.pair, draft.verdict) for draft in plan.drafts]


def _verdicts(
    study: Study, item: int, member: int | None, among: Sequence[int] | None
) -> dict[int, Verdict]:
    """Return what the gesture says about the item, by the other one."""
    if among is None:
        among = study.constraints.representatives if member is None else ()
    verdicts = {} if member is None else {member: Verdict.SAME}
    for other in among:
        if other != item:
            verdicts.setdefault(other, Verdict.DIFFERENT)
    for other in verdicts:
        study.require_pair(item, other)
    return verdicts


def _follows(plan: Plan, item: int, other: int, verdict: Verdict) -> bool:
    """Return whether an answer need not be recorded, since others say enough."""
    return verdict is Verdict.DIFFERENT and plan.known.implied(item, other) is not None


def _sent_before(
    study: Study, client_id: str, item: int, verdicts: Mapping[int, Verdict], who: str
) -> Edit:
    """Return the answers of a gesture that was kept already; refuse another one of that name."""
    names = (client_id, *(f"{client_id}:{other}" for other in verdicts))
    kept = [answer for answer in map(study.answer_sent_as, names) if answer is not None]
    drafts = [AnswerDraft(Pair(item, other), verdicts[other], who=who) for other in verdicts]
    if not all(any(map(answer.repeats, drafts)) for answer in kept):
        raise ReusedClientId(client_id)
    return Edit(kept, step=study.step_of(kept[0]).number)
