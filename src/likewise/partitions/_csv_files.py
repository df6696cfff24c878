"""CSV files too long for memory: block by block into Parquet files, which can be read in parts."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from likewise._extras import extra_explained
from likewise.errors import DataError
from likewise.items.columns import separator_in
from likewise.partitions._columns import compared_columns, naming_column, require_numbers

_BLOCK = 1 << 21  # bytes that are parsed at a time, and make up a part


def holds_rows(path: Path) -> bool:
    """Return whether anything comes after the header; also of a file that cannot be opened."""
    try:
        with path.open("rb") as file:
            next(file, None)
            return any(line.strip() for line in file)
    except OSError:
        return True  # whoever parses it says why


def as_parquet(
    path: Path,
    to: Path,
    drop: Sequence[str],
    id_column: str | None,
    text: str | None = None,
) -> Path:
    """Write the rows of a CSV file as Parquet, and return that file.

    Raises
    ------
    DataError
        If the file cannot be parsed, or a column that is compared holds something else than
        numbers, or nothing, in some row.
    """
    with extra_explained():
        import pyarrow as pa
        import pyarrow.csv as pa_csv
        import pyarrow.parquet as pq

    try:
        with path.open(encoding="utf-8-sig", errors="replace") as file:
            header = file.readline()
        separator = separator_in(header)
        parsing = pa_csv.ParseOptions(delimiter=separator, newlines_in_values=text is not None)
        reading = pa_csv.ReadOptions(block_size=_BLOCK)
        with pa_csv.open_csv(path, reading, parsing) as first:
            schema = first.schema
        named = id_column or naming_column(schema, drop)
        # A column may begin with whole numbers; a name like 007 is none.
        kinds: dict[str, Any]
        if text is None:
            compared = compared_columns(path, schema, drop, id_column)
            numbers = (one for one in compared if not pa.types.is_boolean(schema.field(one).type))
            kinds = dict.fromkeys(numbers, pa.float64())
        else:
            compared, kinds = (), dict.fromkeys(schema.names, pa.string())
        if named is not None:
            kinds[named] = pa.string()
        converting = pa_csv.ConvertOptions(column_types=kinds)
        n_before = 0
        with (
            pa_csv.open_csv(path, reading, parsing, converting) as blocks,
            pq.ParquetWriter(to, blocks.schema) as writer,
        ):
            for block in blocks:
                require_numbers(path, block, compared, n_before)
                writer.write_batch(block)
                n_before += len(block)
    except UnicodeDecodeError as error:
        raise DataError(
            f"{path} is too long to be read in any encoding but UTF-8; save it as UTF-8"
        ) from error
    except (OSError, pa.ArrowInvalid) as error:
        reason = str(error).splitlines()[0]
        raise DataError(f"{path} cannot be read as CSV: {reason}") from error
    return to
