"""`/api/people`: who takes part, and who may."""

from __future__ import annotations

from statistics import median
from typing import Any

from fastapi import APIRouter, Request

from likewise.journal.pairs import Answer, Verdict
from likewise.quality.agreement import alpha_of, krippendorff_alpha
from likewise.study.branch import Branch
from likewise.web.address import link
from likewise.web.people.schemas import (
    ErrorsOut,
    InvitationIn,
    InvitationOut,
    PeopleOut,
    PersonOut,
)
from likewise.web.routes.dependencies import From, Service
from likewise.web.routes.replies import missing
from likewise.web.schemas import Name, NameOut

router = APIRouter()
_SENT = ("low", "high", "agreement", "says_same", "one_sided", "gold", "cost")


@router.get("/api/people")
async def get_people(service: Service, visitor: From) -> PeopleOut:
    """Return who did how much, and how far they agree; not what they answered.

    Who was invited sees only what they did themselves.
    """
    answers = await service.answers()
    gold = [answer for answer in answers if answer.is_gold]
    errors: dict[str, ErrorsOut] = {}
    if visitor.is_owner:
        errors = await service.worker.compute("comparing people", answers, errors_by_name)
    answers = [answer for answer in answers if not answer.is_gold]
    active = await service.with_study(service.dispatcher.active)
    invited = service.people.invited.keys()
    names = {answer.who for answer in answers} | active | invited
    shown = sorted(names if visitor.is_owner else {visitor.name})
    return PeopleOut(
        people=[
            _person(name, answers, name in active, name in invited, errors.get(name))
            for name in shown
        ],
        alpha=krippendorff_alpha(answers) if visitor.is_owner else None,
        overlap=service.dispatcher.overlap,
        gold=len(gold) if visitor.is_owner else 0,
    )


@router.post("/api/people", status_code=201)
async def post_person(
    request: Request, service: Service, visitor: From, body: InvitationIn
) -> InvitationOut:
    """Make a link by which one person is invited to answer; only the owner can do so."""
    visitor.require_owner("inviting people")
    who, token = await service.with_study(service.people.invite, body.name)
    # A proxy may call this server by another name than people do; their page knows that one.
    outside = request.headers.get("origin") or str(request.base_url)
    return InvitationOut(name=who, link=link(outside, token))


@router.delete("/api/people/{name}", responses=missing("person"))
async def delete_person(service: Service, visitor: From, name: Name) -> NameOut:
    """Take an invitation back: its link is refused from now on, the answers stay."""
    visitor.require_owner("taking invitations back")
    await service.with_study(service.people.withdraw, name)
    return NameOut(name=name)


def errors_by_name(branch: Branch) -> dict[str, ErrorsOut]:
    """Return how far everybody who has answered can be relied on, where several have."""
    if len({answer.who for answer in branch.answers}) < 2:
        return {}
    table = branch.answerers_.dropna(subset=["error_same"])
    rows: list[dict[str, Any]] = [dict(row) for _, row in table.iterrows()]
    return {
        row["who"]: ErrorsOut(
            same=row["error_same"],
            different=row["error_different"],
            gold_right=row["gold_right"] if row["gold"] else None,
            **{name: row[name] for name in _SENT},
        )
        for row in rows
    }


def _person(
    name: str, answers: list[Answer], answering: bool, invited: bool, errors: ErrorsOut | None
) -> PersonOut:
    """Return what one of the people did."""
    mine = [answer for answer in answers if answer.who == name]
    seconds = [answer.seconds for answer in mine if answer.seconds is not None]
    return PersonOut(
        name=name,
        answers=len(mine),
        unsure=sum(answer.verdict is Verdict.UNSURE for answer in mine),
        median_seconds=round(median(seconds), 2) if seconds else None,
        latest=max((answer.when for answer in mine), default=""),
        alpha=alpha_of(answers, name),
        answering=answering,
        invited=invited,
        is_program=any(answer.by_program for answer in mine),
        errors=errors,
    )
