"""Names of items, and what to show of them, as their owner gives them: one for each, checked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from likewise.errors import DataError


def numbered(n: int) -> list[str]:
    """Return ids for items that have none: their numbers.

    >>> numbered(3)
    ['0', '1', '2']
    """
    return [str(i) for i in range(n)]


def shown_beside(
    n: int,
    ids: Sequence[Any] | None,
    texts: Sequence[str] | None,
    pictures: Sequence[Any] | None,
) -> dict[str, Any]:
    """Return those of the three that are given, checked, for `n` items.

    Raises
    ------
    DataError
        If one is not a sequence of `n`, ids are not all different, a text is none, or a picture is
        neither an array of bytes nor a file that exists.
    """
    shown: dict[str, Any] = {}
    if ids is not None:
        shown["ids"] = different(_one_each(ids, n, "ids"))
    if texts is not None:
        shown["texts"] = [_text(k, one) for k, one in enumerate(_one_each(texts, n, "texts"))]
    if pictures is not None:
        given = _one_each(pictures, n, "pictures")
        shown["pictures"] = [_picture(k, one) for k, one in enumerate(given)]
    return shown


def different(names: Sequence[Any]) -> list[str]:
    """Return names as texts; refuse two that are equal."""
    ids = [str(name) for name in names]
    name, times = Counter(ids).most_common(1)[0]
    if times > 1:
        raise DataError(f"ids must differ but {name!r} names {times} items; make them different")
    return ids


def _one_each(given: Any, n: int, what: str) -> list[Any]:
    if isinstance(given, str | bytes) or not hasattr(given, "__iter__"):
        raise DataError(f"{what} must be a sequence with one for each item but got {given!r}")
    listed = list(given)
    if len(listed) != n:
        raise DataError(f"there are {n} items but {len(listed)} {what}; give one for each")
    return listed


def _text(k: int, given: Any) -> str:
    if not isinstance(given, str):
        raise DataError(f"texts must be text but item {k} has {given!r}")
    return given


def _picture(k: int, given: Any) -> Any:
    if isinstance(given, str | Path):
        if not Path(given).is_file():
            raise DataError(f"the picture of item {k}, {str(given)!r}, is no file; check its path")
        return Path(given)
    pixels = np.asarray(given)
    if pixels.dtype != np.uint8 or pixels.ndim not in (2, 3) or pixels.shape[2:] not in ((), (3,)):
        raise DataError(
            f"the picture of item {k} must be a file, or bytes of shape (height, width) or "
            f"(height, width, 3), but has shape {pixels.shape} of {pixels.dtype}"
        )
    return pixels
