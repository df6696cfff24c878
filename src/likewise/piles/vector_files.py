"""Vectors: numpy's own files, and vectors that somebody brings for another pile."""

from __future__ import annotations

import csv
import zipfile
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from likewise.errors import DataError
from likewise.features.cache import Progress
from likewise.features.regular_files import open_regular
from likewise.items import Items, numbered
from likewise.items.columns import separator_in
from likewise.items.digests import digest
from likewise.partitions.discover import not_an_array
from likewise.piles.pile import Contents, Features, about_scaling
from likewise.piles.table_files import read_frame

SUFFIXES = (".npy", ".npz")
_MATRICES = ("X", "features", "vectors", "embeddings", "data", "arr_0")  # in an .npz, by preference


def read_vectors(path: Path, scaling: str = "auto") -> Contents:
    """Find the rows of a matrix in a numpy file, named by `ids` beside it if it is an .npz."""
    return _contents_of(*read_matrix(path), scaling)


def read_wide_table(
    path: Path, *, id_column: str | None, drop: Sequence[str], scaling: str = "auto"
) -> Contents:
    """Find the rows of a CSV file with so many columns of numbers that a row is one vector.

    Raises
    ------
    DataError
        If a cell is no number.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            separator = separator_in(first := file.readline())
    except UnicodeDecodeError as error:
        raise DataError(
            f"{path} is too wide to be read in any encoding but UTF-8; save it as UTF-8"
        ) from error
    header = next(csv.reader([first], delimiter=separator))
    named = id_column or next((name for name in header if name.lower() == "id"), None)
    for name in (*drop, *([named] if named else [])):
        if name not in header:
            raise DataError(f"{path} has no column {name!r} among its {len(header):,}")
    left_out = {*drop, named}
    kept = [k for k, name in enumerate(header) if name not in left_out]
    how: dict[str, Any] = {"delimiter": separator, "skiprows": 1, "encoding": "utf-8-sig"}
    how |= {"comments": None, "quotechar": '"'}
    try:
        # All columns are read faster than most of them.
        numbers = np.loadtxt(path, usecols=kept if left_out - {None} else None, ndmin=2, **how)
        ids = None
        if named is not None:
            ids = np.loadtxt(path, usecols=header.index(named), dtype=str, ndmin=1, **how).tolist()
    except (ValueError, UnicodeDecodeError) as error:
        raise DataError(
            f"{path} has {len(header):,} columns, so that its rows are compared as vectors, but "
            f"not all cells are numbers ({error}); leave other columns out with --drop"
        ) from error
    if ids is not None and len(set(ids)) < len(ids):
        raise DataError(f"column {named!r} of {path} names several rows alike; ids must differ")
    return _contents_of(numbers, ids, scaling)


def _contents_of(matrix: npt.NDArray[Any], ids: list[str] | None, scaling: str) -> Contents:
    """Return the rows of a matrix as what a pile holds."""
    checked = Items.of(matrix, scaling=scaling)

    def features(kept: list[int], progress: Progress | None) -> Features:
        # Taken after the check: copies must not change the columns' units.
        assert checked.features is not None
        return Features(kept, checked.features[kept])

    floats = np.ascontiguousarray(matrix, dtype=np.float64) + 0.0
    return Contents(
        noun="vector",
        ids=numbered(len(matrix)) if ids is None else ids,
        digests=[digest(row.tobytes()) for row in floats],
        features=features,
        compared_by=f"{matrix.shape[1]:,} number{'s' if matrix.shape[1] != 1 else ''} each",
        named_by=None if ids is None else "id",
        notes=about_scaling(checked.scaling),
        prepare=checked.prepare,
    )


def read_matrix(path: Path) -> tuple[npt.NDArray[Any], list[str] | None]:
    """Read the matrix in a file, a row per item, and its ids if they are in there too."""
    try:
        matrix, ids = _loaded(path)
    except FileNotFoundError as error:
        raise DataError(f"there is no file {path}; check the name") from error
    except MemoryError as error:
        raise DataError(
            f"{path} claims more numbers than fit into memory; if it is whole, split it into a "
            "folder of .npy files and let representatives stand for them (--representatives)"
        ) from error
    except (OSError, ValueError, EOFError, KeyError, zipfile.BadZipFile, zlib.error) as error:
        if isinstance(error, DataError):
            raise
        raise not_an_array(path, error) from error
    if matrix.ndim != 2:
        raise DataError(
            f"{path} must hold a matrix with a row per item but holds an array of shape "
            f"{matrix.shape}"
        )
    if ids is not None and (len(ids) != len(matrix) or len(set(ids)) < len(ids)):
        raise DataError(f"the ids in {path} must be as many as its rows, and differ")
    return matrix, ids


def _loaded(path: Path) -> tuple[npt.NDArray[Any], list[str] | None]:
    """Return the first matrix of a numpy file, and the ids beside it."""
    with open_regular(path) as file:
        if path.suffix.lower() == ".npy":
            # Mapped first: a header that claims more than the file holds is then refused.
            return np.array(np.load(path, mmap_mode="r", allow_pickle=False)), None
        with np.load(file, allow_pickle=False) as loaded:
            if isinstance(loaded, np.ndarray):
                return loaded, None
            named = [name for name in _MATRICES if name in loaded.files]
            for name in (*named, *loaded.files):
                if (matrix := loaded[name]).ndim == 2:
                    ids = loaded["ids"] if "ids" in loaded.files else None
                    return matrix, None if ids is None else [str(one) for one in ids.ravel()]
    raise DataError(f"{path} holds no matrix with a row per item")


def read_own_vectors(path: Path, ids: list[str], noun: str, scaling: str = "auto") -> Items:
    """Read vectors for items with these ids: by id if the file has ids, else in their order."""
    if path.suffix.lower() in SUFFIXES:
        matrix, named = read_matrix(path)
    else:
        table, named, _ = read_frame(path, None)
        numbers = table.select_dtypes("number")
        matrix = numbers.drop(columns=[c for c in numbers if c.lower() == "id"]).to_numpy()
    if named is not None:
        position = {name: k for k, name in enumerate(named)}
        lacking = [name for name in ids if name not in position]
        if lacking:
            raise DataError(f"{path} has no vector for {lacking[0]!r} ({len(lacking)} lacking)")
        matrix = matrix[[position[name] for name in ids]]
    if len(matrix) != len(ids):
        raise DataError(
            f"{path} holds {len(matrix)} vectors, but there are {len(ids)} {noun}s; give one each, "
            "in the same order"
        )
    return Items.of(matrix, scaling=scaling)
