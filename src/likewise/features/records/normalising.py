"""Cells of a table as they are compared: case, accents, punctuation and spaces do not matter."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

_NO_WORD = re.compile(r"[^\w]+", re.UNICODE)
_DATE = re.compile(r"^\D*(\d{1,4})[-/. ](\d{1,2})[-/. ](\d{1,4})(?:[T ].*)?$")


def as_text(cell: Any) -> str:
    """Return a cell as text, empty where it is missing; a whole number has no decimals.

    >>> as_text(3.0), as_text(None), as_text(float("nan"))
    ('3', '', '')
    """
    if cell is None or cell != cell:
        return ""
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return str(cell)


def normalised(text: str) -> str:
    """Return a text in small letters without accents, its words separated by one space.

    >>> normalised("  Café-Bar, «Zoë» ")
    'cafe bar zoe'
    """
    if not text.isascii():
        folded = unicodedata.normalize("NFKD", text.casefold())
        text = "".join(letter for letter in folded if not unicodedata.combining(letter))
    # An apostrophe is within a word: "art's" and "arts" are one.
    return _NO_WORD.sub(" ", text.lower().replace("'", "").replace("’", "")).strip()


def as_code(text: str) -> str:
    """Return a text without anything but letters and digits.

    >>> as_code("(030) 901-820")
    '030901820'
    """
    return normalised(text).replace(" ", "")


def numbers_of(texts: Sequence[str]) -> npt.NDArray[np.float64]:
    """Return texts as numbers, nan where they are none."""
    return np.array([_number(text) for text in texts])


def days_of(texts: Iterable[str]) -> npt.NDArray[np.float64]:
    """Return texts as days since 1970, nan where they are no date.

    Where it is open whether the day or the month stands first the day does.

    >>> days_of(["1970-01-03", "3.1.1970", "soon"])
    array([ 2.,  2., nan])
    """
    return np.array([_day(text) for text in texts])


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return float("nan")


def _day(text: str) -> float:
    found = _DATE.match(text.strip())
    if found is None:
        return float("nan")
    first, month, last = found.groups()
    year, day = (int(first), int(last)) if len(first) == 4 else (int(last), int(first))
    number = int(month)
    if number > 12 >= day:
        day, number = number, day
    try:
        return float(np.datetime64(f"{year:04d}-{number:02d}-{day:02d}", "D").astype(int))
    except ValueError:
        return float("nan")
