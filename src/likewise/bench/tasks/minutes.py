"""The task "minutes": a study that asks one kind of question, counted in a person's time.

The method is called METHOD:KIND, such as `auto:best`; KIND is one of those of `Study.ask`.
"""

from __future__ import annotations

from collections.abc import Iterator

from likewise.bench.experiment import Task
from likewise.bench.tasks.base import (
    Array,
    Labels,
    Parts,
    Row,
    items_of,
    n_clusters_of,
    oracle_of,
)
from likewise.bench.tasks.questions import parts_of_recipe, rows_at
from likewise.errors import DataError
from likewise.simulation import run
from likewise.strategies.kinds import Pace
from likewise.study.question_kinds import KINDS


def run_minutes(task: Task, X: Array, truth: Labels) -> Iterator[Row]:
    """Yield a row per checkpoint, a number of questions; `minutes` is how long they took."""
    method, kind = _parted(task.method)
    result = run(
        items_of(task, X),
        oracle_of(task, truth),
        method=method,
        kinds=kind,
        budget=task.checkpoints[-1],
        n_clusters=n_clusters_of(task, truth),
        random_state=task.seed,
        checkpoints=task.checkpoints,
        time_limit=task.time_limit,
    )
    yield from rows_at(task, result)


def parts_of_kind(method: str) -> Parts:
    """Return the parts of the method, and the pace by which time is counted."""
    name, kind = _parted(method)
    parts, packages = parts_of_recipe(name)
    return (kind, Pace(), *parts), packages


def _parted(method: str) -> tuple[str, str]:
    name, _, kind = method.rpartition(":")
    if not name or kind not in KINDS:
        raise DataError(
            f"a method of kind 'minutes' is called METHOD:KIND with a kind of {', '.join(KINDS)}, "
            f"such as auto:best, but got {method!r}"
        )
    return name, kind
