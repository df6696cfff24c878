"""What is shown of an item."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from math import isfinite
from typing import Any

import numpy as np

from likewise.items import FrameRows, Items
from likewise.items.encodable import encodable

_LONGEST = 20_000  # characters of a text or a cell that are shown at most


def card(items: Items, item: int) -> dict[str, Any]:
    """Return one item ready to be drawn.

    Its position `item` and its `id`; `picture`, `text` and `row` only where the pile has them, and
    `stack`, how many photographs of a burst it stands for. A cell that is the text is shown once.
    `scale` says of every cell of the row where its number lies in the usual range of its column,
    from 0 to 1 or beyond; None if it is none.
    """
    shown: dict[str, Any] = {"item": item, "id": items.ids[item]}
    if items.pictures is not None:
        shown["picture"] = f"/media/{item}"
    if item in items.stacks:
        shown["stack"] = len(items.stacks[item]) + 1
    if items.texts is not None:
        shown["text"] = _shortened(items.texts[item])
    if items.rows is not None:
        _add_row(shown, items.rows[item], items.number_ranges)
    return shown


def cards(items: Items, chosen: Iterable[int]) -> list[dict[str, Any]]:
    """Return several items ready to be drawn."""
    if not isinstance(items.rows, FrameRows):
        return [card(items, item) for item in chosen]
    # Rows of a frame together: one by one they take a hundred times as long.
    listed = list(chosen)
    shown = cards(replace(items, rows=None), listed)
    rows = items.rows.take(np.array(listed, dtype=np.int64))
    for one, row in zip(shown, rows, strict=True):
        _add_row(one, row, items.number_ranges)
    return shown


def _add_row(
    shown: dict[str, Any], row: Mapping[str, Any], ranges: Mapping[str, tuple[float, float]]
) -> None:
    """Add the cells of an item to its card, but for what it says already."""
    cells = [(str(name), _shortened(cell), cell) for name, cell in row.items()]
    others = [one for one in cells if one[1] != shown.get("text")]
    if others or "text" not in shown:
        shown["row"] = [[encodable(name), text] for name, text, _ in others]
        shown["scale"] = [_where(cell, ranges.get(name)) for name, _, cell in others]


def _where(cell: object, usual: tuple[float, float] | None) -> float | None:
    """Return where a number lies in its range, None if it is none."""
    try:
        number = float(str(cell))
    except ValueError:
        return None
    if usual is None or not isfinite(number):
        return None
    low, high = usual
    return round((number - low) / (high - low), 4)


def _shortened(value: object) -> str:
    """Return the value as text of bearable length."""
    text = encodable(str(value))
    return text if len(text) <= _LONGEST else text[:_LONGEST] + " …"
