"""The data of a task: read once per data set and process, cut and scaled as the task says."""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from likewise import datasets
from likewise.bench.experiment import Task
from likewise.errors import DataError, MethodError
from likewise.features.tfidf import vectors_of

Array = npt.NDArray[np.float64]
Labels = npt.NDArray[np.int64]
Stamp = tuple[str, int, int]  # path, time of the last change, size

# Settings of data that say how similarities are made of items, not which items.
_OF_SIMILARITIES = ("width", "laplacian", "splitting", "groups", "looks")
_KEPT_SETS = 4  # in memory: workers take tasks in the order of the data


class TaskData(NamedTuple):
    """Items, their true groups, and a hash of both."""

    X: Array
    truth: Labels
    hash: str


def _to_range(X: Array) -> Array:
    """Return every column scaled from −1 to 1, constant ones at 0."""
    low, width = X.min(axis=0), np.ptp(X, axis=0)
    return np.where(width > 0, 2 * (X - low) / np.where(width > 0, width, 1.0) - 1, 0.0)


def _as_is(X: Array) -> Array:
    return X


# What "raw" and "columns" mean is for `tasks.base.items_of`: nobody brings columns to one unit, or
# somebody does it even where they seem to share one.
SCALINGS: dict[str | None, Callable[[Array], Array]] = {
    None: _as_is,
    "range": _to_range,
    "raw": _as_is,
    "columns": _as_is,
}


def load(task: Task) -> TaskData:
    """Return the items and true groups that a task is given.

    Generators draw by the task's seed. `classes = "1-2"` keeps the items of these classes,
    `rows = 80` as many as that, drawn by the seed and in its order. `positive = "8"` makes two
    groups of all: these classes, and the others. A file of texts (columns `text` and `label`)
    becomes numbers by `features = "tfidf-lsa"`. What only concerns similarities is left to
    `tasks.similarity`.
    """
    if task.scaling not in SCALINGS:
        known = ", ".join(sorted(name for name in SCALINGS if name))
        raise MethodError(f"there is no scaling {task.scaling!r}; there are {known}")
    settings = {k: v for k, v in task.data_settings if k not in _OF_SIMILARITIES}
    classes, rows = settings.pop("classes", None), settings.pop("rows", None)
    if task.data in datasets.GENERATORS:
        settings.setdefault("random_state", task.seed)
    positive, features = settings.pop("positive", None), settings.pop("features", None)
    X: Any
    if features is None:
        X, truth = _data_set(task.data, tuple(settings.items()), _stamp(task))
    else:
        X, truth = _texts(_stamp(task))
    kept = np.arange(len(truth))
    if classes is not None:
        kept = np.flatnonzero(np.isin(truth, _numbers(classes)))
    if rows is not None:
        # In random order: files are often sorted by class, and ties are broken by position.
        kept = np.random.default_rng(task.seed).permutation(kept)[:rows]
    if features is None:
        X = X[kept]
    else:
        # Rounded, so that neither threads nor machines make other data of the same texts.
        X = np.round(vectors_of(X[kept].tolist(), str(features)), 6) + 0.0
    X = SCALINGS[task.scaling](X)
    if positive is not None:
        truth = np.isin(truth, _numbers(positive)).astype(np.int64)
    truth = np.unique(truth[kept], return_inverse=True)[1]
    return TaskData(X, truth, hash_of_arrays(X, truth))


def _numbers(classes: object) -> list[int]:
    """Return the classes that a setting names, as in "1-2"."""
    return [int(name) for name in str(classes).split("-")]


@lru_cache(maxsize=_KEPT_SETS)
def _texts(stamp: Stamp | None) -> tuple[npt.NDArray[Any], Labels]:
    """Return the texts of a file, and their classes in the order of their names."""
    if stamp is None:
        raise DataError("only a file of texts has texts; leave `features` out")
    csv.field_size_limit(10**7)
    with Path(stamp[0]).open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    if not rows or not {"text", "label"} <= set(rows[0]):
        raise DataError(f"{stamp[0]} has no columns text and label; leave `features` out")
    texts = np.array([row["text"] for row in rows], dtype=object)
    return texts, np.unique([row["label"] for row in rows], return_inverse=True)[1]


def data_hash(task: Task) -> str:
    """Return the hash of a task's data; tasks on the same data share the work."""
    draws = task.data in datasets.GENERATORS or "rows" in dict(task.data_settings)
    seed = task.seed if draws else 0
    return _data_hash(replace(task, method="", checkpoints=(), seed=seed), _stamp(task))


@lru_cache(maxsize=4096)
def _data_hash(task: Task, stamp: Stamp | None) -> str:
    return load(task).hash


def _stamp(task: Task) -> Stamp | None:
    """Return what tells a version of the data's file from another; None where there is no file."""
    path = Path(task.folder, task.data) if task.by_path else datasets.file_of(task.data)
    if path is None:
        return None
    try:
        status = path.stat()
    except OSError:
        return (str(path), 0, 0)  # what is wrong is told by whoever reads it
    return (str(path), status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=_KEPT_SETS)
def _data_set(
    name: str, settings: tuple[tuple[str, Any], ...], stamp: Stamp | None
) -> datasets.Dataset:
    if stamp is None:
        return datasets.load(name, **dict(settings))
    if settings:
        raise DataError(f"{name!r} has no parameter {settings[0][0]!r}; a file takes none")
    return datasets.read(Path(stamp[0]))


def hash_of_arrays(X: Array, truth: Labels) -> str:
    """Return sixteen hexadecimal digits that tell these items and groups from others."""
    digest = hashlib.sha256(f"{X.shape} {X.dtype}".encode())
    digest.update(np.ascontiguousarray(X).tobytes())
    digest.update(truth.astype(np.int64).tobytes())
    return digest.hexdigest()[:16]
