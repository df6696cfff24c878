"""Faults at random moments, all from one seed."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable

import numpy as np

from benchmarks.server.fault_parts.clock import OwnClock
from benchmarks.server.fault_parts.proxy import CuttingProxy, Line
from benchmarks.server.fault_parts.served import GrowingTable, Served, SmallDisk
from likewise.testing.postgres import PostgresServer

Fault = Callable[[], Awaitable[bool]]  # whether it could be done

_GROWTH = 3  # rows
_TIMES = 8  # as long as it took to start at first, a server has to come back before the next kill
_HOURS = 7200  # seconds, back or ahead


class Injector:
    """Does harm of every kind that can be done here, one after the other and side by side."""

    def __init__(
        self,
        served: Served,
        proxy: CuttingProxy,
        table: GrowingTable,
        clock: OwnClock,
        *,
        disk: SmallDisk | None = None,
        database: PostgresServer | None = None,
        every: float = 1.5,
        seed: int = 0,
    ) -> None:
        self._served, self._proxy = served, proxy
        self._table, self._clock = table, clock
        self._disk, self._database = disk, database
        self._every = every
        self._rng = np.random.default_rng(seed)
        self.done: Counter[str] = Counter()
        self.kinds: dict[str, Fault] = {
            "server killed": self._kill_server,
            "worker killed": self._kill_worker,
            "line cut": lambda: self._spoil(Line.CUT),
            "replies lost": lambda: self._spoil(Line.ONE_WAY),
            "messages torn": lambda: self._spoil(Line.TORN),
            "pile grown": self._grow,
        }
        if clock.can_be_set:
            self.kinds["clock set"] = self._set_clock
        if disk is not None and disk.is_small:
            self.kinds["disk full"] = self._fill_disk
        if database is not None:
            self.kinds["database killed"] = self._kill_database

    async def run(self, seconds: float, said: Callable[[str], object]) -> None:
        """Do harm for so long, and mend everything at the end."""
        until = asyncio.get_running_loop().time() + seconds
        under_way: dict[str, asyncio.Task[bool]] = {}
        names = list(self.kinds)
        while (left := until - asyncio.get_running_loop().time()) > 0:
            await asyncio.sleep(min(left, float(self._rng.exponential(self._every))))
            kind = names[int(self._rng.integers(len(names)))]
            before = under_way.get(_subject(kind))
            if before is not None and not before.done():
                continue  # this one suffers already
            said(kind)
            task = asyncio.create_task(self._do(kind))
            under_way[_subject(kind)] = task
        for task in under_way.values():
            await task
        self._clock.set(0)

    async def _do(self, kind: str) -> bool:
        done = await self.kinds[kind]()
        self.done[kind] += done
        return done

    async def _kill_server(self) -> bool:
        done = self._served.kill()
        # Mostly it comes back before it is killed again, and sometimes it does not.
        patience = self._rng.uniform(0, _TIMES * self._served.seconds_to_start)
        await asyncio.to_thread(self._served.wait_until_back, float(patience))
        await asyncio.sleep(float(self._rng.uniform(0, self._served.seconds_to_start)))
        return done

    async def _kill_worker(self) -> bool:
        return self._served.kill_worker()

    async def _kill_database(self) -> bool:
        assert self._database is not None
        await asyncio.to_thread(self._database.kill)
        await asyncio.sleep(float(self._rng.uniform(0, 1)))
        await asyncio.to_thread(self._database.start)
        return True

    async def _spoil(self, line: Line) -> bool:
        await self._proxy.disturb(line, float(self._rng.uniform(0.1, 2)))
        return True

    async def _set_clock(self) -> bool:
        self._clock.set(int(self._rng.integers(-_HOURS, _HOURS)))
        return True

    async def _fill_disk(self) -> bool:
        assert self._disk is not None
        await asyncio.to_thread(self._disk.fill)
        await asyncio.sleep(float(self._rng.uniform(0.2, 2)))
        self._disk.empty()
        return True

    async def _grow(self) -> bool:
        try:
            self._table.grow(_GROWTH)
        except OSError:
            return False  # the disk is full
        return True


def _subject(kind: str) -> str:
    """Return what a fault is done to; two are not done to the same at once."""
    return "line" if kind in ("line cut", "replies lost", "messages torn") else kind
