"""`likewise labels`: the group of every item, as a file or as folders of pictures."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Protocol

import typer

from likewise.cli.commands.results._photographs import people_on_photographs
from likewise.cli.console import err, out, say, working
from likewise.cli.formatting import count
from likewise.cli.options import JsonOption, RawOption, reads_pile
from likewise.cli.pile_source import PileSource
from likewise.errors import DataError, StoreError

if TYPE_CHECKING:
    from likewise.items import Items
    from likewise.partitions import RepresentativeItems
    from likewise.study import SimilarityStudy, Study


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
        typer.Option(
            "--copy-to",
            metavar="DIR",
            help="Copy pictures here, a folder per group; texts and rows, a file per group.",
        ),
    ] = None,
    link_to: Annotated[
        Path | None,
        typer.Option("--link-to", metavar="DIR", help="The same, with links to the pictures."),
    ] = None,
    ratings: Annotated[
        bool, typer.Option("--ratings", help="From the ratings of `likewise rate`.")
    ] = False,
    predict: Annotated[
        Path | None,
        typer.Option(
            "--predict",
            metavar="NEW",
            help="Instead: the groups of the items of another file or folder, kept nowhere.",
        ),
    ] = None,
    photographs: Annotated[
        bool,
        typer.Option("--photographs", help="With --faces: a row per photograph, who is on it."),
    ] = False,
    raw_cells: RawOption = False,
    as_json: JsonOption = False,
) -> None:
    """Write the group of every item: id, group, name, confidence."""
    from likewise.exchange.group_folders import no_folders_of
    from likewise.partitions import RepresentativeItems

    rows: Sequence[Written]
    if to is not None:
        _require_place(to, pile_source)
    if photographs and not pile_source.faces:
        raise DataError("--photographs says who is on each photograph; it goes with --faces")
    if predict is not None:
        if ratings or photographs or copy_to is not None or link_to is not None:
            raise DataError("--predict goes with --out, --json and --raw-cells alone")
        with working("Grouping the items"):
            rows = predicted_items(pile_source, predict)
        if to is not None:
            if to.resolve() == predict.resolve():
                raise StoreError(f"{to} is what is read; choose another file for --out")
            write_labels(rows, to, pile_source, raw_cells=raw_cells)
            say(f"wrote {to}", to=err)
        else:
            out.file.write(to_json(rows) if as_json else to_csv(rows, raw_cells=raw_cells))
        return
    with working("Grouping the items"):
        items = pile_source.read_for_rating().items if ratings else pile_source.read().items
        study = pile_source.open_ratings(items) if ratings else pile_source.open_study(items)
        if isinstance(items, RepresentativeItems):
            if copy_to is not None or link_to is not None:
                raise DataError(no_folders_of(items))
            say(write_all_rows(study, items, to, pile_source, raw_cells=raw_cells), to=err)
            return
        labelled = labelled_items(study, items)
        rows = people_on_photographs(labelled) if photographs else labelled
    for folder, how, done in ((copy_to, "copy", "copied"), (link_to, "link", "linked")):
        if folder is not None:
            say(sort_into(study, items, folder, how, done), to=err)
    if to is not None:
        write_labels(rows, to, pile_source, raw_cells=raw_cells)
        say(f"wrote {to}", to=err)
    if to is None and (copy_to is link_to is None or as_json):
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
    photograph : str
        On which photograph it is, if it is a face.
    noted : mapping
        What was noted of it and of its group, by column.
    """

    id: str
    group: int
    name: str  # of the group, may be empty
    confidence: float
    photograph: str = ""
    noted: Mapping[str, str] = field(default_factory=dict)

    def record(self) -> dict[str, Any]:
        """Return the columns that are written."""
        return {
            "id": self.id,
            **({"photograph": self.photograph} if self.photograph else {}),
            "group": self.group,
            "name": self.name,
            "confidence": self.confidence,
            **self.noted,
        }


def labelled_items(study: Study | SimilarityStudy, items: Items) -> list[LabelledItem]:
    """List every item of the pile with its group; a copy follows the item it is equal to."""
    from likewise.exchange.annotations import Annotations
    from likewise.features.regions import PictureRegion, whole_name

    columns = Annotations.of(study, study.labels_).columns
    names: dict[int, str] = getattr(study, "names_", {})
    labels, confidence = study.labels_.tolist(), study.confidence_.tolist()
    found = []
    for name, k in items.originals():
        is_part = items.pictures is not None and isinstance(items.pictures[k], PictureRegion)
        called, sure = names.get(labels[k], ""), round(confidence[k], 4)
        found.append(
            LabelledItem(
                name,
                labels[k],
                called,
                sure,
                whole_name(name) if is_part else "",
                {column: cells[k] for column, cells in columns.items()},
            )
        )
    return found


@dataclass(frozen=True)
class PredictedItem(LabelledItem):
    """An item that came later, with the group it would be in.

    Parameters
    ----------
    id, group, name, confidence, photograph
        As for `LabelledItem`.
    new_kind : bool
        Whether it lies farther from the group than nearly all members do.
    """

    new_kind: bool = False

    def record(self) -> dict[str, Any]:
        """Return the columns that are written."""
        return {**super().record(), "new_kind": self.new_kind}


def predicted_items(pile_source: PileSource, path: Path) -> list[PredictedItem]:
    """List the items of another file or folder with the groups they would be in."""
    from likewise.piles.later import read_later

    if not path.exists():  # before the pile is read, which may take a minute
        raise DataError(f"there is no file {path}; check the name")
    pile = pile_source.read()
    study = pile_source.open_study(pile.items)
    later = read_later(
        path,
        pile,
        id_column=pile_source.id_column,
        images_anywhere=pile_source.images_anywhere,
    )
    for note in later.notes:
        say(note, to=err)
    found, names = study.assign(later.given), study.names_
    columns = (found.groups.tolist(), found.confidence.tolist(), found.new_kind.tolist())
    return [
        PredictedItem(name, group, names.get(group, ""), round(sure, 4), new_kind=is_new)
        for name, group, sure, is_new in zip(later.ids, *columns, strict=True)
    ]


def sort_into(study: Study | SimilarityStudy, items: Items, to: Path, how: str, done: str) -> str:
    """Write a folder or file per group into a new folder; return what to say about it."""
    from likewise.exchange.annotations import Annotations
    from likewise.exchange.group_folders import plan_folders, write_folders

    names: dict[int, str] = getattr(study, "names_", {})
    labels, noted = study.labels_, Annotations.of(study, study.labels_)
    plan = plan_folders(items, labels.tolist(), names, study.confidence_.tolist(), noted)
    if plan.noun == "picture":
        return f"{done} {count(write_folders(plan, to, how=how), 'picture')} to {to}"
    if how == "link":
        raise DataError(f"there are no files to link to, only {plan.noun}s; use --copy-to")
    return f"wrote {count(write_folders(plan, to), 'file')} of {plan.noun}s to {to}"


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
        If the file cannot be written.
    """
    suffix = to.suffix.lower()
    try:
        if suffix == ".parquet":
            import pandas as pd

            pd.DataFrame([row.record() for row in rows]).to_parquet(to, index=False)
        else:
            text = to_json(rows) if suffix == ".json" else to_csv(rows, raw_cells=raw_cells)
            to.write_text(text, encoding="utf-8", errors="surrogateescape")
    except OSError as error:
        raise StoreError(f"{to} cannot be written: {error.strerror}") from error


def _require_place(to: Path, pile_source: PileSource) -> None:
    """Refuse a file that nothing can be written to, before the groups are found.

    That may take minutes, after which nobody wants to hear it.
    """
    _require_elsewhere(to, pile_source)
    suffix = to.suffix.lower()
    if suffix not in ("", ".csv", ".txt", ".json", ".parquet") and not to.is_dir():
        raise DataError(f"labels are written as .csv, .parquet or .json, not as {suffix}")
    if suffix and not to.parent.is_dir():
        raise StoreError(f"{to} cannot be written: there is no folder {to.parent}; make it first")


def _require_elsewhere(to: Path, pile_source: PileSource) -> None:
    """Refuse to write over what the groups are made from, or among rows that are read together."""
    from likewise.partitions.discover import holds_parts

    made_from = (pile_source.path, pile_source.journal, pile_source.ratings)
    if to.resolve() in (path.resolve() for path in made_from):
        raise StoreError(f"{to} is what the groups are made from; choose another place for --out")
    is_inside = pile_source.path.is_dir() and to.resolve().is_relative_to(
        pile_source.path.resolve()
    )
    if is_inside and (pile_source.representatives is not None or holds_parts(pile_source.path)):
        raise StoreError(
            f"{to} is in the folder of the pile, which would not be read again with labels in it; "
            "choose another place for --out"
        )


def write_all_rows(
    study: Study | SimilarityStudy,
    items: RepresentativeItems,
    to: Path | None,
    pile_source: PileSource,
    *,
    raw_cells: bool = False,
) -> str:
    """Write the group of every row that the items represent, part by part; return what to say.

    A .csv file, or a folder with a Parquet file per part.
    """
    if to is None or (to.suffix and to.suffix.lower() != ".csv" and not to.is_dir()):
        raise DataError(
            f"the groups of {items.n_rows:,} rows are written to a .csv file, or as Parquet files: "
            "name a folder with --out"
        )
    try:
        if to.suffix.lower() == ".csv" and not to.is_dir():
            unfinished = to.with_name(f"{to.name}.part")
            with unfinished.open("w", encoding="utf-8", newline="") as file:
                file.writelines(_csv_of_all_rows(study, items, raw_cells=raw_cells))
            unfinished.replace(to)
            return f"wrote {to}"
        written = items.write_labels(to, study.labels_, study.confidence_)
        return f"wrote {count(len(written), 'file')} to {to}"
    except OSError as error:
        raise StoreError(f"{to} cannot be written: {error.strerror}") from error


def _csv_of_all_rows(
    study: Study | SimilarityStudy, items: RepresentativeItems, *, raw_cells: bool
) -> Iterator[str]:
    from likewise.exchange.annotations import Annotations
    from likewise.exchange.rows_in_parts import rows_as_csv

    noted = Annotations.of(study, study.labels_).columns
    names: dict[int, str] = getattr(study, "names_", {})
    return rows_as_csv(items, study.labels_, names, study.confidence_, noted, raw_cells=raw_cells)
