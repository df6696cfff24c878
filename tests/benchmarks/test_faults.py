"""The fault bench: a short ordeal, and a checker that would notice every kind of harm.

`python -m benchmarks.server.faults` goes on for ten minutes, with browsers and more faults.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("benchmarks", reason="the experiments are not in a wheel")

from benchmarks.server.fault_parts.checker import Given, Told, check
from benchmarks.server.fault_parts.proxy import CuttingProxy, Line
from benchmarks.server.faults import endure

from likewise.journal import Answer, Answered, Event, Pair, Retracted, Verdict

pytestmark = pytest.mark.skipif(os.name != "posix", reason="programs are killed as on Unix")
IDS = ["a", "b", "c"]


@pytest.mark.slow
def test_kills_and_cuts_lose_double_and_misplace_nothing(tmp_path: Path, seed: int) -> None:
    kinds = ("server killed", "worker killed", "line cut", "replies lost", "messages torn")
    ordeal = endure(
        tmp_path,
        seconds=10,
        n_people=4,
        n_browsers=0,
        rows=120,
        every=0.7,
        seed=seed,
        kinds=kinds,
        looking=0.1,
    )
    assert ordeal.findings.are_clean, ordeal
    assert ordeal.findings.acknowledged > 0
    assert sum(ordeal.faults.values()) > 0
    assert ordeal.ends == []  # no server has ended by itself


def given(**changes: object) -> Given:
    """An answer that was kept, as Ada remembers it."""
    return replace(Given("Ada", "one", frozenset({"a", "b"}), "same", Told.KEPT, 0), **changes)  # type: ignore[arg-type]


def kept(**changes: object) -> Answered:
    """The same answer in the journal."""
    answer = Answer(
        pair=Pair(0, 1), verdict=Verdict.SAME, who="Ada", id=0, client_id="one", when=""
    )
    return Answered(replace(answer, **changes))  # type: ignore[arg-type]


def harm(one: Given, *events: Event) -> tuple[int, int, int]:
    """What was lost, doubled and misplaced."""
    found = check([one], list(events), IDS)
    return found.lost, found.doubled, found.misplaced


def test_what_is_as_it_was_given_is_found_clean() -> None:
    assert harm(given(), kept()) == (0, 0, 0)
    assert harm(given(told=Told.NOTHING)) == (0, 0, 0)
    assert harm(given(told=Told.NOTHING), kept()) == (0, 0, 0)  # kept, and the reply was lost
    assert harm(given(told=Told.REFUSED)) == (0, 0, 0)
    taken_back = given(wants_back=True, took_back=True)
    assert harm(taken_back, kept(), Retracted(0, who="Ada")) == (0, 0, 0)


def test_every_kind_of_harm_is_found() -> None:
    assert harm(given()) == (1, 0, 0)
    assert harm(given(), kept(), kept(id=1)) == (0, 1, 0)
    assert harm(given(), kept(pair=Pair(0, 2))) == (0, 0, 1)
    assert harm(given(), kept(verdict=Verdict.DIFFERENT)) == (0, 0, 1)
    assert harm(given(), kept(who="Bob")) == (0, 0, 1)
    assert harm(given(told=Told.REFUSED), kept()) == (0, 0, 1)
    assert harm(given(), kept(), kept(client_id="nobody's", id=1)) == (0, 0, 1)
    assert harm(given(), kept(), Retracted(0, who="Ada")) == (0, 0, 1)  # unasked
    assert harm(given(wants_back=True), kept(), Retracted(0, who="Bob")) == (0, 0, 1)
    assert harm(given(wants_back=True, took_back=True), kept()) == (1, 0, 0)


Talk = Callable[[CuttingProxy, list[bytes]], Awaitable[bytes]]


def through_proxy(talk: Talk) -> tuple[bytes, list[bytes]]:
    """What came back through the line, and what has arrived at the other end."""
    arrived: list[bytes] = []

    async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError):
            while data := await reader.read(100):
                arrived.append(data)
                writer.write(data)
        writer.transport.abort()

    async def run() -> bytes:
        server = await asyncio.start_server(echo, "127.0.0.1", 0)
        proxy = CuttingProxy(server.sockets[0].getsockname()[1])
        await proxy.start()
        try:
            return await talk(proxy, arrived)
        finally:
            await proxy.stop()
            server.close()
            await asyncio.sleep(0.01)  # in which the other end hears of it

    return asyncio.run(run()), arrived


def send(line: Line) -> Talk:
    """Send eight bytes while the line is as said, and hear what comes back."""

    async def talk(proxy: CuttingProxy, arrived: list[bytes]) -> bytes:
        proxy.line = line
        reader, writer = await asyncio.open_connection("127.0.0.1", proxy.port)
        writer.write(b"12345678")
        if line is Line.ONE_WAY:
            while not arrived:
                await asyncio.sleep(0.001)
            await proxy.disturb(line, 0)
        try:
            return await reader.read(100)
        except ConnectionError:
            return b""
        finally:
            writer.close()

    return talk


def test_the_line_passes_everything_nothing_or_one_way() -> None:
    assert through_proxy(send(Line.WHOLE)) == (b"12345678", [b"12345678"])
    assert through_proxy(send(Line.CUT)) == (b"", [])
    assert through_proxy(send(Line.ONE_WAY)) == (b"", [b"12345678"])
    back, arrived = through_proxy(send(Line.TORN))
    assert back == b""
    assert b"".join(arrived) in (b"1234", b"")
