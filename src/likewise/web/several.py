"""Several studies in one server: each at a port of its own, as each has a store of its own.

A browser keeps what belongs to a page by address and port, so that pages of two studies must not
share them: neither tokens nor answers that wait can get from one to the other.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager
from typing import Any

from fastapi import FastAPI
from starlette.types import Receive, Scope, Send

from likewise.errors import MethodError
from likewise.study import Study
from likewise.web.server import Offered, make_server, offer, open_browser_soon

_LAST_PORT = 65_535


class SeveralStudies:
    """ASGI application that hands each request to the study at whose port it came in.

    Parameters
    ----------
    apps : mapping of int to FastAPI
        The application of each study, by its port.
    """

    def __init__(self, apps: Mapping[int, FastAPI]) -> None:
        self._apps = dict(apps)
        self._front = FastAPI(lifespan=self._lifespan, openapi_url=None)

    @asynccontextmanager
    async def _lifespan(self, _: FastAPI) -> AsyncIterator[None]:
        async with AsyncExitStack() as running:
            for app in self._apps.values():
                await running.enter_async_context(app.router.lifespan_context(app))
            yield

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand a request to whom it is for."""
        if scope["type"] == "lifespan":
            await self._front(scope, receive, send)
            return
        await self._apps[scope["server"][1]](scope, receive, send)


def serve_several(
    studies: Sequence[tuple[Study, Mapping[str, Any]]],
    *,
    port: int | None = 0,
    open_browser: bool = False,
    on_start: Callable[[str, str], object] = lambda _name, _link: None,
    on_invite: Callable[[str, str, str], object] = lambda _name, _who, _link: None,
    **settings: Any,
) -> None:
    """Serve studies until Ctrl-C, each at a port of its own.

    Parameters
    ----------
    studies
        Each study, with those settings that are its own: `name`, `access_file`, `pile`.
    port
        That of the first; the others have those after it. 0 lets the system choose all of them,
        None is the own port of each study.
    open_browser
        Whether to open the page of the first, if there is a browser.
    on_start
        Called with the name and the owner's link of each study before the first request.
    on_invite
        Called with the name of the study, and with the name and the link of whoever was invited.
    **settings
        Those of all of them, as of `likewise.web.serve`.

    Raises
    ------
    MethodError
        As `likewise.web.serve`, and if there are not as many ports.
    """
    if port and port + len(studies) - 1 > _LAST_PORT:
        raise MethodError(
            f"{len(studies)} studies need ports from {port} on, but the last is {_LAST_PORT}; "
            "choose a smaller --port"
        )
    with ExitStack() as listening:
        offered: list[tuple[str, Offered]] = []
        for number, (study, own) in enumerate(studies):
            at = port + number if port else port
            one = offer(study, port=at, **{**settings, **own})
            listening.enter_context(one.listening)
            offered.append((str(own.get("name", "")), one))
        server = make_server(
            SeveralStudies({one.listening.getsockname()[1]: one.app for _, one in offered})
        )
        for name, one in offered:
            on_start(name, one.link)
            for who, theirs in one.invited.items():
                on_invite(name, who, theirs)
        if open_browser:
            open_browser_soon(offered[0][1].link)
        server.run(sockets=[one.listening for _, one in offered])
