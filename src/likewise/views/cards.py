"""What is shown of an item."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from likewise.items import FrameRows, Items
from likewise.items.encodable import encodable

_LONGEST = 20_000  # characters of a text or a cell that are shown at most


def card(items: Items, item: int) -> dict[str, Any]:
    """Return one item ready to be drawn.

    Its position `item` and its `id`; `picture`, `text` and `row` only where the pile has them.
    """
    shown: dict[str, Any] = {"item": item, "id": items.ids[item]}
    if items.pictures is not None:
        shown["picture"] = f"/media/{item}"
    if items.texts is not None:
        shown["text"] = _shortened(items.texts[item])
    if items.rows is not None:
        shown["row"] = _cells(items.rows[item])
    return shown


def cards(items: Items, chosen: Iterable[int]) -> list[dict[str, Any]]:
    """Return several items ready to be drawn."""
    if not isinstance(items.rows, FrameRows):
        return [card(items, item) for item in chosen]
    # Rows of a frame together: one by one they take a hundred times as long.
    listed = list(chosen)
    shown = cards(replace(items, rows=None), listed)
    rows = items.rows.take(np.array(listed, dtype=np.int64))
    return [{**one, "row": _cells(row)} for one, row in zip(shown, rows, strict=True)]


def _cells(row: Mapping[str, Any]) -> list[list[str]]:
    return [[encodable(str(name)), _shortened(cell)] for name, cell in row.items()]


def _shortened(value: object) -> str:
    """Return the value as text of bearable length."""
    text = encodable(str(value))
    return text if len(text) <= _LONGEST else text[:_LONGEST] + " …"
