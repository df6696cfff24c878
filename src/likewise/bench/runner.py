"""Carries tasks out, several at a time, and keeps what they yield."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from time import perf_counter
from typing import Any

from likewise import __version__
from likewise.bench.experiment import Experiment, Task
from likewise.bench.memory import peak_memory
from likewise.bench.results import Results
from likewise.errors import LikewiseError, MethodError

THREADS = 1  # per run: runs side by side must not compete for cores, nor results depend on it


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
    for task, rows in _rows_as_they_come(waiting, n_jobs, dask):
        rows = [{"experiment": experiment.name, **row} for row in rows]
        results.add(task, rows)
        if on_done is not None:
            on_done(task, rows)
    results.gather()
    return len(waiting)


def _rows_as_they_come(
    tasks: list[Task], n_jobs: int, dask: str | None
) -> Iterator[tuple[Task, list[dict[str, Any]]]]:
    from joblib import Parallel, delayed, parallel_config

    if dask is None and n_jobs == 1:
        yield from (attempt(task) for task in tasks)
        return
    backend: dict[str, Any] = {"backend": "loky", "n_jobs": n_jobs}
    if dask is not None:
        backend = {"backend": "dask", **_client(dask)}
    with parallel_config(**backend):
        yield from Parallel(return_as="generator_unordered")(
            delayed(attempt)(task) for task in tasks
        )


def _client(address: str) -> dict[str, Any]:
    try:
        from distributed import Client
    except ImportError as error:
        raise MethodError("--dask needs dask.distributed; install likewise[dask]") from error
    try:
        return {"client": Client(address, timeout="10s")}  # type: ignore[no-untyped-call]
    except OSError as error:
        raise MethodError(f"there is no dask scheduler at {address}; start one first") from error


def attempt(task: Task) -> tuple[Task, list[dict[str, Any]]]:
    """Do one task; one that fails yields a row that says why."""
    from threadpoolctl import threadpool_limits

    # Here and not above: what a kind may import must not slow the command line down.
    from likewise.bench.kinds import KINDS, load

    about: dict[str, Any] = {
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
    began = perf_counter()
    rows: list[dict[str, Any]] = []
    sized = task
    with peak_memory() as peak, threadpool_limits(THREADS):
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
            first = {"questions": sized.checkpoints[0] if sized.checkpoints else 0}
            failed = {**first, "seconds": perf_counter() - began}
            rows.append({**about, **failed, "status": "failed", "reason": told})
    return task, [{**row, "peak_memory": peak[0]} for row in rows]
