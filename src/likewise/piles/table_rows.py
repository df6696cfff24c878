"""Tables: a row per item, compared by all columns, or by a column of texts or of pictures."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from likewise.errors import DataError
from likewise.features.base import FeatureModel
from likewise.features.cache import Progress
from likewise.features.records import Records
from likewise.items import FrameRows, numbered, table_features
from likewise.items.columns import (
    about_gaps,
    about_other_columns,
    listed,
    naming_column,
    text_column,
    texts_of,
)
from likewise.items.digests import row_digests
from likewise.items.encoders import TablePileEncoder
from likewise.piles.first_reading import FirstReading
from likewise.piles.picture_files import SUFFIXES, is_within, picture_contents
from likewise.piles.pile import Contents, Features, about_scaling
from likewise.piles.table_files import missing_column, read_frame
from likewise.piles.text_files import text_contents

_LOOKED_AT = 50  # cells by which the kind of a column is guessed


def read_rows(
    path: Path,
    *,
    text: str | None,
    image: str | None,
    id_column: str | None,
    drop: Sequence[str],
    model: str | FeatureModel | None,
    scaling: str = "auto",
    images_anywhere: bool = False,
    first: FirstReading | None = None,
) -> Contents:
    """Find the rows of a table; what they are compared by is given, or guessed and then noted."""
    import narwhals as nw

    if text is not None and image is not None:
        raise DataError("items are compared by a column of texts or of pictures; give one of them")
    for name in (text, image, id_column):
        if name is not None and name in drop:
            raise DataError(f"column {name!r} is wanted and dropped; leave out --drop {name}")
    table, ids, notes = read_frame(path, id_column)
    for name in (*drop, text, image):
        if name is not None and name not in table.columns:
            raise missing_column(path, name, table)
    named_by = id_column
    if named_by is None and ids is not None:
        named_by = naming_column(nw.from_native(table, eager_only=True))
    if ids is None or named_by in drop:
        ids, named_by = numbered(len(table)), None
    table = table.drop(columns=[*drop, *([named_by] if named_by is not None else [])])
    if table.shape[1] == 0:
        raise DataError(f"{path} has no column left to compare items by; drop fewer columns")
    if text is None and image is None:
        image = guess_pictures(table, path.parent)
        text = text_column(nw.from_native(table, eager_only=True)) if image is None else None
        if (guessed := image or text) is not None and table.shape[1] > 1:
            option = "--text" if image is None else "--image"
            notes.append(
                about_other_columns(
                    guessed, f"{option} chooses another, --drop {guessed} compares those alone"
                )
            )
    rows = FrameRows(nw.from_native(table, eager_only=True))
    if text is not None:
        cells = texts_of(table[text])
        by = f"the texts in {text}"
        return text_contents(
            ids, cells, named_by, by, notes, model, rows=rows, column=text, first=first
        )
    if image is not None:
        files = [path.parent / str(cell) for cell in table[image]]
        if not images_anywhere:
            require_within(files, path.parent, image)
        by = f"the pictures in {image}"
        return picture_contents(
            ids, files, named_by, by, notes, model, rows=rows, column=image, first=first
        )
    if model is not None:
        raise DataError(
            "a model needs texts or pictures; say in which column with --text or --image"
        )
    return _row_contents(table, ids, named_by, notes, rows, scaling)


def require_within(files: list[Path], folder: Path, column: str) -> None:
    """Refuse picture files outside the folder of the table: it may come from somebody else."""
    home = folder.resolve()
    outside = [file for file in files if not is_within(file, home)]
    if outside:
        n = len(outside)
        raise DataError(
            f"column {column!r} names {n:,} file{'s' if n > 1 else ''} outside {folder}, such as "
            f"{outside[0]}; move the pictures there, or allow it with --images-anywhere"
        )


def _row_contents(
    table: Any,
    ids: list[str],
    named_by: str | None,
    notes: list[str],
    rows: FrameRows,
    scaling: str,
) -> Contents:
    import narwhals as nw

    def features(kept: list[int], progress: Progress | None) -> Features:
        frame = nw.from_native(table.iloc[kept], eager_only=True)
        matrix, filled, scaled = table_features(frame, scaling)
        said = [about_gaps(filled)] if filled else []
        return Features(kept, matrix, said + about_scaling(scaled))

    return Contents(
        noun="row",
        ids=ids,
        digests=[row.tobytes() for row in row_digests(table)],
        features=features,
        compared_by=listed(list(table.columns)),
        named_by=named_by,
        rows=rows,
        notes=notes,
        records=Records.of_frame(nw.from_native(table, eager_only=True)),
        encoder=TablePileEncoder(scaling),
    )


def guess_pictures(table: Any, folder: Path) -> str | None:
    """Return the first column whose cells are the names of picture files."""
    for name in table.columns:
        cells = [cell for cell in table[name].head(_LOOKED_AT) if isinstance(cell, str)]
        named = [cell for cell in cells if Path(cell).suffix.lower() in SUFFIXES]
        if cells and len(named) == len(cells) and any((folder / cell).is_file() for cell in named):
            return str(name)
    return None
