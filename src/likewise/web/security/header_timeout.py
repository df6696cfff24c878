"""A time limit for the head of a request, so that idle connections cannot take up the server."""

from __future__ import annotations

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

HEADER_SECONDS = 10.0  # in which the head of a request must be complete


class HeaderTimeoutProtocol(H11Protocol):
    """uvicorn's own protocol, but whoever sends the head of a request too slowly is cut off.

    Bodies are limited by `likewise.web.security`, pauses between requests by uvicorn.
    """

    _header_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Begin to wait for a request."""
        super().connection_made(transport)
        self._update_timeout()

    def data_received(self, data: bytes) -> None:
        """Take in a part of a request; a complete head stops the clock."""
        super().data_received(data)
        self._update_timeout()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the clock."""
        super().connection_lost(exc)
        self._cancel_timeout()

    def _update_timeout(self) -> None:
        """Run the clock exactly while a head is incomplete."""
        if self.conn.their_state is not h11.IDLE:
            self._cancel_timeout()
        elif self._header_timer is None:
            self._header_timer = self.loop.call_later(HEADER_SECONDS, self._close_if_idle)

    def _cancel_timeout(self) -> None:
        """Stop the clock if it runs."""
        if self._header_timer is not None:
            self._header_timer.cancel()
            self._header_timer = None

    def _close_if_idle(self) -> None:
        """Close the connection on which no head has come."""
        self._header_timer = None
        if self.conn.their_state is h11.IDLE:
            self.transport.close()
