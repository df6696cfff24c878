"""Which columns the rows of a pile in parts are compared by, and which one names them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from likewise.errors import DataError

_UNNAMED_INDEX = re.compile(r"__index_level_\d+__")


def compared_columns(
    path: Path | str,
    schema: Any,
    drop: Sequence[str],
    id_column: str | None,
    text: str | None = None,
) -> tuple[str, ...]:
    """Return the columns that rows are compared by; refuse others, unless they are left out.

    With `text` that column alone is compared, and others may hold anything. Numbers that pandas
    gave to rows say nothing about them.
    """
    import pyarrow.types as kinds

    name, n_times = Counter(schema.names).most_common(1)[0] if schema.names else ("", 0)
    if n_times > 1:
        raise DataError(f"{path} has {n_times} columns called {name!r}; rename them")
    wanted = [*drop, *([id_column] if id_column else []), *([text] if text else [])]
    missing = [name for name in wanted if name not in schema.names]
    if missing:
        raise DataError(
            f"{path} has no column {missing[0]!r}; its columns are {', '.join(schema.names)}"
        )
    if text is not None:
        kind = schema.field(text).type
        if not (kinds.is_string(kind) or kinds.is_large_string(kind)):
            raise DataError(f"column {text!r} of {path} holds {kind}, not texts; name another")
        return (text,)
    left_out = {*wanted, naming_column(schema, drop), *row_numbers(schema)}
    numeric = []
    for field in schema:
        if field.name in left_out:
            continue
        kind = field.type
        if not (kinds.is_integer(kind) or kinds.is_floating(kind) or kinds.is_boolean(kind)):
            raise DataError(
                f"column {field.name!r} of {path} holds {kind}, not numbers; a pile in parts is "
                "compared by numbers, so drop the column (--drop), name it as id_column (--id), or "
                "compare its texts alone (--text)"
            )
        numeric.append(field.name)
    if not numeric:
        raise DataError(f"{path} has no column left to compare items by; drop fewer columns")
    return tuple(numeric)


def naming_column(schema: Any, drop: Sequence[str]) -> str | None:
    """Return the column called "id", if there is one."""
    named = (name for name in schema.names if name.lower() == "id" and name not in drop)
    return next(named, None)


def row_numbers(schema: Any) -> list[str]:
    """Return the columns in which pandas has written numbers of rows, an index without a name."""
    import pyarrow.types as kinds

    unnamed = (field for field in schema if _UNNAMED_INDEX.fullmatch(field.name))
    return [field.name for field in unnamed if kinds.is_integer(field.type)]


def require_numbers(path: Path, block: Any, compared: tuple[str, ...], n_before: int) -> None:
    """Refuse gaps in what rows are compared by, and say where the first is."""
    for name in compared:
        column = block.column(name)
        if column.null_count:
            row = n_before + column.is_null().to_pylist().index(True)
            raise DataError(
                f"{path} has no number in column {name!r} of row {row}; so many rows are compared "
                "by numbers alone: fill the gaps, or leave the column out with --drop"
            )
