"""The gesture that sorts a sheet: these belong together, those do not; and where they go."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from likewise.errors import AnswerError, ReusedClientId
from likewise.journal.pairs import Answer, Pair, Verdict
from likewise.study.edits.plan import Edit, Plan, carry_out
from likewise.study.study import Study


def sort_sheet(
    study: Study,
    items: Sequence[int],
    belonging: Iterable[int],
    *,
    into: int | Literal["new"] | None = None,
    among: Sequence[int] = (),
    who: str = "",
    seconds: float | None = None,
    weight: float = 1.0,
    cost: float = 0.0,
    client_id: str = "",
) -> Edit:
    """Say which of some items belong together: the others differ from them.

    What follows from other answers is not recorded again.

    Parameters
    ----------
    study : Study
        The study in which the items are.
    items : sequence of int
        All that were shown, the one that shows what is meant first.
    belonging : iterable of int
        Those of them that belong together. With none, or one alone, no two do.
    into : int or "new", optional
        Any item of the group they go into, or a group of their own; None leaves that open.
    among : sequence of int
        One item of every group that was offered: from a group of their own they all differ.
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
        If an item belongs that was not shown, or something else was kept under this `client_id`.

    Examples
    --------
    >>> study = Study([[0.0], [0.1], [0.2], [5.0], [5.1]])
    >>> [str(answer) for answer in sort_sheet(study, [0, 1, 2, 3], [0, 1, 2])]
    ['#0: 1 = 0', '#1: 2 = 0', '#2: 3 ≠ 0']
    """
    verdicts = _verdicts(study, items, belonging, into, among)
    if client_id and study.answer_sent_as(client_id) is not None:
        return _sent_before(study, client_id, verdicts, who)

    def gesture(plan: Plan) -> None:
        for (i, j), verdict in verdicts.items():
            if plan.known.implied(i, j) is verdict:
                continue
            # The gesture took this long, not each of its answers; the first has its name.
            took, paid = (None, 0.0) if plan.drafts else (seconds, cost)
            name = client_id and (f"{client_id}:{i}-{j}" if plan.drafts else client_id)
            plan.answer(i, j, verdict, seconds=took, weight=weight, cost=paid, client_id=name)

    return carry_out(study, gesture, who)


def foreseen_sheet(
    study: Study,
    items: Sequence[int],
    belonging: Iterable[int],
    *,
    into: int | Literal["new"] | None = None,
    among: Sequence[int] = (),
) -> list[tuple[Pair, Verdict]]:
    """Return the answers that `sort_sheet` would record, without recording them."""
    plan = Plan(study, "")
    for (i, j), verdict in _verdicts(study, items, belonging, into, among).items():
        if plan.known.implied(i, j) is not verdict:
            plan.answer(i, j, verdict)
    return [(draft.pair, draft.verdict) for draft in plan.drafts]


def _verdicts(
    study: Study,
    items: Sequence[int],
    belonging: Iterable[int],
    into: int | Literal["new"] | None,
    among: Sequence[int],
) -> dict[tuple[int, int], Verdict]:
    """Return what a sheet says about pairs of items, by the pair."""
    chosen = {int(item) for item in belonging}
    if unknown := sorted(chosen - set(items)):
        raise AnswerError(f"item {unknown[0]} is not on the sheet; choose from {list(items)}")
    for item in items:
        study.require_item(item)
    first = next((item for item in items if item in chosen), items[0])
    said = {
        (item, first): Verdict.SAME if item in chosen else Verdict.DIFFERENT
        for item in sorted(items, key=lambda item: item not in chosen)
        if item != first
    }
    others = among if into == "new" else () if into is None else (into,)
    verdict = Verdict.DIFFERENT if into == "new" else Verdict.SAME
    for other in others:
        study.require_pair(first, other)
        said.setdefault((first, other), verdict)
    return said


def _sent_before(
    study: Study, client_id: str, verdicts: dict[tuple[int, int], Verdict], who: str
) -> Edit:
    """Return the answers of a sheet that was kept already; refuse another one of that name."""
    names = (client_id, *(f"{client_id}:{i}-{j}" for i, j in verdicts))
    kept = [answer for answer in map(study.answer_sent_as, names) if answer is not None]
    if not all(_says(answer, verdicts, who) for answer in kept):
        raise ReusedClientId(client_id)
    return Edit(kept)


def _says(answer: Answer, verdicts: dict[tuple[int, int], Verdict], who: str) -> bool:
    """Return whether an answer is part of what a sheet says."""
    return answer.who == who and verdicts.get((answer.pair.i, answer.pair.j)) is answer.verdict
