"""The task "peer": a public tool from the package index, in an environment of its own."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from likewise.bench.experiment import Task
from likewise.bench.peers import PEERS, run_peer
from likewise.bench.tasks.base import (
    Array,
    Labels,
    Parts,
    Row,
    items_of,
    n_clusters_of,
    oracle_of,
)
from likewise.errors import MethodError
from likewise.metrics import all_metrics

_SECONDS = 600.0  # unless the task says otherwise: some tools never end by themselves


def run_tool(task: Task, X: Array, truth: Labels) -> Iterator[Row]:
    """Yield a row per checkpoint that the tool reached; see `bench.peers`."""
    result = run_peer(
        task.method,
        np.asarray(items_of(task, X).data),
        oracle_of(task, truth),
        n_clusters=n_clusters_of(task, truth),
        checkpoints=task.checkpoints,
        random_state=task.seed,
        time_limit=task.time_limit if task.time_limit is not None else _SECONDS,
    )
    outcome = {"status": result.status, "reason": result.reason}
    if not result.rows:
        yield {"questions": task.checkpoints[0], **outcome}
        return
    for at in task.checkpoints:
        _, labels, seconds = ([row for row in result.rows if row[0] <= at] or result.rows)[-1]
        yield {"questions": at, "seconds": seconds, **all_metrics(truth, labels), **outcome}


def parts_of_peer(method: str) -> Parts:
    """Return the tool with its pinned requirements, its driver, and our end of the pipe."""
    peer = PEERS.get(method)
    if peer is None:
        raise MethodError(f"there is no peer {method!r}; choose one of {', '.join(PEERS)}")
    pipe = peer.driver.with_name("pipe.py")
    return (peer.name, peer.requirements, peer.driver, pipe, run_peer), ()
