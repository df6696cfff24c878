"""`/api/answers`: what a person says about a pair, and taking it back."""

from __future__ import annotations

from typing import Annotated
from uuid import uuid4

from fastapi import APIRouter, Query

from likewise.journal.pairs import AnswerDraft, Verdict
from likewise.study import Study
from likewise.study.item_keys import pair_asked, require_study
from likewise.web.routes.dependencies import From, Service
from likewise.web.routes.replies import CONFLICT, missing
from likewise.web.schemas import AnswerIn, AnswerOut, Name, Position, StudyIdentity, WhyOut

router = APIRouter()


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
