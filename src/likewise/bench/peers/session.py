"""A session with a peer: its questions are answered and counted, its labels kept, its time limited.

Messages are JSON objects, one per line. The driver says `{"ready": true}` when all is imported
and is sent the problem. It then sends `{"ask": [i, j]}` and is answered `{"same": ..., "due":
...}`, sends `{"labels": [...], "done": ...}` when labels are due or nothing is left to ask, and
`{"error": "..."}` when it fails. With labels a driver may say how many `"processor"` seconds it has
used so far.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import tempfile
import threading
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from likewise.bench.peers.catalogue import PEERS
from likewise.bench.peers.environments import ensure_environment
from likewise.errors import MethodError, MissingExtra
from likewise.journal.pairs import Pair, Verdict
from likewise.simulation.oracles import Oracle

Row = tuple[int, npt.NDArray[np.int64], float]  # questions, labels, seconds
Status = Literal["ok", "failed", "stopped"]

_START_LIMIT = 300.0  # seconds for imports, which the time limit leaves out


@dataclass(frozen=True)
class PeerRun:
    """What came of running a peer: a row per checkpoint reached, and how it ended."""

    rows: list[Row]
    status: Status
    reason: str  # in words; empty when the last checkpoint was reached
    processor: dict[int, float] = field(default_factory=dict)  # its seconds, by questions


def run_peer(
    name: str,
    X: npt.ArrayLike,
    oracle: Oracle,
    *,
    n_clusters: int | None,
    checkpoints: Collection[int],
    random_state: int,
    time_limit: float,
    error_rate: float = 0.0,
) -> PeerRun:
    """Let a peer of `PEERS` ask until the last of `checkpoints`, or for `time_limit` seconds.

    Whatever happens to the peer, from its installation on, is in the run's `status` and `reason`;
    only wrong arguments and the oracle's own errors are raised. The first run of a tool takes
    minutes longer, to make its environment.

    Parameters
    ----------
    name : str
        One of `PEERS`.
    X : array of shape (n_items, n_features)
        Used as it is: scale it first.
    oracle : Oracle
        Answers the questions; "unsure" is passed on as "different".
    n_clusters : int or None
        What the peer is told; some must be told.
    checkpoints : collection of int
        After how many distinct questions labels are kept; the largest ends the run.
    random_state : int
        Its seed.
    time_limit : float
        In seconds, its imports not counted.
    error_rate : float
        The share of wrong answers, which peers made for them are told.
    """
    peer = PEERS.get(name)
    if peer is None:
        raise MethodError(f"there is no peer {name!r}; choose one of {', '.join(PEERS)}")
    if peer.needs_k and n_clusters is None:
        raise MethodError(f"{name} must be told the number of groups; give n_clusters")
    data = np.asarray(X, dtype=float)
    if data.ndim != 2:
        raise MethodError(f"X must be items by features but has shape {data.shape}")
    if not checkpoints or min(checkpoints) < 0:
        raise MethodError(f"checkpoints must be numbers of questions but got {list(checkpoints)}")
    if not time_limit > 0:
        raise MethodError(f"time_limit must be more than 0 seconds but got {time_limit}")
    try:
        checkout = peer.checkout
        python = ensure_environment(peer.group, peer.requirements)
    except MissingExtra as error:
        return PeerRun([], "failed", str(error))
    problem = {
        "way": name.partition(":")[2],
        "X": data.tolist(),
        "n_clusters": n_clusters,
        "seed": random_state,
        "error_rate": error_rate,
        "checkout": "" if checkout is None else str(checkout),
    }
    command = [str(python), str(peer.driver)]
    return run_driver(
        command,
        problem,
        oracle,
        checkpoints=checkpoints,
        time_limit=time_limit,
        asks_again=peer.asks_again,
    )


def run_driver(
    command: list[str],
    problem: dict[str, Any],
    oracle: Oracle,
    *,
    checkpoints: Collection[int],
    time_limit: float,
    asks_again: bool = False,
) -> PeerRun:
    """Start the driver `command`, give it `problem`, and answer until it or the time ends.

    With `asks_again` a pair asked again is put to the oracle again, and counted.
    """
    with tempfile.TemporaryFile() as stderr:
        child = _DriverProcess(command, stderr)
        try:
            session = _Session(child, oracle, len(problem["X"]), frozenset(checkpoints), asks_again)
            return session.run(problem, time_limit)
        finally:
            child.end()


class _DriverProcess:
    """A driver in a process group of its own, which is ended as a whole."""

    def __init__(self, command: list[str], stderr: Any) -> None:
        settings = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
        settings |= {"PYTHONHASHSEED": "0", "PYTHONNOUSERSITE": "1"}
        # Threads add numbers up in another order, and a tie that goes the other way is another run.
        settings |= dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
        self.stderr = stderr
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=stderr,
            text=True, encoding="utf-8", env=settings, start_new_session=True,
        )  # fmt: skip
        self.timed_out = False
        self._timer: threading.Timer | None = None

    def limit(self, seconds: float) -> None:
        """End the driver `seconds` from now, whatever it does."""
        self._cancel()
        self._timer = threading.Timer(seconds, self._time_out)
        self._timer.daemon = True
        self._timer.start()

    def send(self, message: dict[str, Any]) -> None:
        """Pass a message on; a driver that has gone is noticed by the next `receive`."""
        assert self.process.stdin is not None
        with suppress(OSError):
            self.process.stdin.write(json.dumps(message) + "\n")
            self.process.stdin.flush()

    def receive(self) -> dict[str, Any] | None:
        """Return the next message; None when the driver has ended or sent what is none."""
        assert self.process.stdout is not None
        try:
            message = json.loads(self.process.stdout.readline())
        except ValueError:
            return None
        return message if isinstance(message, dict) else None

    def exit_message(self) -> str:
        """Return how the driver ended, in one line."""
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(timeout=1)
        code = self.process.poll()
        self.stderr.seek(0)
        lines = self.stderr.read().decode(errors="replace").strip().splitlines()
        how = "said what is no message" if code is None else f"ended with code {code}"
        return how + (f": {lines[-1]}" if lines else "")

    def end(self) -> None:
        """End the driver and leave nothing behind: no process, no timer, no open pipe."""
        self._cancel()
        self._kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout):
            assert stream is not None
            with suppress(OSError):
                stream.close()

    def _cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def _time_out(self) -> None:
        self.timed_out = True
        self._kill()

    def _kill(self) -> None:
        with suppress(ProcessLookupError, PermissionError):
            if os.name == "posix":
                # The group is named after the driver and may outlive it, but no other group can
                # have that name as long as one of its processes is left.
                os.killpg(self.process.pid, signal.SIGKILL)
            else:
                self.process.kill()


@dataclass
class _Session:
    """The exchange with one driver: what it has asked, and the labels it gave."""

    child: _DriverProcess
    oracle: Oracle
    n_items: int
    checkpoints: frozenset[int]
    asks_again: bool = False
    opinions: int = 0  # on pairs asked before
    asked: dict[Pair, bool] = field(default_factory=dict)
    rows: dict[int, Row] = field(default_factory=dict)
    processor: dict[int, float] = field(default_factory=dict)
    repeats: int = 0  # known pairs in a row
    began: float = 0.0

    @property
    def n_asked(self) -> int:
        """How many questions were counted."""
        return len(self.asked) + self.opinions

    @property
    def due(self) -> bool:
        """Whether labels are wanted now."""
        return self.n_asked in self.checkpoints and self.n_asked not in self.rows

    def run(self, problem: dict[str, Any], time_limit: float) -> PeerRun:
        """Answer until there is a reason to stop; return what came of it."""
        self.child.limit(_START_LIMIT)
        greeting = self.child.receive()
        if greeting != {"ready": True}:
            return self._broken(greeting, _START_LIMIT)
        self.child.limit(time_limit)
        self.began = perf_counter()
        budget = max(self.checkpoints)
        self.child.send({**problem, "budget": budget, "due": self.due})
        while budget not in self.rows:
            message = self.child.receive()
            if message is not None and "ask" in message:
                ended = self._answer(message["ask"], budget)
            elif message is not None and "labels" in message:
                self.processor[self.n_asked] = float(message.get("processor", "nan"))
                ended = self._note(message["labels"], bool(message.get("done")))
            else:
                ended = self._broken(message, time_limit)
            if ended is not None:
                return ended
        return self._ended("ok", "")

    def _answer(self, items: Any, budget: int) -> PeerRun | None:
        pair = self._pair(items)
        if pair is None:
            return self._ended("failed", f"asked about {items}, which are no two items")
        if pair.i == pair.j or (pair in self.asked and not self.asks_again):
            # n known pairs in a row are more than any of the tools needs to find a new one.
            self.repeats += 1
            if self.repeats > max(100, self.n_items):
                again = f"asked only known pairs after {self.n_asked} questions"
                return self._ended("stopped", again)
        elif self.n_asked == budget:
            return self._ended("failed", f"gave no labels after {budget} questions")
        else:
            self.repeats = 0
            self.opinions += pair in self.asked
            self.asked[pair] = Verdict.of(self.oracle(*pair)) is Verdict.SAME
        same = pair.i == pair.j or self.asked[pair]
        self.child.send({"same": same, "due": self.due})
        return None

    def _pair(self, items: Any) -> Pair | None:
        known = range(self.n_items)
        if isinstance(items, list) and len(items) == 2 and all(item in known for item in items):
            return Pair(*items).unordered
        return None

    def _note(self, labels: Any, done: bool) -> PeerRun | None:
        try:
            array = np.array(labels, dtype=np.int64)
        except (TypeError, ValueError, OverflowError):
            array = np.empty(0, dtype=np.int64)
        if array.shape != (self.n_items,):
            return self._ended("failed", f"gave no labels for {self.n_items} items")
        if self.due or done:
            self.rows[self.n_asked] = (self.n_asked, array, perf_counter() - self.began)
        if done:
            return self._ended("ok", f"had nothing left to ask after {self.n_asked} questions")
        return None

    def _broken(self, message: dict[str, Any] | None, limit: float) -> PeerRun:
        after = f"after {self.n_asked} questions"
        if self.child.timed_out:
            return self._ended("stopped", f"the time limit of {limit:g} s was reached {after}")
        if message is None:
            return self._ended("failed", f"{self.child.exit_message()} ({after})")
        return self._ended("failed", f"{message.get('error', message)} ({after})")

    def _ended(self, status: Status, reason: str) -> PeerRun:
        return PeerRun(list(self.rows.values()), status, reason, self.processor)
