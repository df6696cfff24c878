"""A pile that grows while it is served: what is new is asked about without a restart."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from likewise.errors import LikewiseError
from likewise.study import Study
from likewise.web.service import StudyService

_LOOK_SECONDS = 0.5  # between two looks at what is computed elsewhere

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
    read_well
        Begins to compute better features than the study has, elsewhere, and returns who does it;
        None if it has the best already. `reopen` then finds them.
    """

    signature: Callable[[], object]
    reopen: Callable[[], Study]
    seconds: float = 2.0
    path: Path | None = None
    read_well: Callable[[], BetterReading | None] = lambda: None


class BetterReading(Protocol):
    """Something that is computed elsewhere."""

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
    await _improve(service, pile)
    taken = seen = known
    tried = 0
    while True:
        await asyncio.sleep(pile.seconds)
        await service.follow_switches()  # by other programs
        before, seen = seen, await asyncio.to_thread(pile.signature)
        found = service.study.n_pile_changes  # by other programs
        if seen != before or (seen == taken and found <= tried):
            continue
        taken, tried = seen, found
        try:
            study = await asyncio.to_thread(pile.reopen)
        except LikewiseError as error:
            _log.warning("the pile has changed, but cannot be taken in: %s", error)
            continue
        if await service.adopt(study):
            tried = 0


async def _improve(service: StudyService, pile: WatchedPile) -> None:
    """Wait until better features are there, and go on with them; all answers are kept."""
    reading = await asyncio.to_thread(pile.read_well)
    if reading is None:
        return
    try:
        while not reading.is_done():
            await asyncio.sleep(min(pile.seconds, _LOOK_SECONDS))
    finally:
        reading.stop()
    try:
        study = await asyncio.to_thread(pile.reopen)
    except LikewiseError as error:
        _log.warning("better features are there, but cannot be used: %s", error)
        return
    await service.adopt(study, improved=True)
