"""The plan of a gesture: which answers it gives and which it takes back, tried on a copy."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from likewise.errors import Contradiction
from likewise.journal.constraints import Constraints
from likewise.journal.group_number import exact_number
from likewise.journal.pairs import Answer, AnswerDraft, Changes, Pair, Verdict
from likewise.journal.person_names import person_name
from likewise.study.study import Study

_LISTED = 5  # contradicted answers named in one sentence


class Edit(list[Answer]):
    """The answers that a gesture gave; what it needs to be undone by `take_back`.

    Parameters
    ----------
    answers : iterable of Answer
        The answers that were given.
    retracted : sequence of Answer
        The earlier answers that it took back.
    step : int, optional
        The number of its step in the journal; None if it did nothing.
    undone : bool
        Whether this is an edit that was taken back.
    """

    def __init__(
        self,
        answers: Iterable[Answer],
        retracted: Sequence[Answer] = (),
        *,
        step: int | None = None,
        undone: bool = False,
    ) -> None:
        super().__init__(answers)
        self.retracted = tuple(retracted)
        self.step, self.undone = step, undone


class Plan:
    """The answers that a gesture would give and take back.

    Attributes
    ----------
    drafts : list of AnswerDraft
        The answers to be given, all by `who`.
    retracted : list of Answer
        The answers to be taken back.
    """

    def __init__(self, study: Study, who: str) -> None:
        self.study, self.who = study, person_name(who)
        self.ids = study.items.ids
        self.retracted: list[Answer] = []
        self.drafts: list[AnswerDraft] = []

    @cached_property
    def known(self) -> Constraints:
        """What follows from the answers that would stand, those of the plan included."""
        retracted = {answer.id for answer in self.retracted}
        left = [answer for answer in self.study.answers if answer.id not in retracted]
        return Constraints.of(len(self.study.items), left, exact_number(self.study.n_clusters))

    def draft(self, i: int, j: int, verdict: Verdict, **details: Any) -> None:
        """Give an answer, whatever follows from the others; `known` does not hear of it."""
        self.drafts.append(AnswerDraft(Pair(i, j), verdict, who=self.who, **details))

    def answer(self, i: int, j: int, verdict: Verdict, **details: Any) -> None:
        """Give an answer and take it into account."""
        self.draft(i, j, verdict, **details)
        self.known.add(Answer(-1, Pair(i, j), verdict))

    def ensure(self, i: int, j: int, verdict: Verdict) -> None:
        """Give an answer unless it follows from the others; refuse one that contradicts them."""
        known = None if i == j else self.known.implied(i, j)
        if i == j or known is verdict:
            return
        if known is not None:
            raise Contradiction(
                f"{self.ids[i]} and {self.ids[j]} are {known.value} by what follows from the other "
                "answers and the given number of groups; begin a study without that number"
            )
        self.answer(i, j, verdict)

    def retract(self, contradicts: Callable[[Answer], bool], doing: str, force: bool) -> None:
        """Take back the answers that contradict the gesture; without `force`, refuse to.

        Nothing is taken back while none of them has had an effect. `doing` begins the sentence of
        the refusal.
        """
        against = [answer for answer in self.known.answers if contradicts(answer)]
        idle = {answer.id for answer in self.study.constraints.disputed} if against else set()
        if all(answer.id in idle for answer in against):
            return
        if not force:
            named = ", ".join(answer.describe(self.ids) for answer in against[:_LISTED])
            more = len(against) - _LISTED
            named += f" and {more} more" if more > 0 else ""
            raise Contradiction(
                f"{doing} contradicts {named}; take back what was wrong, or force it", against
            )
        self.retracted = against
        del self.known  # it is computed again, without them

    def anchor(self, members: npt.NDArray[np.int64]) -> int:
        """Return the member that represents the others: the one by which their group was found.

        Where answers have found none, it is one of the largest known part, and of that the surest.
        """
        for representative in self.known.representatives:
            if representative in members:
                return representative
        components = self.known.components()
        size = np.bincount(components, minlength=len(components))[components[members]]
        sure = self.study.confidence_[members]
        return int(members[np.lexsort((members, -sure, -size))[0]])


def carry_out(study: Study, gesture: Callable[[Plan], None], who: str) -> Edit:
    """Record what a gesture plans, in one piece; planned anew when the study has changed."""
    retracted: list[Answer] = []

    def changes() -> Changes:
        plan = Plan(study, who)
        gesture(plan)
        retracted[:] = plan.retracted
        return Changes(plan.drafts, [answer.id for answer in retracted], plan.who, is_step=True)

    given = study.record(changes)
    if not given and not retracted:
        return Edit(())
    step = study.step_of(given[0]) if given else study.last_step()
    return Edit(given, retracted, step=None if step is None else step.number)


def take_back(study: Study, edit: Edit, *, who: str = "") -> Edit:
    """Undo a whole edit: everything is as if it had never been.

    Its answers are gone; those it had taken back stand again, in the name of whoever gave them.

    Returns
    -------
    Edit
        What this did, so that it can be undone in turn.
    """
    if edit.step is not None:
        turn = study.redo_step if edit.undone else study.undo_step
        turn(edit.step, who=who)
    return Edit(edit.retracted, edit, step=edit.step, undone=not edit.undone)
