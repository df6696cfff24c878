"""`/api/study` and what is read of a study as a whole: labels, map, items, people."""

from __future__ import annotations

import csv
import io
from dataclasses import asdict
from statistics import median
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Response

from likewise.items import Items
from likewise.journal.pairs import Answer, Verdict
from likewise.quality.agreement import alpha_of, krippendorff_alpha
from likewise.views.cards import cards
from likewise.views.group_names import label_names
from likewise.web.routes.dependencies import Service
from likewise.web.schemas import LabelOut, MapOut, PeopleOut, PersonOut, Position

router = APIRouter()


@router.get("/api/study")
async def get_study(service: Service) -> dict[str, Any]:
    """Return how far the study is: answers, groups, progress, and whether one may stop."""
    activity = service.worker.activity
    progress, study = await service.progress(), service.study
    return {
        "name": service.name,
        "items": len(study.items),
        "answers": progress.answers,
        "groups": progress.advice.groups,
        "method": study.method,
        "n_clusters": study.n_clusters,
        "kind": _kind(study.items),
        "progress": asdict(progress.advice),
        "advice": {"may_stop": progress.advice.may_stop, "sentence": progress.advice.sentence},
        "disputes": progress.disputes,
        "overlap": service.dispatcher.overlap,
        "lease_seconds": service.dispatcher.lease_seconds,
        "shared": service.shared,
        "doing": activity,
    }


@router.get("/api/labels", response_model=list[LabelOut])
async def get_labels(
    service: Service,
    form: Annotated[Literal["json", "csv"], Query(alias="format")] = "json",
) -> list[LabelOut] | Response:
    """Return the group of every item, also of copies that were shown as one.

    `format=csv` gives a file with the user's ids: item, group, name, confidence.
    """
    groups = await service.groups()
    names = await service.with_study(label_names, service.study, groups.labels)
    labels, confidence = groups.labels.tolist(), groups.confidence.tolist()
    rows = [
        LabelOut(
            item=k,
            id=original,
            group=labels[k],
            name=names.get(labels[k], ""),
            confidence=round(confidence[k], 4),
        )
        for original, k in service.study.items.originals()
    ]
    return rows if form == "json" else _csv(rows)


def _csv(rows: list[LabelOut]) -> Response:
    """Return labels as a CSV file to be downloaded."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["item", "group", "name", "confidence"])
    writer.writerows([row.id, row.group, row.name, row.confidence] for row in rows)
    headers = {"content-disposition": 'attachment; filename="groups.csv"'}
    return Response(text.getvalue(), media_type="text/csv; charset=utf-8", headers=headers)


@router.get("/api/map")
async def get_map(service: Service) -> MapOut:
    """Return where all items lie in two dimensions; computed once, groups are the present ones."""
    where = await service.map()
    groups = await service.groups()
    return MapOut(
        x=where[:, 0].tolist(),
        y=where[:, 1].tolist(),
        groups=groups.labels.tolist(),
        names=await service.with_study(label_names, service.study, groups.labels),
    )


@router.get("/api/items")
async def get_items(
    service: Service, item: Annotated[list[Position], Query(min_length=1, max_length=100)]
) -> list[dict[str, Any]]:
    """Return some items, as they are shown."""
    items = service.study.items
    if max(item) >= len(items):
        raise LookupError(f"there is no item {max(item)}")
    return cards(items, item)


@router.get("/api/people")
async def get_people(service: Service) -> PeopleOut:
    """Return who did how much, and how far they agree; not what they answered."""
    answers = await service.answers()
    active = await service.with_study(service.dispatcher.active)
    names = sorted({answer.who for answer in answers} | active)
    return PeopleOut(
        people=[_person(name, answers, name in active) for name in names],
        alpha=krippendorff_alpha(answers),
        overlap=service.dispatcher.overlap,
    )


def _person(name: str, answers: list[Answer], answering: bool) -> PersonOut:
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
    )


def _kind(items: Items) -> str:
    """Return what can be shown of the items."""
    for kind in ("pictures", "texts", "rows"):
        if getattr(items, kind) is not None:
            return kind
    return "numbers"
