"""The data of a task: read once per data set and process, cut and scaled as the task says."""

from __future__ import annotations

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


SCALINGS: dict[str | None, Callable[[Array], Array]] = {None: lambda X: X, "range": _to_range}


def load(task: Task) -> TaskData:
    """Return the items and true groups that a task is given.

    Generators draw by the task's seed. `classes = "1-2"` keeps the items of these classes,
    `rows = 80` as many as that, drawn by the seed and in its order. What only concerns similarities
    is left to `tasks.similarity`.
    """
    if task.scaling not in SCALINGS:
        known = ", ".join(sorted(name for name in SCALINGS if name))
        raise MethodError(f"there is no scaling {task.scaling!r}; there are {known}")
    settings = {k: v for k, v in task.data_settings if k not in _OF_SIMILARITIES}
    classes, rows = settings.pop("classes", None), settings.pop("rows", None)
    if task.data in datasets.GENERATORS:
        settings.setdefault("random_state", task.seed)
    X, truth = _data_set(task.data, tuple(settings.items()), _stamp(task))
    kept = np.arange(len(truth))
    if classes is not None:
        kept = np.flatnonzero(np.isin(truth, [int(name) for name in str(classes).split("-")]))
    if rows is not None:
        # In random order: files are often sorted by class, and ties are broken by position.
        kept = np.random.default_rng(task.seed).permutation(kept)[:rows]
    X = SCALINGS[task.scaling](X[kept])
    truth = np.unique(truth[kept], return_inverse=True)[1]
    return TaskData(X, truth, hash_of_arrays(X, truth))


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
