"""One piece of work for every part: in this process, in several, or on other machines.

An executor is anything with `run`. Results are put in the order of the parts here, so nothing
depends on who did what or on how often a worker had to be replaced.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, as_completed
from concurrent.futures import Executor as Pool
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar, runtime_checkable

from likewise._dask import done_by_cluster
from likewise.errors import LikewiseError, MethodError

Task = TypeVar("Task")
Done = TypeVar("Done")
Numbered = tuple[int, Any]  # a task, or what became of it, with its number

TRIES = 4  # how often workers may be lost before it is the task's fault


@runtime_checkable
class Executor(Protocol):
    """Who does the work of many parts.

    Examples
    --------
    >>> class Here:
    ...     def run(self, work, tasks):
    ...         return map(work, tasks)
    >>> isinstance(Here(), Executor), map_tasks(abs, [-1, -2], client=Here())
    (True, [1, 2])
    """

    def run(
        self, work: Callable[[Numbered], Numbered], tasks: Sequence[Numbered]
    ) -> Iterator[Numbered]:
        """Yield what `work` returns for each task, in any order, each once.

        `work` and tasks can be pickled, and `work` raises nothing. What a lost worker had not
        finished is done again by another.
        """


@dataclass(frozen=True)
class Processes:
    """Processes of this machine.

    Parameters
    ----------
    n_jobs : int
        How many; -1: one per core, 1: none but this.
    """

    n_jobs: int = -1

    def run(
        self, work: Callable[[Numbered], Numbered], tasks: Sequence[Numbered]
    ) -> Iterator[Numbered]:
        """Yield what `work` returns for each task; when a process dies, others go on."""
        if self.n_jobs == 1 or len(tasks) < 2:
            yield from map(work, tasks)
            return
        from joblib import Parallel, delayed

        def once(left: Sequence[Numbered]) -> Iterator[Numbered]:
            jobs = (delayed(work)(task) for task in left)
            found = Parallel(n_jobs=self.n_jobs, return_as="generator_unordered")(jobs)
            try:
                for one in found:  # noqa: UP028 - `yield from` would end `found` by itself
                    yield one
            except GeneratorExit:
                # Whoever has seen enough means it; joblib would warn of work done in vain.
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    found.close()
                raise

        yield from _again_when_broken(once, tasks)


@dataclass(frozen=True)
class Pools:
    """Pools of `concurrent.futures`, of whatever brings one: Python itself, loky, mpi4py, dask.

    Parameters
    ----------
    make : callable
        Returns a pool, and another one when a worker of the first has died. It is used in a
        with-block and shut down at its end.

    Examples
    --------
    >>> from concurrent.futures import ThreadPoolExecutor
    >>> map_tasks(abs, [-1, -2], client=Pools(ThreadPoolExecutor))
    [1, 2]
    """

    make: Callable[[], Pool]

    def run(
        self, work: Callable[[Numbered], Numbered], tasks: Sequence[Numbered]
    ) -> Iterator[Numbered]:
        """Yield what `work` returns for each task; a broken pool is replaced."""

        def once(left: Sequence[Numbered]) -> Iterator[Numbered]:
            with self.make() as pool:
                for future in as_completed([pool.submit(work, task) for task in left]):
                    yield future.result()

        yield from _again_when_broken(once, tasks)


@dataclass(frozen=True)
class Dask:
    """The workers of a dask scheduler.

    Parameters
    ----------
    client : distributed.Client or str
        A client, or the address of a scheduler.
    """

    client: Any

    def run(
        self, work: Callable[[Numbered], Numbered], tasks: Sequence[Numbered]
    ) -> Iterator[Numbered]:
        """Yield what `work` returns for each task; dask replaces workers."""
        yield from done_by_cluster(self.client, work, tasks, when_lost=lost_task_error)


@dataclass(frozen=True)
class _Work(Generic[Task, Done]):
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

    `client` is an `Executor`, a dask client or the address of a scheduler; without one, `n_jobs`
    processes of this machine work (-1: one per core, 1: none but this).
    """
    return list(results_in_order(work, tasks, client=client, n_jobs=n_jobs))


def results_in_order(
    work: Callable[[Task], Done], tasks: Sequence[Task], *, client: Any = None, n_jobs: int = -1
) -> Iterator[Done]:
    """Yield the same one by one; only those that came too early are held."""
    early: dict[int, Done | LikewiseError] = {}
    wanted, error = 0, None
    for number, done in _executor(client, n_jobs).run(_Work(work), list(enumerate(tasks))):
        early[number] = done
        while wanted in early:
            result = early.pop(wanted)
            wanted += 1
            if isinstance(result, LikewiseError):
                error = error or result  # raised once nobody works any more
            elif error is None:
                yield result
    if error is not None:
        raise error


def _executor(client: Any, n_jobs: int) -> Executor:
    """Return who works."""
    if client is None:
        return Processes(n_jobs)
    # A dask client has a `run` too, which does something else.
    is_dask = isinstance(client, str) or hasattr(client, "scheduler")
    if is_dask:
        return Dask(client)
    if not isinstance(client, Executor):
        raise MethodError(
            "the client must be an Executor (a class with a method run), a dask client or the "
            f"address of its scheduler, not {type(client).__name__}"
        )
    return client


def _again_when_broken(
    once: Callable[[Sequence[Numbered]], Iterator[Numbered]], tasks: Sequence[Numbered]
) -> Iterator[Numbered]:
    """Yield all results; when a pool breaks, another one goes on with what is left."""
    done: set[int] = set()
    for _ in range(TRIES):
        left = [task for task in tasks if task[0] not in done]
        try:
            for number, result in once(left):
                done.add(number)
                yield number, result
        except BrokenExecutor:
            continue
        return
    raise MethodError(
        f"worker processes died {TRIES} times, perhaps for want of memory; use fewer (n_jobs) "
        "or smaller parts"
    )


def lost_task_error(task: Numbered, reason: str) -> tuple[int, LikewiseError]:
    """Return what becomes of a task whose workers died again and again."""
    return task[0], MethodError(f"part {task[0]}: {reason}; use smaller parts")
