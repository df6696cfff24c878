"""What people bring, as one of the three forms that items are made of: a matrix, a table, texts.

Tables come from many libraries; none of them is imported here unless what was given is one of its
own. Nothing is compared yet.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from likewise._extras import extra_explained
from likewise.errors import DataError
from likewise.items.columns import comparable_cells, texts_of


@dataclass(frozen=True)
class Table:
    """A narwhals frame, and the names that an index gives its rows, if there is one."""

    frame: Any
    names: list[str] | None = None


@dataclass(frozen=True)
class Texts:
    """Texts, and the names that an index gives them, if there is one."""

    texts: list[str]
    names: list[str] | None = None


def table_or_texts(X: Any) -> Table | Texts | None:
    """Return the table or the texts that were given; None for a matrix.

    Raises
    ------
    DataError
        If it is none of the three.
    """
    if isinstance(X, str | bytes | Path):
        raise DataError(f"{str(X)[:80]!r} is no pile; read a file or folder with load_items(path)")
    if isinstance(X, Mapping):
        return _of_mapping(X)
    if isinstance(X, Sequence) or (isinstance(X, np.ndarray) and X.ndim == 1):
        return _of_sequence(X)
    if (series := _series(X)) is not None:
        return _of_series(series)
    frame = _frame(X)
    return None if frame is None else _of_frame(frame)


def _of_mapping(columns: Mapping[Any, Any]) -> Table:
    """Return the table whose columns are given by name."""
    import pandas as pd

    if any(hasattr(column, "column_names") for column in columns.values()):
        names = ", ".join(map(repr, columns))
        raise DataError(f"these are several tables, {names}; give one of them")
    try:
        return _of_pandas(pd.DataFrame(dict(columns)))
    except ValueError as error:
        raise DataError(f"a mapping must hold columns of equal length: {error}") from error


def _of_sequence(X: Sequence[Any] | Any) -> Table | Texts | None:
    """Return what a list holds, by its first element; rows of numbers are a matrix."""
    first = next((one for one in X if one is not None), None) if len(X) else None
    kind = str if isinstance(first, str) else Mapping if isinstance(first, Mapping) else None
    if kind is None:
        return None
    allowed = (str, type(None), float) if kind is str else (Mapping,)
    for k, one in enumerate(X):
        if not isinstance(one, allowed) or (isinstance(one, float) and one == one):
            named = "text" if kind is str else "mapping"
            raise DataError(f"a list holds items of one kind but item {k} is no {named}: {one!r}")
    if kind is str:
        return Texts(texts_of(X))
    import pandas as pd

    return _of_pandas(pd.DataFrame.from_records([dict(one) for one in X]))


def _series(X: Any) -> Any:
    """Return a narwhals series; None for anything else."""
    import narwhals as nw

    series = nw.from_native(X, series_only=True, pass_through=True)
    return series if isinstance(series, nw.Series) else None


def _of_series(series: Any) -> Table | Texts:
    cells = series.to_list()
    names = _index_names(series.to_native())
    if any(isinstance(cell, str) and " " in cell for cell in cells):
        return Texts(texts_of(cells), names)
    frame = series.rename(str(series.name or "value")).to_frame()
    return Table(_plain(frame), names)


def _frame(X: Any) -> Any:
    """Return a narwhals frame of whatever has columns; None for anything else."""
    import narwhals as nw

    try:
        frame = nw.from_native(X, pass_through=True)
    except nw.exceptions.DuplicateError as error:
        raise DataError("the columns of a table need different names; rename some") from error
    if isinstance(frame, nw.LazyFrame):
        return frame.collect() if frame.implementation.is_polars() else frame.collect("pandas")
    if isinstance(frame, nw.DataFrame):
        return frame
    if hasattr(X, "to_pandas") and hasattr(X, "column_names"):  # of Hugging Face, say
        return nw.from_native(X.to_pandas(), eager_only=True)
    if hasattr(X, "__arrow_c_stream__") or hasattr(X, "__arrow_c_array__"):
        return nw.from_native(_arrow_table(X), eager_only=True)
    if hasattr(X, "columns"):
        raise DataError(
            f"a table must be a pandas, polars, pyarrow or duckdb frame but got {type(X)}"
        )
    return None


def _arrow_table(X: Any) -> Any:
    with extra_explained():
        import pyarrow as pa

    return pa.table(X)


def _of_frame(frame: Any) -> Table:
    native = frame.to_native()
    return _of_pandas(native) if frame.implementation.is_pandas() else Table(_plain(frame))


def _of_pandas(table: Any) -> Table:
    import narwhals as nw

    names = _index_names(table)
    table = comparable_cells(_with_text_names(table))
    return Table(nw.from_native(table, eager_only=True), names)


def _with_text_names(table: Any) -> Any:
    """Return a pandas frame whose columns are called by different texts."""
    renamed = table.rename(columns=str)
    if not renamed.columns.is_unique:
        raise DataError("the columns of a table need different names; rename some")
    return renamed


def _plain(frame: Any) -> Any:
    """Return a frame of another library without lists and objects in its cells."""
    import narwhals as nw
    import pandas as pd

    nested = (nw.List, nw.Array, nw.Struct, nw.Object, nw.Binary)
    if not any(isinstance(dtype, nested) or dtype in nested for dtype in frame.schema.values()):
        return frame
    return nw.from_native(comparable_cells(pd.DataFrame(frame.rows(named=True))), eager_only=True)


def _index_names(native: Any) -> list[str] | None:
    """Return the names in the index of a pandas object; None if it only counts, or repeats."""
    index = getattr(native, "index", None)
    if index is None or not hasattr(index, "is_unique") or not index.is_unique:
        return None
    if type(index).__name__ == "RangeIndex" and index.start == 0 and index.step == 1:
        return None
    return [str(name) for name in index]
