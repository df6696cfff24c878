"""Which items are meant: by position, or by the ids that their owner gave them."""

from __future__ import annotations

from operator import index
from typing import Any

from likewise.errors import AnswerError
from likewise.items import Items
from likewise.journal.pairs import Pair, Question

ItemReference = int | str  # a position, or an id


def pair_meant(items: Items, given: Any) -> Pair:
    """Return the positions of two items that are given as a question, as positions or as ids.

    Raises
    ------
    AnswerError
        If they are no two items, or copies of one another, about which there is nothing to say.
    """
    if isinstance(given, Question):
        return given.pair
    if isinstance(given, str) or not hasattr(given, "__len__") or len(given) != 2:
        raise AnswerError(
            f"a pair must be two items, by position or by id, like (0, 7), but got {given!r}"
        )
    one, other = given
    pair = Pair(position_meant(items, one), position_meant(items, other))
    if pair.i == pair.j and one != other:
        raise AnswerError(f"{one!r} and {other!r} are equal copies; they are in one group already")
    return pair


def position_meant(items: Items, given: Any) -> int:
    """Return the position of an item that is given by position or by id."""
    if isinstance(given, str):
        try:
            return items.position()[given]
        except KeyError:
            raise AnswerError(
                f"there is no item {given!r}; ids are like {items.ids[0]!r} and {items.ids[-1]!r}"
            ) from None
    try:
        return index(given)
    except TypeError:
        raise AnswerError(f"an item is named by its position or its id but got {given!r}") from None
