"""The task "peer": a public tool, from the package index or a checkout, in its own environment."""

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
from likewise.journal.pairs import Verdict
from likewise.metrics import all_metrics
from likewise.simulation.oracles import FromLabels

_SECONDS = 600.0  # unless the task says otherwise: some tools never end by themselves


def run_tool(task: Task, X: Array, truth: Labels) -> Iterator[Row]:
    """Yield a row per checkpoint that the tool reached; see `bench.peers`."""
    peer = PEERS.get(task.method)
    again = peer is not None and peer.asks_again and task.noise > 0
    result = run_peer(
        task.method,
        np.asarray(items_of(task, X).data),
        _Anew(truth, task.noise, task.seed) if again else oracle_of(task, truth),
        n_clusters=n_clusters_of(task, truth),
        checkpoints=task.checkpoints,
        random_state=task.seed,
        time_limit=task.time_limit if task.time_limit is not None else _SECONDS,
        error_rate=task.noise,
    )
    outcome = {"status": result.status, "reason": result.reason}
    if not result.rows:
        yield {"questions": task.checkpoints[0], **outcome}
        return
    for at in task.checkpoints:
        _, labels, seconds = ([row for row in result.rows if row[0] <= at] or result.rows)[-1]
        yield {"questions": at, "seconds": seconds, **all_metrics(truth, labels), **outcome}


class _Anew(FromLabels):
    """Answers a pair asked again by itself: the next one asked may be right where one was wrong."""

    def __init__(self, truth: Labels, error_rate: float, seed: int) -> None:
        super().__init__(truth)
        self.error_rate, self.rng = error_rate, np.random.default_rng(seed)

    def __call__(self, i: int, j: int) -> Verdict:
        """Return the truth, or its opposite for a share of the questions."""
        same = super().__call__(i, j) is Verdict.SAME
        return Verdict.of(same ^ bool(self.rng.random() < self.error_rate))


def parts_of_peer(method: str) -> Parts:
    """Return the tool with its pinned requirements, its driver, and our end of the pipe."""
    peer = PEERS.get(method)
    if peer is None:
        raise MethodError(f"there is no peer {method!r}; choose one of {', '.join(PEERS)}")
    pipe = peer.driver.with_name("pipe.py")
    return (peer.name, peer.requirements, peer.driver, pipe, run_peer), ()
