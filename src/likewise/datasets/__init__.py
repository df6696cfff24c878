"""Data sets by name: items, and the grouping that a simulated person has in mind.

A name is looked up in three places, in this order: the sets that come with scikit-learn, the
generators, and the files `NAME.csv` (a header row, numbers, `label` as the last column) in
the folder that the environment variable LIKEWISE_DATA names. `-` and `_` mean the same in a name.
"""

from __future__ import annotations

import csv
import difflib
import inspect
import math
import os
from array import array
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from likewise.datasets.generators import (
    GENERATORS,
    Dataset,
    Labels,
    aqm_simulation,
    aqm_sphere,
    blobs,
    circles,
    fetched,
    moons,
    require_whole,
    two_gaussians,
)
from likewise.datasets.records import Slips, bibliography, people
from likewise.errors import DataError

__all__ = [
    "GENERATORS",
    "Dataset",
    "Labels",
    "Slips",
    "aqm_simulation",
    "aqm_sphere",
    "bibliography",
    "blobs",
    "circles",
    "file_of",
    "load",
    "moons",
    "names",
    "people",
    "read",
    "two_gaussians",
]

_BUNDLED = ("iris", "wine", "breast_cancer", "digits")


def load(name: str, /, *, random_state: int = 0, **params: object) -> Dataset:
    """Load the data set called `name` as (X, y): float64 features, labels coded 0 to k - 1.

    Parameters
    ----------
    name : str
        A set that scikit-learn brings along, a generator of `GENERATORS`, or a CSV file without its
        ending in the folder that the variable LIKEWISE_DATA names. `-` and `_` are the same.
    random_state : int
        The seed of a generator; all other sets are fixed.
    **params
        The parameters of a generator.

    Returns
    -------
    X : array (n, d)
        Rows keep the order of the file.
    y : array of int (n,)
        Labels of a file are coded in their sorted order, by value where all of them are numbers.

    Raises
    ------
    DataError
        If there is no such set (the message lists those that are close), or no such parameter.

    Examples
    --------
    >>> X, y = load("two-gaussians", n=50, separation=4.0, random_state=1)
    >>> X.shape, np.bincount(y).tolist()
    ((50, 2), [25, 25])
    """
    if not isinstance(name, str):
        raise DataError(f"the name of a data set must be a string, got {name!r}")
    if ".." in name or "/" in name or "\\" in name:
        raise DataError(f"{name!r} is a path; give the name alone, without a folder or '.csv'")
    generator = GENERATORS.get(name.replace("_", "-"))
    path = file_of(name)
    accepted = [*inspect.signature(generator).parameters][1:] if generator else []
    if unknown := sorted(params.keys() - set(accepted)):
        takes = "it takes " + ", ".join(accepted) if accepted else "it is fixed and takes none"
        raise DataError(f"{name!r} has no parameter {unknown[0]!r}; {takes}")
    require_whole(0, random_state=random_state)
    if generator:
        return generator(random_state=random_state, **params)
    return read(path) if path else fetched(f"load_{name.replace('-', '_')}", return_X_y=True)


def file_of(name: str) -> Path | None:
    """Return the file of a data set; None where it is generated or comes with scikit-learn.

    Raises
    ------
    DataError
        When no data set has that name.
    """
    built_in = name.replace("-", "_") in _BUNDLED or name.replace("_", "-") in GENERATORS
    return None if built_in else _find(name)


def names() -> list[str]:
    """List every name that `load` accepts here and now; files that hold text are left out.

    >>> names()[:5]
    ['iris', 'wine', 'breast_cancer', 'digits', 'aqm-simulation']
    """
    built_in = [*_BUNDLED, *GENERATORS]
    hidden = {name.replace("-", "_") for name in built_in}
    found = {name: path for name, path in _files().items() if name.replace("-", "_") not in hidden}
    return built_in + [name for name, path in found.items() if _is_numeric(path)]


def _files() -> dict[str, Path]:
    """Return the CSV files of LIKEWISE_DATA by name."""
    folder = os.environ.get("LIKEWISE_DATA")
    found = sorted(Path(folder).expanduser().glob("[!.]*.csv")) if folder else []
    return {path.stem: path for path in found if path.is_file()}


def _find(name: str) -> Path:
    """Return the file of that name, else one whose name differs in `-` and `_` only."""
    files = _files()
    for stem in [name, *files]:
        if stem in files and stem.replace("-", "_") == name.replace("-", "_"):
            return files[stem]
    close = difflib.get_close_matches(name.lower(), known := names()) or known
    raise DataError(
        f"no data set is called {name!r}; choose from {', '.join(close)}, or set LIKEWISE_DATA to "
        f"the folder that holds {name}.csv (now {os.environ.get('LIKEWISE_DATA') or 'not set'})"
    )


def _is_numeric(path: Path) -> bool:
    """Return whether the first row of a file holds numbers only."""
    try:
        return any(True for _ in _rows(path))
    except DataError:
        return False


def read(path: Path) -> Dataset:
    """Return the data set in a CSV file: a header row, numbers, `label` as the last column.

    Raises
    ------
    DataError
        When the file cannot be read; the sentence names the line.
    """
    cells, labels = array("d"), []
    for values, label in _rows(path):
        cells.extend(values)
        labels.append(label)
    if not labels:
        raise DataError(f"{path} has a header but no rows; each item needs one")
    try:
        order = sorted(set(labels), key=lambda label: (float(label), label))
    except ValueError:
        order = sorted(set(labels))
    code = {label: position for position, label in enumerate(order)}
    X = np.array(cells, dtype=np.float64).reshape(len(labels), -1)
    return X, np.array([code[label] for label in labels], dtype=np.int64)


def _rows(path: Path) -> Iterator[tuple[list[float], str]]:
    """Yield the features and the label of each row; whatever is wrong is reported with its line."""
    line = 1
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            reader = csv.reader(file, strict=True)
            header = next(reader, [])
            if len(header) < 2 or header[-1].strip() != "label":
                raise DataError(f"{path} needs a header that ends in 'label', got {header[-3:]}")
            for row in filter(None, reader):
                line, label = reader.line_num, row[-1].strip()
                if len(row) != len(header) or label in ("", "nan"):
                    raise DataError(
                        f"{path}, line {line}: expected {len(header)} cells, the last one a label; "
                        f"got {len(row)}, the last one {label!r}; is the file cut short?"
                    )
                cells = zip(header[:-1], row[:-1], strict=True)
                yield [_number(path, line, *cell) for cell in cells], label
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise DataError(f"{path} cannot be read after line {line}: {error}") from error


def _number(path: Path, line: int, column: str, cell: str) -> float:
    """Parse one cell as a finite number."""
    try:
        value = float(cell.strip() or "nan")
    except ValueError:
        raise DataError(
            f"{path.stem!r} holds text in column {column!r} (line {line}: {cell[:30]!r}), not "
            f"numbers only; it can be loaded as items with likewise.load_items({str(path)!r})"
        ) from None
    if not math.isfinite(value):
        raise DataError(f"{path}, line {line}: column {column!r} needs a number, got {cell!r}")
    return value
