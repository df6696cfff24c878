"""The group of every item of a pile, as a file or as folders of pictures."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from likewise.errors import DataError, StoreError

if TYPE_CHECKING:
    from likewise.cli.source import Source
    from likewise.items import Items
    from likewise.partitions import Represented
    from likewise.study import SimilarityStudy, Study


@dataclass(frozen=True)
class Labelled:
    """One item of the pile with its group; copies of an item have rows of their own."""

    id: str
    group: int
    name: str  # of the group, may be empty
    confidence: float
    picture: Path | None

    def record(self) -> dict[str, Any]:
        """What is written."""
        return {
            "id": self.id,
            "group": self.group,
            "name": self.name,
            "confidence": self.confidence,
        }


def rows(study: Study | SimilarityStudy, items: Items, source: Source) -> list[Labelled]:
    """Every original item; a copy comes after the one it is equal to."""
    names: dict[int, str] = getattr(study, "names_", {})
    labels, confidence = study.labels_.tolist(), study.confidence_.tolist()
    found = []
    for name, k in items.originals():
        picture = None if items.pictures is None else items.pictures[k]
        path = picture if isinstance(picture, Path) else None
        if path is not None and name != items.ids[k] and source.path.is_dir():
            path = source.path / name  # a copy's own file
        group = labels[k]
        called = names.get(group, "")
        found.append(Labelled(name, group, called, round(confidence[k], 4), path))
    return found


def as_csv(rows: Sequence[Labelled]) -> str:
    """A line per item."""
    text = io.StringIO()
    writer = csv.DictWriter(text, ["id", "group", "name", "confidence"], lineterminator="\n")
    writer.writeheader()
    writer.writerows(row.record() for row in rows)
    return text.getvalue()


def as_json(rows: Sequence[Labelled]) -> str:
    """A list of objects."""
    return json.dumps([row.record() for row in rows], indent=2, ensure_ascii=False) + "\n"


def write(rows: Sequence[Labelled], to: Path, source: Source) -> None:
    """Write a file in the form its name ends in, but never over what it was made from."""
    made_from = (source.path, source.journal, source.ratings)
    if to.resolve() in (path.resolve() for path in made_from):
        raise StoreError(f"{to} is what the groups are made from; choose another file for --out")
    suffix = to.suffix.lower()
    if suffix not in ("", ".csv", ".txt", ".json", ".parquet"):
        raise DataError(f"labels are written as .csv, .parquet or .json, not as {suffix}")
    try:
        if suffix == ".parquet":
            import pandas as pd

            pd.DataFrame([row.record() for row in rows]).to_parquet(to, index=False)
        else:
            text = as_json(rows) if suffix == ".json" else as_csv(rows)
            to.write_text(text, encoding="utf-8", errors="surrogateescape")
    except OSError as error:
        raise StoreError(f"{to} cannot be written: {error.strerror}") from error


def write_parts(study: Study | SimilarityStudy, items: Represented, to: Path | None) -> list[Path]:
    """Write the group of every row that the items stand for, a Parquet file for every part."""
    if to is None:
        raise DataError(
            f"{items.n_rows:,} rows are written as Parquet files; name a folder with --out"
        )
    try:
        return items.write_labels(to, study.labels_, study.confidence_)
    except OSError as error:
        raise StoreError(f"{to} cannot be written: {error.strerror}") from error


def copy_pictures(rows: Sequence[Labelled], to: Path) -> int:
    """Copy every picture into the folder of its group; no file is ever overwritten."""
    pictures = [(row, row.picture) for row in rows if row.picture is not None]
    if not pictures:
        raise DataError("only pictures can be copied into folders; use --out for a list")
    try:
        to.mkdir(parents=True, exist_ok=True)
        if any(to.iterdir()):
            raise StoreError(f"{to} is not empty; give a new folder, nothing is overwritten")
        for row, picture in pictures:
            folder = to / folder_name(row.group, row.name)
            folder.mkdir(exist_ok=True)
            shutil.copy2(picture, _free(folder, Path(row.id).name or picture.name))
    except OSError as error:
        raise StoreError(f"{to} cannot be written: {error.strerror}") from error
    return len(pictures)


def folder_name(group: int, name: str) -> str:
    """A folder for a group, with its name as far as a file system takes it.

    >>> folder_name(3, "cats / dogs"), folder_name(0, "")
    ('3 cats - dogs', '0')
    """
    safe = re.sub(r'\s*[/\\\\:*?"<>|\x00-\x1f]+\s*', " - ", name).strip(" .-")[:80]
    return f"{group} {safe}".strip()


def _free(folder: Path, name: str) -> Path:
    """The name in the folder, with a number if somebody has it already."""
    path, number = folder / name, 1
    while path.exists():
        number += 1
        path = folder / f"{Path(name).stem} ({number}){Path(name).suffix}"
    return path
