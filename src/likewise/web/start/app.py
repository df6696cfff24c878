"""The application of the start page, in front of that of the study."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI
from starlette.types import Receive, Scope, Send

from likewise.web.page_app import page_app
from likewise.web.security import Origins
from likewise.web.start.routes import router
from likewise.web.start.session import HOSTS, StartSession

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

    front = page_app(
        "start",
        [router],
        title="likewise, the start page",
        lifespan=lifespan,
        origins=Origins(hosts=HOSTS),
        access=session.access,
        openapi_url=f"{_PATH}/openapi.json",
    )
    front.state.start = session
    return StartApp(front, session)
