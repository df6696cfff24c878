"""Fifty people answer in one study of 10 000 or more items: how long does each of them wait?

    python -m benchmarks.server.load [SECONDS [KILLS [STORE [PEOPLE [ITEMS]]]]]

One server, on SQLite and on PostgreSQL; everybody looks at a question for about a
second, and a tenth of the answers is wrong. Timed is
what a person waits for: the answer's acknowledgement and the next question, together. One person
alone, then fifty, and then the server is killed again and again while fifty answer. It stops at the
first answer that is lost or doubled and at the first pair that two people hold at once, so a table
means that there was none. With a store and a number of people named, only that is measured again
(0 people: only the kills); the other rows stay as they are.
"""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any

import httpx
import numpy as np

from benchmarks.tables import keep_row
from likewise.bench.provenance import commit
from likewise.study import Study
from likewise.testing.postgres import postgres_server

SIZES, GROUPS = (10_000, 100_000), 25
PEOPLE = 50
WRONG = 0.1  # the share of answers that are
LOOKING = 1.0  # seconds that a person looks at a question, on average


def pile(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Return overlapping groups in 16 dimensions, and which item is of which."""
    rng = np.random.default_rng(0)
    truth = rng.integers(0, GROUPS, n)
    centres = rng.normal(scale=4.0, size=(GROUPS, 16))
    return centres[truth] + rng.normal(size=(n, 16)), truth


@dataclass
class Crowd:
    """What people saw: waiting times, what was acknowledged, who holds which pair."""

    truth: np.ndarray
    waits: list[float] = field(default_factory=list)
    acknowledged: dict[str, tuple[int, int]] = field(default_factory=dict)
    held: dict[frozenset[int], str] = field(default_factory=dict)

    async def person(self, url: str, who: str, until: float, look: float) -> None:
        """Answer until the time is over; whoever gets no reply tries again with the same id."""
        rng = np.random.default_rng(list(who.encode()))  # the same in every run
        async with httpx.AsyncClient(base_url=url, timeout=60) as client:
            question = await self._ask(client, who)
            number, seen = 0, asyncio.create_task(_patiently(client, "GET", "/api/study"))
            while question is not None and time.monotonic() < until:
                await asyncio.sleep(float(rng.gamma(4.0, look / 4.0)) if look else 0)
                pair = frozenset(question["pair"])
                i, j = question["pair"]
                same = (self.truth[i] == self.truth[j]) != (rng.random() < WRONG)
                name = f"{who}-{os.getpid()}-{number}-{time.monotonic_ns()}"
                body = {
                    "question": question["id"], "verdict": "same" if same else "different",
                    "annotator": who, "client_id": name, "seconds": look,
                }  # fmt: skip
                began = time.perf_counter()
                reply = await _patiently(client, "POST", "/api/answers", json=body)
                assert reply.status_code in (201, 409), reply.text
                if reply.status_code == 201:
                    self.acknowledged[name] = (i, j)
                self.held.pop(pair, None)
                question = await self._ask(client, who)
                self.waits.append(time.perf_counter() - began)
                await seen  # of the question before
                # The page also asks how far the study is, which nobody waits for.
                seen = asyncio.create_task(_patiently(client, "GET", "/api/study"))
                number += 1
            await seen

    async def _ask(self, client: httpx.AsyncClient, who: str) -> dict[str, Any] | None:
        reply = await _patiently(client, "GET", "/api/question", params={"annotator": who})
        if reply.status_code == 204:
            return None
        question = reply.json()
        pair = frozenset(question["pair"])
        holder = self.held.setdefault(pair, who)
        assert holder == who, f"{pair} is held by {holder} and by {who}"
        return dict(question)


async def _patiently(
    client: httpx.AsyncClient, method: str, path: str, **more: Any
) -> httpx.Response:
    """A reply, however often the server dies on the way."""
    while True:
        try:
            reply = await client.request(method, path, **more)
            if reply.status_code < 500:
                return reply
        except httpx.TransportError:
            pass
        await asyncio.sleep(0.3)


def free_port() -> int:
    """Return a port at which nobody listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def server(store: str, port: int, n: int) -> Iterator[subprocess.Popen[str]]:
    """Start a server in a program of its own; end it after the with-block."""
    words = [sys.executable, "-m", "benchmarks.server.load", "serve", store, str(port), str(n)]
    child = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    child.stdout.readline()
    try:
        yield child
    finally:
        child.kill()
        child.wait()
        child.stdout.close()


def serve(store: str, port: int, n: int) -> None:
    """Do what that program does."""
    from likewise.web import serve as run

    X, _ = pile(n)
    study = Study(X, store=store)
    study.ask()

    def say(url: str) -> None:
        sys.stdout.write(url + "\n")
        sys.stdout.flush()

    # As a server does that is offered to others: one process chooses questions from the first on.
    offered = {"demand_token": False, "trusted_hosts": ["likewise.example"]}
    run(study, port=port, open_browser=False, on_start=say, **offered)  # type: ignore[arg-type]


def load(store: str, port: int, n: int, people: int, seconds: float, look: float) -> list[str]:
    """Let people answer; the waiting times, and nothing lost."""
    X, truth = pile(n)
    crowd = Crowd(truth)
    with server(store, port, n):
        until = time.monotonic() + seconds

        async def everybody() -> None:
            url = f"http://127.0.0.1:{port}"
            await asyncio.gather(
                *(crowd.person(url, f"person-{k}", until, look) for k in range(people))
            )

        asyncio.run(everybody())
    _require_all(crowd, store, X)
    waits = 1000 * np.array(crowd.waits)
    figures = [f"{np.percentile(waits, q):.0f} ms" for q in (50, 95, 99)]
    return [f"{n:,}", str(people), str(len(waits)), *figures, commit()]


def kill(store: str, port: int, kills: int) -> list[str]:
    """Kill the server while people answer, start it again, and look what is left."""
    X, truth = pile(SIZES[0])
    crowd = Crowd(truth)
    done = False

    async def everybody() -> None:
        url = f"http://127.0.0.1:{port}"
        tasks = [
            asyncio.create_task(crowd.person(url, f"person-{k}", 1e12, LOOKING / 2))
            for k in range(PEOPLE)
        ]
        while not done:
            await asyncio.sleep(0.05)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for task in tasks:
            if not task.cancelled() and task.exception() is not None:
                await task  # raises what went wrong

    def kill_again_and_again() -> None:
        nonlocal done
        try:
            rng = np.random.default_rng(0)
            for _ in range(kills):
                with server(store, port, SIZES[0]) as child:
                    time.sleep(float(rng.uniform(0.5, 3.0)))
                    os.kill(child.pid, signal.SIGKILL)
                crowd.held.clear()  # what is held is known again from the store
        finally:
            done = True

    async def both() -> None:
        killing = asyncio.create_task(asyncio.to_thread(kill_again_and_again))
        await everybody()
        await killing

    asyncio.run(both())
    kept = _require_all(crowd, store, X)
    return [str(kills), str(len(crowd.acknowledged)), str(kept)]


def _require_all(crowd: Crowd, store: str, X: np.ndarray) -> int:
    """Require that all acknowledged answers are there once; return how many there are."""
    answers = Study.open(store, X).answers
    names = [answer.client_id for answer in answers]
    assert len(names) == len(set(names)), "an answer is there twice"
    kept = {answer.client_id: answer.pair for answer in answers}
    for name, pair in crowd.acknowledged.items():
        assert name in kept, f"the answer {name} was acknowledged and is lost"
        assert set(kept[name]) == set(pair)
    return len(answers)


def main(
    seconds: int = 60,
    kills: int = 50,
    only: str = "",
    people: int | None = None,
    items: int | None = None,
) -> None:
    """Write all of it, or a part, as two tables."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as running:
        places: dict[str, Callable[[object], str]] = {}
        if only in ("", "SQLite"):
            places["SQLite"] = lambda k: str(Path(folder) / f"{k}.db")
        if only in ("", "PostgreSQL"):
            url = running.enter_context(postgres_server()).url
            places["PostgreSQL"] = lambda k: f"{url}&study=load-{k}"
        crowds = (1, PEOPLE) if people is None else (people,) if people else ()
        for name, place in places.items():
            for n, crowd in product(SIZES if items is None else (items,), crowds):
                waited = load(place(f"{n}-{crowd}"), free_port(), n, crowd, seconds, LOOKING)
                keep_row("load", HEADERS["load"], [name, *waited], 3)
            if kills:
                row = [name, *kill(place("kill"), free_port(), kills), commit()]
                keep_row("load_kills", HEADERS["load_kills"], row, 1)


HEADERS = {
    "load": ["store", "items", "people", "answers", "p50", "p95", "p99", "commit"],
    "load_kills": ["store", "servers killed", "answers acknowledged", "answers kept", "commit"],
}


if __name__ == "__main__":
    if sys.argv[1:2] == ["serve"]:
        serve(sys.argv[2], *map(int, sys.argv[3:5]))
    else:
        words = sys.argv[1:]
        main(*map(int, words[:2]), *words[2:3], *map(int, words[3:5]))  # type: ignore[arg-type]
