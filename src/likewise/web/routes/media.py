"""`/media`: the pictures of items, never by path."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Response
from fastapi.concurrency import run_in_threadpool

from likewise.web.routes.dependencies import Service
from likewise.web.schemas import Position

router = APIRouter()

_DAY = 24 * 3600


@router.get("/media/{item}", response_class=Response)
async def get_picture(
    service: Service, item: Position, size: Annotated[int, Query(ge=1, le=2048)] = 256
) -> Response:
    """Return the picture of an item, at most `size` pixels wide and high."""
    content, media_type = await run_in_threadpool(service.thumbnails.picture, item, size)
    headers = {"cache-control": f"private, max-age={_DAY}"}
    return Response(content, media_type=media_type, headers=headers)
