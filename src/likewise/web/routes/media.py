"""`/media`: the pictures of items, never by path."""

from __future__ import annotations

from typing import Annotated

from anyio import CapacityLimiter, to_thread
from fastapi import APIRouter, Query, Request, Response

from likewise.features.decoding import AT_ONCE
from likewise.study.item_keys import item_at
from likewise.web.routes.dependencies import Service
from likewise.web.routes.replies import CONFLICT, missing
from likewise.web.schemas import ItemKey, Position

router = APIRouter()

_DAY = 24 * 3600


@router.get(
    "/media/{item}",
    response_class=Response,
    responses={
        200: {"content": {"image/jpeg": {}, "image/png": {}}},
        **missing("picture"),
        **CONFLICT,
    },
)
async def get_picture(
    request: Request,
    service: Service,
    item: Position,
    size: Annotated[int, Query(ge=1, le=2048)] = 256,
    key: Annotated[
        ItemKey | None, Query(description="The item's key: a picture kept for a day is no other's.")
    ] = None,
    member: Annotated[
        int, Query(ge=0, le=10**6, description="Of a stack: which of its photographs.")
    ] = 0,
) -> Response:
    """Return the picture of an item, at most `size` pixels wide and high."""
    shown = item if key is None else item_at(service.study.items, key)
    content, media_type = await to_thread.run_sync(
        service.thumbnails.picture, shown, size, member, limiter=_limiter(request)
    )
    headers = {"cache-control": f"private, max-age={_DAY}"}
    return Response(content, media_type=media_type, headers=headers)


def _limiter(request: Request) -> CapacityLimiter:
    """Return what lets few pictures be decoded at once: who waits holds no thread others need."""
    state = request.app.state
    if not hasattr(state, "picture_limiter"):
        state.picture_limiter = CapacityLimiter(AT_ONCE)
    limiter: CapacityLimiter = state.picture_limiter
    return limiter
