"""`/api/question`: what a person is asked."""

from __future__ import annotations

from contextlib import suppress
from typing import Annotated

from fastapi import APIRouter, Query, Response

from likewise.study.item_keys import OtherItem, OtherStudy, item_key, pair_asked
from likewise.web.question_cards import QuestionCards, pair_out
from likewise.web.question_schemas import AnyQuestionOut, KindName, PictureAhead
from likewise.web.routes.dependencies import From, Service
from likewise.web.schemas import Name, QuestionId
from likewise.web.service import NoQuestion

router = APIRouter()

_LOOK_AGAIN = 4  # seconds, when others hold all that is left


@router.get(
    "/api/question",
    response_model=AnyQuestionOut,
    responses={
        204: {
            "description": "Nothing is left to ask this person; for now, if `Retry-After` says "
            "when to ask again: others are looking at what is left.",
            "headers": {"Retry-After": {"schema": {"type": "integer"}}},
        },
    },
)
async def get_question(
    service: Service,
    visitor: From,
    annotator: Annotated[Name, Query()] = "",
    kind: Annotated[
        KindName,
        Query(
            description="What is wanted: two items to judge, an item to place, a sheet of items "
            "that likely belong together, or whichever is expected to put most items right per "
            "second. Where nothing of a kind is left, another comes."
        ),
    ] = "pair",
    skip: Annotated[QuestionId | None, Query(description="A question to be left out.")] = None,
) -> AnyQuestionOut | Response:
    """Lease a question to this person; asking again keeps it reserved for them.

    A skipped question goes to others, and comes back when nothing else is left.
    """
    skipped = None
    if skip is not None:
        with suppress(OtherStudy, OtherItem):  # what is no longer asked need not be left out
            skipped = pair_asked(service.study, skip)
    who = await service.person(visitor, annotator)
    question: AnyQuestionOut | NoQuestion
    if kind == "pair":
        question = await service.question(who, pair_out, skipped)
    else:
        render = QuestionCards(service.titles)
        question = await service.question_of_kind(who, kind, render, skipped)
    if isinstance(question, NoQuestion):
        later = {"retry-after": str(_LOOK_AGAIN)} if question is NoQuestion.FOR_NOW else None
        return Response(status_code=204, headers=later)
    return question


@router.get("/api/ahead")
async def get_pictures_ahead(
    service: Service, visitor: From, annotator: Annotated[Name, Query()] = ""
) -> list[PictureAhead]:
    """Return the pictures that this person may see next, for a page that loads them meanwhile.

    The reply comes once the questions are chosen that would follow the likely answers.
    """
    pictures = await service.prefetch.pictures(await service.person(visitor, annotator))

    def named() -> list[PictureAhead]:
        items = service.study.items
        return [
            PictureAhead(picture=f"/media/{item}", key=item_key(items, item), size=size)
            for item, size in pictures
            if item < len(items)
        ]

    return await service.with_study(named)
