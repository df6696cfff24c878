"""A branch of a study in a process of its own, so that thinking never holds up the serving.

The two speak by pickles through a pipe. The process ends when the pipe does, however its parent
came to its end.
"""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import takewhile
from typing import Any, BinaryIO, TypeVar

from likewise.journal.pairs import Answer
from likewise.study.branch import Branch

T = TypeVar("T")

_PATIENCE = 5.0  # seconds for an orderly end


class Gone(Exception):  # noqa: N818 - reads as what it is
    """The process does not answer any more; what it was asked can be done here as well."""


class Apart:
    """A process that holds a branch; one thread at a time may speak to it."""

    def __init__(self) -> None:
        # Not multiprocessing: that would run a script again which serves a study without a guard.
        found = os.pathsep.join(filter(None, sys.path))  # the same modules as here
        self._process = subprocess.Popen(
            [sys.executable, "-m", "likewise.web.apart"],
            env={**os.environ, "PYTHONPATH": found},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._to, self._fro = self._process.stdin, self._process.stdout
        self._told: list[Answer] = []  # the answers that its branch holds

    def wait(self) -> None:
        """Until everything is loaded there."""
        self._reply()

    def begin(self, branch: Branch) -> None:
        """Let it go on from this branch; `Gone` if that cannot be carried over."""
        try:
            self._say(branch)
        except (TypeError, AttributeError, pickle.PicklingError) as error:
            self.close()
            raise Gone from error
        self._told = list(branch.constraints.answers)
        self._reply()

    def do(self, answers: Sequence[Answer], work: Callable[..., T], *args: Any) -> T:
        """What `work` finds in a branch with these answers; it must be known by its name."""
        pairs = zip(self._told, answers, strict=False)
        shared = sum(1 for _ in takewhile(lambda both: both[0] is both[1], pairs))
        self._say((shared, list(answers[shared:]), work, args))
        self._told[shared:] = answers[shared:]
        good, found = self._reply()
        if not good:
            raise found
        return found  # type: ignore[no-any-return]

    def close(self) -> None:
        """End the process, also in the middle of its work."""
        self._process.kill()
        self._process.wait(_PATIENCE)
        for pipe in (self._to, self._fro):
            with suppress(BrokenPipeError):
                pipe.close()

    def _say(self, what: Any) -> None:
        said = pickle.dumps(what, pickle.HIGHEST_PROTOCOL)  # all of it, or nothing is sent
        try:
            self._to.write(said)
            self._to.flush()
        except (OSError, ValueError) as error:
            raise Gone from error

    def _reply(self) -> Any:
        try:
            return pickle.load(self._fro)
        except (OSError, ValueError, EOFError, pickle.UnpicklingError) as error:
            raise Gone from error


def main() -> None:
    """What the process does."""
    # Ctrl-C is meant for the server, which closes the pipe when it has done its part.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    said = sys.stdin.buffer
    replies = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # whatever prints must not disturb
    try:
        serve(said, replies)
    except (EOFError, BrokenPipeError):
        return


def serve(said: BinaryIO, replies: BinaryIO) -> None:
    """Do what is asked until nobody asks any more."""

    def reply(what: Any) -> None:
        pickle.dump(what, replies, pickle.HIGHEST_PROTOCOL)
        replies.flush()

    reply("loaded")
    branch: Branch = pickle.load(said)
    reply("begun")
    while True:
        shared, later, work, args = pickle.load(said)
        try:
            branch.follow([*branch.constraints.answers[:shared], *later])
            reply((True, work(branch, *args)))
        except Exception as error:  # noqa: BLE001 - whoever asked is told
            reply((False, error))


if __name__ == "__main__":
    main()
