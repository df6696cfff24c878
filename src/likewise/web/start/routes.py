"""`/api/start`: folders of this computer, a first look at a pile, and how far it is read.

All but how far it is read is for the owner, at this computer.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Query, Request
from pydantic import BaseModel, Field, StringConstraints

from likewise.errors import NotAllowed
from likewise.piles.glance import glance
from likewise.web.address import is_loopback
from likewise.web.routes.dependencies import From
from likewise.web.routes.replies import missing
from likewise.web.schemas import Shown
from likewise.web.start.folders import find_dropped, list_folder, typed_path
from likewise.web.start.opening import Choice
from likewise.web.start.recent import RecentPile
from likewise.web.start.session import StartSession

router = APIRouter()

FilePath = Annotated[str, StringConstraints(max_length=4096, pattern=r"^[^\x00-\x1f\x7f]*$")]
Column = Annotated[str, StringConstraints(max_length=1000)]
Groups = Annotated[int, Field(ge=1, le=100_000)]
_NO_PILE = missing("pile")


class ReadingOut(BaseModel):
    """How far the start page is.

    Attributes
    ----------
    state
        "choosing", "reading", "thinking" of the first question, "ready" to be answered, "failed".
    name
        What the pile is called; "" while there is none.
    chooses
        Whether a pile can be chosen here; else it was named on the command line.
    done, of, seconds_left
        How many items are read, of how many (0: not known yet), and how long the rest will take.
    sentence, notes
        What was read, or why it failed; what was guessed, left out or put together.
    """

    state: Literal["choosing", "reading", "thinking", "ready", "failed", "stopped"]
    name: Shown = ""
    chooses: bool
    done: int = 0
    of: int = 0
    seconds_left: float | None = None
    sentence: Shown = ""
    notes: list[Shown] = []


class RecentOut(BaseModel):
    """A pile that was opened lately."""

    path: Shown
    name: Shown
    folder: Shown
    summary: Shown
    when: str

    @classmethod
    def of(cls, pile: RecentPile) -> RecentOut:
        """Return a pile as it is sent."""
        path = pile.choice.path
        return cls(path=str(path), name=path.name, folder=str(path.parent), summary=pile.summary,
                   when=pile.when)  # fmt: skip


class PlaceOut(BaseModel):
    """A folder of this computer: `parent` is "" at the root; the names of what can be chosen."""

    path: Shown
    parent: Shown
    folders: list[Shown]
    files: list[Shown]
    pictures: int
    others: int


class ColumnOut(BaseModel):
    """A column of a table, what it seems to hold, and one of its cells."""

    name: Shown
    kind: str
    example: Shown


class LookOut(BaseModel):
    """What a pile seems to be.

    Attributes
    ----------
    path, name
        Where it is, and what it is called.
    kind
        "pictures", "texts", "table" or "vectors".
    count, whole
        How many items there seem to be (null: only reading tells), and whether all was looked at.
    aside
        Which files are left aside, and how many.
    columns, guess
        Of a table: its columns, and the one that alone is compared unless others are chosen.
    answers
        How many answers there are from before; null if it is new.
    kept
        Where answers are kept.
    """

    path: Shown
    name: Shown
    kind: str
    count: int | None
    whole: bool
    aside: Shown
    columns: list[ColumnOut]
    guess: Shown
    answers: int | None
    kept: Shown


class DroppedFile(BaseModel):
    """A file that was dropped, or lies in the folder that was: its name in there, and its size."""

    name: FilePath
    size: int = Field(ge=0)


class DroppedIn(BaseModel):
    """What was dropped on the page: its name, and some of the files that show which it is."""

    name: FilePath
    files: list[DroppedFile] = Field(max_length=50)
    near: FilePath = ""


class FoundOut(BaseModel):
    """Where something lies on this computer; "" if that cannot be told."""

    path: Shown


class OpenIn(BaseModel):
    """A pile, what should count, and how many groups: a number, a range, or null.

    Attributes
    ----------
    stacks
        Whether photographs of one burst count as one; only of pictures.
    """

    path: FilePath
    text: Column | None = None
    image: Column | None = None
    drop: list[Column] = Field(default=[], max_length=10_000)
    groups: Groups | tuple[Groups, Groups] | None = None
    stacks: bool = False


async def session_of(request: Request) -> StartSession:
    """Return what the start page is about."""
    session: StartSession = request.app.state.start
    return session


async def owner_here(request: Request, visitor: From) -> None:
    """Refuse whoever is not the owner, or not at this computer."""
    visitor.require_owner("choosing a pile")
    address = (request.scope.get("client") or ("",))[0]
    if not is_loopback(address):
        raise NotAllowed("piles are chosen on the computer on which likewise runs")


Session = Annotated[StartSession, Depends(session_of)]
_OWNER = [Depends(owner_here)]


@router.get("/api/start")
async def get_start(session: Session, visitor: From) -> ReadingOut:
    """Return how far the start page is: choosing, reading, or ready with a study."""
    progress, chooses = session.progress, session.opener is not None
    session.was_seen = True
    if progress is None or session.reading is None:
        return ReadingOut(state="choosing", chooses=chooses)
    session.end_was_seen |= progress.state == "failed"
    owns = visitor.is_owner
    return ReadingOut(
        state=progress.state,
        name=session.reading.opening.name,
        chooses=chooses,
        done=progress.done,
        of=progress.of,
        seconds_left=progress.seconds_left,
        sentence=progress.sentence if owns else "",
        notes=list(progress.notes) if owns else [],
    )


@router.get("/api/start/recent", dependencies=_OWNER)
async def get_recent(session: Session) -> list[RecentOut]:
    """Return the piles that were opened lately and are still there."""
    return [RecentOut.of(pile) for pile in await asyncio.to_thread(session.recent.all)]


@router.get("/api/start/folder", dependencies=_OWNER)
async def get_folder(path: Annotated[FilePath, Query()] = "") -> PlaceOut:
    """Return the folders and the readable files in a folder: names, never what they hold."""
    wanted = typed_path(path) if path.strip() else Path.home()
    place = await asyncio.to_thread(list_folder, wanted)
    parent = "" if place.path == place.path.parent else str(place.path.parent)
    return PlaceOut(
        path=str(place.path),
        parent=parent,
        folders=place.folders,
        files=place.files,
        pictures=place.pictures,
        others=place.others,
    )


@router.get("/api/start/look", dependencies=_OWNER, responses=_NO_PILE)
async def get_look(session: Session, path: Annotated[FilePath, Query()]) -> LookOut:
    """Return what a folder or file seems to be, and whether it was begun before."""
    wanted = typed_path(path)
    found = await asyncio.to_thread(glance, wanted)
    kept, answers = "", None
    if session.opener is not None:
        choice = session.recent.of(wanted) or Choice(wanted)
        opening = await asyncio.to_thread(session.opener.open, choice)
        kept, answers = str(opening.kept), opening.answers
    return LookOut(
        path=str(wanted),
        name=wanted.name or str(wanted),
        kind=found.kind,
        count=found.count,
        whole=found.whole,
        aside=found.aside,
        columns=[ColumnOut(name=c.name, kind=c.kind, example=c.example) for c in found.columns],
        guess=found.guess,
        answers=answers,
        kept=kept,
    )


@router.post("/api/start/find", dependencies=_OWNER)
async def post_find(session: Session, body: DroppedIn) -> FoundOut:
    """Return where something lies that was dropped on the page; nothing of it is sent."""
    recent = [pile.choice.path.parent for pile in session.recent.all()]
    near = [typed_path(body.near)] if body.near.strip() else []
    sizes = [(file.name, file.size) for file in body.files]
    found = await asyncio.to_thread(find_dropped, body.name, sizes, [*near, *recent])
    return FoundOut(path="" if found is None else str(found))


@router.post("/api/start/open", status_code=202, dependencies=_OWNER, responses=_NO_PILE)
async def post_open(session: Session, visitor: From, body: OpenIn) -> ReadingOut:
    """Begin to read a pile; `GET /api/start` tells how far it is.

    One that was begun before is gone on with, with what counted then.
    """
    path = typed_path(body.path)
    choice = Choice(path, body.text, body.image, tuple(body.drop), body.groups, body.stacks)
    await asyncio.to_thread(session.open, choice)
    return await get_start(session, visitor)


@router.post("/api/start/stop", dependencies=_OWNER)
async def post_stop(session: Session, visitor: From) -> ReadingOut:
    """End the reading, to choose something else; what was computed so far is kept."""
    await asyncio.to_thread(session.stop)
    return await get_start(session, visitor)
