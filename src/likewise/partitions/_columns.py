"""Which columns the rows of a pile in parts are compared by, and which one names them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from likewise.errors import DataError


def numeric_columns(
    path: Path, schema: Any, drop: Sequence[str], id_column: str | None
) -> tuple[str, ...]:
    """Return the columns that rows are compared by; refuse others, unless they are left out."""
    import pyarrow.types as kinds

    wanted = [*drop, *([id_column] if id_column else [])]
    missing = [name for name in wanted if name not in schema.names]
    if missing:
        raise DataError(
            f"{path} has no column {missing[0]!r}; its columns are {', '.join(schema.names)}"
        )
    left_out = {*wanted, naming_column(schema, drop)}
    numeric = []
    for field in schema:
        if field.name in left_out:
            continue
        kind = field.type
        if not (kinds.is_integer(kind) or kinds.is_floating(kind) or kinds.is_boolean(kind)):
            raise DataError(
                f"column {field.name!r} of {path} holds {kind}, not numbers; a pile in parts is "
                "compared by numbers, so drop the column (--drop) or name it as id_column (--id)"
            )
        numeric.append(field.name)
    if not numeric:
        raise DataError(f"{path} has no column left to compare items by; drop fewer columns")
    return tuple(numeric)


def naming_column(schema: Any, drop: Sequence[str]) -> str | None:
    """Return the column called "id", if there is one."""
    named = (name for name in schema.names if name.lower() == "id" and name not in drop)
    return next(named, None)
