"""The task "questions": a study of a method, asked and answered up to the last checkpoint."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

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
from likewise.items import Items
from likewise.methods import Recipe
from likewise.methods.registry import named_recipe
from likewise.simulation import Run, run


def run_questions(task: Task, X: Array, truth: Labels) -> Iterator[Row]:
    """Yield a row per checkpoint of a study.

    A study that is finished early, or stopped, keeps its last labels for the checkpoints left.
    """
    result = run(
        items_of(task, X),
        oracle_of(task, truth),
        method=task.method,
        budget=task.checkpoints[-1],
        n_clusters=n_clusters_of(task, truth),
        random_state=task.seed,
        checkpoints=task.checkpoints,
        time_limit=task.time_limit,
        doubt=task.doubt or "keep",  # methods are compared as they are, unless it says otherwise
    )
    yield from rows_at(task, result)


def rows_at(task: Task, result: Run) -> Iterator[Row]:
    """Yield the row of every checkpoint of a run: the last one before it."""
    status = "stopped" if result.interrupted else "ok"
    reason = f"time limit of {task.time_limit:g} s" if result.interrupted else ""
    rows: list[Row] = [
        {str(name): value for name, value in row.items()} for row in result.curve.to_dict("records")
    ]
    for at in task.checkpoints:
        last = [row for row in rows if row["questions"] <= at][-1:] or rows[:1]
        yield {**last[0], "questions": at, "status": status, "reason": reason}


def parts_of_recipe(method: str | Recipe) -> Parts:
    """Return the strategy, clusterer and affinity of a method, built as for a study."""
    _, recipe = named_recipe(method)
    built = (
        recipe.strategy(),
        recipe.clusterer(n_clusters=2, random_state=0),
        recipe.affinity(Items.of(np.eye(3))),
        recipe.most_groups,
    )
    makers = (recipe.strategy, recipe.clusterer, recipe.affinity)
    packages = {str(getattr(maker, "__module__", "")).partition(".")[0] for maker in makers}
    return built, tuple(sorted(packages))
