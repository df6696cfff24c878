"""What the OpenAPI document says about replies that are no success."""

from __future__ import annotations

from typing import Any

from likewise.web.schemas import ErrorOut

Replies = dict[int | str, dict[str, Any]]


def _errors(**sentences: str) -> Replies:
    """Return errors by status, `s404="..."`, all of the one form that errors have."""
    return {
        int(status[1:]): {"model": ErrorOut, "description": sentence}
        for status, sentence in sentences.items()
    }


# Of every path: what the middleware says before, and the error handlers after it.
EVERYWHERE = _errors(
    s400="The body cannot be read.",
    s401="No token, or a wrong one.",
    s403="The page of another site has sent it, or only the owner of the study may do this.",
    s413="The body is too long.",
    s415="The body is not `application/json`.",
    s421="The server is not known under that name.",
    s422="The request does not fit: a sentence, or the fields that do not.",
    s429="Too many wrong tokens, or too many people; `Retry-After` says how many seconds to wait.",
    s500="Something went wrong; nothing was kept.",
    s503="The journal cannot be read or written at the moment; nothing was kept.",
)
CONFLICT = _errors(
    s409="It can never be kept as it is: it belongs to another study, is about items that have "
    "left or were changed, was sent under a used `client_id`, or other answers speak against it."
)


def missing(what: str) -> Replies:
    """Return the reply of a path where there is no such thing."""
    return _errors(s404=f"No such {what}.")
