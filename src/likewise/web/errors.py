"""Errors as replies: a status and one sentence, never a trace of the program."""

from __future__ import annotations

import logging

from fastapi import FastAPI, Request
from starlette.responses import JSONResponse

from likewise.errors import AnswerError, Contradiction, DataError, LikewiseError, StoreError
from likewise.web.dispatcher import AlreadyAnswered

_log = logging.getLogger(__name__)

# The first that fits counts: special errors come before the general ones they derive from.
_STATUSES: dict[type[Exception], int] = {
    AlreadyAnswered: 409,
    Contradiction: 409,
    DataError: 404,
    LookupError: 404,
    StoreError: 503,
    AnswerError: 422,
    LikewiseError: 422,
}


def error_reply(status: int, sentence: str) -> JSONResponse:
    """Return an error in the one form that all of them have: `{"detail": sentence}`."""
    return JSONResponse({"detail": sentence}, status_code=status)


def add_error_handlers(app: FastAPI) -> None:
    """Let the application reply to whatever is raised in a route with a sentence."""
    for kind in (LikewiseError, LookupError):
        app.add_exception_handler(kind, _explain)
    app.add_exception_handler(Exception, _hide)


async def _explain(_: Request, error: Exception) -> JSONResponse:
    """Reply to an error whose message is meant for people."""
    for kind, status in _STATUSES.items():
        if isinstance(error, kind):
            return error_reply(status, str(error).strip("'\""))
    raise error


async def _hide(_: Request, error: Exception) -> JSONResponse:
    """Reply to any other error without saying more about it than the log does."""
    _log.error("a request failed", exc_info=error)
    return error_reply(500, "something went wrong here; the answer was not kept, try again")
