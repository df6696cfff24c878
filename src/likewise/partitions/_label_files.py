"""Labels of a pile in parts: a file for every part, in a folder where nothing else is spoiled."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from likewise._extras import extra_explained
from likewise.errors import DataError
from likewise.partitions._addresses import (
    is_address,
    names_in,
    opened_parquet,
    place_of,
    remove_file,
    shown,
    write_parquet,
)
from likewise.partitions.partition import Partition, file_of

_NAME = "part-{:05d}.parquet"
_NAMES = re.compile(r"part-\d{5,}\.parquet")
_COLUMNS = ["id", "group", "confidence"]


def places_for_labels(folder: str, parts: Sequence[Partition]) -> list[str]:
    """Return where the labels of every part are to be written.

    Raises
    ------
    DataError
        If the pile is in that folder, or something else than labels has such names there.
    """
    files = {file_of(part) for part in parts} - {None}
    if place_of(folder) in {place_of(_parent(file)) for file in files if file is not None}:
        raise DataError(
            f"{shown(folder)} is where the pile is, which would not be read again with its labels "
            "in it; name another folder"
        )
    for name in _labels_there(folder)[:1]:
        _require_labels(f"{folder}/{name}")
    return [f"{folder}/{_NAME.format(k)}" for k in range(len(parts))]


def remove_others(folder: str, places: Sequence[str]) -> None:
    """Remove labels of earlier from the folder, which had more parts."""
    written = {place.rpartition("/")[2] for place in places}
    for name in _labels_there(folder):
        if name not in written:
            _require_labels(f"{folder}/{name}")
            remove_file(f"{folder}/{name}")


def write_part(place: str, ids: Any, groups: Any, confidence: Any) -> None:
    """Write the labels of a part, never half of them."""
    with extra_explained():
        import pyarrow as pa

    write_parquet(pa.table(dict(zip(_COLUMNS, (ids, groups, confidence), strict=True))), place)


def _parent(file: str) -> str:
    return file.rpartition("/")[0] if is_address(file) else str(Path(file).parent)


def _labels_there(folder: str) -> list[str]:
    return [name for name in names_in(folder) if _NAMES.fullmatch(name)]


def _require_labels(place: str) -> None:
    """Refuse to write over, or remove, what is no file of labels."""
    with extra_explained():
        import pyarrow as pa

    try:
        with opened_parquet(place) as file:
            columns = file.schema_arrow.names
    except (OSError, pa.ArrowInvalid):
        columns = []
    if columns != _COLUMNS:
        raise DataError(
            f"{shown(place)} does not hold labels and would be replaced; name another folder"
        )
