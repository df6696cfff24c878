"""JSON lines too long for memory: block by block into Parquet files, as CSV files are."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from likewise._extras import extra_explained
from likewise.errors import DataError
from likewise.partitions._columns import compared_columns, require_numbers

_BLOCK = 1 << 23  # bytes that are parsed at a time


def as_parquet(
    path: Path,
    to: Path,
    drop: Sequence[str],
    id_column: str | None,
    text: str | None = None,
) -> Path:
    """Write the objects of a file, one per line, as Parquet, and return that file.

    Fields are those of the first lines.

    Raises
    ------
    DataError
        If the file cannot be parsed, or a field that is compared holds something else than numbers,
        or nothing, in some row.
    """
    with extra_explained():
        import pyarrow as pa
        import pyarrow.json as pa_json
        import pyarrow.parquet as pq

    def parsed(block: bytes, schema: Any) -> Any:
        options = pa_json.ParseOptions(
            explicit_schema=schema,
            unexpected_field_behavior="infer" if schema is None else "ignore",
        )
        reading = pa_json.ReadOptions(block_size=len(block) + 1)
        return pa_json.read_json(io.BytesIO(block), reading, options)

    try:
        first = parsed(next(_blocks(path), b""), None).schema
        compared = compared_columns(path, first, drop, id_column) if text is None else ()
        numbers = {name for name in compared if not pa.types.is_boolean(first.field(name).type)}
        # A field may begin with whole numbers, or with nothing.
        kinds = {
            field.name: pa.float64() if field.name in numbers else pa.string()
            for field in first
            if field.name in numbers or pa.types.is_null(field.type)
        }
        schema = pa.schema([(field.name, kinds.get(field.name, field.type)) for field in first])
        n_before = 0
        with pq.ParquetWriter(to, schema) as writer:
            for block in _blocks(path):
                table = parsed(block, schema)
                require_numbers(path, table, compared, n_before)
                writer.write_table(table)
                n_before += len(table)
    except (OSError, pa.ArrowInvalid) as error:
        reason = str(error).splitlines()[0]
        raise DataError(f"{path} cannot be read as JSON, an object per line: {reason}") from error
    return to


def _blocks(path: Path) -> Iterator[bytes]:
    """Yield the file in pieces of whole lines."""
    with path.open("rb") as file:
        while block := file.read(_BLOCK) + file.readline():
            if block.strip():
                yield block
