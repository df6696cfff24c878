"""Carries tasks out, several at a time, and keeps what they yield."""

from __future__ import annotations

import math
import os
import threading
from collections import Counter
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from likewise._dask import done_by_cluster
from likewise._version import __version__
from likewise.bench.experiment import Experiment, Task
from likewise.bench.memory import peak_memory
from likewise.bench.provenance import CURRENT, STALE, commit, method_hash, state
from likewise.bench.results import Results
from likewise.errors import LikewiseError, MethodError

THREADS = 1  # per run: runs side by side must not compete for cores, nor results depend on it
# Threads and memory are counted per process: in a dask worker of several threads runs take turns.
_ALONE = threading.Lock()

Outcome = tuple[Task, list[dict[str, Any]]]


@dataclass(frozen=True)
class RunPlan:
    """Which tasks are to be run, and what is the matter with the results that there are.

    Attributes
    ----------
    tasks : tuple of Task
        Those without results, and those whose results are of other code or data.
    states : Counter
        How many tasks have results in which state; see `provenance.state`.
    """

    tasks: tuple[Task, ...]
    states: Counter[str]


def plan(
    experiment: Experiment, results: Results, *, force: bool = False, keep_old: bool = False
) -> RunPlan:
    """Return what is left to do.

    Parameters
    ----------
    experiment : Experiment
        What is wanted.
    results : Results
        What there is.
    force : bool
        Whether to run everything again; results whose data are not here are kept all the same.
    keep_old : bool
        Whether rows of other code, other data or unknown provenance count as done.
    """
    kept = results.provenance()
    states = {task: state(task, kept[task.key]) for task in experiment.tasks if task.key in kept}
    again = (CURRENT, *STALE) if force else () if keep_old else STALE
    waiting = [task for task in experiment.tasks if task not in states or states[task] in again]
    return RunPlan(tuple(waiting), Counter(states.values()))


def carry_out(
    experiment: Experiment,
    results: Results,
    *,
    n_jobs: int = 1,
    dask: str | None = None,
    tasks: Sequence[Task] | None = None,
    on_done: Callable[[Task, list[dict[str, Any]]], None] | None = None,
) -> int:
    """Do every task that has no results of this code and data yet; return how many that were.

    Rows are the same for any number of workers, times aside.

    Parameters
    ----------
    experiment : Experiment
        What is wanted.
    results : Results
        Where rows are kept; those of a task that is done again are replaced.
    n_jobs : int
        Runs at a time; -1 for one per core.
    dask : str, optional
        The address of a scheduler whose workers do the work.
    tasks : sequence of Task, optional
        What to do instead of what `plan` finds.
    on_done : callable, optional
        Called with each task and its rows once they are kept.
    """
    waiting = plan(experiment, results).tasks if tasks is None else tasks
    # Closed whatever happens: an interruption must not leave workers busy or a connection open.
    with closing(_rows_as_they_come(waiting, n_jobs, dask)) as outcomes:
        for task, rows in outcomes:
            rows = [{"experiment": experiment.name, **row} for row in rows]
            results.add(task, rows)
            if on_done is not None:
                on_done(task, rows)
    results.gather(title=experiment.title)
    return len(waiting)


def _rows_as_they_come(
    tasks: Sequence[Task], n_jobs: int, dask: str | None
) -> Generator[Outcome, None, None]:
    """Yield every task with its rows, in any order."""
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
    # From the first import on: two threads that import the same packages get in each other's way.
    with _ALONE:
        return task, _rows(task)


def _rows(task: Task) -> list[dict[str, Any]]:
    """Return the rows of one task."""
    from threadpoolctl import threadpool_limits

    # Here and not above: what a kind may import must not slow the command line down.
    from likewise.bench.task_data import load
    from likewise.bench.tasks import TASKS

    about = _about(task)
    rows: list[dict[str, Any]] = []
    sized = task
    with peak_memory() as peak, threadpool_limits(THREADS):
        began = perf_counter()
        try:
            if task.kind not in TASKS:
                raise MethodError(
                    f"there is no kind {task.kind!r}; there are {', '.join(sorted(TASKS))}"
                )
            X, truth, data_hash = load(task)
            about |= {"n": X.shape[0], "d": X.shape[1], "k": len(set(truth.tolist()))}
            about |= {"data_hash": data_hash}
            sized = task.on(X.shape[0])
            share_at = dict(zip(sized.checkpoints, task.shares, strict=False))
            for row in TASKS[task.kind].run(sized, X, truth):
                share = {"share": share_at[row["questions"]]} if share_at else {}
                rows.append({**about, **share, **row})
        except Exception as error:  # noqa: BLE001 - a failure is a result, the bench goes on
            reason = str(error) if isinstance(error, LikewiseError) else repr(error)
            failed = _failed(sized, reason, seconds=perf_counter() - began)
            rows.append({**about, **failed})
    return [{**row, "peak_memory": peak[0]} for row in rows]


def _about(task: Task) -> dict[str, Any]:
    """Return what every row of a task holds; the size of the data is not known yet."""
    return {
        "kind": task.kind,
        "method": task.method,
        "version": __version__,
        "commit": commit(),
        "code_hash": method_hash(task),
        "data": task.data_name,
        "data_hash": "",
        "settings": task.settings,
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
    """Return what the row of a failure holds besides."""
    at = task.checkpoints[0] if task.checkpoints else 0
    return {"questions": at, "seconds": seconds, "status": "failed", "reason": reason}


def _lost(task: Task, reason: str) -> Outcome:
    """Return the row of a task that took its worker down: its time and memory are not known."""
    unseen = {"peak_memory": math.nan}
    return task, [{**_about(task), **_failed(task, reason, seconds=math.nan), **unseen}]
