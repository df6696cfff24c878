"""`/api/export`: the pile with its groups, as a file to be kept."""

from __future__ import annotations

import asyncio
import io
import json
from typing import Annotated, Any, Literal

import numpy as np
from fastapi import APIRouter, Query, Response
from pydantic import BaseModel
from starlette.responses import StreamingResponse

from likewise.errors import DataError
from likewise.exchange.group_table import group_table
from likewise.exchange.rows_in_parts import rows_as_csv
from likewise.exchange.spreadsheet_cells import csv_text
from likewise.partitions import RepresentativeItems
from likewise.views.group_names import label_names
from likewise.web.routes.dependencies import From, Service
from likewise.web.routes.replies import missing
from likewise.web.schemas import Card, Shown

router = APIRouter()


class UnsureOut(BaseModel):
    """An item, the group it lies in with its name or "", and how sure that is, from 0 to 1."""

    item: Card
    group: int
    name: Shown
    confidence: float


_MEDIA = {
    "csv": "text/csv; charset=utf-8",
    "json": "application/json",
    "parquet": "application/vnd.apache.parquet",
}


@router.get(
    "/api/export/{form}",
    response_class=Response,
    responses={
        **missing("file: of rows that others stand for there is CSV alone"),
        200: {
            "description": "The file.",
            "content": {
                "text/csv": {"schema": {"type": "string"}},
                "application/json": {"schema": {"type": "array"}},
                _MEDIA["parquet"]: {"schema": {"type": "string", "format": "binary"}},
            },
        },
    },
)
async def get_export(
    service: Service, visitor: From, form: Literal["csv", "json", "parquet"]
) -> Response:
    """Return every item with its own columns, its group, the group's name and the confidence.

    What was noted has columns where there is any: collection, also, review, review_by. Groups have
    the numbers that the page shows. A column of the pile that is called like one of those added is
    kept, and the added one is called `likewise group`, say.

    Where items stand for many rows, the file is CSV, has these rows without columns of their own,
    and is sent part by part.
    """
    visitor.require_owner("taking the groups of all items away")
    groups = await service.groups()
    study = service.study
    names = await service.with_study(label_names, study, groups.labels)
    noted = await service.with_study(study.annotation_columns, groups.labels)
    headers = {"content-disposition": f'attachment; filename="groups.{form}"'}
    if isinstance(study.items, RepresentativeItems):
        _require_csv(form, study.items)
        told = (study.items, groups.labels, names, groups.confidence, noted)
        await asyncio.to_thread(study.items.require_parts)  # once rows are sent nothing can be said
        rows = (text.encode(errors="surrogateescape") for text in rows_as_csv(*told, named="item"))
        return StreamingResponse(rows, media_type=_MEDIA[form], headers=headers)
    added = (groups.labels.tolist(), names, groups.confidence.tolist(), noted)
    content = await asyncio.to_thread(lambda: _written(form, *group_table(study.items, *added)))
    return Response(content, media_type=_MEDIA[form], headers=headers)


@router.get("/api/unsure")
async def get_unsure(
    service: Service, limit: Annotated[int, Query(ge=1, le=100)] = 12
) -> list[UnsureOut]:
    """Return the items whose groups are least sure, the least sure first; none that is certain."""
    groups = await service.groups()
    study = service.study
    names = await service.with_study(label_names, study, groups.labels)
    order = np.argsort(groups.confidence, kind="stable")[:limit]
    least = [int(k) for k in order if groups.confidence[k] < 1]
    return [
        UnsureOut(
            item=card,
            group=int(groups.labels[card.item]),
            name=names.get(int(groups.labels[card.item]), ""),
            confidence=round(float(groups.confidence[card.item]), 4),
        )
        for card in Card.all_of(study.items, least)
    ]


def _require_csv(form: str, items: RepresentativeItems) -> None:
    if form != "csv":
        raise DataError(
            f"the groups of {items.n_rows:,} rows are saved as CSV here; as Parquet, a file for "
            "every part, by `likewise labels` with --out FOLDER"
        )


def _written(form: str, columns: list[str], rows: list[list[Any]]) -> bytes:
    """Return a table as a file of this form."""
    if form == "csv":
        return csv_text(columns, rows).encode(errors="surrogateescape")
    if form == "json":
        records = [dict(zip(columns, row, strict=True)) for row in rows]
        return json.dumps(records, ensure_ascii=False, default=str).encode(errors="replace")
    import pandas as pd

    file = io.BytesIO()
    table = pd.DataFrame(rows, columns=columns)
    # A column of mixed kinds has no type in a file; as text it can be kept.
    for column in [one for one in table if table[one].dtype.kind == "O"]:
        table[column] = table[column].map(lambda cell: cell if cell is None else str(cell))
    table.to_parquet(file, index=False)
    return file.getvalue()
