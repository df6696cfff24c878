"""What the columns of a table are for: one may name the rows, one may be what they are compared by.

A data frame and the same table in a file go through the same guesses, so that they are the same
items.
"""

from __future__ import annotations

import json
from typing import Any

from likewise.items.encodable import encodable

_LISTED = 8  # column names in one sentence
_LOOKED_AT = 50  # cells by which the kind of a column is guessed


def naming_column(frame: Any) -> str | None:  # a narwhals frame
    """Return the column that names the rows: one called "id" with a different value in each."""
    named = [name for name in frame.columns if str(name).lower() == "id"]
    return next((name for name in named if frame[name].n_unique() == len(frame)), None)


def text_column(frame: Any) -> str | None:  # a narwhals frame
    """Return the only column if it holds texts, or one that is called text."""
    for name in frame.columns:
        cells = frame[name].head(_LOOKED_AT).to_list()
        holds_text = any(isinstance(cell, str) and " " in cell for cell in cells)
        if holds_text and (str(name).lower() in ("text", "texts") or len(frame.columns) == 1):
            return str(name)
    return None


def texts_of(cells: Any) -> list[str]:
    """Return cells as texts; a missing one is empty."""
    return ["" if cell is None or cell != cell else str(cell) for cell in cells]


def listed(columns: list[str]) -> str:
    """Return the names of columns for a sentence, the first eight of them."""
    names = ", ".join(map(str, columns[:_LISTED]))
    if (more := len(columns) - _LISTED) > 0:
        names += f" and {more:,} more column{'' if more == 1 else 's'}"
    return names


def about_other_columns(column: str, remedy: str) -> str:
    """Return the sentence about a table that is compared by one column of texts or pictures."""
    return (
        f"rows are compared by column {column!r}; the other columns count as far as answers show "
        f"that they do; {remedy}"
    )


def about_gaps(filled: list[str]) -> str:
    """Return the sentence about columns whose gaps were filled."""
    columns = "column" if len(filled) == 1 else "columns"
    return (
        f"gaps in {columns} {listed(filled)} are filled with the median, and that they were "
        "gaps counts too"
    )


def comparable_cells(table: Any) -> Any:  # a pandas frame
    """Write lists and objects in cells out as text, so that cells compare."""
    plain = table.copy(deep=False)
    for name in table.columns:
        if table[name].dtype == object:
            plain[name] = _comparable(table[name])
    return plain


def _comparable(column: Any) -> Any:
    """Return a column of objects with nothing but plain cells."""
    if column.map(lambda cell: isinstance(cell, bytes | str)).any():
        column = column.map(cell_text)
    if column.map(lambda cell: isinstance(cell, list | dict)).any():
        return column.map(_written_out)
    if column.map(lambda cell: hasattr(cell, "tolist")).any():
        return column.map(lambda cell: str(getattr(cell, "tolist", lambda c=cell: c)()))
    return column


def _written_out(cell: Any) -> Any:
    if isinstance(cell, list | dict):
        return json.dumps(cell, sort_keys=True, default=str)
    return cell


def cell_text(cell: Any) -> Any:
    """Return bytes as text, and text without what no file can hold; anything else as it is."""
    if isinstance(cell, bytes):
        return cell.decode("utf-8", "backslashreplace")
    return encodable(cell) if isinstance(cell, str) else cell


def separator_in(header: str) -> str:
    """Return what separates the fields of a header: commas, semicolons or tabs."""
    return max(",;\t", key=header.count)
