"""The gesture that names the class of one item.

Where somebody can name classes, an item is placed by a single question. The reply becomes a few
ordinary answers, "same" as an item of that name or "different" from one of every other name, and
the name of a group.
"""

from __future__ import annotations

from likewise.errors import AnswerError
from likewise.journal.pairs import Verdict
from likewise.study.edits.plan import Edit, Plan, carry_out
from likewise.study.study import Study


def ask_class(study: Study) -> int | None:
    """Return the item whose class is most worth knowing, None when nothing is left to ask.

    Examples
    --------
    >>> study = Study([[0.0], [0.1], [5.0], [5.1]])
    >>> while (item := ask_class(study)) is not None:
    ...     _ = tell_class(study, item, "low" if item < 2 else "high")
    >>> study.labels_, study.names_
    (array([0, 0, 1, 1]), {0: 'low', 1: 'high'})
    """
    question = study.ask()
    if question is None:
        return None
    # The item that the new one is held against comes first: until it has a name of its own, its
    # group has none.
    i, j = question.pair
    return i if _has_class(study, j) else j


def tell_class(study: Study, item: int, name: str, *, who: str = "") -> Edit:
    """Record which class an item is; what follows from that already is not recorded.

    An answer that contradicts earlier ones is kept as a dispute and gives no group a name.

    Parameters
    ----------
    study : Study
        The study in which the item is.
    item : int
        The item, usually from `ask_class`.
    name : str
        Its class; a new name founds a class that differs from all the others.
    who : str
        Who says so.
    """
    study.require_item(item)
    if not name.strip():
        raise AnswerError("a class needs a name but got an empty one")
    item, name = int(item), name.strip()

    def gesture(plan: Plan) -> None:
        classes = _items_of_classes(study)
        if name in classes:
            verdicts = {classes[name]: Verdict.SAME}
        else:
            verdicts = dict.fromkeys(classes.values(), Verdict.DIFFERENT)
        for other, verdict in verdicts.items():
            if other != item and study.constraints.implied(item, other) is not verdict:
                plan.draft(item, other, verdict)

    edit = carry_out(study, gesture, who)
    disputed = {answer.id for answer in study.constraints.disputed} if edit else set()
    if name not in _items_of_classes(study) and not any(answer.id in disputed for answer in edit):
        study.name(item, name, who=who, step=edit.step)
    return edit


def _items_of_classes(study: Study) -> dict[str, int]:
    """Return an item of every class that has a name."""
    return {name: item for item, name in study.named.items() if name}


def _has_class(study: Study, item: int) -> bool:
    """Return whether the item is known to be the same as one of a named class."""
    return any(
        study.constraints.implied(item, other) is Verdict.SAME
        for other in _items_of_classes(study).values()
    )
