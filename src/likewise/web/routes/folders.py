"""`/api/folders`: the groups as folders on the computer on which likewise runs."""

from __future__ import annotations

import asyncio
from itertools import count
from pathlib import Path
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Query, Request
from pydantic import BaseModel, StringConstraints

from likewise.errors import AnswerError, LikewiseError, NotAllowed
from likewise.exchange.annotations import Annotations
from likewise.exchange.group_folders import (
    FolderPlan,
    PlannedGroup,
    plan_folders,
    require_free,
    write_folders,
)
from likewise.views.group_names import label_names
from likewise.web.errors import without_places
from likewise.web.routes.dependencies import From, Service
from likewise.web.routes.replies import missing
from likewise.web.schemas import Shown
from likewise.web.security import Visitor
from likewise.web.service import StudyService

router = APIRouter()

_EXAMPLES = 3  # names of files per group
_MOST_GROUPS = 500  # that are listed
_NOTHING = missing("file, text or row that could be written")
FilePath = Annotated[str, StringConstraints(max_length=4096, pattern=r"^[^\x00-\x1f\x7f]*$")]


class FolderOut(BaseModel):
    """What one group becomes: a folder with `files` files, of which the first few are named."""

    name: Shown
    group: int
    size: int
    files: int
    examples: list[Shown]

    @classmethod
    def of(cls, group: PlannedGroup) -> FolderOut:
        """Return a planned folder as it is sent."""
        examples = [file.name for file in group.files[:_EXAMPLES]] if group.folder else []
        return cls(
            name=group.name,
            group=group.group,
            size=group.size,
            files=len(group.files),
            examples=examples,
        )


class FoldersOut(BaseModel):
    """What would be written, and where.

    Attributes
    ----------
    to
        The folder that was asked about, or one beside the pile that is free.
    noun
        What the pile consists of: "picture", "text" or "row"; only pictures can be linked.
    files
        How many files there will be.
    groups
        One folder, or one file, per group; at most 500 are listed.
    trouble
        Why it cannot be written there; "" if it can.
    """

    to: Shown
    noun: str
    files: int
    groups: list[FolderOut]
    trouble: Shown


class FoldersIn(BaseModel):
    """Where the folders are written, and whether pictures are copied or linked."""

    to: FilePath
    how: Literal["copy", "link"] = "copy"


class FoldersMade(BaseModel):
    """What was written, and where."""

    to: Shown
    files: int


async def pile_place(request: Request) -> Path | None:
    """Return the pile beside which folders may be written; None where none may."""
    place: Path | None = request.app.state.sorts_beside
    return place


PilePlace = Annotated[Path | None, Depends(pile_place)]


@router.get("/api/folders", responses=_NOTHING)
async def get_folders(
    service: Service, visitor: From, place: PilePlace, to: Annotated[FilePath, Query()] = ""
) -> FoldersOut:
    """Return what would be written for each group, and whether it can be; nothing is written."""
    beside = _require_allowed(visitor, place)
    plan = await _plan(service)
    target = _target(to) if to else _suggested(beside)
    return FoldersOut(
        to=str(target),
        noun=plan.noun,
        files=plan.n_files,
        groups=[FolderOut.of(group) for group in plan.groups[:_MOST_GROUPS]],
        trouble=await asyncio.to_thread(_trouble, plan, target),
    )


@router.post("/api/folders", status_code=201, responses=_NOTHING)
async def post_folders(
    service: Service, visitor: From, place: PilePlace, body: FoldersIn
) -> FoldersMade:
    """Write a folder of pictures, or a file of texts or rows, for each group into a new folder.

    Nothing is ever overwritten: a folder that holds something is refused with a sentence.
    """
    _require_allowed(visitor, place)
    plan, target = await _plan(service), _target(body.to)
    if body.how == "link" and plan.noun != "picture":
        raise AnswerError(f"{plan.noun}s are no files, so there is nothing to link to")

    def write() -> int:
        _require_parent(target)
        return write_folders(plan, target, how=body.how)

    try:
        return FoldersMade(to=str(target), files=await asyncio.to_thread(write))
    except LikewiseError as error:  # about this request, not about the journal
        raise AnswerError(str(error)) from error


def _require_allowed(visitor: Visitor, place: Path | None) -> Path:
    """Refuse who is not the owner, or not at this computer."""
    visitor.require_owner("writing folders")
    if place is None:
        raise NotAllowed(
            "folders are written on the computer on which likewise runs, and only where its page "
            "is served to that computer alone, with a token; there, `likewise labels PILE "
            "--copy-to FOLDER` writes the same"
        )
    return place


async def _plan(service: StudyService) -> FolderPlan:
    """Plan the folders of the groups as they are now, with the numbers that the page shows."""
    groups = await service.groups()
    study = service.study
    names = await service.with_study(label_names, study, groups.labels)
    noted = await service.with_study(Annotations.of, study, groups.labels)
    return await asyncio.to_thread(
        plan_folders, study.items, groups.labels.tolist(), names, groups.confidence.tolist(), noted
    )


def _target(to: str) -> Path:
    """Return the folder that a person has typed."""
    try:
        path = Path(to.strip().strip('"')).expanduser()
    except RuntimeError as error:
        raise AnswerError(f"nobody here is called as {to!r} says; give the whole path") from error
    if not to.strip() or not path.is_absolute():
        raise AnswerError("give the whole path of a new folder, from the root of the disk on")
    return path


def _suggested(beside: Path) -> Path:
    """Return a folder beside the pile that does not exist yet."""
    name = f"{beside.stem if beside.is_file() else beside.name} sorted"
    tried = (name if k == 1 else f"{name} {k}" for k in count(1))
    return next(path for path in map(beside.with_name, tried) if not path.exists())


def _require_parent(target: Path) -> None:
    """Refuse a folder in a folder that is not there: it may be a slip of the pen."""
    try:
        there = target.parent.is_dir()
    except OSError:
        there = False
    if not there:
        raise AnswerError(
            f"there is no folder {target.parent.name!r} to put it into; make it first"
        )


def _trouble(plan: FolderPlan, target: Path) -> str:
    """Return why nothing can be written there, "" if something can."""
    try:
        _require_parent(target)
        require_free(plan, target)
    except LikewiseError as error:
        return without_places(str(error))
    return ""
