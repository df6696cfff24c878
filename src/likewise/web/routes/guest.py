"""`/api/guest`: a language model that answers beside people."""

from __future__ import annotations

import asyncio
from typing import Annotated
from uuid import uuid4

from fastapi import APIRouter, Query, Request

from likewise.journal.pairs import AnswerDraft, Pair, Verdict
from likewise.quality.program_agreement import agreement_with_people
from likewise.study import Study
from likewise.study.item_keys import pair_asked, question_id, require_study
from likewise.web.people.guest import Guest
from likewise.web.people.schemas import (
    ConfirmedOut,
    GuestIn,
    GuestOut,
    KindOut,
    ProposalOut,
    ProposalsIn,
    TakenBackOut,
)
from likewise.web.routes.dependencies import From, Service
from likewise.web.routes.replies import CONFLICT, missing
from likewise.web.schemas import AnswerOut, Card, Name

router = APIRouter()
_SHEET = 24  # proposals on one sheet


def _guest(request: Request) -> Guest:
    guest: Guest | None = request.app.state.guest
    if guest is None:
        raise LookupError("this server has no guest; likewise serve --guest MODEL names one")
    return guest


@router.get("/api/guest")
async def get_guest(request: Request, service: Service, visitor: From) -> GuestOut:
    """Return what the guest is doing, and how far it agrees with people; for the owner alone."""
    visitor.require_owner("the guest")
    guest: Guest | None = request.app.state.guest
    if guest is None:
        return GuestOut(
            name="", sends_to="", running=False, answers=0, answered=0, unsure=0, proposals=0,
            spent=0.0, limit=None, reason="", kinds=[],
        )  # fmt: skip
    answers, state = await service.answers(), guest.state
    theirs = [one for one in answers if one.who == guest.name]
    limit = guest.model.budget
    kinds = agreement_with_people(answers, guest.name, len(service.study.items))
    return GuestOut(
        name=guest.name,
        sends_to=guest.model.sends_to,
        running=state.running,
        answers=len(theirs),
        answered=state.answered,
        unsure=state.unsure,
        proposals=len(state.proposals),
        spent=await asyncio.to_thread(guest.spent),
        limit=None if limit is None else limit.amount,
        reason=state.reason,
        kinds=[KindOut(kind=one.kind, compared=one.compared, agreed=one.agreed) for one in kinds],
    )


@router.post("/api/guest", status_code=202, responses={**CONFLICT, **missing("guest")})
async def post_guest(request: Request, service: Service, visitor: From, body: GuestIn) -> GuestOut:
    """Let the guest answer so many more questions in the background, or only propose answers."""
    visitor.require_owner("the guest")
    await _guest(request).start(body.answers, propose=body.propose)
    return await get_guest(request, service, visitor)


@router.delete("/api/guest", responses=missing("guest"))
async def delete_guest(request: Request, service: Service, visitor: From) -> GuestOut:
    """Stop the guest after the call that is under way."""
    visitor.require_owner("the guest")
    _guest(request).stop()
    return await get_guest(request, service, visitor)


@router.delete("/api/guest/answers", responses=missing("guest"))
async def delete_guest_answers(
    request: Request,
    service: Service,
    visitor: From,
    annotator: Annotated[Name, Query(description="Who takes them back.")] = "",
) -> TakenBackOut:
    """Stop the guest and take all its answers back, in one step that can be undone."""
    visitor.require_owner("the guest")
    who = await service.person(visitor, annotator)
    return TakenBackOut(answers=await _guest(request).take_back(who))


@router.get("/api/guest/proposals", responses=missing("guest"))
async def get_proposals(request: Request, service: Service, visitor: From) -> list[ProposalOut]:
    """Return a sheet of what the guest would answer, for a person to confirm."""
    visitor.require_owner("the guest")
    waiting = list(_guest(request).state.proposals.items())[:_SHEET]

    def shown(study: Study) -> list[ProposalOut]:
        return [
            ProposalOut(
                question=question_id(study, pair),
                verdict=verdict.value,
                items=Card.all_of(study.items, [*pair]),
            )
            for pair, verdict in waiting
        ]

    return await service.with_study(shown, service.study)


@router.post("/api/guest/proposals", status_code=201, responses={**CONFLICT, **missing("guest")})
async def post_proposals(
    request: Request, service: Service, visitor: From, body: ProposalsIn
) -> ConfirmedOut:
    """Record what a person says about proposals, as that person's answers."""
    visitor.require_owner("the guest")
    guest = _guest(request)
    require_study(service.study, body.study)
    who = await service.person(visitor, body.annotator)
    kept, pairs = list[AnswerOut](), list[Pair]()
    for one in body.answers:

        def draft(study: Study, one: object = one) -> AnswerDraft:
            pair = pair_asked(study, one.question)  # type: ignore[attr-defined]
            verdict = Verdict.of(one.verdict)  # type: ignore[attr-defined]
            return AnswerDraft(pair, verdict, who=who, client_id=uuid4().hex)

        answer, disputed = await service.record(draft)
        kept.append(AnswerOut.of(service.study, answer, disputed=disputed))
        pairs.append(answer.pair)
    guest.confirmed(pairs)
    return ConfirmedOut(answers=kept)
