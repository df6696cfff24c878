"""The server: its paths, its page, and the sentences it says when something is wrong."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from importlib.resources import files
from typing import Annotated

from fastapi import FastAPI, Query, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import JSONResponse
from fastapi.staticfiles import StaticFiles

from likewise._version import __version__
from likewise.errors import AnswerError, Contradiction, DataError, LikewiseError, StoreError
from likewise.study import Study
from likewise.web import answering, editing, looking
from likewise.web.desk import AnsweredBefore
from likewise.web.models import Position
from likewise.web.room import Room
from likewise.web.security import Guard

_log = logging.getLogger(__name__)
_STATIC = files("likewise.web") / "static"
_DAY = 24 * 3600


def create_app(
    study: Study,
    *,
    name: str = "",
    token: str | None = None,
    hosts: Iterable[str] | None = None,
    overlap: int = 1,
    lease_seconds: float = 60.0,
    apart: bool = False,
) -> FastAPI:
    """An ASGI application that serves one study; `likewise.web.serve` runs it.

    With a `token` nobody gets in without it. `hosts` are the names the server may be called by,
    None for any. `overlap` is how many people are asked the same; a question that somebody looks
    at is theirs for `lease_seconds`, and for longer as long as they keep looking. With `apart`,
    questions for several people are chosen in a second process.
    """
    shared = token is not None or overlap > 1
    room = Room(
        study,
        name=name,
        overlap=overlap,
        lease_seconds=lease_seconds,
        shared=shared,
        apart=apart,
    )

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        room.close()

    # The interactive documentation would load scripts from the network.
    app = FastAPI(
        title="likewise", version=__version__, docs_url=None, redoc_url=None, lifespan=lifespan
    )
    app.state.room = room
    for part in (answering, looking, editing):
        app.include_router(part.router)
    app.add_api_route("/media/{item}", _picture, methods=["GET"], response_class=Response)
    app.add_api_route("/", _page, methods=["GET"], include_in_schema=False)
    app.mount("/static", StaticFiles(directory=str(_STATIC)), name="static")
    app.add_middleware(Guard, token=token, hosts=hosts)
    _explain_errors(app)
    return app


async def _page() -> Response:
    """The page itself."""
    text = (_STATIC / "index.html").read_text(encoding="utf-8")
    return Response(text, media_type="text/html; charset=utf-8")


async def _picture(
    request: Request, item: Position, size: Annotated[int, Query(ge=1, le=2048)] = 256
) -> Response:
    """The picture of an item, never larger than asked for."""
    room: Room = request.app.state.room
    content, kind = await run_in_threadpool(room.media.picture, item, size)
    headers = {"cache-control": f"private, max-age={_DAY}"}
    return Response(content, media_type=kind, headers=headers)


def _explain_errors(app: FastAPI) -> None:
    """Whatever goes wrong is told in a sentence, and never with a trace of the program."""

    def say(status: int, sentence: str) -> JSONResponse:
        return JSONResponse({"detail": sentence}, status_code=status)

    statuses: dict[type[Exception], int] = {
        AnsweredBefore: 409,
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
                return say(status, str(error).strip("'\""))
        raise error

    for kind in (LikewiseError, LookupError):
        app.add_exception_handler(kind, explain)

    async def hide(_: Request, error: Exception) -> JSONResponse:
        _log.error("a request failed", exc_info=error)
        return say(500, "something went wrong here; the answer was not kept, try again")

    app.add_exception_handler(Exception, hide)
