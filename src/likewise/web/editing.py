"""The paths that change groups as a whole: a name, a merger, a split, an item sent away."""

from __future__ import annotations

from fastapi import APIRouter, Request

from likewise.study import Study
from likewise.study import edits as editing
from likewise.web.answering import answer_out, room_of
from likewise.web.models import MergeIn, PlacementOut, RenameIn, SplitIn

router = APIRouter()


@router.post("/api/groups/name", status_code=201)
async def post_name(request: Request, told: RenameIn) -> dict[str, str]:
    """Name the group in which an item lies."""
    room = room_of(request)
    await room.with_study(lambda: room.study.name(told.item, told.name, who=told.annotator))
    return {"name": told.name}


@router.post("/api/groups/merge", status_code=201)
async def post_merge(request: Request, told: MergeIn) -> PlacementOut:
    """Make one group of two; if answers speak against it, `force` takes them back."""

    def merge(study: Study) -> editing.Edit:
        return editing.merge(study, *told.items, who=told.annotator, force=told.force)

    return _given(await room_of(request).edit(merge))


@router.post("/api/groups/split", status_code=201)
async def post_split(request: Request, told: SplitIn) -> PlacementOut:
    """Make a group of its own of some items."""

    def split(study: Study) -> editing.Edit:
        return editing.split(study, told.items, who=told.annotator, force=told.force)

    return _given(await room_of(request).edit(split))


@router.post("/api/groups/not-here", status_code=201)
async def post_not_here(request: Request, told: SplitIn) -> PlacementOut:
    """Say of items that they do not belong to the group they are in."""

    def send_away(study: Study) -> list[editing.Edit]:
        return [
            editing.not_here(study, item, who=told.annotator, force=told.force)
            for item in told.items
        ]

    edits = await room_of(request).edit(send_away)
    return PlacementOut(answers=[answer_out(answer) for edit in edits for answer in edit])


def _given(edit: editing.Edit) -> PlacementOut:
    return PlacementOut(answers=[answer_out(answer) for answer in edit])
