"""Features of a pile computed ahead, by a process of its own, into the cache.

It runs with less claim to the processor than whoever asks and answers meanwhile, ends with its
parent, and loses nothing: features are in the cache as they come.
"""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from likewise.errors import LikewiseError

_NICE = 5  # a page that is used goes first, an idle one does not matter
_EXIT_SECONDS = 5.0
_PACED_BY = 5  # blocks, by which the time that is left is told
_CACHED = 0.1  # a block that takes less than this of the slowest one was there already


@dataclass(frozen=True)
class ReadingCount:
    """How far the reading of a pile is.

    Parameters
    ----------
    done, of : int
        How many items are read, of how many; 0 of 0 until that is known.
    seconds_left : float or None
        At the pace so far; None while nobody can tell.
    """

    done: int
    of: int
    seconds_left: float | None


class ReadingAhead:
    """A process that computes the features of a pile into the cache, for whoever reads it next.

    Parameters
    ----------
    path : Path
        The folder or file.
    nice : int
        By how much it stands back where the processor is wanted, up to 19.
    clock : callable
        Monotonic seconds; replaced in tests.
    **options
        As of `likewise.piles.load.compute_ahead`.
    """

    def __init__(
        self,
        path: Path,
        *,
        nice: int = _NICE,
        clock: Callable[[], float] = time.monotonic,
        **options: Any,
    ) -> None:
        search_path = os.pathsep.join(filter(None, sys.path))  # the same modules as here
        self._process = subprocess.Popen(
            [sys.executable, "-m", "likewise.piles.ahead"],
            env={**os.environ, "PYTHONPATH": search_path},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=False,
        )
        self._clock = clock
        self._counts: list[tuple[float, int, int]] = []  # when so many were done, of how many
        assert self._process.stdin is not None
        with suppress(OSError):  # it has ended already
            self._process.stdin.write(pickle.dumps((nice, Path(path), options)))
            self._process.stdin.flush()
        threading.Thread(target=self._listen, daemon=True).start()

    def progress(self) -> ReadingCount:
        """Return how far it is, by what it has said."""
        if not self._counts:
            return ReadingCount(0, 0, None)
        told, done, of = self._counts[-1]
        blocks = [
            (seconds - before, items - fewer)
            for (before, fewer, _), (seconds, items, _) in pairwise(self._counts)
            if items > fewer
        ]
        if not blocks:
            return ReadingCount(done, of, None)
        # Blocks that are in the cache say nothing about those that are not.
        slowest = max(seconds for seconds, _ in blocks)
        counted = [block for block in blocks if block[0] >= slowest * _CACHED]
        pace = sum(seconds for seconds, _ in counted) / sum(items for _, items in counted)
        # A block that takes longer than others is not done the sooner for that.
        elapsed = self._clock() - told
        pace = max(pace, elapsed / blocks[-1][1])
        return ReadingCount(done, of, max((of - done) * pace - elapsed, 0.0))

    def is_done(self) -> bool:
        """Return whether the pile was read, or cannot be."""
        return self._process.poll() is not None

    def stop(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.wait(_EXIT_SECONDS)
        assert self._process.stdin is not None
        with suppress(OSError):
            self._process.stdin.close()

    def _listen(self) -> None:
        """Take in how far it is, until it ends."""
        assert self._process.stdout is not None
        with self._process.stdout as said:
            for line in said:
                with suppress(ValueError):  # whatever a library prints
                    done, of = map(int, line.split())
                    self._counts = [*self._counts[-_PACED_BY:], (self._clock(), done, of)]


def main() -> None:
    """Read the pile that comes by standard input, and end when that does."""
    # Ctrl-C is meant for the parent, which closes the pipe when it has done its part.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    nice, path, options = pickle.load(sys.stdin.buffer)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    with suppress(AttributeError, OSError):  # not everywhere
        os.nice(nice)
    read_ahead(path, progress=_say, **options)


def read_ahead(path: Path, **options: Any) -> None:
    """Compute features into the cache; a pile that cannot be read is no error here."""
    from likewise.piles.load import compute_ahead

    with suppress(LikewiseError):  # whoever reads it next is told
        compute_ahead(path, **options)


def _say(done: int, of: int) -> None:
    sys.stdout.write(f"{done} {of}\n")
    sys.stdout.flush()


def _end_with_parent() -> None:
    # Not by sys.stdin, whose lock must be free when the interpreter ends.
    os.read(0, 1)
    os._exit(0)


if __name__ == "__main__":
    main()
