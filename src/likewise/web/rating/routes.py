"""`/api/ratings`: which two to look at, how alike they are, and what came of it."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from anyio import to_thread
from fastapi import APIRouter, Depends, Query, Request, Response

from likewise.exchange.spreadsheet_cells import csv_text
from likewise.journal.pairs import Measurement, Pair
from likewise.study.item_keys import item_at
from likewise.web.rating.schemas import (
    MOST,
    RatedGroupOut,
    RatingIn,
    RatingOut,
    RatingProgressOut,
    RatingQuestionOut,
    UndoRatingIn,
)
from likewise.web.rating.service import RatingService
from likewise.web.routes.dependencies import From
from likewise.web.routes.replies import CONFLICT, missing
from likewise.web.schemas import Card, ItemKey, Name, Position

router = APIRouter()


async def service_of(request: Request) -> RatingService:
    """Return the service that the request is about."""
    service: RatingService = request.app.state.ratings
    return service


Ratings = Annotated[RatingService, Depends(service_of)]
_DAY = 24 * 3600


@router.get("/api/ratings")
async def get_ratings(service: Ratings) -> RatingProgressOut:
    """Return how far it is."""
    return await service.run(service.progress)


@router.get(
    "/api/ratings/question",
    response_model=RatingQuestionOut,
    responses={204: {"description": "Nothing is left to rate."}},
)
async def get_rating_question(
    service: Ratings, visitor: From, annotator: Annotated[Name, Query()] = ""
) -> RatingQuestionOut | Response:
    """Return the two items most worth a look, leased to this person."""
    who = visitor.person(annotator)

    def ask() -> RatingQuestionOut | None:
        pair = service.question(who)
        if pair is None:
            return None
        one, other = Card.all_of(service.items, pair)
        earlier = sum(kept.pair.unordered == pair.unordered for kept in service.study.measurements)
        return RatingQuestionOut(items=(one, other), earlier=earlier)

    return await service.run(ask) or Response(status_code=204)


@router.post("/api/ratings", status_code=201, responses=CONFLICT)
async def post_rating(service: Ratings, visitor: From, body: RatingIn) -> RatingOut:
    """Keep a rating; any two items may be rated."""
    who = visitor.person(body.annotator)

    def tell() -> Measurement:
        i, j = (item_at(service.items, key) for key in body.items)
        return service.tell(
            Pair(i, j), body.rating, who=who, seconds=body.seconds, client_id=body.client_id
        )

    return _shown(await service.run(tell))


@router.post("/api/ratings/undo")
async def post_undo_rating(service: Ratings, visitor: From, body: UndoRatingIn) -> RatingOut:
    """Take back the last rating of a person."""
    return _shown(await service.run(service.undo, visitor.person(body.annotator)))


@router.get("/api/ratings/groups")
async def get_rated_groups(
    service: Ratings, members: Annotated[int, Query(ge=1, le=500)] = 60
) -> list[RatedGroupOut]:
    """Return the groups, the largest first, with some of their members."""

    def found() -> list[RatedGroupOut]:
        labels, margin = service.study.labels_, service.study.confidence_
        parts = [np.flatnonzero(labels == label) for label in np.unique(labels)]
        ordered = sorted(parts, key=len, reverse=True)
        surest = [part[np.argsort(-margin[part], kind="stable")] for part in ordered]
        return [
            RatedGroupOut(
                group=int(labels[part[0]]),
                size=len(part),
                members=Card.all_of(service.items, part[:members].tolist()),
            )
            for part in surest
        ]

    return await service.run(found)


@router.get(
    "/api/ratings/groups.csv",
    response_class=Response,
    responses={200: {"content": {"text/csv": {}}}},
)
async def get_rated_groups_csv(service: Ratings) -> Response:
    """Return item, group and confidence, as a spreadsheet reads them."""

    def written() -> str:
        study = service.study
        found = zip(service.items.ids, study.labels_, study.confidence_, strict=True)
        rows = [(str(name), int(group), round(float(sure), 4)) for name, group, sure in found]
        return csv_text(["item", "group", "confidence"], rows)

    return Response(await service.run(written), media_type="text/csv; charset=utf-8")


@router.get(
    "/media/{item}",
    response_class=Response,
    responses={
        200: {"content": {"image/jpeg": {}, "image/png": {}}},
        **missing("picture"),
        **CONFLICT,
    },
)
async def get_rated_picture(
    service: Ratings,
    item: Position,
    size: Annotated[int, Query(ge=1, le=2048)] = 256,
    key: Annotated[ItemKey | None, Query()] = None,
) -> Response:
    """Return the picture of an item, at most `size` pixels wide and high."""
    shown = item if key is None else item_at(service.items, key)
    content, media_type = await to_thread.run_sync(service.thumbnails.picture, shown, size)
    headers = {"cache-control": f"private, max-age={_DAY}"}
    return Response(content, media_type=media_type, headers=headers)


def _shown(kept: Measurement) -> RatingOut:
    rating = None if kept.value is None else 1 + (MOST - 1) * kept.value
    return RatingOut(id=kept.id, rating=rating)
