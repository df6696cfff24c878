"""Errors as replies: a status and one sentence, never a trace of the program."""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request
from fastapi.encoders import jsonable_encoder
from fastapi.exceptions import RequestValidationError
from starlette.responses import JSONResponse

from likewise.errors import (
    AnswerError,
    Contradiction,
    DataError,
    LikewiseError,
    NotAllowed,
    ReusedClientId,
    StoreError,
)
from likewise.journal.pairs import Answer
from likewise.study.item_keys import OtherItem, OtherStudy
from likewise.web.dispatcher import AlreadyAnswered, TooManyPeople
from likewise.web.schemas import SaidOut

_log = logging.getLogger(__name__)
_SHOWN = 24  # answers that speak against an edit
_WAIT_SECONDS = 60  # wrong tokens are forgotten, and leases of people who left end, after that

_ADDRESS = re.compile(r"\bpostgres(?:ql)?(?:\+\w+)?://[^\s;,'\")]+")
_ABSOLUTE = re.compile(r"(?<![\w.:/\\])(?:[A-Za-z]:[/\\]|/(?=[^/\s]))[^\s;,:'\"()]*")

# The first that fits counts: special errors come before the general ones they derive from.
_STATUSES: dict[type[Exception], int] = {
    AlreadyAnswered: 409,
    ReusedClientId: 409,
    OtherItem: 409,
    OtherStudy: 409,
    TooManyPeople: 429,
    NotAllowed: 403,
    Contradiction: 409,
    DataError: 404,
    LookupError: 404,
    StoreError: 503,
    AnswerError: 422,
    LikewiseError: 422,
}


def error_reply(status: int, sentence: str, **more: Any) -> JSONResponse:
    """Return an error in the one form that all of them have: `{"detail": sentence}`."""
    headers = {"retry-after": str(_WAIT_SECONDS)} if status == 429 else None
    return JSONResponse({"detail": sentence, **more}, status_code=status, headers=headers)


def add_error_handlers(app: FastAPI) -> None:
    """Let the application reply to whatever is raised in a route with a sentence."""
    for kind in (LikewiseError, LookupError):
        app.add_exception_handler(kind, _explain)
    app.add_exception_handler(RequestValidationError, _refuse)
    app.add_exception_handler(Exception, _hide)


async def _explain(request: Request, error: Exception) -> JSONResponse:
    """Reply to an error whose message is meant for people, wherever their browsers are."""
    for kind, status in _STATUSES.items():
        if isinstance(error, kind):
            sentence = without_places(str(error).strip("'\""), _store(request))
            # Who can send it elsewhere, or later, is told which study this is.
            more: dict[str, Any] = {"study": error.here} if isinstance(error, OtherStudy) else {}
            if isinstance(error, Contradiction) and error.answers:
                more = {"against": _said(request, error.answers)}
            return error_reply(status, sentence, **more)
    raise error


def _said(request: Request, answers: Sequence[Answer]) -> list[Any]:
    """Return answers with their items, as they are shown."""
    study = request.app.state.service.study
    return [SaidOut.of(study, answer).model_dump(mode="json") for answer in answers[:_SHOWN]]


async def _refuse(_: Request, error: Exception) -> JSONResponse:
    """Reply to a request of the wrong form; what it said is not repeated, it may be no text."""
    assert isinstance(error, RequestValidationError)
    found = [{key: one[key] for key in ("type", "loc", "msg")} for one in error.errors()]
    return JSONResponse({"detail": jsonable_encoder(found)}, status_code=422)


def without_places(sentence: str, store: str = "") -> str:
    """Return a sentence that tells nobody where on this computer, or on which other, files are.

    The last part of a path stays, since it says which file is meant.

    >>> without_places("/home/ann/pile.likewise.db cannot be written: disk is full")
    'pile.likewise.db cannot be written: disk is full'
    """
    if "://" in store:
        sentence = sentence.replace(store, "the database")
    elif store:
        # As it stands: a path with blanks in it cannot be told from the words around it.
        sentence = sentence.replace(store, Path(store).name)
    sentence = _ADDRESS.sub("the database", sentence)
    return _ABSOLUTE.sub(lambda path: re.split(r"[/\\]", path[0])[-1] or "a folder", sentence)


def _store(request: Request) -> str:
    service = getattr(request.app.state, "service", None)
    return "" if service is None else str(service.study.store)


async def _hide(_: Request, error: Exception) -> JSONResponse:
    """Reply to any other error without saying more about it than the log does."""
    _log.error("a request failed", exc_info=error)
    return error_reply(500, "something went wrong here; the answer was not kept, try again")
