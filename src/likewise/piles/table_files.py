"""Tables from files: CSV, TSV, Parquet, JSON lines."""

from __future__ import annotations

import io
import json
import re
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

from likewise.errors import DataError
from likewise.piles._text_encoding import read_text

_LISTED = 5  # lines named in one sentence


def read_frame(path: Path, id_column: str | None) -> tuple[Any, list[str] | None, list[str]]:
    """Read the table in a file (a pandas frame), its ids as text if they have a column, and notes.

    Without `id_column`, a column called "id" that holds a different value in every row is used.
    """
    table, as_text, notes = READERS.get(path.suffix.lower(), _read_csv)(path)
    table = table.rename(columns=str)
    if not table.columns.is_unique:
        raise DataError(f"the columns of {path} need different names; rename some")
    if id_column is None:
        named_id = [name for name in table.columns if name.lower() == "id"]
        id_column = next((name for name in named_id if table[name].is_unique), None)
        if id_column is None:
            return table, None, notes
    elif id_column not in table.columns:
        raise missing_column(path, id_column, table)
    ids = [str(name) for name in as_text(id_column)]
    if len(set(ids)) < len(ids):
        raise DataError(f"column {id_column!r} of {path} names several rows alike; ids must differ")
    return table, ids, notes


def missing_column(path: Path, name: str, table: Any) -> DataError:
    """Return the error for a column that is not there."""
    listed = ", ".join(table.columns[:50])
    more = f" and {len(table.columns) - 50} more" if len(table.columns) > 50 else ""
    return DataError(f"{path} has no column {name!r}; its columns are {listed}{more}")


# What a reader gives: the table, a column of it as text, and notes.
_Read = tuple[Any, Callable[[str], list[Any]], list[str]]


def _read_csv(path: Path) -> _Read:
    """Read a file separated by commas, semicolons or tabs, whichever its header uses."""
    text, notes = read_text(path, expected="CSV")
    header = text[: text.find("\n")] if "\n" in text else text
    separator = max(",;\t", key=header.count)
    table, skipped = _parsed(text, path, separator)
    if skipped:
        lines = ", ".join(map(str, skipped[:_LISTED])) + (", …" if len(skipped) > _LISTED else "")
        notes.append(
            f"{len(skipped):,} line{'s have' if len(skipped) > 1 else ' has'} more fields than "
            f"the header of {path.name}; left out: {lines}"
        )

    def as_text(name: str) -> list[Any]:
        # As text: an id like 007 is a name, not a number.
        texts = _parsed(text, path, separator, dtype=str, keep_default_na=False)[0]
        return list(texts.rename(columns=str)[name])

    return table, as_text, notes


def _parsed(text: str, path: Path, separator: str, **options: Any) -> tuple[Any, list[int]]:
    """Parse the table; return it with the numbers of the lines that have too many fields."""
    import pandas as pd

    try:
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            table = pd.read_csv(
                io.StringIO(text),
                sep=separator,
                index_col=False,
                on_bad_lines="warn",
                low_memory=False,
                **options,
            )
    except pd.errors.EmptyDataError as error:
        raise DataError(f"{path} is empty; it needs a header line and a line per item") from error
    except (pd.errors.ParserError, ValueError, OverflowError) as error:
        raise DataError(f"{path} cannot be read as CSV: {str(error).strip()}") from error
    said = " ".join(str(warning.message) for warning in warned)
    if "Length of header" in said:
        raise DataError(f"{path} has lines with more fields than its header; mend the header")
    return table, [int(number) for number in re.findall(r"Skipping line (\d+)", said)]


def _read_parquet(path: Path) -> _Read:
    import pandas as pd

    try:
        table = pd.read_parquet(path)
    except FileNotFoundError as error:
        raise DataError(f"there is no file {path}; check the name") from error
    except (OSError, ValueError) as error:
        raise DataError(
            f"{path} cannot be read as Parquet: {str(error).splitlines()[0]}"
        ) from error
    table = _flattened(table.reset_index(drop=table.index.names == [None]))
    return table, lambda name: list(table[name]), []


def _read_json_lines(path: Path) -> _Read:
    """Read an object per line; a file that holds one list of objects will do too."""
    import pandas as pd

    text, notes = read_text(path, expected="JSON lines")
    try:
        records = json.loads(text) if text.lstrip().startswith("[") else _records(text)
    except json.JSONDecodeError as error:
        raise DataError(
            f"{path}, line {error.lineno}, is not JSON ({error.msg}); mend or delete that line"
        ) from error
    if isinstance(records, list) and all(isinstance(record, str) for record in records):
        records = [{"text": record} for record in records]
    if not isinstance(records, list) or not all(isinstance(record, dict) for record in records):
        raise DataError(f'{path} needs one object per line, like {{"text": "…"}}')
    table = _flattened(pd.DataFrame.from_records(records))
    return table, lambda name: list(table[name]), notes


def _records(text: str) -> list[Any]:
    records = []
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            try:
                records.append(json.loads(line))
            except json.JSONDecodeError as error:
                raise json.JSONDecodeError(error.msg, "\n" * (number - 1) + line, number) from error
    return records


def _flattened(table: Any) -> Any:
    """Write lists and objects in cells out as text, so that cells compare."""
    import pandas as pd

    for name in table.columns:
        column = table[name]
        if column.dtype == object and column.map(lambda cell: isinstance(cell, list | dict)).any():
            table[name] = column.map(
                lambda cell: (
                    json.dumps(cell, sort_keys=True, default=str)
                    if isinstance(cell, list | dict)
                    else cell
                )
            )
        elif column.dtype == object and column.map(lambda cell: hasattr(cell, "tolist")).any():
            table[name] = column.map(lambda cell: str(getattr(cell, "tolist", lambda c=cell: c)()))
    return pd.DataFrame(table)


READERS: dict[str, Callable[[Path], _Read]] = {
    ".parquet": _read_parquet,
    ".pq": _read_parquet,
    ".jsonl": _read_json_lines,
    ".ndjson": _read_json_lines,
    ".json": _read_json_lines,
}
