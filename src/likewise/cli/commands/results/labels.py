"""`likewise labels`: the group of every item, as a file or as folders of pictures."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Protocol

import typer

from likewise.cli.commands.results._photographs import people_on_photographs
from likewise.cli.console import err, out, say, working
from likewise.cli.options import JsonOption, RawOption, reads_pile
from likewise.cli.pile_source import PileSource
from likewise.errors import DataError, StoreError

if TYPE_CHECKING:
    from likewise.items import Items
    from likewise.partitions import RepresentativeItems
    from likewise.study import SimilarityStudy, Study


_NAME_BYTES = 200  # of a group's name in that of its folder


@reads_pile
def labels(
    pile_source: PileSource,
    to: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="FILE",
            help="Write here: csv, parquet, json; or a folder.",
        ),
    ] = None,
    copy_to: Annotated[
        Path | None,
        typer.Option("--copy-to", metavar="DIR", help="Copy pictures here, a folder per group."),
    ] = None,
    ratings: Annotated[
        bool, typer.Option("--ratings", help="From the ratings of `likewise rate`.")
    ] = False,
    photographs: Annotated[
        bool,
        typer.Option("--photographs", help="With --faces: a row per photograph, who is on it."),
    ] = False,
    raw_cells: RawOption = False,
    as_json: JsonOption = False,
) -> None:
    """Write the group of every item: id, group, name, confidence."""
    from likewise.partitions import RepresentativeItems

    if photographs and not pile_source.faces:
        raise DataError("--photographs says who is on each photograph; it goes with --faces")
    with working("Grouping the items"):
        items = pile_source.read_for_rating().items if ratings else pile_source.read().items
        study = pile_source.open_ratings(items) if ratings else pile_source.open_study(items)
        if isinstance(items, RepresentativeItems):
            written = write_partitions(study, items, to)
            say(f"wrote {len(written)} files to {to}", to=err)
            return
        labelled = labelled_items(study, items, pile_source)
    if copy_to is not None:
        copied = copy_pictures(labelled, copy_to)
        say(f"copied {copied} pictures to {copy_to}", to=err)
    rows: Sequence[Written] = people_on_photographs(labelled) if photographs else labelled
    if to is not None:
        write_labels(rows, to, pile_source, raw_cells=raw_cells)
        say(f"wrote {to}", to=err)
    if to is None and (copy_to is None or as_json):
        out.file.write(to_json(rows) if as_json else to_csv(rows, raw_cells=raw_cells))


class Written(Protocol):
    """A row of what is written."""

    def record(self) -> dict[str, Any]:
        """Return its cells by column; all rows have the same columns."""


@dataclass(frozen=True)
class LabelledItem:
    """One item of the pile with its group; copies of an item have rows of their own.

    Parameters
    ----------
    id : str
        The item's id in the pile.
    group : int
        The number of its group.
    name : str
        The group's name; empty if it has none.
    confidence : float
        Between 0 and 1, rounded to four digits.
    picture : Path, optional
        Its file, if it is a picture.
    photograph : str
        On which photograph it is, if it is a face.
    """

    id: str
    group: int
    name: str  # of the group, may be empty
    confidence: float
    picture: Path | None
    photograph: str = ""

    def record(self) -> dict[str, Any]:
        """Return the columns that are written."""
        return {
            "id": self.id,
            **({"photograph": self.photograph} if self.photograph else {}),
            "group": self.group,
            "name": self.name,
            "confidence": self.confidence,
        }


def labelled_items(
    study: Study | SimilarityStudy, items: Items, pile_source: PileSource
) -> list[LabelledItem]:
    """List every item of the pile with its group; a copy follows the item it is equal to."""
    from likewise.features.regions import file_of
    from likewise.piles.face_files import photograph_of

    names: dict[int, str] = getattr(study, "names_", {})
    labels, confidence = study.labels_.tolist(), study.confidence_.tolist()
    found = []
    for name, k in items.originals():
        path = None if items.pictures is None else file_of(items.pictures[k])
        photograph = photograph_of(name) if pile_source.faces else ""
        if path is not None and name != items.ids[k] and pile_source.path.is_dir():
            path = pile_source.path / (photograph or name)  # a copy's own file
        group = labels[k]
        called = names.get(group, "")
        sure = round(confidence[k], 4)
        found.append(LabelledItem(name, group, called, sure, path, photograph))
    return found


def to_csv(rows: Sequence[Written], *, raw_cells: bool = False) -> str:
    """Return a header and a line per item; unless `raw_cells`, no cell that a spreadsheet runs."""
    from likewise.exchange.spreadsheet_cells import csv_text

    cells = (list(row.record().values()) for row in rows)
    return csv_text(tuple(rows[0].record()), cells, raw_cells=raw_cells)


def to_json(rows: Sequence[Written]) -> str:
    """Return a list of objects."""
    return json.dumps([row.record() for row in rows], indent=2, ensure_ascii=False) + "\n"


def write_labels(
    rows: Sequence[Written], to: Path, pile_source: PileSource, *, raw_cells: bool = False
) -> None:
    """Write a file in the format that its name ends in.

    Raises
    ------
    StoreError
        If the file is the pile or its journal, or cannot be written.
    DataError
        If labels are not written in that format.
    """
    made_from = (pile_source.path, pile_source.journal, pile_source.ratings)
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
            text = to_json(rows) if suffix == ".json" else to_csv(rows, raw_cells=raw_cells)
            to.write_text(text, encoding="utf-8", errors="surrogateescape")
    except OSError as error:
        raise StoreError(f"{to} cannot be written: {error.strerror}") from error


def write_partitions(
    study: Study | SimilarityStudy, items: RepresentativeItems, to: Path | None
) -> list[Path]:
    """Write the group of every row that the items represent, a Parquet file per partition."""
    if to is None:
        raise DataError(
            f"{items.n_rows:,} rows are written as Parquet files; name a folder with --out"
        )
    try:
        return items.write_labels(to, study.labels_, study.confidence_)
    except OSError as error:
        raise StoreError(f"{to} cannot be written: {error.strerror}") from error


def copy_pictures(rows: Sequence[LabelledItem], to: Path) -> int:
    """Copy every picture into the folder of its group, and return how many there are.

    A photograph with several faces goes into the folder of everybody who is on it, once. No file is
    ever overwritten: the folder must be new or empty, and names that occur twice are numbered.
    """
    # By group and photograph: somebody may be on one twice, in a mirror say.
    once = {(row.group, row.photograph or row.id): row for row in reversed(rows)}
    pictures = [(row, row.picture) for row in reversed(once.values()) if row.picture is not None]
    if not pictures:
        raise DataError("only pictures can be copied into folders; use --out for a list")
    try:
        to.mkdir(parents=True, exist_ok=True)
        if any(to.iterdir()):
            raise StoreError(f"{to} is not empty; give a new folder, nothing is overwritten")
        for row, picture in pictures:
            folder = to / folder_name(row.group, row.name)
            folder.mkdir(exist_ok=True)
            shutil.copy2(
                picture, _free(folder, Path(row.photograph or row.id).name or picture.name)
            )
    except OSError as error:
        raise StoreError(f"{to} cannot be written: {error.strerror}") from error
    return len(pictures)


def folder_name(group: int, name: str) -> str:
    """Return a folder's name for a group, with the group's name as far as file systems allow.

    >>> folder_name(3, "cats / dogs"), folder_name(0, "")
    ('3 cats - dogs', '0')
    """
    safe = re.sub(r'\s*[/\\\\:*?"<>|\x00-\x1f]+\s*', " - ", name).strip(" .-")
    from likewise.items.encodable import encodable

    # File systems count bytes: eighty letters may be more of them than a name can have.
    safe = encodable(safe)[:80].encode()[:_NAME_BYTES].decode(errors="ignore")
    return f"{group} {safe}".strip(" .")


def _free(folder: Path, name: str) -> Path:
    """Return a path in the folder that is not taken, numbered if the name is."""
    path, number = folder / name, 1
    while path.exists():
        number += 1
        path = folder / f"{Path(name).stem} ({number}){Path(name).suffix}"
    return path
