"""`/api/placements` and `/api/sheets`: replies that are several answers, kept in one piece."""

from __future__ import annotations

from uuid import uuid4

import numpy as np
import numpy.typing as npt
from fastapi import APIRouter

from likewise.errors import AnswerError
from likewise.study import Study, edits
from likewise.study.item_keys import item_at, require_study
from likewise.views.exemplars import exemplars
from likewise.views.group_names import known_name
from likewise.web.question_schemas import PlacementIn, SheetIn
from likewise.web.routes.dependencies import From, Service
from likewise.web.routes.replies import CONFLICT
from likewise.web.schemas import PlacementOut

router = APIRouter()


@router.post("/api/placements", status_code=201, responses=CONFLICT)
async def post_placement(service: Service, visitor: From, body: PlacementIn) -> PlacementOut:
    """Put an item into a group, or into one of its own: the answers that this click stands for.

    They are recorded in one piece. What follows from other answers is not recorded again. Refused
    with 409 is a click on items of another study, or that have left the pile or were changed, and
    another click under the same `client_id`.
    """
    if body.group is None and body.member is None:
        raise AnswerError('a placement needs the group, "new" or a member of the group')
    client_id = body.client_id or uuid4().hex
    who = await service.person(visitor, body.annotator)
    labels = None
    if body.group != "new" and body.member is None:
        labels = (await service.groups()).labels

    def placing(study: Study) -> edits.Edit:
        require_study(study, body.study)
        item = item_at(study.items, body.item)
        member = None if body.member is None else item_at(study.items, body.member)
        if labels is not None:
            inside = (labels == body.group).nonzero()[0]
            member = _member_of(study, inside[inside != item])
        placed = edits.place(
            study,
            item,
            member,
            among=None if body.among is None else [item_at(study.items, one) for one in body.among],
            who=who,
            seconds=body.seconds,
            cost=service.dispatcher.routing.price_of(who),
            client_id=client_id,
        )
        if member is None:
            _name_new(study, item, body.name, placed, who)
        return placed

    return PlacementOut.of(service.study, await service.reply(who, placing))


@router.post("/api/sheets", status_code=201, responses=CONFLICT)
async def post_sheet(service: Service, visitor: From, body: SheetIn) -> PlacementOut:
    """Say which items of a sheet belong together and where they go: the answers it stands for.

    They are recorded in one piece. What follows from other answers is not recorded again. Refused
    with 409 as a placement is.
    """
    client_id = body.client_id or uuid4().hex
    who = await service.person(visitor, body.annotator)

    def sorting(study: Study) -> edits.Edit:
        require_study(study, body.study)
        items = [item_at(study.items, one) for one in body.items]
        belonging = [item_at(study.items, one) for one in body.belonging]
        into = body.into
        if into is not None and into != "new":
            into = item_at(study.items, into)
        kept = edits.sort_sheet(
            study,
            items,
            belonging,
            into=into,  # type: ignore[arg-type]  # "new" or a position by now
            among=[item_at(study.items, one) for one in body.among],
            who=who,
            seconds=body.seconds,
            cost=service.dispatcher.routing.price_of(who),
            client_id=client_id,
        )
        if into == "new":
            _name_new(study, belonging[0] if belonging else items[0], body.name, kept, who)
        return kept

    return PlacementOut.of(service.study, await service.reply(who, sorting))


def _name_new(study: Study, item: int, name: str, edit: edits.Edit, who: str) -> None:
    """Name a group that was just founded, as a part of the same step; once, however often sent."""
    if name and not known_name(study, item):
        study.name(item, name, who=who, step=edit.step)


def _member_of(study: Study, members: npt.NDArray[np.int64]) -> int:
    """Return the item that represents a group: one by which it was found, else the most typical."""
    if not len(members):
        raise AnswerError("there is no such group with other items in it; look at /api/groups")
    for representative in study.constraints.representatives:
        if representative in members:
            return representative
    return exemplars(study, members, 1)[0]
