"""`/api/reviews`, `/api/collections`: what is said beside the answers; groups stay as they are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from fastapi import APIRouter
from pydantic import BaseModel, Field, StringConstraints

from likewise.journal import Review
from likewise.study import Study
from likewise.study.item_keys import item_at, require_study
from likewise.views.group_names import label_names
from likewise.web.routes.dependencies import From, Service
from likewise.web.routes.replies import CONFLICT, missing
from likewise.web.schemas import Card, ItemKey, ItemName, Name, NameOut, Shown, StudyIdentity
from likewise.web.service import StudyService
from likewise.web.worker import GroupSnapshot

router = APIRouter()

_LINE = r"^[^\x00-\x1f\x7f]*$"
Note = Annotated[str, StringConstraints(max_length=500, strip_whitespace=True, pattern=_LINE)]
Collection = Annotated[str, StringConstraints(max_length=1000, pattern=_LINE)]


class ReviewOut(BaseModel):
    """An item that needs review, and the group it lies in, with its name or "".

    Attributes
    ----------
    note
        What is to be looked at, "" if nobody said.
    annotator, when
        Who asks for it, and since when.
    """

    item: Card
    group: int
    name: Shown
    note: Shown
    annotator: Shown
    when: Shown


class StackedOut(BaseModel):
    """A photograph of a stack: its name, and its number there, by which `/media` shows it."""

    id: Shown
    member: int


class ApartIn(BaseModel):
    """A stack that is to be taken apart, by its item; `study` as of a placement."""

    item: ItemName
    annotator: Name = ""
    study: StudyIdentity | None = None


class SomeItemsIn(BaseModel):
    """Some items, and who speaks of them; `study` as of a placement."""

    items: Annotated[list[ItemName], Field(min_length=1, max_length=500)]
    annotator: Name = ""
    study: StudyIdentity | None = None


class ReviewIn(SomeItemsIn):
    """Items that need review, and what is to be looked at."""

    note: Note = ""


class FurtherIn(SomeItemsIn):
    """Items that belong, beside their own, to the group of the item `into`.

    Attributes
    ----------
    into
        An item of the further group.
    belongs
        False takes it back.
    """

    into: ItemName
    belongs: bool = True


class CollectIn(BaseModel):
    """The group in which `item` lies goes into a collection; `study` as of a placement.

    Attributes
    ----------
    collection
        Its levels parted by slashes: "living things / animals"; "" takes the group out of all.
    """

    item: ItemName
    collection: Collection
    annotator: Name = ""
    study: StudyIdentity | None = None


class RenameCollectionIn(BaseModel):
    """A collection, and what it is called from now on; "" dissolves it."""

    collection: Collection
    to: Collection
    annotator: Name = ""
    study: StudyIdentity | None = None


class CollectionOut(BaseModel):
    """A collection, the outermost level first, and the groups that lie in it, not deeper."""

    collection: list[Shown]
    groups: list[int]


@router.get("/api/stacks/{item}", responses={**CONFLICT, **missing("stack")})
async def get_stack(service: Service, item: ItemKey) -> list[StackedOut]:
    """Return the photographs of a stack, the one that is shown first."""
    items = service.study.items
    position = item_at(items, item)
    if position not in items.stacks:
        raise LookupError(f"{items.ids[position]} is no stack")
    names = [items.ids[position], *(name for name, _ in items.stacks[position])]
    return [StackedOut(id=name, member=member) for member, name in enumerate(names)]


@router.post("/api/stacks/apart", status_code=201, responses=CONFLICT)
async def post_apart(service: Service, visitor: From, body: ApartIn) -> NameOut:
    """Take a stack apart; the owner alone. Its photographs join as items when the pile is read.

    That is within seconds where the server watches the pile. Replies with the item's name; what is
    no stack is refused with 422.
    """
    visitor.require_owner("taking stacks apart")
    who = await service.person(visitor, body.annotator)

    def apart(study: Study) -> str:
        require_study(study, body.study)
        position = item_at(study.items, body.item)
        study.unstack(position, who=who)
        return study.items.ids[position]

    return NameOut(name=await service.with_study(apart, service.study))


@router.get("/api/reviews")
async def get_reviews(service: Service) -> list[ReviewOut]:
    """Return the items that need review, in the order in which they were marked."""
    groups = await service.groups()
    return await service.with_study(_reviews, service.study, groups)


@router.post("/api/reviews", status_code=201, responses=CONFLICT)
async def post_reviews(service: Service, visitor: From, body: ReviewIn) -> list[ReviewOut]:
    """Mark items for review, as one step; replies as `GET` does. Anybody who answers may."""
    who = await service.person(visitor, body.annotator)

    def mark(study: Study) -> None:
        study.mark_for_review(_positions(study, body), body.note, who=who)

    await service.with_study(mark, service.study)
    return await get_reviews(service)


@router.post("/api/reviews/clear", status_code=201, responses=CONFLICT)
async def post_clear(service: Service, visitor: From, body: SomeItemsIn) -> list[ReviewOut]:
    """Take the marks for review from items, whoever has set them; replies as `GET` does."""
    who = await service.person(visitor, body.annotator)

    def clear(study: Study) -> None:
        study.clear_review(_positions(study, body), who=who)

    await service.with_study(clear, service.study)
    return await get_reviews(service)


@router.get("/api/collections")
async def get_collections(service: Service) -> list[CollectionOut]:
    """Return the collections that hold groups, in the order of the alphabet."""
    groups = await service.groups()
    found = await service.with_study(service.study.collections_by, groups.labels)
    return [
        CollectionOut(
            collection=list(path), groups=[label for label in found if found[label] == path]
        )
        for path in sorted(set(found.values()))
    ]


@router.post("/api/collections", status_code=201, responses=CONFLICT)
async def post_collections(
    service: Service, visitor: From, body: RenameCollectionIn
) -> list[CollectionOut]:
    """Call a collection otherwise, with all that lies in it, as one step; the owner alone.

    With `to` empty it is dissolved. Replies as `GET` does; with an unknown collection, 422.
    """
    visitor.require_owner("changing collections")
    who = await service.person(visitor, body.annotator)

    def rename(study: Study) -> None:
        require_study(study, body.study)
        study.rename_collection(body.collection, body.to, who=who)

    await service.with_study(rename, service.study)
    return await get_collections(service)


@router.post("/api/groups/collection", status_code=201, responses=CONFLICT)
async def post_collection(service: Service, visitor: From, body: CollectIn) -> list[CollectionOut]:
    """Put the group in which an item lies into a collection, or out of all; the owner alone."""
    visitor.require_owner("changing collections")
    who = await service.person(visitor, body.annotator)

    def collect(study: Study) -> None:
        require_study(study, body.study)
        study.collect(item_at(study.items, body.item), body.collection, who=who)

    await service.with_study(collect, service.study)
    return await get_collections(service)


@router.post("/api/groups/also", status_code=201, responses=CONFLICT)
async def post_also(service: Service, visitor: From, body: FurtherIn) -> list[int]:
    """Let items belong to a further group, or no longer, as one step; the owner alone.

    No answer comes of it. Replies with the numbers of all groups to which items belong as well.
    """
    visitor.require_owner("changing groups as a whole")
    who = await service.person(visitor, body.annotator)

    def note(study: Study) -> None:
        into = item_at(study.items, body.into)
        change = study.add_to_group if body.belongs else study.remove_from_group
        change(_positions(study, body), into, who=who)

    await service.with_study(note, service.study)
    return await _further(service)


async def _further(service: StudyService) -> list[int]:
    groups = await service.groups()
    found = await service.with_study(service.study.also_by, groups.labels)
    return sorted({label for labels in found.values() for label in labels})


def _positions(study: Study, body: SomeItemsIn) -> Sequence[int]:
    """Return where the items of a request lie; refuse a request that is meant for other ones."""
    require_study(study, body.study)
    return [item_at(study.items, one) for one in body.items]


def _reviews(study: Study, groups: GroupSnapshot) -> list[ReviewOut]:
    """Return what needs review, with the groups of a snapshot."""
    marked: dict[int, Review] = study.reviews
    names = label_names(study, groups.labels)
    return [
        ReviewOut(
            item=card,
            group=int(groups.labels[card.item]),
            name=names.get(int(groups.labels[card.item]), ""),
            note=marked[card.item].note,
            annotator=marked[card.item].who,
            when=marked[card.item].when,
        )
        for card in Card.all_of(study.items, marked)
    ]
