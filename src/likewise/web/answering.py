"""The paths a person answers by: a question, an answer, a placement, taking back."""

from __future__ import annotations

import re
from typing import Annotated
from uuid import uuid4

import numpy as np
import numpy.typing as npt
from fastapi import APIRouter, Query, Request, Response

from likewise.errors import AnswerError
from likewise.journal.pairs import Answer, AnswerDraft, Pair, Verdict
from likewise.study import Study
from likewise.study.edits import place
from likewise.views.cards import card, cards, exemplars, known_members
from likewise.views.group_names import known_name, label_names
from likewise.web.models import (
    AnswerIn,
    AnswerOut,
    Name,
    Place,
    PlacementIn,
    PlacementOut,
    Position,
    QuestionId,
    QuestionOut,
)
from likewise.web.room import Room

router = APIRouter()

_EXEMPLARS = 5
_PLACES = 5
_MOST_PLACES = 1000
_CLICK = re.compile(r":\d+$")  # what tells the answers of one click apart


def room_of(request: Request) -> Room:
    """The room that the request is about."""
    room: Room = request.app.state.room
    return room


@router.get(
    "/api/question",
    response_model=QuestionOut,
    responses={204: {"description": "Nothing is left to ask this person."}},
)
async def get_question(
    request: Request,
    annotator: Annotated[Name, Query()] = "",
    skip: Annotated[QuestionId | None, Query(description="A question to be left out.")] = None,
    places: Annotated[bool, Query(description="Add the groups the item may belong to.")] = False,
) -> QuestionOut | Response:
    """The pair to be judged by this person; asking again keeps it reserved for them."""
    room = room_of(request)
    shown = await room.question(annotator, _shown, None if skip is None else _pair(skip))
    if shown is None:
        return Response(status_code=204)
    if not places:
        return shown
    likely = await room.likely_groups(shown.pair[0], _MOST_PLACES)
    _, grouping = await room.grouping()

    def with_places(study: Study) -> QuestionOut:
        names = label_names(study, grouping.labels)
        found = [
            _place(study, int(grouping.labels[representative]), nearest, names)
            for representative, nearest in likely[:_PLACES]
        ]
        return shown.model_copy(
            update={"places": found, "more_places": max(0, len(likely) - _PLACES)}
        )

    return await room.with_study(with_places, room.study)


def _shown(study: Study, pair: Pair) -> QuestionOut:
    items, known = study.items, [known_members(study, item) for item in pair]
    groups = [
        [member for member in exemplars(study, members, _EXEMPLARS + 1) if member != item]
        for members, item in zip(known, pair, strict=True)
    ]
    return QuestionOut(
        id=f"{pair.i}-{pair.j}",
        pair=(pair.i, pair.j),
        items=[card(items, item) for item in pair],  # type: ignore[misc]
        exemplars=[cards(items, group[:_EXEMPLARS]) for group in groups],  # type: ignore[misc]
        sizes=(len(known[0]), len(known[1])),
        names=(known_name(study, pair.i), known_name(study, pair.j)),
        asked=study.n_answers,
    )


def _place(study: Study, label: int, nearest: int, names: dict[int, str]) -> Place:
    members = known_members(study, nearest)
    shown = list(dict.fromkeys([nearest, *exemplars(study, members, _EXEMPLARS)]))[:_EXEMPLARS]
    return Place(
        group=label,
        name=names.get(label, ""),
        size=len(members),
        member=nearest,
        exemplars=cards(study.items, shown),  # type: ignore[arg-type]
    )


@router.post("/api/answers", status_code=201)
async def post_answer(request: Request, told: AnswerIn) -> AnswerOut:
    """Keep an answer; the reply comes once it is on the disk."""
    room = room_of(request)
    draft = AnswerDraft(
        _pair(told.question),
        Verdict.of(told.verdict),
        who=told.annotator,
        seconds=told.seconds,
        client_id=told.client_id or uuid4().hex,
    )
    answer, disputed = await room.record(draft)
    return answer_out(answer, disputed=disputed)


@router.get("/api/answers")
async def get_answers(
    request: Request,
    annotator: Annotated[Name, Query()] = "",
    limit: Annotated[int, Query(ge=1, le=1000)] = 50,
) -> list[AnswerOut]:
    """The latest answers of one person that stand, oldest first."""
    answers = await room_of(request).answers()
    mine = [answer for answer in answers if answer.who == annotator]
    return [answer_out(answer) for answer in mine[-limit:]]


@router.get("/api/answers/{answer_id}/why", responses={404: {"description": "No such answer."}})
async def get_why(request: Request, answer_id: Position) -> dict[str, str]:
    """Why the pair was worth asking, by what was known before it was answered."""
    return {"why": await room_of(request).why(answer_id)}


@router.delete("/api/answers/{answer_id}")
async def delete_answer(
    request: Request, answer_id: Position, annotator: Annotated[Name, Query()] = ""
) -> AnswerOut:
    """Take an answer back; its question comes again to the person named."""
    return answer_out(await room_of(request).take_back(answer_id, annotator))


@router.post("/api/placements", status_code=201)
async def post_placement(request: Request, told: PlacementIn) -> PlacementOut:
    """Put an item into a group, or into one of its own: the answers that this click stands for."""
    room = room_of(request)
    client_id = told.client_id or uuid4().hex
    member = told.member
    if told.group != "new" and member is None:
        _, grouping = await room.grouping()
        inside = (grouping.labels == told.group).nonzero()[0]
        member = await room.with_study(_member_of, room.study, inside[inside != told.item])

    def placing(study: Study) -> list[Answer]:
        return place(
            study,
            told.item,
            member,
            among=told.among,
            who=told.annotator,
            seconds=told.seconds,
            client_id=client_id,
        )

    answers = await room.edit(placing)
    return PlacementOut(answers=[answer_out(answer) for answer in answers])


def _member_of(study: Study, members: npt.NDArray[np.int64]) -> int:
    """Return the item that represents a group: one by which it was found, else the most typical."""
    if not len(members):
        raise AnswerError("there is no such group with other items in it; look at /api/groups")
    for representative in study.constraints.representatives:
        if representative in members:
            return representative
    return exemplars(study, members, 1)[0]


def answer_out(answer: Answer, *, disputed: bool = False) -> AnswerOut:
    """An answer as it is sent."""
    return AnswerOut(
        id=answer.id,
        pair=(answer.pair.i, answer.pair.j),
        verdict=answer.verdict.value,
        annotator=answer.who,
        when=answer.when,
        seconds=answer.seconds,
        same_probability=answer.same_probability,
        as_predicted=answer.as_predicted,
        click=_CLICK.sub("", answer.client_id) or str(answer.id),
        disputed=disputed,
    )


def _pair(question: str) -> Pair:
    i, j = question.split("-")
    return Pair(int(i), int(j))
