"""Carries tasks out, several at a time, and keeps what they yield."""

from __future__ import annotations

import math
import os
import threading
from collections.abc import Callable, Generator
from contextlib import closing
from time import perf_counter
from typing import Any

from likewise._dask import done_by_cluster
from likewise._version import __version__
from likewise.bench.experiment import Experiment, Task
from likewise.bench.memory import peak_memory
from likewise.bench.results import Results
from likewise.errors import LikewiseError, MethodError

THREADS = 1  # per run: runs side by side must not compete for cores, nor results depend on it
# Threads and memory are counted per process: in a dask worker of several threads runs take turns.
_ALONE = threading.Lock()

Outcome = tuple[Task, list[dict[str, Any]]]


def carry_out(
    experiment: Experiment,
    results: Results,
    *,
    n_jobs: int = 1,
    dask: str | None = None,
    on_done: Callable[[Task, list[dict[str, Any]]], None] | None = None,
) -> int:
    """Do every task that has no results yet; returns how many that were.

    Rows are the same for any number of workers, times aside. `dask` is the address of a
    scheduler whose workers do the work.
    """
    done = results.done()
    waiting = [task for task in experiment.tasks if task.key not in done]
    # Closed whatever happens: an interruption must not leave workers busy or a connection open.
    with closing(_rows_as_they_come(waiting, n_jobs, dask)) as outcomes:
        for task, rows in outcomes:
            rows = [{"experiment": experiment.name, **row} for row in rows]
            results.add(task, rows)
            if on_done is not None:
                on_done(task, rows)
    results.gather()
    return len(waiting)


def _rows_as_they_come(
    tasks: list[Task], n_jobs: int, dask: str | None
) -> Generator[Outcome, None, None]:
    if not tasks:
        return  # and no scheduler is needed for it
    if dask is not None:
        yield from done_by_cluster(dask, attempt, tasks, when_lost=_lost)
    elif n_jobs == 1:
        yield from (attempt(task) for task in tasks)
    else:
        from joblib import Parallel, delayed

        yield from Parallel(n_jobs=n_jobs, backend="loky", return_as="generator_unordered")(
            delayed(attempt)(task) for task in tasks
        )


def attempt(task: Task) -> Outcome:
    """Do one task; one that fails yields a row that says why."""
    from threadpoolctl import threadpool_limits

    # Here and not above: what a kind may import must not slow the command line down.
    from likewise.bench.kinds import KINDS, load

    about = _about(task)
    rows: list[dict[str, Any]] = []
    sized = task
    with _ALONE, peak_memory() as peak, threadpool_limits(THREADS):
        began = perf_counter()
        try:
            if task.kind not in KINDS:
                raise MethodError(
                    f"there is no kind {task.kind!r}; there are {', '.join(sorted(KINDS))}"
                )
            X, truth = load(task)
            about |= {"n": X.shape[0], "d": X.shape[1], "k": len(set(truth.tolist()))}
            sized = task.on(X.shape[0])
            share_at = dict(zip(sized.checkpoints, task.shares, strict=False))
            for row in KINDS[task.kind](sized):
                share = {"share": share_at[row["questions"]]} if share_at else {}
                rows.append({**about, **share, **row})
        except Exception as error:  # noqa: BLE001 - a failure is a result, the bench goes on
            told = str(error) if isinstance(error, LikewiseError) else repr(error)
            failed = _failed(sized, told, seconds=perf_counter() - began)
            rows.append({**about, **failed})
    return task, [{**row, "peak_memory": peak[0]} for row in rows]


def _about(task: Task) -> dict[str, Any]:
    """What every row of a task says; the size of the data is not known yet."""
    return {
        "kind": task.kind,
        "method": task.method,
        "version": __version__,
        "data": task.data_name,
        "n": -1,
        "d": -1,
        "k": -1,
        "k_known": task.k_known,
        "seed": task.seed,
        "noise": task.noise,
        "threads": THREADS,
        "cores": os.cpu_count() or 1,
        "status": "ok",
        "reason": "",
    }


def _failed(task: Task, reason: str, *, seconds: float) -> dict[str, Any]:
    at = task.checkpoints[0] if task.checkpoints else 0
    return {"questions": at, "seconds": seconds, "status": "failed", "reason": reason}


def _lost(task: Task, reason: str) -> Outcome:
    """The row of a task that took its worker down: its time and memory nobody saw."""
    unseen = {"peak_memory": math.nan}
    return task, [{**_about(task), **_failed(task, reason, seconds=math.nan), **unseen}]
