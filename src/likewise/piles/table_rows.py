"""Tables: a row per item, compared by all columns, or by a column of texts or of pictures."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from likewise.errors import DataError
from likewise.features.cache import Progress
from likewise.features.tables import vectorise
from likewise.items import FrameRows, numbered
from likewise.piles.picture_files import SUFFIXES, picture_contents
from likewise.piles.pile import Contents, Features
from likewise.piles.table_files import missing_column, read_frame
from likewise.piles.text_files import text_contents

_LISTED = 8  # column names in one sentence
_LOOKED_AT = 50  # cells by which the kind of a column is guessed


def read_rows(
    path: Path,
    *,
    text: str | None,
    image: str | None,
    id_column: str | None,
    drop: Sequence[str],
    model: str | None,
) -> Contents:
    """Find the rows of a table; what they are compared by is given, or guessed and then noted."""
    import narwhals as nw

    if text is not None and image is not None:
        raise DataError("items are compared by a column of texts or of pictures; give one of them")
    table, ids, notes = read_frame(path, id_column)
    for name in (*drop, text, image):
        if name is not None and name not in table.columns:
            raise missing_column(path, name, table)
    named_by = None
    if ids is not None and (id_column is not None or _id_name(table) not in drop):
        named_by = id_column if id_column is not None else _id_name(table)
    else:
        ids = numbered(len(table))
    table = table.drop(columns=[*drop, *([named_by] if named_by is not None else [])])
    if table.shape[1] == 0:
        raise DataError(f"{path} has no column left to compare items by; drop fewer columns")
    if text is None and image is None:
        image = _guess_pictures(table, path.parent)
        text = _guess_text(table) if image is None else None
        if (guessed := image or text) is not None and table.shape[1] > 1:
            option = "--text" if image is None else "--image"
            notes.append(
                f"only column {guessed!r} is compared; {option} chooses another column, "
                f"--drop {guessed} compares the others"
            )
    rows = FrameRows(nw.from_native(table, eager_only=True))
    if text is not None:
        cells = ["" if _is_missing(cell) else str(cell) for cell in table[text]]
        by = f"the texts in {text}"
        return text_contents(ids, cells, named_by, by, notes, model, rows=rows)
    if image is not None:
        files = [path.parent / str(cell) for cell in table[image]]
        by = f"the pictures in {image}"
        return picture_contents(ids, files, named_by, by, notes, model, rows=rows)
    if model is not None:
        raise DataError(
            "a model needs texts or pictures; say in which column with --text or --image"
        )
    return _row_contents(table, ids, named_by, notes, rows)


def _row_contents(
    table: Any, ids: list[str], named_by: str | None, notes: list[str], rows: FrameRows
) -> Contents:
    import narwhals as nw

    def features(kept: list[int], progress: Progress | None) -> Features:
        frame = nw.from_native(table.iloc[kept], eager_only=True)
        matrix, filled = vectorise(frame, fill=True)
        return Features(kept, matrix, [_about_gaps(filled)] if filled else [])

    return Contents(
        noun="row",
        ids=ids,
        digests=_row_digests(table),
        features=features,
        compared_by=_listed(list(table.columns)),
        named_by=named_by,
        rows=rows,
        notes=notes,
    )


def _row_digests(table: Any) -> list[bytes]:
    """Return a short name for each row's content; a number is the same in any column type."""
    import pandas as pd

    alike = table.copy(deep=False)
    for name in table.columns:
        column = table[name]
        if pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(column):
            alike[name] = column.to_numpy(dtype=np.float64, na_value=np.nan) + 0.0  # no -0
    halves = [
        pd.util.hash_pandas_object(alike, index=False, hash_key=key).to_numpy()
        for key in ("likewise, half 1", "likewise, half 2")
    ]
    return [row.tobytes() for row in np.column_stack(halves)]


def _id_name(table: Any) -> str | None:
    """Return the column that names the rows when none is given."""
    named_id = [name for name in table.columns if name.lower() == "id"]
    return next((name for name in named_id if table[name].is_unique), None)


def _guess_pictures(table: Any, folder: Path) -> str | None:
    """Return the first column whose cells are the names of picture files."""
    for name in table.columns:
        cells = [cell for cell in table[name].head(_LOOKED_AT) if isinstance(cell, str)]
        named = [cell for cell in cells if Path(cell).suffix.lower() in SUFFIXES]
        if cells and len(named) == len(cells) and any((folder / cell).is_file() for cell in named):
            return str(name)
    return None


def _guess_text(table: Any) -> str | None:
    """Return the only column if it holds texts, or one that is called text."""
    for name in table.columns:
        cells = list(table[name].head(_LOOKED_AT))
        holds_text = any(isinstance(cell, str) and " " in cell for cell in cells)
        if holds_text and (name.lower() in ("text", "texts") or table.shape[1] == 1):
            return str(name)
    return None


def _is_missing(cell: object) -> bool:
    return cell is None or cell != cell


def _listed(columns: list[str]) -> str:
    listed = ", ".join(columns[:_LISTED])
    if len(columns) > _LISTED:
        listed += f" and {len(columns) - _LISTED:,} more columns"
    return listed


def _about_gaps(filled: list[str]) -> str:
    columns = "column" if len(filled) == 1 else "columns"
    return (
        f"gaps in {columns} {_listed(filled)} are filled with the median, and that they were "
        "gaps counts too"
    )
