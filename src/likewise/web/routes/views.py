"""`/api/views`: what the items are compared by, and what of it counts."""

from __future__ import annotations

from fastapi import APIRouter
from pydantic import BaseModel

from likewise.study import Study
from likewise.study.item_keys import require_study
from likewise.web.routes.dependencies import From, Service
from likewise.web.routes.replies import CONFLICT
from likewise.web.schemas import Name, Shown, StudyIdentity

router = APIRouter()


class FeatureViewOut(BaseModel):
    """A view of the items.

    Attributes
    ----------
    name
        What it is called: "colour", "time".
    counts
        Whether items are compared by it.
    """

    name: Shown
    counts: bool


class ViewsIn(BaseModel):
    """Which views count no longer, which again; `study` as of a placement."""

    off: list[Name] = []
    on: list[Name] = []
    annotator: Name = ""
    study: StudyIdentity | None = None


@router.get("/api/views")
async def get_views(service: Service) -> list[FeatureViewOut]:
    """Return the views of the items; none where there is one only."""
    return await service.with_study(_views, service.study)


@router.post("/api/views", responses=CONFLICT)
async def post_views(service: Service, visitor: From, body: ViewsIn) -> list[FeatureViewOut]:
    """Let views count or not, from now on; only the owner can do so.

    All answers stay; questions are chosen and groups found anew, by the views that count. With an
    unknown view, or none left, 422.
    """
    visitor.require_owner("saying what counts")
    who = await service.person(visitor, body.annotator)

    def switch(study: Study) -> None:
        require_study(study, body.study)
        study.switch_views(off=body.off, on=body.on, who=who)

    await service.with_study(switch, service.study)
    await service.follow_switches()
    return await service.with_study(_views, service.study)


def _views(study: Study) -> list[FeatureViewOut]:
    return [FeatureViewOut(name=name, counts=counts) for name, counts in study.views.items()]
