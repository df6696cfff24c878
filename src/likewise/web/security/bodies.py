"""Bodies of requests: not too long, and not too slow."""

from __future__ import annotations

import asyncio
import time

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import Message, Receive, Scope

from likewise.web.errors import error_reply

_LARGEST_BODY = 64 * 1024
# A thousand new items, the most in one request, as vectors of 768 numbers or as long texts; for the
# owner alone, since what others send fills the memory, too, before it is refused.
_LARGEST_OF_OWNER = {"/api/predict": 16 * 1024**2}
_BODY_SECONDS = 10.0  # a body that takes longer is not waited for


def largest_body(scope: Scope, *, of_owner: bool) -> int:
    """Return how many bytes a request may bring."""
    return _LARGEST_OF_OWNER.get(scope["path"], _LARGEST_BODY) if of_owner else _LARGEST_BODY


def too_long(scope: Scope, *, of_owner: bool) -> Response | None:
    """Return what to reply to a request that says its body is too long, else None."""
    length = Headers(scope=scope).get("content-length", "0")
    largest = largest_body(scope, of_owner=of_owner)
    if not length.isdigit() or int(length) > largest:
        kib = f"{largest // 1024:,} KiB"
        return error_reply(413, f"that is too much at once; send {kib} at most in one request")
    return None


def limited(receive: Receive, largest: int = _LARGEST_BODY) -> Receive:
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
        return {"type": "http.disconnect"} if size > largest else message

    return receive_limited
