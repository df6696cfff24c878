"""From a path to items: which reader fits, which columns count, whose features."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from likewise.errors import DataError
from likewise.features.base import FeatureModel
from likewise.features.cache import Progress
from likewise.features.faces import FaceModel
from likewise.items import Items
from likewise.partitions.discover import PARTITIONED, holds_parts
from likewise.piles import picture_files as pictures
from likewise.piles import vector_files as vectors
from likewise.piles.face_files import read_faces
from likewise.piles.first_reading import FirstReading
from likewise.piles.partitioned import read_partitioned
from likewise.piles.pile import Contents, Pile, about_scaling, assemble
from likewise.piles.stacks import StackFinder
from likewise.piles.table_files import READERS, TooManyColumns, TooManyRows
from likewise.piles.table_rows import read_rows
from likewise.piles.text_files import read_lines

# Items that stand for all rows of a table too long to compare them one by one.
_REPRESENTATIVES = 25_000
_TOO_MANY = (
    "there are too many rows to compare them one by one, so that some stand for all; "
    "--representatives says how many"
)
_PARTS = (
    "the files of the folder are read as one pile, in which some rows stand for all; "
    "--representatives says how many"
)
_BLOCK = 500  # items whose features are computed ahead at a time
_LINES = (".txt", ".text", ".md", ".log")
_TABLES = ("", ".csv", ".tsv", ".tab", ".dat", ".data", *READERS)


def load_items(
    path: Any,
    *,
    text: str | None = None,
    image: str | None = None,
    id_column: str | None = None,
    drop: Sequence[str] = (),
    features: str | Path | None = None,
    model: str | FeatureModel | None = None,
    scaling: str = "auto",
    near_duplicates: bool = False,
    stacks: bool = False,
    apart: Collection[str] = (),
    images_anywhere: bool = False,
    faces: bool | FaceModel = False,
    collapse: bool = True,
    quick: bool = False,
    progress: Progress | None = None,
    representatives: int | None = None,
    client: Any = None,
) -> Items:
    """Read what a folder or file holds as items.

    A folder holds pictures, or Parquet, CSV or .npy files that are one pile; a file holds rows
    (.csv, .tsv, .parquet, .jsonl or .json), a text per line (.txt) or vectors (.npy, .npz).

    Parameters
    ----------
    path : str or Path
        The folder or file; with `representatives` also a folder of Parquet or .npy files too large
        for memory, or a path with wildcards.
    text, image : str, optional
        The column whose texts, or picture files, rows are compared by, instead of all columns.
    id_column : str, optional
        The column that names the rows; without it one called "id" that holds a different value in
        every row, else rows are numbered.
    drop : sequence of str
        Columns that are not compared.
    features : str or Path, optional
        A file with vectors of your own, by `ids` or in the order of the pile.
    model : str or feature model, optional
        What texts or pictures are compared by: a name of those that `likewise models` lists, or a
        model of your own that fits `likewise.features.TextModel` or `PictureModel`.
    scaling : {"auto", "columns", "none"}
        Whether columns of numbers are brought to unit variance, as for `Items.of`.
    near_duplicates : bool
        Whether pictures that look the same become one, too.
    stacks : bool
        Whether photographs of one burst, taken within seconds and looking alike, become one, with
        the others in `Items.stacks`.
    apart : collection of str
        The ids of items whose stacks were taken apart (`likewise.piles.stacks_apart`).
    images_anywhere : bool
        Whether the image column may name files outside the folder of the table, also by links.
    faces : bool or face model
        Whether the items are the faces on the photographs of a folder, so that groups are people;
        found by dlib, or by a model of your own that fits `likewise.features.faces.FaceModel`.
    collapse : bool
        Whether items that are exactly equal become one, with the others in `copies`.
    quick : bool
        Whether some will do for now, where many pictures or texts are new: those that were read
        before, and a fair sample of the others. Read again without it, all are there.
    progress : callable, optional
        Called with how many features are done, of how many.
    representatives : int, optional
        How many items stand for all rows; see `likewise.partitions.load_partitioned`.
    client : Executor, distributed.Client or str, optional
        Who finds the representatives; None: processes of this machine.

    Raises
    ------
    DataError
        If the pile cannot be read or used; the message names the file, the line and the remedy.
    """
    if representatives is not None:
        from likewise.partitions import load_partitioned

        named = model if isinstance(model, str) else None
        return load_partitioned(
            path,
            representatives,
            drop=drop,
            id_column=id_column,
            text=text,
            model=named,
            client=client,
        )
    return read_pile(
        path,
        text=text,
        image=image,
        id_column=id_column,
        drop=drop,
        features=features,
        model=model,
        scaling=scaling,
        near_duplicates=near_duplicates,
        stacks=stacks,
        apart=apart,
        images_anywhere=images_anywhere,
        faces=faces,
        collapse=collapse,
        quick=quick,
        progress=progress,
    ).items


def read_pile(
    path: str | Path,
    *,
    text: str | None = None,
    image: str | None = None,
    id_column: str | None = None,
    drop: Sequence[str] = (),
    features: str | Path | None = None,
    model: str | FeatureModel | None = None,
    scaling: str = "auto",
    near_duplicates: bool = False,
    stacks: bool = False,
    apart: Collection[str] = (),
    images_anywhere: bool = False,
    faces: bool | FaceModel = False,
    collapse: bool = True,
    quick: bool = False,
    known: Mapping[str, str] | None = None,
    progress: Progress | None = None,
) -> Pile:
    """Read what a folder or file holds, with what there is to say about how it was read.

    Parameters are those of `load_items`; `Pile.items` is what that returns. `known` are the ids of
    items that `quick` must not leave for later, and what they hold; of a stack one of them is
    shown.
    """
    if isinstance(path, str) and "://" in path:  # not repeated: it may hold a password
        raise DataError(
            "a pile at an address is read through items that stand for all; give representatives="
        )
    path = Path(path)
    # What is sent elsewhere is sent once; what is like what can only be told of all of them.
    sampled = quick and (model is None or isinstance(model, str))
    first = None
    if sampled and features is None and not (near_duplicates or stacks):
        first = FirstReading(known or {})
    chosen = (image, features, near_duplicates or None, stacks or None, faces or None)
    is_plain = scaling == "auto" and not any(map(_given, chosen))
    is_plain = is_plain and (model is None or isinstance(model, str))
    in_parts = partial(_read_in_parts, path, drop=drop, id_column=id_column, text=text, model=model)
    if faces:
        _require_photographs(path, model)
        contents = read_faces(path, model=None if faces is True else faces, progress=progress)
    elif is_plain and _is_folder(path) and holds_parts(path):
        return in_parts(_PARTS)
    else:
        try:
            contents = _read_contents(
                path, text, image, id_column, drop, model, scaling, images_anywhere, first
            )
        except TooManyRows:
            if not is_plain or path.suffix.lower() not in PARTITIONED:
                raise
            return in_parts(_TOO_MANY)
    find_near = None
    if near_duplicates:
        files = [one for one in contents.pictures or () if isinstance(one, Path)]
        if not files:
            raise DataError("only pictures can be nearly equal; leave near duplicates out")
        find_near = partial(pictures.near_duplicates, files, contents.digests)
    find_stacks = StackFinder(contents, apart, known or ()) if stacks else None
    own_vectors = None
    if features is not None:
        own = vectors.read_own_vectors(Path(features), contents.ids, contents.noun, scaling)
        own_vectors = np.asarray(own.features)
        notes = contents.notes + about_scaling(own.scaling)
        compared_by = f"the vectors in {features}"
        contents = replace(contents, compared_by=compared_by, notes=notes, records=None)
        contents = replace(contents, encoder=None, prepare=own.prepare)
    return assemble(
        path,
        contents,
        vectors=own_vectors,
        near_duplicates=find_near,
        stacks=find_stacks,
        collapse=collapse,
        progress=progress,
    )


def _read_in_parts(
    path: Path,
    why: str,
    *,
    drop: Sequence[str],
    id_column: str | None,
    text: str | None,
    model: str | FeatureModel | None,
) -> Pile:
    """Read a pile through representatives that nobody has asked for, and say why."""
    glanced = min(path.glob("[!._]*")) if path.is_dir() else path
    if text is None and glanced.suffix.lower() != ".npy":
        text = _texts_in(glanced, drop)
    named = model if isinstance(model, str) else None
    pile = read_partitioned(
        path, _REPRESENTATIVES, drop=drop, id_column=id_column, text=text, model=named
    )
    return replace(pile, notes=[why, *pile.notes])


def _given(option: object) -> bool:
    return option is not None


def _texts_in(path: Path, drop: Sequence[str]) -> str | None:
    """Return the column of texts that a long table is compared by, by its first rows."""
    from likewise.piles.glance import glance

    found = glance(path)
    left = [one for one in found.columns if one.kind != "names" and one.name not in drop]
    texts = [one.name for one in left if one.kind == "texts"]
    return next((one for one in texts if one == found.guess or len(left) == 1), None)


def compute_ahead(
    path: str | Path,
    *,
    text: str | None = None,
    image: str | None = None,
    id_column: str | None = None,
    drop: Sequence[str] = (),
    model: str | FeatureModel | None = None,
    images_anywhere: bool = False,
    progress: Progress | None = None,
) -> None:
    """Compute what is slow about the features of a pile into the cache, block by block.

    The blocks are fair samples of the pile, and no more than one is in memory. Parameters are those
    of `load_items`.
    """
    contents = _read_contents(
        Path(path), text, image, id_column, drop, model, "auto", images_anywhere, None
    )
    if contents.ahead is None:
        return
    order = sorted(range(len(contents.ids)), key=lambda k: contents.digests[k])
    for start in range(0, len(order), _BLOCK):
        if progress is not None:
            progress(start, len(order))
        contents.ahead(order[start : start + _BLOCK])


def _read_contents(
    path: Path,
    text: str | None,
    image: str | None,
    id_column: str | None,
    drop: Sequence[str],
    model: str | FeatureModel | None,
    scaling: str,
    images_anywhere: bool,
    first: FirstReading | None,
) -> Contents:
    """Let the reader that fits the path find its items; refuse options that do not go with it."""
    suffix = path.suffix.lower()
    kind = "folder" if _is_folder(path) else suffix
    if kind != "folder" and path.exists() and not path.is_file():
        raise DataError(f"{path} is a pipe or a device, not a file; save what it gives to a file")
    has_columns = kind != "folder" and suffix not in (*_LINES, *vectors.SUFFIXES)
    if not has_columns and (text or image or id_column or drop):
        what = "a folder" if kind == "folder" else f"a {suffix} file"
        raise DataError(f"{path} is {what} and has no columns to choose from; leave them out")
    if kind == "folder":
        return pictures.read_pictures(path, model=model, first=first)
    if suffix in _LINES:
        return read_lines(path, model=model, first=first)
    if suffix in vectors.SUFFIXES:
        if model is not None:
            raise DataError(f"{path} holds vectors already; leave the model out")
        return vectors.read_vectors(path, scaling)
    if suffix not in _TABLES and path.exists():
        raise DataError(
            f"{path} is of no kind that likewise reads; give a folder of pictures, or a file that "
            "ends in .csv, .tsv, .parquet, .jsonl, .txt, .npy or .npz"
        )
    try:
        return read_rows(
            path,
            text=text,
            image=image,
            id_column=id_column,
            drop=drop,
            model=model,
            scaling=scaling,
            images_anywhere=images_anywhere,
            first=first,
        )
    except TooManyColumns:
        if suffix in READERS or text or image or model is not None:
            raise
        return vectors.read_wide_table(path, id_column=id_column, drop=drop, scaling=scaling)


def _require_photographs(path: Path, model: str | FeatureModel | None) -> None:
    """Refuse to look for faces in anything but a folder, or with another model beside."""
    if not _is_folder(path):
        found = "is no folder" if path.exists() else "is not there"
        raise DataError(f"faces are looked for on the photographs of a folder, but {path} {found}")
    if model is not None:
        raise DataError("faces are compared by a model of their own; leave the other model out")


def _is_folder(path: Path) -> bool:
    """Return whether the path is a folder; refuse one that cannot be looked at."""
    try:
        return path.is_dir()
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror}") from error
