"""The workers of a Ray cluster, of this machine or of others."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from likewise._extras import extra_explained
from likewise.errors import MethodError
from likewise.partitions.executors import TRIES, Numbered, lost_task_error


@dataclass(frozen=True)
class Ray:
    """The workers of a Ray cluster.

    Parameters
    ----------
    address : str, optional
        Of a cluster; None: the one that this program is connected to already, else one is started
        on this machine and ended with the program.
    at_once : int
        How many tasks are handed over at a time, so that what goes with each does not pile up.
    """

    address: str | None = None
    at_once: int = 64

    def run(
        self, work: Callable[[Numbered], Numbered], tasks: Sequence[Numbered]
    ) -> Iterator[Numbered]:
        """Yield what `work` returns for each task; what a lost worker had is done by another."""
        ray = self._connected()
        apply = ray.remote(max_retries=TRIES)(_apply)
        shared = ray.put(work)  # once, however many tasks there are
        left = iter(tasks)
        running = {apply.remote(shared, task): task for task in islice(left, self.at_once)}
        while running:
            (ended,), _ = ray.wait(list(running))
            task = running.pop(ended)
            for another in islice(left, 1):
                running[apply.remote(shared, another)] = another
            try:
                yield ray.get(ended)
            except ray.exceptions.WorkerCrashedError:
                yield lost_task_error(task, "every worker that tried it died")
            except ray.exceptions.RayError as error:
                raise MethodError(
                    f"the workers of Ray cannot do the work ({str(error).splitlines()[0]}); they "
                    "need the same likewise with the same extras"
                ) from error

    def _connected(self) -> Any:
        """Return the package, connected to a cluster."""
        with extra_explained():
            import ray

        if not ray.is_initialized():
            try:
                ray.init(address=self.address, log_to_driver=False, logging_level="ERROR")
            except (ConnectionError, ValueError) as error:
                raise MethodError(
                    f"there is no Ray cluster at {self.address}; start one first"
                ) from error
        return ray


def _apply(work: Callable[[Numbered], Numbered], task: Numbered) -> Numbered:
    return work(task)
