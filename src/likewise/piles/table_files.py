"""Tables from files: CSV, TSV, Parquet, JSON lines."""

from __future__ import annotations

import io
import json
import re
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

from likewise._extras import extra_explained
from likewise.errors import DataError
from likewise.items.columns import cell_text, comparable_cells, naming_column, separator_in
from likewise.items.encodable import encodable
from likewise.piles._text_encoding import read_text

_LISTED = 5  # lines named in one sentence
# Each column costs milliseconds, each row a place in graphs that all fit into memory.
_MOST_COLUMNS, _MOST_ROWS = 10_000, 500_000


class TooManyRows(DataError):  # noqa: N818 - reads as what it is
    """A table has more rows than can be compared one by one."""


class TooManyColumns(DataError):  # noqa: N818 - reads as what it is
    """A table has more columns than can be compared one by one."""


def read_frame(path: Path, id_column: str | None) -> tuple[Any, list[str] | None, list[str]]:
    """Read the table in a file (a pandas frame), its ids as text if they have a column, and notes.

    Without `id_column`, a column called "id" that holds a different value in every row is used.
    """
    import narwhals as nw

    table, as_text, notes = READERS.get(path.suffix.lower(), _read_csv)(path)
    _require_size(path, *table.shape)
    table = table.rename(columns=str)
    if not table.columns.is_unique:
        raise DataError(f"the columns of {path} need different names; rename some")
    if id_column is None:
        id_column = naming_column(nw.from_native(table, eager_only=True))
        if id_column is None:
            return table, None, notes
    elif id_column not in table.columns:
        raise missing_column(path, id_column, table)
    ids = [str(name) for name in as_text(id_column)]
    if len(set(ids)) < len(ids):
        raise DataError(f"column {id_column!r} of {path} names several rows alike; ids must differ")
    return table, ids, notes


def _require_size(path: Path, rows: int, columns: int) -> None:
    """Refuse a table too wide or too long to be compared cell by cell, and say what is not."""
    if columns > _MOST_COLUMNS:
        raise TooManyColumns(
            f"{path} has {columns:,} columns; more than {_MOST_COLUMNS:,} are not compared one by "
            "one: save their numbers as a matrix in a .npy file, which may have any number"
        )
    if rows > _MOST_ROWS:
        raise TooManyRows(
            f"{path} has {rows:,} rows; more than {_MOST_ROWS:,} are not compared one by one: "
            "write them to a folder of Parquet files and let items stand for them, with "
            "--representatives 20000"
        )


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
    separator = separator_in(header)
    # Before anything is parsed: that alone takes minutes. Lines within quotes do no harm here.
    _require_size(path, max(text.count("\n") - 1, 0), header.count(separator) + 1)
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

    with extra_explained():
        import pyarrow  # noqa: F401 - pandas reads with it, and would say another sentence
    try:
        table = pd.read_parquet(path)
    except FileNotFoundError as error:
        raise DataError(f"there is no file {path}; check the name") from error
    except (OSError, ValueError) as error:
        raise DataError(
            f"{path} cannot be read as Parquet: {str(error).splitlines()[0]}"
        ) from error
    table = comparable_cells(table.reset_index(drop=table.index.names == [None]))
    return table, lambda name: list(table[name]), []


def _read_json_lines(path: Path) -> _Read:
    """Read an object per line; a file that holds one list of objects will do too."""

    text, notes = read_text(path, expected="JSON lines")
    try:
        records = json.loads(text) if text.lstrip().startswith("[") else _records(text)
    except json.JSONDecodeError as error:
        raise DataError(
            f"{path}, line {error.lineno}, is not JSON ({error.msg}); mend or delete that line"
        ) from error
    except RecursionError as error:
        raise DataError(f"{path} is nested too deeply; give one flat object per line") from error
    except ValueError as error:  # a number of thousands of digits
        raise DataError(
            f"{path} holds a number of too many digits; write it as text in quotes"
        ) from error
    if isinstance(records, list) and all(isinstance(record, str) for record in records):
        records = [{"text": record} for record in records]
    if not isinstance(records, list) or not all(isinstance(record, dict) for record in records):
        raise DataError(f'{path} needs one object per line, like {{"text": "…"}}')
    table = comparable_cells(_frame(records))
    return table, lambda name: list(table[name]), notes


def _frame(records: list[dict[str, Any]]) -> Any:
    """Return a frame of records; columns of text as objects, since not every text is Unicode."""
    import pandas as pd

    cleaned = [
        {encodable(str(name)): cell_text(cell) for name, cell in record.items()}
        for record in records
    ]
    return pd.DataFrame.from_records(cleaned)


def _records(text: str) -> list[Any]:
    records = []
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            try:
                records.append(json.loads(line))
            except json.JSONDecodeError as error:
                raise json.JSONDecodeError(error.msg, "\n" * (number - 1) + line, number) from error
    return records


READERS: dict[str, Callable[[Path], _Read]] = {
    ".parquet": _read_parquet,
    ".pq": _read_parquet,
    ".jsonl": _read_json_lines,
    ".ndjson": _read_json_lines,
    ".json": _read_json_lines,
}
