"""Work in a thread beside the questions."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from threading import Thread
from typing import TypeVar

T = TypeVar("T")

AHEAD = "likewise-ahead"  # what such threads are called


def in_background(work: Callable[[], T]) -> Future[T]:
    """Begin something in a thread of its own, which nobody has to wait for at the end."""
    found: Future[T] = Future()

    def run() -> None:
        try:
            found.set_result(work())
        except BaseException as error:  # noqa: BLE001 - raised again where it is needed
            found.set_exception(error)

    Thread(target=run, name=AHEAD, daemon=True).start()
    return found
