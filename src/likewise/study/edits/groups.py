"""Gestures about whole groups: merge some, split one, send an item away."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from likewise.errors import AnswerError
from likewise.journal.notes import SEPARATOR
from likewise.journal.pairs import Answer, Verdict
from likewise.study.edits.plan import Edit, Plan, carry_out
from likewise.study.study import Study

_LISTED = 5  # items named in one sentence


def merge(study: Study, a: int, b: int, *others: int, who: str = "", force: bool = False) -> Edit:
    """Make one group of those in which the items lie.

    Parameters
    ----------
    study : Study
        The study whose groups are meant.
    a, b, *others : int
        Any item of each of the groups.
    who : str
        Who does so.
    force : bool
        Take back earlier answers that say that the groups differ.

    Raises
    ------
    Contradiction
        If there are such answers, and `force` is not given; the message names them.

    Examples
    --------
    >>> study = Study([[0.0], [0.1], [5.0], [5.1], [9.0], [9.1]])
    >>> _ = study.tell((0, 2), "different"), study.tell((0, 4), "different")
    >>> _ = study.tell((2, 4), "different")
    >>> [str(answer) for answer in merge(study, 2, 4, force=True)]
    ['#3: 2 = 4']
    >>> study.labels_
    array([0, 0, 1, 1, 1, 1])
    """
    for item in (b, *others):
        study.require_pair(a, item)
    study.refresh()

    def gesture(plan: Plan) -> None:
        labels, items = study.labels_, (a, b, *others)
        anchors = {item: plan.anchor(np.flatnonzero(labels == labels[item])) for item in items}
        merged = {plan.known.component(item) for item in (*anchors, *anchors.values())}

        def contradicts(answer: Answer) -> bool:
            i, j = (plan.known.component(item) for item in answer.pair)
            return answer.verdict is Verdict.DIFFERENT and i != j and {i, j} <= merged

        *most, last = (plan.ids[item] for item in items)
        doing = f"merging the groups of {', '.join(most)} and {last}"
        plan.retract(contradicts, doing, force)
        for item, anchor in anchors.items():
            plan.ensure(item, anchor, Verdict.SAME)
        for item in (b, *others):
            plan.ensure(a, item, Verdict.SAME)

    return carry_out(study, gesture, who)


def split(study: Study, items: Iterable[int], *, who: str = "", force: bool = False) -> Edit:
    """Make a group of its own of the items, different from all the others.

    It lies in the collection in which the group lies from which they are taken.

    Parameters
    ----------
    study : Study
        The study whose groups are meant.
    items : iterable of int
        What the new group holds; at least one item must stay behind.
    who : str
        Who does so.
    force : bool
        Take back earlier answers that say that one of the items is the same as one that stays, or
        that two of them differ.

    Raises
    ------
    Contradiction
        If there are such answers, and `force` is not given; the message names them.

    Examples
    --------
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
    study.refresh()

    def contradicts(answer: Answer) -> bool:
        allowed = 1 if answer.verdict is Verdict.SAME else 2
        return len(set(picked).intersection(answer.pair)) == allowed

    left: dict[int, int] = {}  # an item that stays, by the label of its group

    def gesture(plan: Plan) -> None:
        plan.retract(contradicts, "splitting them off", force)
        first, *others = picked
        left.clear()
        for item in others:
            plan.ensure(first, item, Verdict.SAME)
        labels = study.labels_
        for label in dict.fromkeys(labels[picked].tolist()):
            rest = np.setdiff1d(np.flatnonzero(labels == label), picked)
            if len(rest):
                left[label] = plan.anchor(rest)
                plan.ensure(first, left[label], Verdict.DIFFERENT)
        for representative in list(plan.known.representatives):
            if representative not in picked:
                plan.ensure(first, representative, Verdict.DIFFERENT)

    paths, labels = study.collections_, study.labels_ if study.collected else None
    edit = carry_out(study, gesture, who)
    if labels is not None:
        _keep_collected(study, edit, who, picked, left, paths, labels)
    return edit


def _keep_collected(
    study: Study,
    edit: Edit,
    who: str,
    picked: Sequence[int],
    left: Mapping[int, int],
    paths: Mapping[int, tuple[str, ...]],
    labels: npt.NDArray[np.int64],
) -> None:
    """Put what was taken out, and what is left, into the collections that it was in before."""
    if edit.step is None:
        return
    came_from = {paths.get(int(labels[item]), ()) for item in picked}
    wanted = {picked[0]: came_from.pop()} if len(came_from) == 1 else {}
    wanted |= {item: paths.get(label, ()) for label, item in left.items()}
    now, there = study.labels_, study.collections_
    for item, path in wanted.items():
        if there.get(int(now[item]), ()) != path:
            study.collect(item, SEPARATOR.join(path), who=who, step=edit.step)


def not_here(study: Study, *items: int, who: str = "", force: bool = False) -> Edit:
    """Send items, and what is known to be of their kind, out of their groups; where to is open.

    Parameters
    ----------
    study : Study
        The study whose groups are meant.
    *items : int
        What does not belong; of each group that it is in, at least one item must stay.
    who : str
        Who does so.
    force : bool
        Take back earlier answers that say that one of them is the same as one that stays.

    Raises
    ------
    Contradiction
        If there are such answers, and `force` is not given; the message names them. Then none of
        the items is sent away.

    Examples
    --------
    >>> study = Study([[0.0], [0.1], [0.2], [5.0], [5.1]])
    >>> _ = study.tell((0, 3), "different")
    >>> [str(answer) for answer in not_here(study, 2)]
    ['#1: 2 ≠ 0']
    """
    leaving = list(dict.fromkeys(int(item) for item in items))
    for item in leaving:
        study.require_item(item)
    study.refresh()

    def gesture(plan: Plan) -> None:
        groups = {item: _group_of(study, plan, item) for item in leaving}
        components = plan.known.components()
        bound = {item for item, group in groups.items() if _is_bound(plan, item, group)}
        # What is known to be like an item leaves with it, unless that binds it to its group.
        kinds = components[[item for item in leaving if item not in bound]]

        def contradicts(answer: Answer) -> bool:
            return answer.verdict is Verdict.SAME and len(bound.intersection(answer.pair)) == 1

        if bound:
            plan.retract(contradicts, f"sending {_listed(plan.ids, leaving)} away", force)
        for item, group in groups.items():
            stays = group[~np.isin(group, list(bound)) & ~np.isin(components[group], kinds)]
            if not len(stays):
                raise AnswerError(f"nothing would stay in the group of {plan.ids[item]}; leave one")
            plan.ensure(item, plan.anchor(stays), Verdict.DIFFERENT)

    return carry_out(study, gesture, who)


def _group_of(study: Study, plan: Plan, item: int) -> npt.NDArray[np.int64]:
    """Return the members of an item's group; refuse one that is alone."""
    labels = study.labels_
    group = np.flatnonzero(labels == labels[item])
    if len(group) == 1:
        raise AnswerError(f"{plan.ids[item]} is alone in its group; there is nothing to leave")
    return group


def _is_bound(plan: Plan, item: int, group: npt.NDArray[np.int64]) -> bool:
    """Return whether answers, and not likeness alone, hold an item in its group."""
    components = plan.known.components()
    return plan.known.representative_of(item) in group or bool(
        (components[group] == components[item]).all()
    )


def _listed(ids: Sequence[str], items: Sequence[int]) -> str:
    """Return the ids of the items, the first few of them if they are many."""
    more = len(items) - _LISTED
    return ", ".join(ids[item] for item in items[:_LISTED]) + (f" and {more} more" * (more > 0))
