"""Editing groups as a whole: merge two, split one, send an item away.

An edit is nothing but a few answers, so it is kept, replayed, disputed and taken back like any
others. What each means for the groups is what follows from those answers: items that nobody
answered about are still placed by likeness.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np
import numpy.typing as npt

from likewise.errors import AnswerError, Contradiction
from likewise.journal import Answered, Retracted
from likewise.journal.constraints import Constraints
from likewise.journal.events import timestamp
from likewise.journal.pairs import Answer, Pair, Verdict
from likewise.study import Study

_LISTED = 5  # contradicted answers told in one sentence


class Edit(list[Answer]):
    """The answers that an edit gave, and in `taken_back` those that it had to take back."""

    def __init__(self, answers: Iterable[Answer], taken_back: Sequence[Answer] = ()) -> None:
        super().__init__(answers)
        self.taken_back = tuple(taken_back)


def merge(study: Study, a: int, b: int, *, who: str = "", force: bool = False) -> Edit:
    """Make one group of the two in which items `a` and `b` lie.

    If earlier answers say that the groups differ, `Contradiction` names them; with `force` they
    are taken back.

    >>> study = Study([[0.0], [0.1], [5.0], [5.1], [9.0], [9.1]])
    >>> _ = study.tell((0, 2), "different"), study.tell((0, 4), "different")
    >>> _ = study.tell((2, 4), "different")
    >>> [str(answer) for answer in merge(study, 2, 4, force=True)]
    ['#3: 2 = 4']
    >>> study.labels_
    array([0, 0, 1, 1, 1, 1])
    """
    study.require_pair(a, b)

    def draft() -> _Draft:
        plan = _Draft(study)
        labels = study.labels_
        anchors = {item: plan.anchor(np.flatnonzero(labels == labels[item])) for item in (a, b)}
        components = {plan.known.component(item) for item in (*anchors, *anchors.values())}
        plan.withdraw(
            lambda answer: (
                answer.verdict is Verdict.DIFFERENT
                and plan.between(answer, lambda item: plan.known.component(item) in components)
            )
        )
        plan.require(f"merging the groups of {plan.ids[a]} and {plan.ids[b]}", force)
        for item, anchor in anchors.items():
            plan.say(item, anchor, Verdict.SAME)
        plan.say(a, b, Verdict.SAME)
        return plan

    return _carry_out(study, draft, who)


def split(study: Study, items: Iterable[int], *, who: str = "", force: bool = False) -> Edit:
    """Make a group of its own of the items, apart from all the others.

    If earlier answers tie one of them to an item that stays, or part two of them, `Contradiction`
    names those answers; with `force` they are taken back.

    >>> study = Study([[0.0], [0.1], [0.2], [5.0], [5.1]])
    >>> _ = study.tell((0, 3), "different")
    >>> [str(answer) for answer in split(study, [1, 2])]
    ['#1: 1 = 2', '#2: 1 ≠ 0', '#3: 1 ≠ 3']
    >>> study.labels_
    array([0, 1, 1, 2, 2])
    """
    picked = list(dict.fromkeys(int(item) for item in items))
    for item in picked:
        study.require_item(item)
    if not 0 < len(picked) < len(study.items):
        raise AnswerError("a split needs at least one item to take out and one that stays")

    def draft() -> _Draft:
        plan = _Draft(study)
        inside = set(picked)
        plan.withdraw(
            lambda answer: (
                len(inside.intersection(answer.pair))
                == (1 if answer.verdict is Verdict.SAME else 2)
            )
        )
        plan.require("splitting them off", force)
        first, *others = picked
        for item in others:
            plan.say(first, item, Verdict.SAME)
        labels = study.labels_
        for label in dict.fromkeys(labels[picked].tolist()):
            rest = np.setdiff1d(np.flatnonzero(labels == label), picked)
            if len(rest):
                plan.say(first, plan.anchor(rest), Verdict.DIFFERENT)
        for representative in list(plan.known.representatives):
            if representative not in inside:
                plan.say(first, representative, Verdict.DIFFERENT)
        return plan

    return _carry_out(study, draft, who)


def not_here(study: Study, item: int, *, who: str = "", force: bool = False) -> Edit:
    """Send an item, and what is known to be of its kind, out of its group; where to is left open.

    If earlier answers tie it to the group's other members, `Contradiction` names them; with
    `force` they are taken back.

    >>> study = Study([[0.0], [0.1], [0.2], [5.0], [5.1]])
    >>> _ = study.tell((0, 3), "different")
    >>> [str(answer) for answer in not_here(study, 2)]
    ['#1: 2 ≠ 0']
    """
    study.require_item(item)

    def draft() -> _Draft:
        plan = _Draft(study)
        labels = study.labels_
        group = np.flatnonzero(labels == labels[item])
        if len(group) == 1:
            raise AnswerError(f"{plan.ids[item]} is alone in its group; there is nothing to leave")
        components = plan.known.components()
        rest = group[components[group] != components[item]]
        if not len(rest) or plan.known.representative_of(item) in group:
            rest = group[group != item]
            plan.withdraw(lambda answer: answer.verdict is Verdict.SAME and item in answer.pair)
            plan.require(f"sending {plan.ids[item]} away", force)
        plan.say(item, plan.anchor(rest), Verdict.DIFFERENT)
        return plan

    return _carry_out(study, draft, who)


def take_back(study: Study, edit: Edit, *, who: str = "") -> Edit:
    """Undo a whole edit: its answers go, and what it had taken back is said again."""

    def events(next_id: int) -> list[Answered | Retracted]:
        standing = {answer.id for answer in study.answers}
        gone = [Retracted(answer.id, timestamp()) for answer in edit if answer.id in standing]
        said = [(answer.pair, answer.verdict) for answer in edit.taken_back]
        return [*gone, *answered(said, next_id, who)]

    return Edit(study.record(events), edit)


class _Draft:
    """What an edit would say and take back, tried out on a copy of what is known."""

    def __init__(self, study: Study) -> None:
        self.study = study
        self.ids = study.items.ids
        self.withdrawn: list[Answer] = []
        self.said: list[tuple[Pair, Verdict]] = []
        self.known = self._replayed()

    def between(self, answer: Answer, inside: Callable[[int], bool]) -> bool:
        """Whether both items of an answer are inside, and not known to be the same already."""
        i, j = answer.pair
        return inside(i) and inside(j) and self.known.component(i) != self.known.component(j)

    def withdraw(self, contradicts: Callable[[Answer], bool]) -> None:
        """Leave out the answers that contradict the edit, if any of them has had its effect."""
        against = [a for a in self.known.answers if contradicts(a)]
        idle = {dispute.answer.id for dispute in self.study.disputes()} if against else set()
        if any(answer.id not in idle for answer in against):
            self.withdrawn = against
            self.known = self._replayed()

    def require(self, doing: str, force: bool) -> None:
        """Refuse to take answers back unless that is wanted."""
        if self.withdrawn and not force:
            told = ", ".join(answer.told(self.ids) for answer in self.withdrawn[:_LISTED])
            more = len(self.withdrawn) - _LISTED
            told += f" and {more} more" if more > 0 else ""
            raise Contradiction(
                f"{doing} contradicts {told}; take back what was wrong, or force it"
            )

    def anchor(self, members: npt.NDArray[np.int64]) -> int:
        """The member that stands for the others: the one by which their group was found.

        Where answers have found none, one of the largest known part, and of that the surest.
        """
        for representative in self.known.representatives:
            if representative in members:
                return representative
        components = self.known.components()
        size = np.bincount(components, minlength=len(components))[components[members]]
        sure = self.study.confidence_[members]
        return int(members[np.lexsort((members, -sure, -size))[0]])

    def say(self, i: int, j: int, verdict: Verdict) -> None:
        """Answer a pair unless that is known already."""
        known = None if i == j else self.known.implied(i, j)
        if i == j or known is verdict:
            return
        if known is not None:
            raise Contradiction(
                f"{self.ids[i]} and {self.ids[j]} are {known.value} by what follows from the other "
                "answers and the given number of groups; begin a study without that number"
            )
        self.known.add(Answer(-1, Pair(i, j), verdict))
        self.said.append((Pair(i, j), verdict))

    def _replayed(self) -> Constraints:
        gone = {answer.id for answer in self.withdrawn}
        known = Constraints(len(self.study.items), self.study.n_clusters)
        for answer in self.study.answers:
            if answer.id not in gone:
                known.add(answer)
        return known


def _carry_out(study: Study, draft: Callable[[], _Draft], who: str) -> Edit:
    withdrawn: list[Answer] = []
    study.refresh()  # an edit speaks about whole groups: they had better be the present ones

    def events(next_id: int) -> list[Answered | Retracted]:
        plan = draft()
        withdrawn[:] = plan.withdrawn
        gone = [Retracted(answer.id, timestamp()) for answer in plan.withdrawn]
        return [*gone, *answered(plan.said, next_id, who)]

    return Edit(study.record(events), withdrawn)


def answered(said: Sequence[tuple[Pair, Verdict]], next_id: int, who: str) -> list[Answered]:
    """Events that say something about each of several pairs."""
    return [
        Answered(Answer(next_id + k, pair, verdict, who=who, when=timestamp()))
        for k, (pair, verdict) in enumerate(said)
    ]
