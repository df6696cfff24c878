"""`/api/predict`: the groups of items that were never in the study."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter
from pydantic import BaseModel, Field, FiniteFloat

from likewise.errors import DataError, MethodError
from likewise.items.out_of_sample import PredictedGroups, encode_new_items
from likewise.study.branch import Branch
from likewise.views.group_names import label_names
from likewise.web.routes.dependencies import From, Service
from likewise.web.schemas import Shown

router = APIRouter()

_MOST = 1000  # items in one request

Cell = bool | int | FiniteFloat | Shown | None


class NewItemsIn(BaseModel):
    """New items, of the kind that the study's are of: one of the three.

    Attributes
    ----------
    texts
        Texts.
    rows
        Rows of a table, by column.
    vectors
        Rows of numbers, as long as the study's.
    """

    texts: Annotated[list[Shown], Field(max_length=_MOST)] | None = None
    rows: Annotated[list[dict[Shown, Cell]], Field(max_length=_MOST)] | None = None
    vectors: Annotated[list[list[FiniteFloat]], Field(max_length=_MOST)] | None = None

    @property
    def given(self) -> Any:
        """The items as `Study.assign` takes them."""
        kinds = (self.texts, self.rows, self.vectors)
        given = [items for items in kinds if items is not None]
        if len(given) != 1:
            raise MethodError("give new items as texts, as rows or as vectors: one of the three")
        if self.rows:
            import pandas as pd

            return pd.DataFrame.from_records(self.rows)
        return given[0]


class PredictionOut(BaseModel):
    """The group that a new item would be in.

    Attributes
    ----------
    group, name
        Its number, and what it is called: "" if it has no name.
    confidence
        How sure it is.
    new_kind
        Whether the item lies farther from the group than nearly all members do.
    """

    group: int
    name: Shown
    confidence: float
    new_kind: bool


@router.post("/api/predict")
async def post_predict(service: Service, visitor: From, body: NewItemsIn) -> list[PredictionOut]:
    """Return the groups of new items, in their order; nothing is kept of them.

    1000 at most in one request, for the owner alone. Pictures are labelled by
    `likewise labels PILE --predict FOLDER`.
    """
    visitor.require_owner("labelling other items")
    items, answers = service.study.items, await service.answers()
    try:
        old, new, as_fitted = await asyncio.to_thread(encode_new_items, items, body.given)
    except DataError as error:  # it was sent, so that nothing is missing here
        raise MethodError(str(error)) from error
    # What was fitted need not be sent to where it was fitted.
    known = None if as_fitted else old
    found = await service.worker.compute("labelling new items", answers, _assign, known, new)
    labels = (await service.worker.groups(answers)).labels
    names = await service.with_study(label_names, service.study, labels)
    columns = (found.groups.tolist(), found.confidence.tolist(), found.new_kind.tolist())
    return [
        PredictionOut(group=group, name=names.get(group, ""), confidence=sure, new_kind=is_new)
        for group, sure, is_new in zip(*columns, strict=True)
    ]


def _assign(branch: Branch, old: Any, new: Any) -> PredictedGroups:
    """Return the groups of new items by the branch's answers; `old` is None where fitted."""
    as_fitted = old is None
    return branch.assign_encoded(branch.items.features if as_fitted else old, new, as_fitted)
