"""A pile served by a program of its own, whose life, clock and disk can be tampered with."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from glob import glob
from pathlib import Path

import numpy as np

from benchmarks.server.fault_parts.clock import OwnClock
from likewise.errors import LikewiseError

GROUPS = 8
_PAUSE = 0.2  # seconds before a server that has ended is started again


class GrowingTable:
    """A table whose rows say at the end of their name of which group they are."""

    def __init__(self, path: Path, rows: int, seed: int) -> None:
        self.path = path
        self._rng = np.random.default_rng(seed)
        self._centres = self._rng.normal(scale=5.0, size=(GROUPS, 4))
        self._lines = ["name,a,b,c,d"]
        self.grow(rows)

    @property
    def ids(self) -> list[str]:
        """The names of all rows."""
        return [line.partition(",")[0] for line in self._lines[1:]]

    def grow(self, rows: int) -> None:
        """Add rows, all at once; OSError if the disk is full."""
        more = [*self._lines]
        for group in self._rng.integers(0, GROUPS, rows):
            values = self._centres[group] + self._rng.normal(size=4)
            more.append(",".join([f"r{len(more) - 1:05}-{group}", *map(repr, values.tolist())]))
        new = self.path.with_suffix(".new")
        try:
            new.write_text("\n".join(more) + "\n")
            new.replace(self.path)
        finally:
            new.unlink(missing_ok=True)
        self._lines = more


class Served:
    """The server's program: started, and started again whenever it has ended."""

    def __init__(
        self, command: Sequence[str], people: Sequence[str], folder: Path, clock: OwnClock
    ) -> None:
        self.command = list(command)
        self.people = list(people)
        self.links: dict[str, str] = {}
        self.ends: list[int] = []  # codes of all ends that were not ours
        self.seconds_to_start = 0.0  # that it took at first: more where the computer is busy
        self._log = (folder / "server.log").open("w")
        cache = {"LIKEWISE_CACHE": str(folder / "cache")}
        self._environment = {**os.environ, **cache, **clock.environment}
        self._child: subprocess.Popen[str] | None = None
        self._killed = False
        self._closing = threading.Event()
        self._ready = threading.Event()
        self._keeper = threading.Thread(target=self._keep_running, daemon=True)

    def start(self) -> None:
        """Start, and wait until everybody has a link."""
        began = time.monotonic()
        self._keeper.start()
        self._ready.wait()
        self.seconds_to_start = time.monotonic() - began

    def kill(self) -> bool:
        """End the program without a warning; it is started again at once. False if none runs."""
        child = self._child
        if child is None or child.poll() is not None:
            return False
        self._killed = True
        self._ready.clear()
        child.kill()
        return True

    def wait_until_back(self, seconds: float) -> None:
        """Wait until the program has said its links again, or so many seconds are over."""
        self._ready.wait(seconds)

    def kill_worker(self) -> bool:
        """Kill the process that computes; False if there is none at the moment."""
        child = self._child
        for worker in [] if child is None else _children(child.pid):
            with suppress(ProcessLookupError):
                os.kill(worker, signal.SIGKILL)
                return True
        return False

    def last_words(self) -> str:
        """Return the end of what the program has written to standard error."""
        return Path(self._log.name).read_text(errors="replace")[-4000:]

    def stop(self) -> None:
        """End the program for good, in order; once is enough."""
        self._closing.set()
        if self._child is not None and self._child.poll() is None:
            self._child.send_signal(signal.SIGINT)
        self._keeper.join()
        self._log.close()

    def _keep_running(self) -> None:
        while not self._closing.is_set():
            self._killed = False
            with subprocess.Popen(
                self.command,
                env=self._environment,
                stdout=subprocess.PIPE,
                stderr=self._log,
                text=True,
            ) as child:
                self._child = child
                assert child.stdout is not None
                said: set[str] = set()
                for line in child.stdout:
                    if found := re.match(r"for (\S+): (http\S+)", line):
                        self.links[found[1]] = found[2]
                        said.add(found[1])
                    if len(said) == len(self.people):
                        self._ready.set()
                code = child.wait()
            if not self._killed and not self._closing.is_set():
                self.ends.append(code)
                self._closing.wait(_PAUSE)


def _children(parent: int) -> list[int]:
    """Return the processes that a process has started."""
    found = []
    for status in glob("/proc/[0-9]*/stat"):
        with suppress(OSError):
            words = Path(status).read_text().rpartition(")")[2].split()
            if int(words[1]) == parent:
                found.append(int(Path(status).parent.name))
    return found


class SmallDisk:
    """A folder on a disk of a few megabytes, where this user may make one."""

    def __init__(self, folder: Path, *, megabytes: int = 24, may_be_filled: bool = True) -> None:
        self.folder = folder
        folder.mkdir()
        words = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", str(folder)]
        is_allowed = may_be_filled and os.geteuid() == 0 and shutil.which("mount") is not None
        self.is_small = is_allowed and not subprocess.run(words, capture_output=True).returncode

    def fill(self) -> None:
        """Take all the room that is left."""
        with suppress(OSError), (self.folder / "ballast").open("wb", buffering=0) as file:
            while True:
                file.write(bytes(4096))

    def empty(self) -> None:
        """Give the room back."""
        (self.folder / "ballast").unlink(missing_ok=True)

    def close(self) -> None:
        """Give the disk back; what was on it is gone."""
        if self.is_small:
            subprocess.run(["umount", "-l", str(self.folder)], capture_output=True)


def serve(table: str, store: str, port: int, people: Sequence[str]) -> None:
    """Do what `likewise serve` does, on a store that it has no option for."""
    from likewise.piles import Pile, begin_study, read_pile, resume_study
    from likewise.piles.signature import pile_signature
    from likewise.stores import open_store
    from likewise.study import Study
    from likewise.web import serve as run
    from likewise.web.growth import WatchedPile

    def read() -> Pile:
        return read_pile(Path(table), id_column="name")

    def resume() -> Study:
        return resume_study(read(), store)[0]

    study = resume() if open_store(store).read() else begin_study(read(), store)

    def say(who: str, link: str) -> None:
        sys.stdout.write(f"for {who}: {link}\n")
        sys.stdout.flush()

    run(
        study,
        port=port,
        access_file=Path(table).with_suffix(".access"),
        invite=people,
        pile=WatchedPile(lambda: pile_signature(Path(table)), resume),
        open_browser=False,
        on_invite=say,
    )


if __name__ == "__main__":
    try:
        serve(sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4:])
    except LikewiseError as error:  # the database was down, say: a sentence, as the command says it
        sys.stderr.write(f"likewise: {error}\n")
        sys.exit(2)
