"""The application: routes, page, middleware and error handlers around one study."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from importlib.resources import files

from fastapi import FastAPI, Response
from fastapi.staticfiles import StaticFiles

from likewise._version import __version__
from likewise.study import Study
from likewise.web.errors import add_error_handlers
from likewise.web.routes import ROUTERS
from likewise.web.security import SecurityMiddleware
from likewise.web.service import StudyService

_STATIC = files("likewise.web") / "static"


def create_app(
    study: Study,
    *,
    name: str = "",
    token: str | None = None,
    hosts: Iterable[str] | None = None,
    overlap: int = 1,
    lease_seconds: float = 60.0,
    worker_process: bool = False,
) -> FastAPI:
    """Return an ASGI application that serves one study; `likewise.web.serve` runs it.

    Parameters
    ----------
    study
        The study; nobody else may write to it from this process while it is served.
    name
        What the page calls it.
    token
        Demanded of every request; None lets everybody in.
    hosts
        The names the server may be called by, None for any.
    overlap
        How many people are asked about the same pair; with 1 nobody repeats another's question.
    lease_seconds
        How long an offered question stays reserved for a person who does not ask for it again.
    worker_process
        Choose questions for several people in a second process, so that requests are not held up.

    Returns
    -------
    FastAPI
        The application; the service of the study is its `state.service`.
    """
    shared = token is not None or overlap > 1
    service = StudyService(
        study,
        name=name,
        overlap=overlap,
        lease_seconds=lease_seconds,
        shared=shared,
        worker_process=worker_process,
    )

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        service.close()

    # The interactive documentation would load scripts from the network.
    app = FastAPI(
        title="likewise", version=__version__, docs_url=None, redoc_url=None, lifespan=lifespan
    )
    app.state.service = service
    for router in ROUTERS:
        app.include_router(router)
    app.add_api_route("/", _page, methods=["GET"], include_in_schema=False)
    app.mount("/static", StaticFiles(directory=str(_STATIC)), name="static")
    app.add_middleware(SecurityMiddleware, token=token, hosts=hosts)
    add_error_handlers(app)
    return app


async def _page() -> Response:
    """Return the page itself."""
    text = (_STATIC / "index.html").read_text(encoding="utf-8")
    return Response(text, media_type="text/html; charset=utf-8")
