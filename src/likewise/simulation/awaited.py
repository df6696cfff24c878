"""Waiting for what is promised: coroutines run side by side on an event loop of their own."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable
from functools import cache
from inspect import isawaitable
from typing import Any

_one_at_a_time = threading.Lock()  # the threads of a batch come together, and there is one loop


def awaited(value: Any) -> Any:
    """Return a value, having waited for it if it is only promised.

    May be called in any thread, also where an event loop runs already (in a notebook, say). All
    that is awaited runs on one loop, so that connections can be kept.

    >>> async def later(value):
    ...     return value
    >>> awaited(later(3)), awaited(4)
    (3, 4)
    """
    if not isawaitable(value):
        return value
    with _one_at_a_time:
        loop = _loop()
    coming = asyncio.run_coroutine_threadsafe(_result(value), loop)
    try:
        return coming.result()
    except BaseException:
        coming.cancel()  # whoever no longer waits, the keyboard interrupting, wants no reply
        raise


async def _result(value: Awaitable[Any]) -> Any:
    return await value


@cache
def _loop() -> asyncio.AbstractEventLoop:
    """Return the event loop that all of these run on, in a thread that ends with the program."""
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="likewise-awaited", daemon=True).start()
    return loop
