"""The paths by which one looks at a study: how far it is, labels, groups, map, disputes, people."""

from __future__ import annotations

import csv
import io
from dataclasses import asdict
from statistics import median
from typing import Annotated, Any, Literal

import numpy as np
from fastapi import APIRouter, Query, Request, Response

from likewise.affinities.forest.inconsistency import Doubt
from likewise.errors import MethodError
from likewise.items import Items
from likewise.journal.constraints import Dispute
from likewise.journal.pairs import Answer, Verdict
from likewise.quality.agreement import alpha_of, krippendorff_alpha
from likewise.study import Study
from likewise.views.cards import cards, exemplars
from likewise.views.group_names import label_names
from likewise.web.answering import answer_out, room_of
from likewise.web.models import (
    DisputeOut,
    DisputesOut,
    DoubtOut,
    GroupOut,
    LabelOut,
    MapOut,
    PeopleOut,
    PersonOut,
    Position,
)
from likewise.web.room import Room
from likewise.web.thinking import Grouping

router = APIRouter()


@router.get("/api/study")
async def get_study(request: Request) -> dict[str, Any]:
    """How the study stands: answers, groups, progress, and whether one may stop."""
    room = room_of(request)
    doing = room.thinker.doing
    far, study = await room.how_far(), room.study
    return {
        "name": room.name,
        "items": len(study.items),
        "answers": far.answers,
        "groups": far.advice.groups,
        "method": study.method,
        "n_clusters": study.n_clusters,
        "kind": _kind(study),
        "progress": asdict(far.advice),
        "advice": {"may_stop": far.advice.may_stop, "sentence": far.advice.sentence},
        "disputes": far.disputes,
        "overlap": room.desk.overlap,
        "lease_seconds": room.desk.lease_seconds,
        "shared": room.shared,
        "doing": doing,
    }


@router.get("/api/labels", response_model=list[LabelOut])
async def get_labels(
    request: Request,
    form: Annotated[Literal["json", "csv"], Query(alias="format")] = "json",
) -> list[LabelOut] | Response:
    """The group of every item."""
    room = room_of(request)
    _, grouping = await room.grouping()
    names = await _names(room, grouping)
    labels, confidence = grouping.labels.tolist(), grouping.confidence.tolist()
    found = [
        LabelOut(
            item=k,
            id=original,
            group=labels[k],
            name=names.get(labels[k], ""),
            confidence=round(confidence[k], 4),
        )
        for original, k in room.study.items.originals()
    ]
    if form == "json":
        return found
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["item", "group", "name", "confidence"])
    writer.writerows([row.id, row.group, row.name, row.confidence] for row in found)
    headers = {"content-disposition": 'attachment; filename="groups.csv"'}
    return Response(text.getvalue(), media_type="text/csv; charset=utf-8", headers=headers)


@router.get("/api/groups")
async def get_groups(
    request: Request, members: Annotated[int, Query(ge=0, le=200)] = 12
) -> list[GroupOut]:
    """Every group, the largest first, with some of its members."""
    room = room_of(request)
    _, grouping = await room.grouping()
    names = await _names(room, grouping)
    labels = grouping.labels
    sizes = np.bincount(labels)
    order = np.lexsort((np.arange(len(sizes)), -sizes))

    def found(study: Study) -> list[GroupOut]:
        placed = study.constraints.placed()
        return [
            _group(study, grouping, int(label), names, placed, 0, members)
            for label in order
            if sizes[label]
        ]

    return await room.with_study(found, room.study)


@router.get("/api/groups/{group}", responses={404: {"description": "No such group."}})
async def get_group(
    request: Request,
    group: Position,
    offset: Annotated[int, Query(ge=0, le=10**9)] = 0,
    members: Annotated[int, Query(ge=0, le=500)] = 100,
) -> GroupOut:
    """One group, with as many of its members as wanted; those known for sure come first."""
    room = room_of(request)
    _, grouping = await room.grouping()
    if group > int(grouping.labels.max()):
        raise LookupError(f"there is no group {group}")
    names = await _names(room, grouping)
    return await room.with_study(
        lambda: _group(
            room.study, grouping, group, names, room.study.constraints.placed(), offset, members
        )
    )


@router.get("/api/map")
async def get_map(request: Request) -> MapOut:
    """A picture of all items in two dimensions."""
    room = room_of(request)
    where = await room.map()
    _, grouping = await room.grouping()
    return MapOut(
        x=where[:, 0].tolist(),
        y=where[:, 1].tolist(),
        groups=grouping.labels.tolist(),
        names=await _names(room, grouping),
    )


@router.get("/api/items")
async def get_items(
    request: Request, item: Annotated[list[Position], Query(min_length=1, max_length=100)]
) -> list[dict[str, Any]]:
    """Some items, as they are shown."""
    study = room_of(request).study
    if max(item) >= len(study.items):
        raise LookupError(f"there is no item {max(item)}")
    return cards(study.items, item)


@router.get("/api/disputes")
async def get_disputes(request: Request) -> DisputesOut:
    """Answers that contradict each other, and answers that look odd beside the others."""
    room = room_of(request)
    answers, items = await room.answers(), room.study.items
    what = "looking for contradictions"
    disputes, odd = await room.thinker.look(answers, what, _contradictions)
    doubt = {one.answer.id: one.probability for one in odd}
    in_loops = {answer.id for one in disputes for answer in (one.answer, *one.chain)}
    return DisputesOut(
        disputes=[_dispute(items, dispute, doubt) for dispute in disputes],
        doubtful=[
            DoubtOut(
                answer=answer_out(one.answer),
                items=cards(items, one.answer.pair),  # type: ignore[arg-type]
                probability=round(one.probability, 3),
            )
            for one in odd
            if one.answer.id not in in_loops
        ],
    )


@router.get("/api/people")
async def get_people(request: Request) -> PeopleOut:
    """Who did what, and how far they agree; not what they answered."""
    room = room_of(request)
    answers = await room.answers()
    active = await room.with_study(room.desk.active)
    names = sorted({answer.who for answer in answers} | active)
    return PeopleOut(
        people=[_person(name, answers, name in active) for name in names],
        alpha=krippendorff_alpha(answers),
        overlap=room.desk.overlap,
    )


def _person(name: str, answers: list[Answer], answering: bool) -> PersonOut:
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
    )


def _contradictions(study: Study) -> tuple[list[Dispute], list[Doubt]]:
    """Contradictions, and answers that look odd, where the method has what to judge them by."""
    try:
        return study.disputes(), study.doubtful()
    except MethodError:
        return study.disputes(), []


def _dispute(items: Items, dispute: Dispute, doubt: dict[int, float]) -> DisputeOut:
    """The loop, the likeliest culprit first: the most doubted answer, or else the latest."""
    loop = [dispute.answer, *dispute.chain]
    disputed = dispute.answer.id
    ordered = sorted(loop, key=lambda a: (-doubt.get(a.id, 0.0), a.id != disputed, -a.id))
    shown = list(dict.fromkeys(item for answer in loop for item in answer.pair))
    return DisputeOut(
        answers=[answer_out(answer, disputed=answer.id == disputed) for answer in ordered],
        items=cards(items, shown),  # type: ignore[arg-type]
        by_elimination=dispute.by_elimination,
    )


def _group(
    study: Study,
    grouping: Grouping,
    label: int,
    names: dict[int, str],
    placed: np.ndarray[Any, np.dtype[np.bool_]],
    offset: int,
    limit: int,
) -> GroupOut:
    inside = np.flatnonzero(grouping.labels == label)
    sure = grouping.confidence[inside]
    order = inside[np.lexsort((inside, -sure, ~placed[inside]))]
    # What shows the group best comes first; the rest follows, the surest before the others.
    ordered = list(dict.fromkeys([*exemplars(study, order), *order.tolist()]))
    shown = ordered[offset : offset + limit]
    return GroupOut(
        group=label,
        name=names.get(label, ""),
        size=len(inside),
        confidence=round(float(sure.mean()), 4) if len(inside) else 0.0,
        known=int(placed[inside].sum()),
        members=cards(study.items, shown),  # type: ignore[arg-type]
    )


async def _names(room: Room, grouping: Grouping) -> dict[int, str]:
    return await room.with_study(label_names, room.study, grouping.labels)


def _kind(study: Study) -> str:
    items = study.items
    for kind in ("pictures", "texts", "rows"):
        if getattr(items, kind) is not None:
            return kind
    return "numbers"
