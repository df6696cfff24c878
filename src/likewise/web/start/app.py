"""The application of the start page, in front of that of the study."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.resources import files

from fastapi import FastAPI, Response
from fastapi.staticfiles import StaticFiles
from starlette.types import Receive, Scope, Send

from likewise._version import __version__
from likewise.web.errors import add_error_handlers
from likewise.web.routes.replies import EVERYWHERE
from likewise.web.security import Origins, SecurityMiddleware
from likewise.web.start.routes import router
from likewise.web.start.session import HOSTS, StartSession

_STATIC = files("likewise.web") / "static"
_PATH = "/api/start"


class StartApp:
    """ASGI application: the start page and, once a pile was read, its study.

    Parameters
    ----------
    front
        The application of the start page.
    session
        Knows whether there is a study.
    """

    def __init__(self, front: FastAPI, session: StartSession) -> None:
        self.front = front
        self.session = session

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand a request to whom it is for."""
        study = self.session.study_app
        path = str(scope.get("path", ""))
        about_start = path == _PATH or path.startswith(f"{_PATH}/")
        if study is None or scope["type"] == "lifespan" or about_start:
            await self.front(scope, receive, send)
        else:
            await study(scope, receive, send)


def create_start_app(session: StartSession) -> StartApp:
    """Return an ASGI application for one server; it is never without a token.

    Parameters
    ----------
    session
        What is chosen, read and served.
    """

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        async with session.running():
            yield

    front = FastAPI(
        title="likewise, the start page",
        version=__version__,
        docs_url=None,
        redoc_url=None,
        openapi_url=f"{_PATH}/openapi.json",
        lifespan=lifespan,
        responses=EVERYWHERE,
    )
    front.state.start = session
    front.include_router(router)
    front.add_api_route("/", _page, methods=["GET"], include_in_schema=False)
    front.mount("/static", StaticFiles(directory=str(_STATIC)), name="static")
    front.add_middleware(SecurityMiddleware, access=session.access, origins=Origins(hosts=HOSTS))
    add_error_handlers(front)
    return StartApp(front, session)


async def _page() -> Response:
    """Return the start page."""
    text = (_STATIC / "start.html").read_text(encoding="utf-8")
    return Response(text, media_type="text/html; charset=utf-8")
