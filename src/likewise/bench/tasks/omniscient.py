"""The task "omniscient": what one who knows the truth achieves with the same clusterer."""

from __future__ import annotations

from collections.abc import Iterator

from likewise.bench.bounds import METHOD, omniscient_curve
from likewise.bench.experiment import Task
from likewise.bench.tasks.base import Array, Labels, Parts, Row, items_of, n_clusters_of
from likewise.bench.tasks.questions import parts_of_recipe


def run_omniscient(task: Task, X: Array, truth: Labels) -> Iterator[Row]:
    """Yield the ARI at each checkpoint; see `bounds`."""
    curve = omniscient_curve(
        truth,
        items_of(task, X),
        budget=task.checkpoints[-1],
        n_clusters=n_clusters_of(task, truth),
        random_state=task.seed,
    )
    for at in task.checkpoints:
        reached = curve.loc[curve["questions"] <= at, "ari"]
        yield {"questions": at, "ari": float(reached.iloc[-1])}


def parts_of_omniscient(method: str) -> Parts:
    """Return its look-ahead, and the parts of the method whose way of clustering it shares."""
    parts, packages = parts_of_recipe(METHOD)
    return (method, omniscient_curve, *parts), packages
