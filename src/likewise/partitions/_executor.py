"""One piece of work for every part: in this process, in several, or on a dask cluster.

Results come back in the order of the parts, so nothing depends on who did what or on how often a
worker had to be replaced.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from likewise._dask import done_by_cluster
from likewise.errors import LikewiseError, MethodError

Task = TypeVar("Task")
Done = TypeVar("Done")

_TRIES = 4  # how often workers may be lost before it is the task's fault


@dataclass(frozen=True)
class _Numbered(Generic[Task, Done]):
    """A task that says which it was; what is wrong with its part is a result like any other."""

    work: Callable[[Task], Done]

    def __call__(self, numbered: tuple[int, Task]) -> tuple[int, Done | LikewiseError]:
        from threadpoolctl import threadpool_limits

        number, task = numbered
        # One thread: sums in another order would be other sums, and workers share the cores.
        with threadpool_limits(1):
            try:
                return number, self.work(task)
            except LikewiseError as error:
                return number, error


def map_tasks(
    work: Callable[[Task], Done], tasks: Sequence[Task], *, client: Any = None, n_jobs: int = -1
) -> list[Done]:
    """Return what `work` makes of every task, in their order.

    `client` is a dask client or the address of a scheduler; without one, `n_jobs` processes of
    this machine work (-1: one per core, 1: none but this).
    """
    numbered = list(enumerate(tasks))
    one: _Numbered[Task, Done] = _Numbered(work)
    done: dict[int, Done | LikewiseError] = {}
    if client is not None:
        done.update(done_by_cluster(client, one, numbered, when_lost=_lost_task_error))
    elif n_jobs == 1 or len(tasks) < 2:
        done.update(map(one, numbered))
    else:
        _run_in_processes(one, numbered, n_jobs, done)
    results = [done[number] for number, _ in numbered]
    for result in results:
        if isinstance(result, LikewiseError):
            raise result
    return [result for result in results if not isinstance(result, LikewiseError)]


def _run_in_processes(
    one: Callable[[tuple[int, Any]], tuple[int, Any]],
    numbered: list[tuple[int, Any]],
    n_jobs: int,
    done: dict[int, Any],
) -> None:
    """Fill `done` by joblib; when a process dies, others go on with what is left."""
    from joblib import Parallel, delayed
    from joblib.externals.loky.process_executor import BrokenProcessPool

    for _ in range(_TRIES):
        left = [task for task in numbered if task[0] not in done]
        try:
            for number, result in Parallel(n_jobs=n_jobs, return_as="generator_unordered")(
                delayed(one)(task) for task in left
            ):
                done[number] = result
            return
        except BrokenProcessPool:
            continue
    raise MethodError(
        f"worker processes died {_TRIES} times, perhaps for want of memory; use fewer (n_jobs) "
        "or smaller parts"
    )


def _lost_task_error(task: tuple[int, Any], reason: str) -> tuple[int, LikewiseError]:
    return task[0], MethodError(f"part {task[0]}: {reason}; use smaller parts")
