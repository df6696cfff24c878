"""`/api/question`, `/api/answers` and `/api/placements`: how a person answers."""

from __future__ import annotations

from typing import Annotated
from uuid import uuid4

import numpy as np
import numpy.typing as npt
from fastapi import APIRouter, Query, Response

from likewise.errors import AnswerError
from likewise.journal.pairs import Answer, AnswerDraft, Pair, Verdict
from likewise.study import Study
from likewise.study.edits import place
from likewise.views.exemplars import exemplars, known_members
from likewise.views.group_names import known_name, label_names
from likewise.web.routes.dependencies import Service
from likewise.web.schemas import (
    AnswerIn,
    AnswerOut,
    Card,
    Name,
    Place,
    PlacementIn,
    PlacementOut,
    Position,
    QuestionId,
    QuestionOut,
)

router = APIRouter()

_EXEMPLARS = 5
_PLACES = 5
_MOST_PLACES = 1000


@router.get(
    "/api/question",
    response_model=QuestionOut,
    responses={204: {"description": "Nothing is left to ask this person."}},
)
async def get_question(
    service: Service,
    annotator: Annotated[Name, Query()] = "",
    skip: Annotated[QuestionId | None, Query(description="A question to be left out.")] = None,
    places: Annotated[bool, Query(description="Add the groups the item may belong to.")] = False,
) -> QuestionOut | Response:
    """Lease the pair to be judged by this person; asking again keeps it reserved for them.

    A skipped question goes to others, and comes back when nothing else is left.
    """
    skipped = None if skip is None else _pair(skip)
    question = await service.question(annotator, _question_out, skipped)
    if question is None:
        return Response(status_code=204)
    return await _with_places(service, question) if places else question


def _question_out(study: Study, pair: Pair) -> QuestionOut:
    """Return a pair as it is shown: each item with some that are known to be the same."""
    items, known = study.items, [known_members(study, item) for item in pair]
    groups = [
        [member for member in exemplars(study, members, _EXEMPLARS + 1) if member != item]
        for members, item in zip(known, pair, strict=True)
    ]
    return QuestionOut(
        id=f"{pair.i}-{pair.j}",
        pair=(pair.i, pair.j),
        items=Card.all_of(items, pair),
        exemplars=[Card.all_of(items, group[:_EXEMPLARS]) for group in groups],
        sizes=(len(known[0]), len(known[1])),
        names=(known_name(study, pair.i), known_name(study, pair.j)),
        asked=study.n_answers,
    )


async def _with_places(service: Service, question: QuestionOut) -> QuestionOut:
    """Return the question with the groups that its first item may belong to."""
    likely = await service.likely_groups(question.pair[0], _MOST_PLACES)
    labels = (await service.groups()).labels

    def rendered(study: Study) -> list[Place]:
        names = label_names(study, labels)
        return [
            _place(study, int(labels[representative]), nearest, names)
            for representative, nearest in likely[:_PLACES]
        ]

    places = await service.with_study(rendered, service.study)
    more = max(0, len(likely) - _PLACES)
    return question.model_copy(update={"places": places, "more_places": more})


def _place(study: Study, label: int, nearest: int, names: dict[int, str]) -> Place:
    """Return a group as a place for an item; its member most like that item is shown first."""
    members = known_members(study, nearest)
    shown = list(dict.fromkeys([nearest, *exemplars(study, members, _EXEMPLARS)]))[:_EXEMPLARS]
    return Place(
        group=label,
        name=names.get(label, ""),
        size=len(members),
        member=nearest,
        exemplars=Card.all_of(study.items, shown),
    )


@router.post("/api/answers", status_code=201)
async def post_answer(service: Service, body: AnswerIn) -> AnswerOut:
    """Record an answer; the reply comes once it is on the disk.

    An answer that is sent again under the same `client_id` is recorded once. Another one of the
    same person about the same pair is refused with 409.
    """
    draft = AnswerDraft(
        _pair(body.question),
        Verdict.of(body.verdict),
        who=body.annotator,
        seconds=body.seconds,
        client_id=body.client_id or uuid4().hex,
    )
    answer, disputed = await service.record(draft)
    return AnswerOut.of(answer, disputed=disputed)


@router.get("/api/answers")
async def get_answers(
    service: Service,
    annotator: Annotated[Name, Query()] = "",
    limit: Annotated[int, Query(ge=1, le=1000)] = 50,
) -> list[AnswerOut]:
    """Return the latest answers of one person that stand, oldest first."""
    mine = [answer for answer in await service.answers() if answer.who == annotator]
    return [AnswerOut.of(answer) for answer in mine[-limit:]]


@router.get("/api/answers/{answer_id}/why", responses={404: {"description": "No such answer."}})
async def get_why(service: Service, answer_id: Position) -> dict[str, str]:
    """Return why the pair was worth asking, by what was known before it was answered."""
    return {"why": await service.explain(answer_id)}


@router.delete("/api/answers/{answer_id}")
async def delete_answer(
    service: Service, answer_id: Position, annotator: Annotated[Name, Query()] = ""
) -> AnswerOut:
    """Take an answer back; its question comes again to the person named."""
    return AnswerOut.of(await service.retract(answer_id, annotator))


@router.post("/api/placements", status_code=201)
async def post_placement(service: Service, body: PlacementIn) -> PlacementOut:
    """Put an item into a group, or into one of its own: the answers that this click stands for.

    They are recorded in one piece. What follows from other answers is not recorded again.
    """
    client_id = body.client_id or uuid4().hex
    member = body.member
    if body.group != "new" and member is None:
        labels = (await service.groups()).labels
        inside = (labels == body.group).nonzero()[0]
        member = await service.with_study(_member_of, service.study, inside[inside != body.item])

    def placing(study: Study) -> list[Answer]:
        return place(
            study,
            body.item,
            member,
            among=body.among,
            who=body.annotator,
            seconds=body.seconds,
            client_id=client_id,
        )

    return PlacementOut.of(await service.edit(placing))


def _member_of(study: Study, members: npt.NDArray[np.int64]) -> int:
    """Return the item that represents a group: one by which it was found, else the most typical."""
    if not len(members):
        raise AnswerError("there is no such group with other items in it; look at /api/groups")
    for representative in study.constraints.representatives:
        if representative in members:
            return representative
    return exemplars(study, members, 1)[0]


def _pair(question: str) -> Pair:
    """Return the pair that a question's id names."""
    i, j = question.split("-")
    return Pair(int(i), int(j))
