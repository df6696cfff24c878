"""Questions about one item: which class is it?

Where somebody can name classes, an item is placed by a single question. What is said becomes a few
ordinary answers, "same" as an item of that name or "different" from one of every other name, and
the name of a group; so it is kept, replayed, disputed and taken back like anything else.
"""

from __future__ import annotations

from likewise.errors import AnswerError
from likewise.journal import Answered
from likewise.journal.constraints import Constraints
from likewise.journal.pairs import Pair, Verdict
from likewise.study import Study
from likewise.study.edits import Edit, answered


def ask_class(study: Study) -> int | None:
    """The item whose class is most worth knowing, None when nothing is left to ask.

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
    """Record which class an item is; the answers that follow from it.

    What contradicts earlier answers is kept as a dispute and gives no group a name.
    """
    study.require_item(item)
    if not name.strip():
        raise AnswerError("a class needs a name but got an empty one")
    item, name = int(item), name.strip()

    def events(next_id: int) -> list[Answered]:
        return answered(_consequences(study, item, name), next_id, who)

    told = Edit(study.record(events))
    disputed = {dispute.answer.id for dispute in study.disputes()} if told else set()
    if name not in _items_of_classes(study) and not any(a.id in disputed for a in told):
        study.name(item, name, who=who)
    return told


def _consequences(study: Study, item: int, name: str) -> list[tuple[Pair, Verdict]]:
    """The pairs that the name decides and that are not known to be so already."""
    classes = _items_of_classes(study)
    if name in classes:
        said = [(classes[name], Verdict.SAME)]
    else:
        said = [(other, Verdict.DIFFERENT) for other in classes.values()]
    known: Constraints = study.constraints
    return [
        (Pair(item, other), verdict)
        for other, verdict in said
        if other != item and known.implied(item, other) is not verdict
    ]


def _items_of_classes(study: Study) -> dict[str, int]:
    """An item of every class that has a name."""
    return {name: item for item, name in study.named.items() if name}


def _has_class(study: Study, item: int) -> bool:
    return any(
        study.constraints.implied(item, other) is Verdict.SAME
        for other in _items_of_classes(study).values()
    )
