"""`/api/groups`: what the groups are, and changing them as a whole."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Annotated, Literal

import numpy as np
import numpy.typing as npt
from fastapi import APIRouter, Query

from likewise.journal.pairs import Answer
from likewise.quality.merge_hints import merge_hints
from likewise.study import Study, edits
from likewise.study.item_keys import item_at, item_key, require_study
from likewise.views.exemplars import exemplars, latest_answers, nearer_than_centre
from likewise.views.group_names import label_names
from likewise.views.group_titles import GroupTitles
from likewise.web.routes._group_notes import GroupNotes
from likewise.web.routes.dependencies import From, Service
from likewise.web.routes.replies import CONFLICT, missing
from likewise.web.schemas import (
    Card,
    GroupOut,
    ItemName,
    LikeOut,
    MembersIn,
    MergeHintOut,
    MergeIn,
    MoveIn,
    NameOut,
    PlacementOut,
    Position,
    RenameIn,
    SplitIn,
)
from likewise.web.security import Visitor
from likewise.web.worker import GroupSnapshot

router = APIRouter()

_MOST_CARDS = 2000  # in one reply: whoever wants more pages through


@router.get("/api/groups")
async def get_groups(
    service: Service,
    members: Annotated[int, Query(ge=0, le=200)] = 12,
    offset: Annotated[int, Query(ge=0, le=10**9)] = 0,
    limit: Annotated[int | None, Query(ge=1, le=10**9)] = None,
) -> list[GroupOut]:
    """Return groups, the largest first, with some of their members.

    All groups, or `limit` after the first `offset`. No reply holds more than 2000 members: of many
    groups fewer of each are shown, at least one, and the others are had by `/api/groups/{group}`.
    """
    renderer = await _renderer(service)
    labels = renderer.by_size()[offset:][:limit]
    shown = min(members, max(1, _MOST_CARDS // max(len(labels), 1)))
    return await asyncio.to_thread(lambda: [renderer(label, 0, shown) for label in labels])


@router.get("/api/groups/{group}", responses=missing("group"))
async def get_group(
    service: Service,
    group: Position,
    offset: Annotated[int, Query(ge=0, le=10**9)] = 0,
    members: Annotated[int, Query(ge=0, le=500)] = 100,
    order: Annotated[
        Literal["surest", "doubtful"],
        Query(description="Which come first: those that show it best, or the least sure."),
    ] = "surest",
) -> GroupOut:
    """Return one group with as many of its members as wanted; those known for sure come first."""
    renderer = await _renderer(service)
    if group not in renderer.by_size():
        raise LookupError(f"there is no group {group}")
    doubtful = order == "doubtful"
    return await asyncio.to_thread(renderer, group, offset, members, doubtful=doubtful)


@router.get("/api/groups/{group}/like", responses={**CONFLICT, **missing("group")})
async def get_like(
    service: Service, group: Position, item: Annotated[ItemName, Query()]
) -> LikeOut:
    """Return the members of a group that are more like one of them than like its centre."""
    renderer = await _renderer(service)
    if group not in renderer.by_size():
        raise LookupError(f"there is no group {group}")
    position = item_at(service.study.items, item)
    found = await asyncio.to_thread(renderer.like, group, position)
    return LikeOut(items=[item_key(service.study.items, one) for one in found])


@router.get("/api/merges")
async def get_merges(
    service: Service, limit: Annotated[int, Query(ge=1, le=20)] = 3
) -> list[MergeHintOut]:
    """Return groups that may be one, by the items between them; the likeliest first."""
    answers, renderer = await service.answers(), await _renderer(service)
    hints = await service.worker.compute("comparing groups", answers, merge_hints, limit)
    there = set(renderer.by_size())
    return [
        MergeHintOut(groups=(renderer(one, 0, 8), renderer(other, 0, 8)), reason=hint.reason)
        for hint in hints
        for one, other in [hint.groups]
        if {one, other} <= there
    ]


@router.post("/api/groups/name", status_code=201, responses=CONFLICT)
async def post_name(service: Service, visitor: From, body: RenameIn) -> NameOut:
    """Name the group in which an item lies; an empty name takes the name away."""
    who = await _editor(service, visitor, body.annotator)

    def name(study: Study) -> None:
        (item,) = _positions(study, body.study, [body.item])
        study.name(item, body.name, who=who)

    await service.with_study(name, service.study)
    return NameOut(name=body.name)


@router.post("/api/groups/merge", status_code=201, responses=CONFLICT)
async def post_merge(service: Service, visitor: From, body: MergeIn) -> PlacementOut:
    """Make one group of some; `force` takes back answers against it, else 409."""
    who = await _editor(service, visitor, body.annotator)

    def merge(study: Study) -> edits.Edit:
        one, other, *others = _positions(study, body.study, body.items)
        return edits.merge(study, one, other, *others, who=who, force=body.force)

    return PlacementOut.of(service.study, await service.edit(merge))


@router.post("/api/groups/split", status_code=201, responses=CONFLICT)
async def post_split(service: Service, visitor: From, body: SplitIn) -> PlacementOut:
    """Make a group of its own of some items; `force` takes back answers against it, else 409."""
    who = await _editor(service, visitor, body.annotator)

    def split(study: Study) -> edits.Edit:
        items = _positions(study, body.study, body.items)
        return edits.split(study, items, who=who, force=body.force)

    return PlacementOut.of(service.study, await service.edit(split))


@router.post("/api/groups/move", status_code=201, responses=CONFLICT)
async def post_move(service: Service, visitor: From, body: MoveIn) -> PlacementOut:
    """Put items into another group or a new one; `force` takes answers back, else 409."""
    who = await _editor(service, visitor, body.annotator)

    def move(study: Study) -> edits.Edit:
        items = _positions(study, body.study, body.items)
        if body.into != "new":
            into = item_at(study.items, body.into)
            return edits.move(study, items, into, who=who, force=body.force)
        done = edits.split(study, items, who=who, force=body.force)
        if body.name:
            study.name(items[0], body.name, who=who, step=done.step)
        return done

    return PlacementOut.of(service.study, await service.edit(move))


@router.post("/api/groups/confirm", status_code=201, responses=CONFLICT)
async def post_confirm(service: Service, visitor: From, body: MembersIn) -> PlacementOut:
    """Say of members of a group that they belong there."""
    who = await _editor(service, visitor, body.annotator)

    def confirm(study: Study) -> edits.Edit:
        return edits.confirm(study, _positions(study, body.study, body.items), who=who)

    return PlacementOut.of(service.study, await service.edit(confirm))


@router.post("/api/groups/not-here", status_code=201, responses=CONFLICT)
async def post_not_here(service: Service, visitor: From, body: SplitIn) -> PlacementOut:
    """Take items out of the group they are in, all or none; where they belong is left open."""
    who = await _editor(service, visitor, body.annotator)

    def send_away(study: Study) -> edits.Edit:
        items = _positions(study, body.study, body.items)
        return edits.not_here(study, *items, who=who, force=body.force)

    return PlacementOut.of(service.study, await service.edit(send_away))


def _positions(study: Study, identity: str | None, named: Sequence[int | str]) -> list[int]:
    """Return where the items of a request lie; refuse a request that is meant for other ones."""
    require_study(study, identity)
    return [item_at(study.items, one) for one in named]


async def _editor(service: Service, visitor: Visitor, annotator: str) -> str:
    """Return who changes groups as a whole, by which others' answers may be taken back."""
    visitor.require_owner("changing groups as a whole")
    return await service.person(visitor, annotator)


async def _renderer(service: Service) -> _GroupRenderer:
    """Return what renders the groups as they are now, beside whatever is answered meanwhile."""
    groups = await service.groups()
    known = await service.with_study(_known, service.study, groups)
    return await asyncio.to_thread(_GroupRenderer, service.study, groups, service.titles, *known)


def _known(
    study: Study, groups: GroupSnapshot
) -> tuple[dict[int, str], npt.NDArray[np.bool_], list[Answer], GroupNotes]:
    """Return what only the study's thread may look at: names, what is placed, answers, notes."""
    names, notes = label_names(study, groups.labels), GroupNotes.of(study, groups.labels)
    return names, study.constraints.placed(), study.answers, notes


class _GroupRenderer:
    """Renders groups of a snapshot; what is the same for all of them is computed once.

    Of the study it looks at nothing but the items, which never change.
    """

    def __init__(
        self,
        study: Study,
        groups: GroupSnapshot,
        titles: GroupTitles,
        names: dict[int, str],
        placed: npt.NDArray[np.bool_],
        answers: Sequence[Answer],
        notes: GroupNotes,
    ) -> None:
        self._notes = notes
        self._study, self._groups = study, groups
        self._names, self._placed, self._titles = names, placed, titles
        self._latest = latest_answers(answers, len(study.items))
        # The members of one group after the other: those known for sure first, then the surest.
        labels = groups.labels
        order = np.lexsort((np.arange(len(labels)), -groups.confidence, ~placed, labels))
        found, first = np.unique(labels[order], return_index=True)
        parts = np.split(order, first[1:])
        self._members = dict(zip(found.tolist(), parts, strict=True))

    def by_size(self) -> list[int]:
        """Return the labels of all groups, the largest first; the page counts by label."""
        return sorted(self._members, key=lambda label: (-len(self._members[label]), label))

    def __call__(self, label: int, offset: int, limit: int, *, doubtful: bool = False) -> GroupOut:
        """Return a group with `limit` of its members, after the first `offset`."""
        order = self._members[label]
        if doubtful:
            ordered = order[::-1].tolist()
        else:
            # What shows the group best comes first; the rest follows.
            best = exemplars(self._study, order, latest=self._latest)
            ordered = list(dict.fromkeys([*best, *order[: offset + limit + len(best)].tolist()]))
        return GroupOut(
            group=label,
            name=self._names.get(label, ""),
            title=self._titles(order),
            size=len(order),
            confidence=round(float(self._groups.confidence[order].mean()), 4),
            known=int(self._placed[order].sum()),
            members=Card.all_of(self._study.items, ordered[offset : offset + limit]),
            **self._notes.shown(self._study.items, label, ordered[offset : offset + limit]),
        )

    def like(self, label: int, item: int) -> list[int]:
        """Return the members that are more like an item than like the centre of the group."""
        return nearer_than_centre(self._study, self._members[label], item)
