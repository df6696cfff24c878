"""`/api/disputes`: answers that contradict each other, and answers that look wrong."""

from __future__ import annotations

from fastapi import APIRouter

from likewise.affinities.forest.inconsistency import Doubt
from likewise.errors import MethodError
from likewise.items import Items
from likewise.journal.constraints import Dispute
from likewise.study import Study
from likewise.web.routes.dependencies import Service
from likewise.web.schemas import AnswerOut, Card, DisputeOut, DisputesOut, DoubtOut

router = APIRouter()


@router.get("/api/disputes")
async def get_disputes(service: Service) -> DisputesOut:
    """Return answers that contradict each other, and answers that look odd beside the others."""
    answers, items = await service.answers(), service.study.items
    activity = "looking for contradictions"
    disputes, doubtful = await service.worker.compute(activity, answers, _disputes_and_doubts)
    doubt = {one.answer.id: one.probability for one in doubtful}
    in_loops = {answer.id for one in disputes for answer in (one.answer, *one.chain)}
    return DisputesOut(
        disputes=[_dispute_out(items, dispute, doubt) for dispute in disputes],
        doubtful=[
            DoubtOut(
                answer=AnswerOut.of(one.answer),
                items=Card.all_of(items, one.answer.pair),
                probability=round(one.probability, 3),
            )
            for one in doubtful
            if one.answer.id not in in_loops
        ],
    )


def _disputes_and_doubts(study: Study) -> tuple[list[Dispute], list[Doubt]]:
    """Return disputes, and doubtful answers where the method has what to judge them by."""
    try:
        return study.disputes(), study.doubtful()
    except MethodError:
        return study.disputes(), []


def _dispute_out(items: Items, dispute: Dispute, doubt: dict[int, float]) -> DisputeOut:
    """Return the loop, the likeliest culprit first: the most doubted answer, or else the latest."""
    loop = [dispute.answer, *dispute.chain]
    disputed = dispute.answer.id
    ordered = sorted(loop, key=lambda a: (-doubt.get(a.id, 0.0), a.id != disputed, -a.id))
    shown = list(dict.fromkeys(item for answer in loop for item in answer.pair))
    return DisputeOut(
        answers=[AnswerOut.of(answer, disputed=answer.id == disputed) for answer in ordered],
        items=Card.all_of(items, shown),
        by_elimination=dispute.by_elimination,
    )
