"""People answer while everything around them breaks: is an answer lost, doubled or misplaced?

    python -m benchmarks.server.faults [--seconds 600] [--store SQLite] [--seed 0] [--browsers 2]

People who answer by HTTP and people in real browsers reach one server through a network that is
cut, loses replies and tears messages, while the server, its worker and its database are killed, its
clock is set back and ahead, its disk is full and its pile grows. When all is mended and nothing
waits any more, the journal is held against what people were shown and told. What cannot be done on
a computer (no clock of its own without a C compiler, no small disk without root, no page without
Chromium) is left out and not counted.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import AsyncExitStack, ExitStack
from dataclasses import dataclass
from pathlib import Path

from playwright.async_api import async_playwright

from benchmarks.server.fault_parts.browsers import QUIET, BrowserPerson, chromium_path
from benchmarks.server.fault_parts.checker import Findings, check
from benchmarks.server.fault_parts.clock import OwnClock
from benchmarks.server.fault_parts.injection import Injector
from benchmarks.server.fault_parts.people import Person
from benchmarks.server.fault_parts.proxy import CuttingProxy
from benchmarks.server.fault_parts.served import GrowingTable, Served, SmallDisk
from benchmarks.server.load import free_port
from benchmarks.tables import keep_row
from likewise.piles import read_pile, resume_study
from likewise.stores import open_store
from likewise.testing.postgres import PostgresServer, postgres_server

ROWS = 800
PEOPLE, BROWSERS = 6, 2
SECONDS = 600.0
# Until all that waits must have arrived, once all is mended: seconds, or times a server's start.
_PATIENCE, _STARTS = 120.0, 30

KINDS = (
    "server killed", "worker killed", "database killed", "line cut", "replies lost",
    "messages torn", "clock set", "disk full", "pile grown",
)  # fmt: skip
HEADER = [
    "store", "seconds", "people", "of them in browsers", *KINDS, "answers acknowledged",
    "kept, not yet acknowledged", "taken back", "lost", "doubled", "misplaced",
]  # fmt: skip


@dataclass(frozen=True)
class Ordeal:
    """What one run did, and what the checker found."""

    findings: Findings
    faults: Counter[str]
    replies: Counter[str]
    ends: list[int]  # of servers that ended without being killed


def endure(
    folder: Path,
    *,
    seconds: float,
    database: PostgresServer | None = None,
    n_people: int = PEOPLE,
    n_browsers: int = BROWSERS,
    rows: int = ROWS,
    every: float = 1.5,
    seed: int = 0,
    kinds: Sequence[str] = KINDS,
    looking: float = 0.3,
) -> Ordeal:
    """Let people answer while faults of these kinds are done, and check what is left.

    Parameters
    ----------
    folder
        An empty folder.
    seconds
        How long harm is done.
    database
        Where the journal is kept; None: SQLite beside the pile.
    n_people, n_browsers
        How many answer by HTTP, and how many in browsers.
    rows
        How many rows the pile has at first.
    every
        Seconds between two faults, on average.
    seed
        Of everything that is random.
    kinds
        Which faults.
    looking
        Seconds that a person looks at a question, on average.
    """
    with ExitStack() as stack:
        disk = SmallDisk(folder / "pile", may_be_filled="disk full" in kinds)
        stack.callback(disk.close)
        table = GrowingTable(disk.folder / "table.csv", rows, seed)
        names = [f"person-{k}" for k in range(n_people + n_browsers)]
        port = free_port()
        if database is None:
            store = str(disk.folder / "table.likewise.db")
            command = [sys.executable, "-m", "likewise", "serve", str(table.path), "--id", "name"]
            command += ["--port", str(port)]
            for name in names:
                command += ["--invite", name]
        else:
            store = f"{database.url}&study=faults-{seed}-{port}"
            served_by = "benchmarks.server.fault_parts.served"
            command = [sys.executable, "-m", served_by, str(table.path), store, str(port), *names]
        clock = OwnClock(folder)
        served = Served(command, names, folder, clock)
        served.start()
        stack.callback(served.stop)
        proxy = CuttingProxy(port)
        injector = Injector(
            served,
            proxy,
            table,
            clock,
            disk=None if database is not None else disk,
            database=database,
            every=every,
            seed=seed,
        )
        injector.kinds = {kind: injector.kinds[kind] for kind in kinds if kind in injector.kinds}
        everybody = [
            Person(name, served.links[name], seed=seed * 1000 + k, looking=looking)
            for k, name in enumerate(names[:n_people])
        ]
        pages = [BrowserPerson(name, served.links[name]) for name in names[n_people:]]
        try:
            patience = max(_PATIENCE, _STARTS * served.seconds_to_start)
            asyncio.run(_live_through(everybody, pages, injector, proxy, seconds, patience))
        except TimeoutError:
            for person in everybody:
                sys.stderr.write(f"{person.name}: {dict(person.replies)}, {person.latest}\n")
            sys.stderr.write(f"ends of the server: {served.ends}; its last words:\n")
            sys.stderr.write(served.last_words())
            raise
        served.stop()
        given = [one for person in everybody for one in person.given]
        given += [one for page in pages for one in page.given]
        events = open_store(store).read()
        # The study opens again, and its items have the names they were shown by.
        study, _ = resume_study(read_pile(table.path, id_column="name"), store)
        assert list(map(str, study.items.ids)) == table.ids
        findings = check(given, events, table.ids)
    replies = sum((person.replies for person in everybody), Counter[str]())
    return Ordeal(findings, injector.done, replies, served.ends)


async def _live_through(
    people: Sequence[Person],
    pages: Sequence[BrowserPerson],
    injector: Injector,
    proxy: CuttingProxy,
    seconds: float,
    patience: float,
) -> None:
    """Let people answer during the faults, and until nothing waits any more."""
    began, stop = time.monotonic(), asyncio.Event()

    def said(kind: str) -> None:
        sys.stderr.write(f"{time.monotonic() - began:6.1f} s  {kind}\n")

    async with AsyncExitStack() as stack:
        await proxy.start()
        stack.push_async_callback(proxy.stop)
        base = f"http://127.0.0.1:{proxy.port}"
        tasks = [asyncio.create_task(person.answer(base, stop)) for person in people]
        if pages:
            playwright = await stack.enter_async_context(async_playwright())
            path = chromium_path()
            browser = await playwright.chromium.launch(executable_path=path, args=list(QUIET))
            stack.push_async_callback(browser.close)
            tasks += [asyncio.create_task(page.answer(browser, base, stop)) for page in pages]
        await injector.run(seconds, said)
        stop.set()
        await asyncio.wait_for(asyncio.gather(*tasks), patience)


def main(words: Sequence[str] = ()) -> None:
    """Run on every store, or on the one named; write the table, exit with 1 if it shows harm."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.server.faults")
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--store", choices=["SQLite", "PostgreSQL"])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--browsers", type=int, default=BROWSERS if chromium_path() else 0)
    asked = parser.parse_args(words)
    are_clean = True
    for store in ("SQLite", "PostgreSQL") if asked.store is None else (asked.store,):
        with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
            database = stack.enter_context(postgres_server()) if store == "PostgreSQL" else None
            ordeal = endure(
                Path(folder),
                seconds=asked.seconds,
                database=database,
                n_browsers=asked.browsers,
                seed=asked.seed,
            )
        found, faults = ordeal.findings, ordeal.faults
        sys.stderr.write(f"replies: {dict(ordeal.replies)}; ended by itself: {ordeal.ends}\n")
        figures = [
            asked.seconds, PEOPLE + asked.browsers, asked.browsers,
            *(faults[kind] for kind in KINDS),
            found.acknowledged, found.kept - found.acknowledged, found.taken_back,
            found.lost, found.doubled, found.misplaced,
        ]  # fmt: skip
        keep_row("faults", HEADER, [store, *(f"{figure:g}" for figure in figures)], 1)
        are_clean &= found.are_clean
    if not are_clean:
        raise SystemExit(1)


if __name__ == "__main__":
    main(sys.argv[1:])
