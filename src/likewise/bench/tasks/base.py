"""What a kind of task is: how it is run, and which code its methods consist of."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from likewise.bench.experiment import Task
from likewise.items import Items
from likewise.simulation.oracles import FromLabels, Noisy

Array = npt.NDArray[np.float64]
Labels = npt.NDArray[np.int64]
Row = dict[str, Any]
Parts = tuple[tuple[object, ...], tuple[str, ...]]  # the parts, packages besides likewise


@dataclass(frozen=True)
class TaskKind:
    """One entry of `TASKS`.

    Attributes
    ----------
    run : callable
        Takes a task, its items and their true groups, and yields a row per checkpoint: `questions`
        (how many answers, links or measurements had been bought), the metrics of the labels at that
        point, and where the time went.
    parts : callable
        Takes the name of a method and returns what `method_code.code_hash` hashes of it; raises
        a `LikewiseError` when there is no such method.
    """

    run: Callable[[Task, Array, Labels], Iterator[Row]]
    parts: Callable[[str], Parts]


def items_of(task: Task, X: Array) -> Items:
    """Return the items as a study has them, or in the units that the task says."""
    units = {"raw": "none", "columns": "columns"}
    return Items.of(X, scaling=units.get(task.scaling or "", "auto"))


def oracle_of(task: Task, truth: Labels) -> FromLabels:
    """Return whoever answers the task's questions: always right, or wrong for a share of pairs."""
    return Noisy(truth, task.noise, task.seed) if task.noise else FromLabels(truth)


def n_clusters_of(task: Task, truth: Labels) -> int | None:
    """Return the number of groups where the task says that it is known."""
    return len(np.unique(truth)) if task.k_known else None
