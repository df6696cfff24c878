"""Items that come after a study, in a file or folder of the same kind as its pile."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from likewise.errors import DataError
from likewise.features.decoding import Unreadable
from likewise.features.images import open_picture
from likewise.features.models import embed_texts
from likewise.items import finite_numbers, numbered
from likewise.items.columns import texts_of
from likewise.items.digests import text_digest
from likewise.items.encoders import PicturePileEncoder, TablePileEncoder, TextPileEncoder
from likewise.partitions.representative_items import RepresentativeItems
from likewise.piles import vector_files
from likewise.piles._text_encoding import read_text
from likewise.piles.glance import TABLES, TEXTS
from likewise.piles.picture_files import about_unreadable, picture_files, require_pictures
from likewise.piles.pile import Pile
from likewise.piles.table_files import TooManyRows, missing_column, read_frame
from likewise.piles.table_rows import require_within

_SIDE = 32  # pixels by which it is seen whether a picture can be read


@dataclass(frozen=True)
class LaterItems:
    """New items as they were found.

    Parameters
    ----------
    ids : list of str
        Their names.
    given : object
        What `Study.assign` takes: texts, a table, picture files or rows of numbers.
    notes : list of str
        Sentences for the user.
    """

    ids: list[str]
    given: Any
    notes: list[str] = field(default_factory=list)


def read_later(
    path: Path, pile: Pile, *, id_column: str | None = None, images_anywhere: bool = False
) -> LaterItems:
    """Read new items; nothing is computed yet.

    Parameters
    ----------
    path : Path
        Where they are.
    pile : Pile
        The pile of the study, which says what kind they must be of.
    id_column : str, optional
        The column that names them, as for the pile.
    images_anywhere : bool
        As for `load_items`.

    Raises
    ------
    DataError
        If there are none, or they are of another kind, or lack columns.
    """
    encoder = pile.items.encoder
    kind = _kind(path)
    if encoder is None and pile.items.prepare is None:
        raise DataError(
            f"new {pile.noun}s cannot be labelled alone; put them into {pile.path}: the study goes "
            "on with them"
        )
    column = getattr(encoder, "column", None)
    if isinstance(pile.items, RepresentativeItems) and pile.items.compared_columns:
        return _rows_like_parts(path, kind, pile.items, id_column)
    if encoder is None:
        _require_kind(path, kind, ("vectors",), "vectors; give a .npy or .npz file")
        return _vectors(path)
    if isinstance(encoder, TextPileEncoder) and kind == "texts":
        return _lines(path)
    if isinstance(encoder, TextPileEncoder) and column is None:
        _require_kind(path, kind, ("texts",), "texts; give a .txt file, a text per line")
    if isinstance(encoder, PicturePileEncoder) and column is None:
        _require_kind(path, kind, ("folder",), "pictures; give a folder of them")
        return _pictures(path)
    what = f"the column {column!r}" if column else "the same columns"
    _require_kind(path, kind, ("table",), f"rows of a table; give one with {what}")
    table, ids, notes = _read_table(path, id_column)
    if column is not None and column not in table.columns:
        raise missing_column(path, column, table)
    named = numbered(len(table)) if ids is None else ids
    if isinstance(encoder, TextPileEncoder):
        return LaterItems(named, texts_of(table[column]), notes)
    if isinstance(encoder, PicturePileEncoder):
        files = [path.parent / str(cell) for cell in table[column]]
        if not images_anywhere:
            require_within(files, path.parent, str(column))
        return _readable(named, files, notes)
    assert isinstance(encoder, TablePileEncoder)
    return LaterItems(named, table, notes)


def _kind(path: Path) -> str:
    """Return what a file or folder seems to hold."""
    try:
        if path.is_dir():
            return "folder"
        if not path.exists():
            raise DataError(f"there is no file {path}; check the name")
        if not path.is_file():
            raise DataError(f"{path} is a pipe or a device, not a file; save it to a file")
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror}") from error
    suffix = path.suffix.lower()
    if suffix in vector_files.SUFFIXES:
        return "vectors"
    if suffix in TEXTS:
        return "texts"
    return "table" if suffix in ("", *TABLES) else "file of no kind that likewise reads"


def _require_kind(path: Path, kind: str, wanted: tuple[str, ...], remedy: str) -> None:
    """Refuse new items of another kind than the pile's."""
    if kind not in wanted:
        found = {"vectors": "holds vectors", "texts": "holds lines of text"}.get(
            kind, f"is a {kind}"
        )
        raise DataError(f"{path} {found}, but the study's items are {remedy}")


def _vectors(path: Path) -> LaterItems:
    matrix, ids = vector_files.read_matrix(path)
    if len(matrix) == 0:
        raise DataError(f"{path} holds no row; it needs a row per item")
    return LaterItems(numbered(len(matrix)) if ids is None else ids, matrix)


def _read_table(path: Path, id_column: str | None) -> tuple[Any, list[str] | None, list[str]]:
    """Read a table of new rows, which are labelled at once."""
    try:
        table, ids, notes = read_frame(path, id_column)
    except TooManyRows as error:
        raise DataError(
            f"{path} has more rows than are labelled at once; split it into files of fewer than "
            "500,000, or let its rows join the pile"
        ) from error
    if len(table) == 0:
        raise DataError(f"{path} holds no row; it needs a line per item")
    return table, ids, notes


def _rows_like_parts(
    path: Path, kind: str, items: RepresentativeItems, id_column: str | None
) -> LaterItems:
    """Return rows of a table as vectors, by the columns that a pile in parts is compared by."""
    remedy = "rows of a table; give one file with the same columns, and others after it"
    _require_kind(path, kind, ("table",), remedy)
    table, ids, notes = _read_table(path, id_column)
    columns = list(items.compared_columns)
    for name in columns:
        if name not in table.columns:
            raise missing_column(path, name, table)
    named = numbered(len(table)) if ids is None else ids
    if items.text_model:
        texts = texts_of(table[columns[0]])
        digests = [text_digest(text) for text in texts]
        return LaterItems(named, embed_texts(items.text_model, texts, digests), notes)
    for name in columns:
        if table[name].dtype.kind not in "biuf":
            raise DataError(f"column {name!r} of {path} holds something else than numbers")
    return LaterItems(named, finite_numbers(table[columns]), notes)


def _lines(path: Path) -> LaterItems:
    text, notes = read_text(path)
    lines = {str(k): line for k, line in enumerate(text.splitlines(), start=1) if line.strip()}
    if not lines:
        raise DataError(f"{path} is empty; it needs a line per item")
    return LaterItems(list(lines), list(lines.values()), notes)


def _pictures(folder: Path) -> LaterItems:
    found, notes = picture_files(folder)
    require_pictures(folder, found, notes)
    return _readable([name for name, _ in found], [file for _, file in found], notes)


def _readable(ids: list[str], files: list[Path], notes: list[str]) -> LaterItems:
    """Return those pictures that can be read, and say which cannot."""
    left_out = [k for k, file in enumerate(files) if not _can_be_read(file)]
    if left_out:
        about = about_unreadable([ids[k] for k in left_out], [files[k] for k in left_out])
        if len(left_out) == len(files):
            raise DataError(f"{about}; there is no picture left")
        notes = [*notes, about]
    kept = [k for k in range(len(files)) if k not in set(left_out)]
    return LaterItems([ids[k] for k in kept], [files[k] for k in kept], notes)


def _can_be_read(file: Path) -> bool:
    try:
        open_picture(file, _SIDE)
    except Unreadable:
        return False
    return True
