"""The fields of an event as a journal holds them: each of the kind it was written with, or refused.

A journal is a file that people edit, copy between programs and lose parts of. What is read from it
must not be taken for something else (true for 1, "12" for 12), since everything else rests on it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from likewise.journal.group_number import NumberOfGroups
from likewise.journal.pairs import Pair, Verdict

Reader = Callable[[Any], Any]  # a plain JSON value -> the field; ValueError says what it must be
Fields = Mapping[str, Reader]

_LARGEST = 2**63  # what databases hold
_MOST_ITEMS = 10**8  # more positions than a machine has memory to keep apart


def read_fields(record: Mapping[str, Any], readers: Fields, optional: frozenset[str]) -> Any:
    """Return the fields of a record, each by its reader.

    Raises
    ------
    ValueError
        If a field is lacking, unknown or of another kind; the message names it.
    """
    for name in record:
        if name not in readers:
            raise ValueError(f"there is no field {name!r}")
    found = {}
    for name, reader in readers.items():
        if name in record:
            try:
                found[name] = reader(record[name])
            except ValueError as error:
                raise ValueError(f"{name} must be {error} but is {_shown(record[name])}") from error
        elif name not in optional:
            raise ValueError(f"it has no {name!r}")
    return found


def text(value: Any) -> str:
    """Return a text."""
    if type(value) is not str:
        raise ValueError("a text")
    return value


def names(value: Any) -> tuple[str, ...]:
    """Return different texts, in the order of the alphabet."""
    is_list = isinstance(value, list | tuple) and all(type(one) is str for one in value)
    if not is_list or list(value) != sorted(set(value)):
        raise ValueError("a list of different texts, in the order of the alphabet")
    return tuple(value)


def truth(value: Any) -> bool:
    """Return true or false."""
    if type(value) is not bool:
        raise ValueError("true or false")
    return value


def number(value: Any) -> float:
    """Return a number; those that were written without a point are numbers too."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or (isinstance(value, int) and abs(value) >= _LARGEST):
        raise ValueError("a number")
    return float(value)


def positive(value: Any) -> float:
    """Return a number above 0."""
    if not (found := _finite(value, "a number above 0")) > 0:
        raise ValueError("a number above 0")
    return found


def finite(value: Any) -> float:
    """Return a number that is neither infinite nor NaN."""
    return _finite(value, "a finite number")


def share(value: Any) -> float:
    """Return a number from 0 to 1."""
    if not 0 <= (found := _finite(value, "a number from 0 to 1")) <= 1:
        raise ValueError("a number from 0 to 1")
    return found


def whole(value: Any) -> int:
    """Return a whole number from 0 on, as ids and positions are."""
    if type(value) is not int or not 0 <= value < _LARGEST:
        raise ValueError("a whole number from 0 on")
    return value


def at_least_one(value: Any) -> int:
    """Return a whole number from 1 on."""
    if whole(value) < 1:
        raise ValueError("a whole number from 1 on")
    return int(value)


def group_number(value: Any) -> NumberOfGroups:
    """Return a number of groups, or a range of two."""
    if not isinstance(value, list | tuple):
        return at_least_one(value)
    if len(value) != 2 or not 1 <= whole(value[0]) < whole(value[1]):
        raise ValueError("a whole number from 1 on or two of them, the smaller first")
    return int(value[0]), int(value[1])


def seed(value: Any) -> int:
    """Return a whole number from 0 on, however large."""
    if type(value) is not int or value < 0:
        raise ValueError("a whole number from 0 on")
    return value


def item_count(value: Any) -> int:
    """Return how many items there are: grouping needs two."""
    if type(value) is not int or not 2 <= value <= _MOST_ITEMS:
        raise ValueError(f"a whole number from 2 to {_MOST_ITEMS:,}")
    return value


def pair(value: Any) -> Pair:
    """Return two different positions."""
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise ValueError("two positions")
    found = Pair(whole(value[0]), whole(value[1]))
    if found.i == found.j:
        raise ValueError("two different positions")
    return found


def verdict(value: Any) -> Verdict:
    """Return what was answered."""
    try:
        return Verdict(text(value))
    except ValueError as error:
        raise ValueError("'same', 'different' or 'unsure'") from error


def one_of(*names: str) -> Reader:
    """Return a reader of one of these words."""

    def reader(value: Any) -> str:
        if type(value) is not str or value not in names:
            raise ValueError(" or ".join(map(repr, names)))
        return value

    return reader


def maybe(reader: Reader) -> Reader:
    """Return a reader that takes null for a value that is not known."""

    def optional(value: Any) -> Any:
        try:
            return None if value is None else reader(value)
        except ValueError as error:
            raise ValueError(f"{error}, or null") from error

    return optional


def _finite(value: Any, what: str) -> float:
    try:
        found = number(value)
    except ValueError as error:
        raise ValueError(what) from error
    if not math.isfinite(found):
        raise ValueError(what)
    return found


def _shown(value: Any) -> str:
    """Return a wrong value as text that fits into a sentence."""
    try:
        shown = repr(value)
    except (ValueError, RecursionError):  # a number of thousands of digits, a very deep list
        return "something else"
    return shown if len(shown) <= 40 else shown[:40] + "…"
