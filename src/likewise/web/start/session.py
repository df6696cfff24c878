"""What the start page is about: nothing yet, a pile that is being read, or a study."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace

from fastapi import FastAPI

from likewise.errors import AnswerError
from likewise.web.app import create_app
from likewise.web.security import Access
from likewise.web.start.opening import Choice, Opening, PileOpener
from likewise.web.start.reading import Reading, ReadingProgress
from likewise.web.start.recent import RecentPiles

HOSTS = ("localhost", "127.0.0.1", "::1")


@dataclass
class StartSession:
    """One server: from the choice of a pile to the study of it.

    Attributes
    ----------
    access
        Whose the server is; everything on the start page is for the owner.
    recent
        Piles that were opened lately.
    opener
        Opens what is chosen; None: the pile was chosen on the command line.
    worker_process
        As of `create_app`.
    on_end
        Called in the server's loop when a pile was read, or could not be.
    on_running
        Called in the server's loop when it begins.
    """

    access: Access
    recent: RecentPiles
    opener: PileOpener | None = None
    worker_process: bool = False
    on_end: Callable[[Reading], object] = lambda _: None
    on_running: Callable[[], object] = lambda: None
    reading: Reading | None = None
    study_app: FastAPI | None = None
    was_seen: bool = False  # whether a page has asked how far it is
    end_was_seen: bool = False
    _choice: Choice | None = None
    _loop: asyncio.AbstractEventLoop | None = None
    _open: AsyncExitStack = field(default_factory=AsyncExitStack)

    @property
    def progress(self) -> ReadingProgress | None:
        """How far the reading is; it is ready when the study can be served."""
        if self.reading is None:
            return None
        found = self.reading.progress
        if found.state == "ready" and self.study_app is None:
            return ReadingProgress("thinking", 1, 1, None, found.sentence, found.notes)
        return found

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Keep the session while the server runs: reading ends with it, and so does the study."""
        self._loop = asyncio.get_running_loop()
        async with self._open:
            self.on_running()
            try:
                yield
            finally:
                if self.reading is not None and self.study_app is None:
                    await asyncio.to_thread(self.reading.stop)

    def open(self, choice: Choice) -> None:
        """Begin to read what was chosen.

        Raises
        ------
        LikewiseError
            If it cannot be read, or its study cannot be kept anywhere.
        """
        if self.opener is None or self.study_app is not None:
            raise AnswerError("a pile is open here already; start likewise again for another")
        if self.reading is not None and self.reading.progress.state in ("reading", "thinking"):
            raise AnswerError("a pile is being read already; wait for it, or stop it first")
        opening = self.opener.open(choice)
        if opening.answers is not None:  # begun: what counts was settled then
            choice = replace(self.recent.of(choice.path) or choice, n_clusters=None)
            opening = self.opener.open(choice)
        self.begin(opening, choice)

    def begin(self, opening: Opening, choice: Choice | None) -> None:
        """Begin to read a pile; without a choice it is not remembered."""
        self._choice = choice
        self.reading = Reading(opening, self._ended)
        self.reading.start()

    def stop(self) -> None:
        """End the reading, to choose something else; what was computed is kept."""
        if self.reading is not None and self.study_app is None:
            self.reading.stop()
            self.reading = None

    def _ended(self, reading: Reading) -> None:
        """Get the study ready to be served; in the thread of the reading."""
        assert self._loop is not None
        opening, study = reading.opening, reading.study
        if study is None:
            self._loop.call_soon_threadsafe(self.on_end, reading)
            return
        own = Access(path=opening.access_file, owner=self.access)
        app = create_app(
            study,
            name=opening.name,
            access=own,
            hosts=HOSTS,
            pile=opening.watched,
            sorts_beside=opening.path,
            worker_process=self.worker_process,
        )
        if self._choice is not None:
            self.recent.add(self._choice, reading.progress.sentence.partition(", compared")[0])
        asyncio.run_coroutine_threadsafe(self._serve(app, reading), self._loop)

    async def _serve(self, app: FastAPI, reading: Reading) -> None:
        """Take over with the study."""
        if reading is not self.reading:  # stopped meanwhile
            app.state.service.close()
            return
        await self._open.enter_async_context(app.router.lifespan_context(app))
        self.study_app = app
        self.on_end(reading)
