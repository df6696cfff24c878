"""`/api/disputes`, `/api/verification`: what was answered and is worth a second look."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Response
from pydantic import BaseModel

from likewise.affinities.forest.inconsistency import Doubt
from likewise.journal.disputes import Dispute
from likewise.journal.pairs import Answer, Pair
from likewise.quality import answers_in_doubt
from likewise.study import Study
from likewise.study.item_keys import require_study
from likewise.web.question_cards import pair_out
from likewise.web.question_schemas import QuestionOut
from likewise.web.routes.dependencies import From, Service
from likewise.web.routes.replies import CONFLICT, missing
from likewise.web.schemas import (
    AnswerOut,
    Card,
    DisputeOut,
    DisputesOut,
    DoubtOut,
    Name,
    Position,
    StudyIdentity,
)

router = APIRouter()


class ConfirmationIn(BaseModel):
    """Who confirms an answer; `study` as of a placement."""

    annotator: Name = ""
    study: StudyIdentity | None = None


@router.get("/api/disputes")
async def get_disputes(
    service: Service,
    visitor: From,
    offset: Annotated[int, Query(ge=0, le=10**9)] = 0,
    limit: Annotated[int, Query(ge=1, le=500)] = 50,
) -> DisputesOut:
    """Return answers that contradict each other, and answers that look odd beside the others.

    `limit` contradictions after the first `offset`, oldest first; what looks odd comes with the
    first of them.
    """
    visitor.require_owner("what others answered")
    answers, study = await service.answers(), service.study
    activity = "looking for contradictions"
    disputes, n_disputes = await service.worker.compute(activity, answers, _page, offset, limit)
    doubtful: list[Doubt] = []
    if not offset:
        activity = "looking for slips"
        doubtful = await service.worker.compute(activity, answers, answers_in_doubt)
    doubt = {one.answer.id: one.probability for one in doubtful}
    in_loops = {answer.id for one in disputes for answer in (one.answer, *one.chain)}
    return DisputesOut(
        disputes=[_dispute_out(study, dispute, doubt) for dispute in disputes],
        n_disputes=n_disputes,
        doubtful=[
            DoubtOut(
                answer=AnswerOut.of(study, one.answer),
                items=Card.all_of(study.items, one.answer.pair),
                probability=round(one.probability, 3),
            )
            for one in doubtful
            if one.answer.id not in in_loops
        ],
    )


@router.post(
    "/api/answers/{answer_id}/confirm", status_code=201, responses={**CONFLICT, **missing("answer")}
)
async def post_confirmation(
    service: Service, visitor: From, answer_id: Position, body: ConfirmationIn
) -> AnswerOut:
    """Say once more what an answer says, so that it is not doubted again."""
    visitor.require_owner("confirming what others answered")
    who = await service.person(visitor, body.annotator)

    def confirm(study: Study) -> Answer:
        require_study(study, body.study)
        found = next((one for one in study.answers if one.id == answer_id), None)
        if found is None:
            raise LookupError(f"there is no answer {answer_id}")
        return study.tell(found.pair, found.verdict, who=who)

    return AnswerOut.of(service.study, await service.edit(confirm))


@router.get(
    "/api/verification",
    response_model=QuestionOut,
    responses={204: {"description": "Nothing hangs so much on a single answer."}},
)
async def get_verification(service: Service, visitor: From) -> QuestionOut | Response:
    """Return a question whose answer is known if nobody erred, where a mistake would cost most."""
    visitor.require_owner("what others answered")
    answers = await service.answers()
    activity = "looking for what hangs on one answer"
    pair = await service.worker.compute(activity, answers, _verified)
    if pair is None:
        return Response(status_code=204)
    return await service.with_study(pair_out, service.study, pair)


def _verified(branch: Study) -> Pair | None:
    """Return the pair that is best asked about to verify what is known."""
    question = branch.verification()
    return None if question is None else question.pair


def _page(branch: Study, offset: int, limit: int) -> tuple[list[Dispute], int]:
    """Return some of the disputes, and how many there are."""
    return branch.disputes(offset, limit), branch.n_disputes


def _dispute_out(study: Study, dispute: Dispute, doubt: dict[int, float]) -> DisputeOut:
    """Return the loop, the likeliest culprit first: the most doubted answer, or else the latest."""
    loop = [dispute.answer, *dispute.chain]
    disputed = dispute.answer.id
    ordered = sorted(loop, key=lambda a: (-doubt.get(a.id, 0.0), a.id != disputed, -a.id))
    shown = list(dict.fromkeys(item for answer in loop for item in answer.pair))
    return DisputeOut(
        answers=[AnswerOut.of(study, answer, disputed=answer.id == disputed) for answer in ordered],
        items=Card.all_of(study.items, shown),
        by_elimination=dispute.by_elimination,
    )
