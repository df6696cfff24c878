"""The application: its routes, its page, and the sentences in which it reports errors."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from importlib.resources import files

from fastapi import FastAPI, Request, Response
from fastapi.responses import JSONResponse
from fastapi.staticfiles import StaticFiles

from likewise._version import __version__
from likewise.errors import AnswerError, Contradiction, DataError, LikewiseError, StoreError
from likewise.study import Study
from likewise.web.dispatcher import AlreadyAnswered
from likewise.web.routes import ROUTERS
from likewise.web.security import Guard
from likewise.web.service import StudyService

_log = logging.getLogger(__name__)
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
    app.add_middleware(Guard, token=token, hosts=hosts)
    _explain_errors(app)
    return app


async def _page() -> Response:
    """Return the page itself."""
    text = (_STATIC / "index.html").read_text(encoding="utf-8")
    return Response(text, media_type="text/html; charset=utf-8")


def _explain_errors(app: FastAPI) -> None:
    """Reply to whatever goes wrong with a sentence, and never with a trace of the program."""

    def reply(status: int, sentence: str) -> JSONResponse:
        return JSONResponse({"detail": sentence}, status_code=status)

    statuses: dict[type[Exception], int] = {
        AlreadyAnswered: 409,
        Contradiction: 409,
        DataError: 404,
        LookupError: 404,
        StoreError: 503,
        AnswerError: 422,
        LikewiseError: 422,
    }

    async def explain(_: Request, error: Exception) -> JSONResponse:
        for kind, status in statuses.items():
            if isinstance(error, kind):
                return reply(status, str(error).strip("'\""))
        raise error

    for kind in (LikewiseError, LookupError):
        app.add_exception_handler(kind, explain)

    async def hide(_: Request, error: Exception) -> JSONResponse:
        _log.error("a request failed", exc_info=error)
        return reply(500, "something went wrong here; the answer was not kept, try again")

    app.add_exception_handler(Exception, hide)
