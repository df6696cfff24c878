"""The server of the start page: where it listens, opening it, and ending when a pile is bad."""

from __future__ import annotations

import asyncio
import webbrowser
from collections.abc import Callable
from pathlib import Path

from likewise.web.address import address, link
from likewise.web.port import listen_for
from likewise.web.security import Access
from likewise.web.server import make_server
from likewise.web.start.app import create_start_app
from likewise.web.start.opening import Choice, Opening, PileOpener
from likewise.web.start.reading import Reading
from likewise.web.start.recent import RecentPiles
from likewise.web.start.session import StartSession

_HOST = "127.0.0.1"
_LOOK_SECONDS = 1.5  # a pile that is refused within them opens no page
_SEEN_SECONDS = 4.0  # that a page has to read why a pile was refused
_TICK = 0.05


def serve_start(
    *,
    recent: RecentPiles,
    opener: PileOpener | None = None,
    opening: Opening | None = None,
    choice: Choice | None = None,
    identity: str = "the start page",
    token: str | None = None,
    access_file: Path | None = None,
    port: int | None = None,
    open_browser: bool = True,
    on_start: Callable[[str], object] = lambda _: None,
    on_note: Callable[[str], object] = lambda _: None,
) -> None:
    """Serve the start page to this computer, then the study of what is chosen, until Ctrl-C.

    Parameters
    ----------
    recent
        Piles that were opened lately.
    opener
        Opens what is chosen on the page.
    opening, choice
        A pile that is read at once, and how it can be chosen again; None: it is not remembered.
    identity
        Whose port it is, if `port` is None: the same every time.
    token
        The owner's token; None takes the one that `access_file` keeps, or makes one up.
    access_file
        A private file that keeps tokens across restarts; None keeps them in memory.
    port
        0 lets the system choose one; None is that of the identity.
    open_browser
        Whether to open the page, if there is a browser.
    on_start
        Called with the owner's link before anything is read.
    on_note
        Called with a sentence, such as that no browser could be opened.

    Raises
    ------
    LikewiseError
        Why the pile `opening` could not be read.
    MethodError
        If nothing can listen at that port.
    """
    access = Access(token=token, path=access_file)
    listening = listen_for(identity, _HOST, port, on_note)
    session = StartSession(access, recent, opener, worker_process=True)
    app = create_start_app(session)
    own = link(address(_HOST, listening.getsockname()[1]), access.token)
    server = make_server(app)
    waiting: set[asyncio.Task[None]] = set()

    def ended(reading: Reading) -> None:
        # On the start page another pile can be chosen; here there is nothing else to do.
        if reading.error is not None and opener is None:
            waiting.add(asyncio.ensure_future(_let_read(session)))

    async def _let_read(session: StartSession) -> None:
        """End the server once a page has said why, if one is there."""
        loop = asyncio.get_running_loop()
        until = loop.time() + _SEEN_SECONDS
        while session.was_seen and not session.end_was_seen and loop.time() < until:
            await asyncio.sleep(_TICK)
        server.should_exit = True

    async def _open_soon() -> None:
        """Open the page, unless the pile is refused before anybody could see it."""
        loop = asyncio.get_running_loop()
        until = loop.time() + _LOOK_SECONDS
        while session.reading is not None and loop.time() < until:
            found = session.reading.progress
            if found.state == "failed":
                return
            if found.of or found.state != "reading":
                break
            await asyncio.sleep(_TICK)
        if not await asyncio.to_thread(webbrowser.open, own):
            on_note("no browser could be opened from here; follow the link")

    def started() -> None:
        if opening is not None:
            session.begin(opening, choice)
        if open_browser:
            waiting.add(asyncio.ensure_future(_open_soon()))

    session.on_end = ended
    session.on_running = started
    on_start(own)
    with listening:
        server.run(sockets=[listening])
    if session.reading is not None and session.reading.error is not None and opener is None:
        raise session.reading.error
