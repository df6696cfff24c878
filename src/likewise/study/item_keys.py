"""Names of items and questions that cannot be mistaken for those of another study or another day.

A browser may send an answer long after the question was shown: a restart, a deleted row or another
pile at the same port later. So an item is named by its number in the journal, which it keeps for
ever, and a fingerprint of what it holds; a question by the identity of its study and two such keys.
"""

from __future__ import annotations

from bisect import bisect_left

from likewise.errors import AnswerError
from likewise.items import Items
from likewise.journal.pairs import Pair
from likewise.study.study import Study


class OtherStudy(AnswerError):  # noqa: N818 - reads as what it is
    """The request is meant for another study than the one that is served here.

    Parameters
    ----------
    here : str
        The identity of the study that is served here.
    """

    def __init__(self, here: str) -> None:
        super().__init__(
            "this belongs to another study than the one served here, so it was not kept here; "
            "serve that one at this address and send it again"
        )
        self.here = here


class OtherItem(AnswerError):  # noqa: N818 - reads as what it is
    """An item that was shown is no longer there, or holds something else by now."""


def item_key(items: Items, position: int) -> str:
    """Return the key of an item: its number in the journal, and a fingerprint of what it holds."""
    number = position if items.places is None else int(items.places[position])
    return f"{number}-{items.fingerprint_of(position)}"


def item_at(items: Items, named: int | str) -> int:
    """Return the position of an item that is named by its key, or by its position already.

    Raises
    ------
    OtherItem
        If what was shown under the key has left the pile, or was changed.
    """
    if isinstance(named, int):
        return named
    number = int(named.partition("-")[0])
    position = number if items.places is None else bisect_left(items.places, number)
    there = item_key(items, position) if position < len(items) else ""
    if not there.startswith(f"{number}-"):
        raise OtherItem("an item that was shown is no longer in the pile")
    if there != named:
        raise OtherItem("an item that was shown holds something else by now")
    return position


def question_id(study: Study, pair: Pair) -> str:
    """Return the id of the question about a pair: study and two items, joined by dots."""
    return ".".join([study.identity, *(item_key(study.items, item) for item in pair)])


def pair_asked(study: Study, question: str) -> Pair:
    """Return the pair that a question's id names.

    Raises
    ------
    OtherStudy, OtherItem
        If it is not a question of this study about items that are still the same.
    """
    identity, one, other = question.rsplit(".", 2)
    require_study(study, identity)
    return Pair(item_at(study.items, one), item_at(study.items, other))


def require_study(study: Study, identity: str | None) -> None:
    """Refuse what is meant for another study; None is meant for whichever is served."""
    if identity is not None and identity != study.identity:
        raise OtherStudy(study.identity)
