"""A branch of a study in another process, so that computing never holds up the serving.

The two speak by pickles through a pipe. The process ends when the pipe does, however its parent
came to its end. While it computes it gives a sign of life every second; one that falls silent,
because somebody has stopped it or the machine is stuck, is killed and counts as dead.
"""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import takewhile
from typing import Any, BinaryIO, TypeVar

from likewise.journal.pairs import Answer
from likewise.study.branch import Branch

T = TypeVar("T")

_EXIT_SECONDS = 5.0  # for an orderly end
_BEAT_SECONDS = 1.0  # between two signs of life
_SILENT_SECONDS = 30.0  # a library may keep all other threads from running for some of them
_NICENESS = 5
_ALIVE = "alive"  # the sign: a message that is no reply


class WorkerProcessDied(Exception):  # noqa: N818 - reads as what it is
    """The process does not answer any more; what it was asked can be done here as well."""


class WorkerProcess:
    """A process that holds a branch; one thread at a time may speak to it.

    Parameters
    ----------
    silent_seconds
        After how long without a sign of life it is killed.
    """

    def __init__(self, *, silent_seconds: float = _SILENT_SECONDS) -> None:
        self._silent_seconds = silent_seconds
        # Not multiprocessing: that would run a script again which serves a study without a guard.
        search_path = os.pathsep.join(filter(None, sys.path))  # the same modules as here
        self._process = subprocess.Popen(
            [sys.executable, "-m", "likewise.web.worker_process"],
            env={**os.environ, "PYTHONPATH": search_path},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._requests, self._replies = self._process.stdin, self._process.stdout
        self._answers: list[Answer] = []  # those that its branch holds

    def wait_until_ready(self) -> None:
        """Block until everything is imported there, however long that takes."""
        self._read()

    def load(self, branch: Branch) -> None:
        """Send the branch to compute on.

        Raises
        ------
        WorkerProcessDied
            If the branch cannot be pickled, or the process has ended.
        """
        try:
            self._send(branch)
        except (TypeError, AttributeError, pickle.PicklingError) as error:
            self.close()
            raise WorkerProcessDied from error
        self._answers = list(branch.constraints.answers)
        self._receive()

    def run(self, answers: Sequence[Answer], work: Callable[..., T], *args: Any) -> T:
        """Return what `work(branch, *args)` gives after these answers.

        `work` is sent by its name. Whatever it raises there is raised here.
        """
        pairs = zip(self._answers, answers, strict=False)
        shared = sum(1 for _ in takewhile(lambda both: both[0] is both[1], pairs))
        self._send((shared, list(answers[shared:]), work, args))
        self._answers[shared:] = answers[shared:]
        succeeded, result = self._receive()
        if not succeeded:
            raise result
        return result  # type: ignore[no-any-return]

    def close(self) -> None:
        """End the process, also in the middle of its work."""
        self._process.kill()
        self._process.wait(_EXIT_SECONDS)
        for pipe in (self._requests, self._replies):
            with suppress(BrokenPipeError):
                pipe.close()

    def _send(self, message: Any) -> None:
        """Send a message, all of it or nothing."""
        data = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
        try:
            with self._killed_if_silent():
                self._requests.write(data)
                self._requests.flush()
        except (OSError, ValueError) as error:
            raise WorkerProcessDied from error

    def _receive(self) -> Any:
        """Return the next reply of the process."""
        message = _ALIVE
        while isinstance(message, str) and message == _ALIVE:
            with self._killed_if_silent():
                message = self._read()
        return message

    @contextmanager
    def _killed_if_silent(self) -> Iterator[None]:
        """Kill the process if the with-block does not end in time: who waits for it goes on."""
        timer = threading.Timer(self._silent_seconds, self._process.kill)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def _read(self) -> Any:
        """Return the next message of the process."""
        try:
            return pickle.load(self._replies)
        except (OSError, ValueError, EOFError, pickle.UnpicklingError) as error:
            raise WorkerProcessDied from error


def compute_in_one_thread() -> None:
    """Let what the calling thread computes use one core, as long as it lives.

    A question takes thousands of small products of matrices. Threads that share each of them wait
    for one another, where another program wants the same cores for seconds in all.
    """
    import scipy.linalg  # noqa: F401 - limits hold for libraries that are there already
    import sklearn.cluster  # noqa: F401
    from threadpoolctl import threadpool_limits

    threadpool_limits(1)


def main() -> None:
    """Compute what comes by standard input until it ends."""
    # Ctrl-C is meant for the server, which closes the pipe when it has done its part.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Where there are not enough cores for both, people wait for the server and not for this.
    if hasattr(os, "nice"):
        os.nice(_NICENESS)
    requests = sys.stdin.buffer
    replies = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # whatever prints must not disturb
    compute_in_one_thread()
    try:
        _compute(requests, replies)
    except (EOFError, BrokenPipeError):
        return


def _compute(requests: BinaryIO, replies: BinaryIO) -> None:
    """Read a branch, then reply to one request after the other."""

    def reply(message: Any) -> None:
        pickle.dump(message, replies, pickle.HIGHEST_PROTOCOL)
        replies.flush()

    @contextmanager
    def signs_of_life() -> Iterator[None]:
        done = threading.Event()

        def beat() -> None:
            with suppress(OSError):  # the parent has gone
                while not done.wait(_BEAT_SECONDS):
                    reply(_ALIVE)

        beating = threading.Thread(target=beat, daemon=True)
        beating.start()
        try:
            yield
        finally:
            done.set()
            beating.join()

    reply("ready")
    with signs_of_life():
        branch: Branch = pickle.load(requests)
    reply("loaded")
    while True:
        shared, later, work, args = pickle.load(requests)
        try:
            with signs_of_life():
                branch.follow([*branch.constraints.answers[:shared], *later])
                result = True, work(branch, *args)
        except Exception as error:  # noqa: BLE001 - raised again by who asked
            result = False, error
        reply(result)


if __name__ == "__main__":
    main()
