"""`/api/study` and what is read of a study as a whole: labels, map, items."""

from __future__ import annotations

from asyncio import to_thread
from dataclasses import asdict
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Response

from likewise.exchange.spreadsheet_cells import csv_text
from likewise.items import Items
from likewise.partitions import RepresentativeItems
from likewise.views.group_names import label_names
from likewise.views.map_layout import learned_layout
from likewise.web.routes.dependencies import From, Service
from likewise.web.routes.replies import missing
from likewise.web.schemas import Card, Kind, LabelOut, MapOut, Position, RestOut, StopOut, StudyOut

router = APIRouter()


@router.get("/api/study")
async def get_study(service: Service, visitor: From) -> StudyOut:
    """Return how far the study is: answers, groups, progress, and whether one may stop."""
    activity = service.worker.activity
    progress, study = await service.progress(), service.study
    advice = progress.advice
    return StudyOut(
        study=study.identity,
        name=service.name,
        items=len(study.items),
        rows=study.items.n_rows if isinstance(study.items, RepresentativeItems) else None,
        answers=progress.answers,
        groups=advice.groups,
        method=study.method,
        n_clusters=study.n_clusters,
        kind=_kind(study.items),
        progress=advice,
        advice=StopOut(may_stop=advice.may_stop, sentence=advice.sentence),
        disputes=progress.disputes,
        reviews=len(await service.with_study(lambda: study.reviews)),
        overlap=service.dispatcher.overlap,
        lease_seconds=service.dispatcher.lease_seconds,
        shared=service.shared,
        doing=activity,
        reading=None if service.reading is None else RestOut(**asdict(service.reading)),
        role="owner" if visitor.is_owner else "answerer",
        person=visitor.name,
    )


@router.get(
    "/api/labels",
    response_model=list[LabelOut],
    responses={200: {"content": {"text/csv": {"schema": {"type": "string"}}}}},
)
async def get_labels(
    service: Service,
    visitor: From,
    form: Annotated[Literal["json", "csv"], Query(alias="format")] = "json",
    raw_cells: bool = False,
) -> list[LabelOut] | Response:
    """Return the group of every item, also of copies that were shown as one.

    `format=csv` gives a file with the user's ids: item, group, name, confidence, and what was
    noted: collection, also, review, review_by, where there is any. Cells that a
    spreadsheet would run get an apostrophe in front unless `raw_cells`.
    """
    visitor.require_owner("taking the groups of all items away")
    groups = await service.groups()
    names = await service.with_study(label_names, service.study, groups.labels)
    noted = await service.with_study(service.study.annotation_columns, groups.labels)
    labels, confidence = groups.labels.tolist(), groups.confidence.tolist()
    rows = [
        LabelOut(
            item=k,
            id=original,
            group=labels[k],
            name=names.get(labels[k], ""),
            confidence=round(confidence[k], 4),
            **{column: cells[k] for column, cells in noted.items()},
        )
        for original, k in service.study.items.originals()
    ]
    return rows if form == "json" else _csv(rows, raw_cells, list(noted))


def _csv(rows: list[LabelOut], raw_cells: bool, noted: list[str]) -> Response:
    """Return labels as a CSV file to be downloaded."""
    cells = (
        (row.id, row.group, row.name, row.confidence, *(getattr(row, one) for one in noted))
        for row in rows
    )
    header = ("item", "group", "name", "confidence", *noted)
    text = csv_text(header, cells, raw_cells=raw_cells)
    headers = {"content-disposition": 'attachment; filename="groups.csv"'}
    return Response(text, media_type="text/csv; charset=utf-8", headers=headers)


@router.get("/api/map")
async def get_map(
    service: Service, by: Annotated[Literal["looks", "groups"], Query()] = "looks"
) -> MapOut:
    """Return where all items lie in two dimensions, and their present groups.

    `by=looks` is computed once; `by=groups` keeps the present groups apart.
    """
    groups = await service.groups()
    if by == "looks":
        where = await service.map()
    else:
        study = service.study
        where = await to_thread(learned_layout, study.items, groups.labels, study.random_state)
    return MapOut(
        x=where[:, 0].tolist(),
        y=where[:, 1].tolist(),
        groups=groups.labels.tolist(),
        names=await service.with_study(label_names, service.study, groups.labels),
    )


@router.get("/api/items", responses=missing("item"))
async def get_items(
    service: Service, item: Annotated[list[Position], Query(min_length=1, max_length=100)]
) -> list[Card]:
    """Return some items, as they are shown."""
    items = service.study.items
    if max(item) >= len(items):
        raise LookupError(f"there is no item {max(item)}")
    return Card.all_of(items, item)


def _kind(items: Items) -> Kind:
    """Return what can be shown of the items."""
    kinds: tuple[Kind, ...] = ("pictures", "texts", "rows")
    return next((kind for kind in kinds if getattr(items, kind) is not None), "numbers")
