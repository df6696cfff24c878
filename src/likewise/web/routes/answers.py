"""`/api/question`, `/api/answers` and `/api/placements`: how a person answers."""

from __future__ import annotations

from contextlib import suppress
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
from likewise.web.item_keys import (
    OtherItem,
    OtherStudy,
    item_at,
    pair_asked,
    question_id,
    require_study,
)
from likewise.web.routes.dependencies import From, Service
from likewise.web.routes.replies import CONFLICT, missing
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
    StudyIdentity,
    WhyOut,
)
from likewise.web.service import NoQuestion

router = APIRouter()

_EXEMPLARS = 5
_PLACES = 5
_MOST_PLACES = 1000
_LOOK_AGAIN = 4  # seconds, when others hold all that is left


@router.get(
    "/api/question",
    response_model=QuestionOut,
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
    skip: Annotated[QuestionId | None, Query(description="A question to be left out.")] = None,
    places: Annotated[bool, Query(description="Add the groups the item may belong to.")] = False,
) -> QuestionOut | Response:
    """Lease the pair to be judged by this person; asking again keeps it reserved for them.

    A skipped question goes to others, and comes back when nothing else is left.
    """
    skipped = None
    if skip is not None:
        with suppress(OtherStudy, OtherItem):  # what is no longer asked need not be left out
            skipped = pair_asked(service.study, skip)
    who = await service.person(visitor, annotator)
    question = await service.question(who, _question_out, skipped)
    if isinstance(question, NoQuestion):
        later = {"retry-after": str(_LOOK_AGAIN)} if question is NoQuestion.FOR_NOW else None
        return Response(status_code=204, headers=later)
    return await _with_places(service, question) if places else question


def _question_out(study: Study, pair: Pair) -> QuestionOut:
    """Return a pair as it is shown: each item with some that are known to be the same."""
    items, known = study.items, [known_members(study, item) for item in pair]
    groups = [
        [member for member in exemplars(study, members, _EXEMPLARS + 1) if member != item]
        for members, item in zip(known, pair, strict=True)
    ]
    return QuestionOut(
        id=question_id(study, pair),
        study=study.identity,
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


@router.post("/api/answers", status_code=201, responses=CONFLICT)
async def post_answer(service: Service, visitor: From, body: AnswerIn) -> AnswerOut:
    """Record an answer; the reply comes once it is on the disk.

    An answer that is sent again under the same `client_id` is recorded once. Refused with 409 are
    another answer under that `client_id`, another one of the same person about the same pair, and
    one to a question of another study or about items that have left the pile or were changed.
    """
    who = await service.person(visitor, body.annotator)
    client_id = body.client_id or uuid4().hex

    def draft(study: Study) -> AnswerDraft:
        return AnswerDraft(
            pair_asked(study, body.question),
            Verdict.of(body.verdict),
            who=who,
            seconds=body.seconds,
            client_id=client_id,
        )

    answer, disputed = await service.record(draft)
    return AnswerOut.of(service.study, answer, disputed=disputed)


@router.get("/api/answers")
async def get_answers(
    service: Service,
    visitor: From,
    annotator: Annotated[Name, Query()] = "",
    limit: Annotated[int, Query(ge=1, le=1000)] = 50,
) -> list[AnswerOut]:
    """Return the latest answers of one person that stand, oldest first.

    Only the owner of the study can ask for those of others.
    """
    who = visitor.person(annotator)
    mine = [answer for answer in await service.answers() if answer.who == who]
    return [AnswerOut.of(service.study, answer) for answer in mine[-limit:]]


@router.get("/api/answers/{answer_id}/why", responses=missing("answer"))
async def get_why(service: Service, visitor: From, answer_id: Position) -> WhyOut:
    """Return why the pair was worth asking, by what was known before it was answered."""
    return WhyOut(why=await service.explain(answer_id, visitor))


@router.delete("/api/answers/{answer_id}", responses={**CONFLICT, **missing("answer")})
async def delete_answer(
    service: Service,
    visitor: From,
    answer_id: Position,
    annotator: Annotated[Name, Query(description="Who takes it back.")] = "",
    again: Annotated[
        bool, Query(description="Whether its question comes again to the person named.")
    ] = True,
    study: Annotated[
        StudyIdentity | None,
        Query(description="Whose answer it is: of another study, 409."),
    ] = None,
) -> AnswerOut:
    """Take an answer back; only the owner of the study can do so with those of others."""
    require_study(service.study, study)
    who = await service.person(visitor, annotator)
    answer = await service.retract(answer_id, visitor, who, again=again and who != "")
    return AnswerOut.of(service.study, answer)


@router.post("/api/placements", status_code=201, responses=CONFLICT)
async def post_placement(service: Service, visitor: From, body: PlacementIn) -> PlacementOut:
    """Put an item into a group, or into one of its own: the answers that this click stands for.

    They are recorded in one piece. What follows from other answers is not recorded again. Refused
    with 409 is a click on items of another study, or that have left the pile or were changed, and
    another click under the same `client_id`.
    """
    client_id = body.client_id or uuid4().hex
    who = await service.person(visitor, body.annotator)
    labels = None
    if body.group != "new" and body.member is None:
        labels = (await service.groups()).labels

    def placing(study: Study) -> list[Answer]:
        require_study(study, body.study)
        item = item_at(study.items, body.item)
        member = None if body.member is None else item_at(study.items, body.member)
        if labels is not None:
            inside = (labels == body.group).nonzero()[0]
            member = _member_of(study, inside[inside != item])
        return place(
            study,
            item,
            member,
            among=None if body.among is None else [item_at(study.items, one) for one in body.among],
            who=who,
            seconds=body.seconds,
            client_id=client_id,
        )

    return PlacementOut.of(service.study, await service.edit(placing))


def _member_of(study: Study, members: npt.NDArray[np.int64]) -> int:
    """Return the item that represents a group: one by which it was found, else the most typical."""
    if not len(members):
        raise AnswerError("there is no such group with other items in it; look at /api/groups")
    for representative in study.constraints.representatives:
        if representative in members:
            return representative
    return exemplars(study, members, 1)[0]
