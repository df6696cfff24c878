"""A pile that grows while it is served: what is new is asked about without a restart."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from likewise.errors import LikewiseError
from likewise.piles.ahead import ReadingCount
from likewise.study import Study
from likewise.web.service import StudyService

_LOOK_SECONDS = 0.5  # between two looks at what is computed elsewhere
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
    tried = 0
    while True:
        await asyncio.sleep(pile.seconds)
        await service.follow_switches()  # by other programs
        before, seen = seen, await asyncio.to_thread(pile.signature)
        # By other programs; and by people who have taken stacks apart.
        found = service.study.n_pile_changes + service.study.n_to_unstack
        if seen != before or (seen == taken and found <= tried):
            continue
        taken, tried = seen, found
        if await _take_in(service, pile.reopen):
            tried = 0


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
                await _take_in(service, pile.reopen_so_far)
        await _take_in(service, pile.reopen)  # before it is said that all are there
    finally:
        reading.stop()
        service.reading = None


async def _take_in(service: StudyService, reopen: Callable[[], Study]) -> bool:
    """Go on with what has joined; return whether that was anything."""
    try:
        study = await asyncio.to_thread(reopen)
    except LikewiseError as error:
        _log.warning("the pile has changed, but cannot be taken in: %s", error)
        return False
    return await service.adopt(study)
