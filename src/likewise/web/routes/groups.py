"""`/api/groups`: what the groups are, and changing them as a whole."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from fastapi import APIRouter, Query

from likewise.study import Study, edits
from likewise.views.exemplars import exemplars
from likewise.views.group_names import label_names
from likewise.views.group_sizes import group_sizes
from likewise.web.routes.dependencies import Service
from likewise.web.schemas import (
    Card,
    GroupOut,
    MergeIn,
    PlacementOut,
    Position,
    RenameIn,
    SplitIn,
)
from likewise.web.worker import GroupSnapshot

router = APIRouter()


@router.get("/api/groups")
async def get_groups(
    service: Service, members: Annotated[int, Query(ge=0, le=200)] = 12
) -> list[GroupOut]:
    """Return every group, the largest first, with some of its members."""
    groups = await service.groups()
    sizes = group_sizes(groups.labels)
    order = sorted(sizes, key=lambda label: (-sizes[label], label))  # the page counts by label

    def rendered(study: Study) -> list[GroupOut]:
        render = _GroupRenderer(study, groups)
        return [render(label, 0, members) for label in order]

    return await service.with_study(rendered, service.study)


@router.get("/api/groups/{group}", responses={404: {"description": "No such group."}})
async def get_group(
    service: Service,
    group: Position,
    offset: Annotated[int, Query(ge=0, le=10**9)] = 0,
    members: Annotated[int, Query(ge=0, le=500)] = 100,
) -> GroupOut:
    """Return one group with as many of its members as wanted; those known for sure come first."""
    groups = await service.groups()
    if group > int(groups.labels.max()):
        raise LookupError(f"there is no group {group}")
    return await service.with_study(
        lambda: _GroupRenderer(service.study, groups)(group, offset, members)
    )


@router.post("/api/groups/name", status_code=201)
async def post_name(service: Service, body: RenameIn) -> dict[str, str]:
    """Name the group in which an item lies; an empty name takes the name away."""
    await service.with_study(lambda: service.study.name(body.item, body.name, who=body.annotator))
    return {"name": body.name}


@router.post("/api/groups/merge", status_code=201)
async def post_merge(service: Service, body: MergeIn) -> PlacementOut:
    """Make one group of two; `force` takes back answers against it, else 409."""

    def merge(study: Study) -> edits.Edit:
        return edits.merge(study, *body.items, who=body.annotator, force=body.force)

    return PlacementOut.of(await service.edit(merge))


@router.post("/api/groups/split", status_code=201)
async def post_split(service: Service, body: SplitIn) -> PlacementOut:
    """Make a group of its own of some items; `force` takes back answers against it, else 409."""

    def split(study: Study) -> edits.Edit:
        return edits.split(study, body.items, who=body.annotator, force=body.force)

    return PlacementOut.of(await service.edit(split))


@router.post("/api/groups/not-here", status_code=201)
async def post_not_here(service: Service, body: SplitIn) -> PlacementOut:
    """Take items out of the group they are in; where they belong is left open."""

    def send_away(study: Study) -> list[edits.Edit]:
        return [
            edits.not_here(study, item, who=body.annotator, force=body.force) for item in body.items
        ]

    return PlacementOut.of(answer for edit in await service.edit(send_away) for answer in edit)


class _GroupRenderer:
    """Renders groups of a snapshot; what is the same for all of them is computed once."""

    def __init__(self, study: Study, groups: GroupSnapshot) -> None:
        self._study = study
        self._groups = groups
        self._names = label_names(study, groups.labels)
        self._placed = study.constraints.placed()

    def __call__(self, label: int, offset: int, limit: int) -> GroupOut:
        """Return a group with `limit` of its members, after the first `offset`."""
        inside = np.flatnonzero(self._groups.labels == label)
        confidence, placed = self._groups.confidence[inside], self._placed[inside]
        order = inside[np.lexsort((inside, -confidence, ~placed))]
        # What shows the group best comes first; the rest follows, the surest before the others.
        ordered = list(dict.fromkeys([*exemplars(self._study, order), *order.tolist()]))
        return GroupOut(
            group=label,
            name=self._names.get(label, ""),
            size=len(inside),
            confidence=round(float(confidence.mean()), 4) if len(inside) else 0.0,
            known=int(placed.sum()),
            members=Card.all_of(self._study.items, ordered[offset : offset + limit]),
        )
