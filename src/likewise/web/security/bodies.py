"""Bodies of requests: not too long, and not too slow."""

from __future__ import annotations

import asyncio
import time

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import Message, Receive, Scope

from likewise.web.errors import error_reply

_LARGEST_BODY = 64 * 1024
_BODY_SECONDS = 10.0  # a body that takes longer is not waited for


def too_long(scope: Scope) -> Response | None:
    """Return what to reply to a request that says its body is too long, else None."""
    length = Headers(scope=scope).get("content-length", "0")
    if not length.isdigit() or int(length) > _LARGEST_BODY:
        return error_reply(413, "that is too much at once")
    return None


def limited(receive: Receive) -> Receive:
    """Return `receive`, but a body that is too long or too slow ends the request."""
    size, until = 0, time.monotonic() + _BODY_SECONDS
    complete = False

    async def receive_limited() -> Message:
        nonlocal size, complete
        if complete:  # from here on only the end of the connection is waited for
            return await receive()
        try:
            message = await asyncio.wait_for(receive(), max(until - time.monotonic(), 0.001))
        except TimeoutError:
            return {"type": "http.disconnect"}
        size += len(message.get("body", b""))
        complete = not message.get("more_body", False)
        return {"type": "http.disconnect"} if size > _LARGEST_BODY else message

    return receive_limited
