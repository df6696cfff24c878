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
from contextlib import suppress
from pathlib import Path
from typing import Any

from likewise.errors import LikewiseError

_NICE = 5  # a page that is used goes first, an idle one does not matter
_EXIT_SECONDS = 5.0


class ReadingAhead:
    """A process that reads a pile, for what this leaves in the cache.

    Parameters
    ----------
    path : Path
        The folder or file.
    nice : int
        By how much it stands back where the processor is wanted, up to 19.
    **options
        As of `likewise.piles.read_pile`.
    """

    def __init__(self, path: Path, *, nice: int = _NICE, **options: Any) -> None:
        search_path = os.pathsep.join(filter(None, sys.path))  # the same modules as here
        self._process = subprocess.Popen(
            [sys.executable, "-m", "likewise.piles.ahead"],
            env={**os.environ, "PYTHONPATH": search_path},
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
        )
        assert self._process.stdin is not None
        with suppress(OSError):  # it has ended already
            self._process.stdin.write(pickle.dumps((nice, Path(path), options)))
            self._process.stdin.flush()

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


def main() -> None:
    """Read the pile that comes by standard input, and end when that does."""
    # Ctrl-C is meant for the parent, which closes the pipe when it has done its part.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    nice, path, options = pickle.load(sys.stdin.buffer)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    with suppress(AttributeError, OSError):  # not everywhere
        os.nice(nice)
    read_ahead(path, **options)


def read_ahead(path: Path, **options: Any) -> None:
    """Read a pile for what this leaves in the cache; one that cannot be read is no error here."""
    from likewise.piles.load import read_pile

    with suppress(LikewiseError):  # whoever reads it next is told
        read_pile(path, **options)


def _end_with_parent() -> None:
    # Not by sys.stdin, whose lock must be free when the interpreter ends.
    os.read(0, 1)
    os._exit(0)


if __name__ == "__main__":
    main()
