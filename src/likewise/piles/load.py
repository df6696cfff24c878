"""From a path to items: which reader fits, which columns count, whose features."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from likewise.errors import DataError
from likewise.features.cache import Progress
from likewise.items import Items
from likewise.piles import picture_files as pictures
from likewise.piles import vector_files as vectors
from likewise.piles.pile import Pile, RawPile, assemble
from likewise.piles.table_files import READERS
from likewise.piles.table_rows import read_rows
from likewise.piles.text_files import read_lines

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
    model: str | None = None,
    near_duplicates: bool = False,
    collapse: bool = True,
    progress: Progress | None = None,
    representatives: int | None = None,
    client: Any = None,
) -> Items:
    """What a folder or file holds, as items.

    A folder holds pictures; a .csv, .tsv, .parquet, .jsonl or .json file rows; a .txt file a text
    per line; .npy and .npz vectors. Rows are compared by all columns but those in `drop`, or by
    the column of `text` or of `image` files; `id_column` names them, and without it a column
    called "id" that holds a different value in every row. `features` is a file with vectors of
    your own, `model` the name of a sentence-transformers or timm model. Items that are exactly
    equal (with `near_duplicates`, also pictures that look the same) become one, with the others
    in `copies`; `collapse=False` keeps them apart. `progress` is told how many features are done,
    of how many.

    With `representatives` the path may name Parquet or .npy files too large for memory, and that
    many items stand for all rows; see `likewise.partitions.load_partitioned`, which works on a
    dask `client` if there is one.
    """
    if representatives is not None:
        from likewise.partitions import load_partitioned

        return load_partitioned(
            path, representatives, drop=drop, id_column=id_column, client=client
        )
    return read_pile(
        path,
        text=text,
        image=image,
        id_column=id_column,
        drop=drop,
        features=features,
        model=model,
        near_duplicates=near_duplicates,
        collapse=collapse,
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
    model: str | None = None,
    near_duplicates: bool = False,
    collapse: bool = True,
    progress: Progress | None = None,
) -> Pile:
    """The same, with what there is to say about how it was read."""
    path = Path(path)
    raw = _read_raw(path, text, image, id_column, drop, model)
    find_near_duplicates = None
    if near_duplicates:
        if raw.pictures is None:
            raise DataError("only pictures can be nearly equal; leave near duplicates out")
        find_near_duplicates = partial(pictures.near_duplicates, raw.pictures, raw.digests)
    own_vectors = None
    if features is not None:
        own_vectors = vectors.read_own_vectors(Path(features), raw.ids, raw.noun)
        raw = replace(raw, compared_by=f"the vectors in {features}")
    return assemble(
        path,
        raw,
        vectors=own_vectors,
        near_duplicates=find_near_duplicates,
        collapse=collapse,
        progress=progress,
    )


def _read_raw(
    path: Path,
    text: str | None,
    image: str | None,
    id_column: str | None,
    drop: Sequence[str],
    model: str | None,
) -> RawPile:
    suffix = path.suffix.lower()
    kind = "folder" if _is_folder(path) else suffix
    has_columns = kind != "folder" and suffix not in (*_LINES, *vectors.SUFFIXES)
    if not has_columns and (text or image or id_column or drop):
        what = "a folder" if kind == "folder" else f"a {suffix} file"
        raise DataError(f"{path} is {what} and has no columns to choose from; leave them out")
    if kind == "folder":
        return pictures.read_pictures(path, model=model)
    if suffix in _LINES:
        return read_lines(path, model=model)
    if suffix in vectors.SUFFIXES:
        if model is not None:
            raise DataError(f"{path} holds vectors already; leave the model out")
        return vectors.read_vectors(path)
    if suffix not in _TABLES and path.exists():
        raise DataError(
            f"{path} is of no kind that likewise reads; give a folder of pictures, or a file that "
            "ends in .csv, .tsv, .parquet, .jsonl, .txt, .npy or .npz"
        )
    return read_rows(path, text=text, image=image, id_column=id_column, drop=drop, model=model)


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror}") from error
