"""A pile that grows while it is served: what is new is asked about without a restart."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from likewise.errors import LikewiseError
from likewise.piles.ahead import ReadingCount
from likewise.study import Study
from likewise.web.service import StudyService

_LOOK_SECONDS = 0.5  # between two looks at what is computed elsewhere
_LONGEST_SECONDS = 60.0  # between two readings of a pile that cannot be read
_UNREADABLE = (LikewiseError, OSError)
_GROWS_BY = 2  # times as many items, until those that have come are taken in

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class WatchedPile:
    """A pile that may grow while its study is served.

    Attributes
    ----------
    signature
        Returns what differs once the pile has changed; called often, so it must be quick.
    reopen
        Reads the pile again and returns the study of what is there now; it may take its time.
    seconds
        Between two looks at the signature.
    path
        Where it is, if it is a folder or file of this computer.
    read_rest
        Begins to compute the features of items that the study does not have yet, elsewhere, and
        returns who does it; None if it has all.
    reopen_so_far
        As `reopen`, but without waiting for what is not computed yet.
    """

    signature: Callable[[], object]
    reopen: Callable[[], Study]
    seconds: float = 2.0
    path: Path | None = None
    read_rest: Callable[[], RestReading | None] = lambda: None
    reopen_so_far: Callable[[], Study] | None = None


class RestReading(Protocol):
    """Features that are computed elsewhere."""

    def progress(self) -> ReadingCount:
        """Return how far it is."""

    def is_done(self) -> bool:
        """Return whether it has ended, well or not."""

    def stop(self) -> None:
        """End it; what it has computed so far is not lost."""


async def follow(service: StudyService, pile: WatchedPile, known: object) -> None:
    """Take in what the pile has gained, as often as it has changed and stands still again.

    `known` is its signature as of the study.

    Items that have left stay with the server until it is started again: their numbers, which
    questions under way go by, must not become those of others.
    """
    await _join(service, pile)
    taken = seen = known
    tried, failures = 0, _Failures(pile.seconds)
    while True:
        await asyncio.sleep(pile.seconds)
        await service.follow_switches()  # by other programs
        before, seen = seen, await asyncio.to_thread(pile.signature)
        # By other programs; and by people who have taken stacks apart.
        found = service.study.n_pile_changes + service.study.n_to_unstack
        if seen != before or (seen == taken and found <= tried) or failures.wait_on(seen):
            continue
        try:
            has_grown = await _take_in(service, pile.reopen)
        except _UNREADABLE as error:
            failures.add(seen, error)
            continue
        failures = _Failures(pile.seconds)
        taken, tried = seen, 0 if has_grown else found


class _Failures:
    """What could not be read, and when it is worth to try again although it stands still."""

    def __init__(self, seconds: float) -> None:
        self._seconds, self._until = seconds, 0.0
        self._seen: object = None
        self._said = ""

    def wait_on(self, seen: object) -> bool:
        """Return whether a pile of this signature was tried too short a while ago."""
        return seen == self._seen and time.monotonic() < self._until

    def add(self, seen: object, error: Exception) -> None:
        """Say so, once, and wait twice as long as the last time."""
        if str(error) != self._said:
            _warn(error)
        self._seconds = min(2 * self._seconds, _LONGEST_SECONDS)
        self._seen, self._said = seen, str(error)
        self._until = time.monotonic() + self._seconds


def _warn(error: Exception) -> None:
    _log.warning("the pile has changed, but cannot be taken in: %s", error)


async def _join(service: StudyService, pile: WatchedPile) -> None:
    """Take in the rest of a pile of which a sample was read, twice as many items every time."""
    reading = await asyncio.to_thread(pile.read_rest)
    if reading is None:
        return
    try:
        while not reading.is_done():
            await asyncio.sleep(min(pile.seconds, _LOOK_SECONDS))
            service.reading = count = reading.progress()
            if pile.reopen_so_far and count.done >= _GROWS_BY * len(service.study.items):
                await _take_in_or_warn(service, pile.reopen_so_far)
        await _take_in_or_warn(service, pile.reopen)  # before it is said that all are there
    finally:
        reading.stop()
        service.reading = None


async def _take_in_or_warn(service: StudyService, reopen: Callable[[], Study]) -> None:
    try:
        await _take_in(service, reopen)
    except _UNREADABLE as error:
        _warn(error)


async def _take_in(service: StudyService, reopen: Callable[[], Study]) -> bool:
    """Go on with what has joined; return whether that was anything."""
    return await service.adopt(await asyncio.to_thread(reopen))
