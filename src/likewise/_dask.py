"""Tasks run by the workers of a dask scheduler, on this machine or on others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError
from contextlib import nullcontext
from itertools import islice
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

from likewise._extras import extra_explained
from likewise.errors import MethodError

Task = TypeVar("Task")
Done = TypeVar("Done")

_TIMEOUT = 10.0  # seconds for a scheduler to answer, and for its first worker to come
_FEWEST, _PER_THREAD = 64, 4  # tasks that are handed over at a time
_LOST = "every worker that tried it died, perhaps for want of memory"


def done_by_cluster(
    cluster: Any,
    work: Callable[[Task], Done],
    tasks: Iterable[Task],
    *,
    when_lost: Callable[[Task, str], Done],
) -> Iterator[Done]:
    """Yield what `work` returns for each task, as workers finish.

    When a worker dies, dask gives its task to another one. A task whose workers die again and
    again is given up.

    Parameters
    ----------
    cluster : str or distributed.Client
        The address of a scheduler, to which the connection is closed at the end, or a client that
        is connected already and stays so.
    work : callable
        Run by the workers. It must not raise.
    tasks : iterable
        What `work` is called with, one by one.
    when_lost : callable
        Takes a task that was given up and the reason; returns what to yield for it.

    Raises
    ------
    MethodError
        If the cluster cannot be reached, goes away, or cannot run the work.
    """
    given = not isinstance(cluster, str)
    address = cluster.scheduler.address if given else cluster
    with nullcontext(cluster) if given else _connected(address) as client:
        suspects = []
        for task, future in _finished(client, work, tasks, address):
            try:
                done = _fetched(future, address)
            except TimeoutError:
                suspects.append(task)
            else:
                yield done
        # Dask suspects all that was waiting at a worker that died: alone, only the guilty fail.
        for suspect in suspects:
            for task, future in _finished(client, work, [suspect], address):
                try:
                    done = _fetched(future, address)
                except TimeoutError:
                    done = when_lost(task, _LOST)
                yield done


def _connected(address: str) -> Any:
    """Connect to a scheduler that has workers; the client is to be used in a `with` block."""
    with extra_explained():
        from distributed import Client
    try:
        client = Client(address, timeout=_TIMEOUT)  # type: ignore[no-untyped-call]
    except (OSError, ValueError) as error:
        raise MethodError(f"there is no dask scheduler at {address}; start one first") from error
    try:
        client.wait_for_workers(1, timeout=_TIMEOUT)
    except TimeoutError as error:
        client.close()  # type: ignore[no-untyped-call]
        raise MethodError(
            f"the dask scheduler at {address} has no workers; start some, with one thread each"
        ) from error
    return client


def _finished(
    client: Any, work: Callable[[Task], Done], tasks: Iterable[Task], address: str
) -> Iterator[tuple[Task, Any]]:
    """Yield every task with its future, which holds a result or says that workers died of it."""
    arrived: SimpleQueue[Any] = SimpleQueue()
    task_of: dict[Any, Task] = {}
    left = iter(tasks)

    def hand_over(n: int) -> None:
        for task in islice(left, n):
            # Not pure: a task done for another experiment is still to be measured for this one.
            future = client.submit(work, task, pure=False)
            task_of[future] = task
            future.add_done_callback(arrived.put)

    # Not all at once: what goes with each of many tasks would pile up at the scheduler.
    hand_over(max(_FEWEST, _PER_THREAD * (_n_threads(client) or 0)))
    while task_of:
        try:
            future = arrived.get(timeout=_TIMEOUT)
        except Empty:
            # A scheduler that says goodbye leaves its futures pending for ever: ask it.
            if not _answers(client):
                raise _went_away(address) from None
            continue
        if future.cancelled():
            raise _went_away(address)
        if future.status == "error" and not _took_workers_down(future):
            raise MethodError(
                f"the workers of {address} cannot do the work: {future.exception()!r}; "
                "they need the same likewise with the same extras"
            )
        hand_over(1)
        yield task_of.pop(future), future  # without a reference the scheduler forgets the result


def _answers(client: Any) -> bool:
    """Return whether the scheduler of a client is still there."""
    return client.status == "running" and _n_threads(client) is not None


def _n_threads(client: Any) -> int | None:
    """Return how many threads the workers of a scheduler have; None if it does not answer."""
    try:
        return int(sum(client.nthreads().values()))
    except OSError:
        return None


def _went_away(address: str) -> MethodError:
    return MethodError(
        f"the dask scheduler at {address} went away; what was done is kept, "
        "and the same command goes on once a scheduler is back"
    )


def _fetched(future: Any, address: str) -> Any:
    """Return what a worker has made of a task.

    Raises
    ------
    TimeoutError
        If it died with its workers, or if it was there and died with the worker that held it.
    MethodError
        If the scheduler went away in between.
    """
    if _took_workers_down(future):
        raise TimeoutError
    # Fetched once and within a time: a second look may find the worker gone, and wait for ever.
    try:
        return future.result(timeout=_TIMEOUT)
    except CancelledError:
        raise _went_away(address) from None


def _took_workers_down(future: Any) -> bool:
    """Return whether a task was given up because its workers died."""
    from distributed import KilledWorker

    return future.status == "error" and isinstance(future.exception(), KilledWorker)
