"""The number of groups as it is given: one number, a range of them, or nothing."""

from __future__ import annotations

from operator import index
from typing import Any

from likewise.errors import MethodError

# A number is taken at its word, a range ("5 to 20") is a guess; None where nothing is known.
NumberOfGroups = int | tuple[int, int] | None


def checked_number(given: Any, n_items: int) -> NumberOfGroups:
    """Return a number of groups that so many items can have.

    A range whose ends are equal is a number.

    Raises
    ------
    MethodError
        If it is neither None, nor a whole number from 1 to `n_items`, nor two of them in order.

    Examples
    --------
    >>> checked_number([5, 20], 100), checked_number((3, 3), 100), checked_number(None, 100)
    ((5, 20), 3, None)
    """
    if given is None:
        return None
    if isinstance(given, tuple | list):
        return _checked_range(given, n_items)
    try:
        number = index(given)
    except TypeError:
        raise MethodError(f"n_clusters must be a whole number but got {given!r}") from None
    if not 1 <= number <= n_items:
        raise MethodError(
            f"n_clusters must be between 1 and the number of items, {n_items}, but got {given!r}"
        )
    return number


def _checked_range(given: Any, n_items: int) -> NumberOfGroups:
    """Return two numbers of groups, or the one that both are."""
    try:
        low, high = map(index, given)
    except (TypeError, ValueError):
        low, high = 0, 0
    if not 1 <= low <= high <= n_items:
        raise MethodError(
            "a range of n_clusters must be two whole numbers from 1 to the number of items, "
            f"{n_items}, the smaller first, but got {tuple(given)}"
        )
    return low if low == high else (low, high)


def exact_number(number: NumberOfGroups) -> int | None:
    """Return the number if it is one; None for a range, by which nothing can be concluded.

    >>> exact_number(3), exact_number((5, 20))
    (3, None)
    """
    return None if isinstance(number, tuple) else number


def nearest_number(number: NumberOfGroups, found: int) -> int:
    """Return the number of groups, or what is nearest to the one `found` as far as it is given.

    >>> nearest_number((5, 20), 2), nearest_number((5, 20), 8), nearest_number(3, 8)
    (5, 8, 3)
    """
    low, high = number if isinstance(number, tuple) else (number or found, number or found)
    return min(max(found, low), high)


def described_number(number: NumberOfGroups) -> str:
    """Return the number in words.

    >>> described_number((5, 20)), described_number(3), described_number(None)
    ('5 to 20', '3', 'unknown')
    """
    if isinstance(number, tuple):
        return f"{number[0]} to {number[1]}"
    return "unknown" if number is None else str(number)
