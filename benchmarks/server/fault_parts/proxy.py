"""A network that can be cut: a TCP proxy between people and the server."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from enum import Enum

_CHUNK = 65536


class Line(Enum):
    """What the network does at the moment."""

    WHOLE = "whole"
    CUT = "cut"  # nobody gets through
    ONE_WAY = "one way"  # requests arrive, replies are lost
    TORN = "torn"  # half of a message arrives, then the connection breaks


class CuttingProxy:
    """Passes bytes to a port of this computer and back, as long as the line is whole."""

    def __init__(self, target: int) -> None:
        self.target = target
        self.port = 0
        self.line = Line.WHOLE
        self._open: set[asyncio.StreamWriter] = set()
        self._talks: set[asyncio.Task[None] | None] = set()
        self._server: asyncio.Server | None = None

    async def start(self) -> None:
        """Listen at a port that the system chooses."""
        self._server = await asyncio.start_server(self._pass_on, "127.0.0.1", 0)
        self.port = int(self._server.sockets[0].getsockname()[1])

    async def disturb(self, line: Line, seconds: float) -> None:
        """Spoil the line for some time; connections of that time break at its end."""
        self.line = line
        if line is Line.CUT:
            self._break_all()
        await asyncio.sleep(seconds)
        self._break_all()
        self.line = Line.WHOLE

    async def stop(self) -> None:
        """Break all connections and listen no more."""
        self._break_all()
        if self._server is not None:
            self._server.close()
        await asyncio.gather(*filter(None, self._talks), return_exceptions=True)
        await asyncio.sleep(0)  # in which broken connections are closed

    def _break_all(self) -> None:
        for writer in self._open:
            writer.transport.abort()

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._open.add(writer)
        self._talks.add(talk := asyncio.current_task())
        there = None
        try:
            if self.line is Line.CUT:
                return
            from_there, there = await asyncio.open_connection("127.0.0.1", self.target)
            self._open.add(there)
            ways = [
                asyncio.create_task(self._pump(reader, there, is_reply=False)),
                asyncio.create_task(self._pump(from_there, writer, is_reply=True)),
            ]
            _, left = await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            for way in left:
                way.cancel()
            await asyncio.gather(*left, return_exceptions=True)
        except OSError:
            pass  # no server at the moment: the person sees a connection that breaks
        finally:
            for one in (writer, there):
                if one is not None:
                    one.transport.abort()
                    self._open.discard(one)
            self._talks.discard(talk)

    async def _pump(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, is_reply: bool
    ) -> None:
        with suppress(OSError):
            while data := await reader.read(_CHUNK):
                if self.line is Line.ONE_WAY and is_reply:
                    continue
                if self.line is Line.TORN:
                    writer.write(data[: len(data) // 2])
                    await writer.drain()
                    return
                writer.write(data)
                await writer.drain()
            # What was on its way has been passed on; let it arrive before the end is heard.
            if writer.can_write_eof():
                writer.write_eof()
