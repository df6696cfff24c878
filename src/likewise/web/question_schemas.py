"""What travels between the page and the server about questions of all kinds and their replies."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from likewise.web.schemas import (
    Card,
    ClientId,
    ItemName,
    Name,
    Position,
    Seconds,
    Shown,
    StudyIdentity,
)

# What can be asked for; "best" is the kind from which most is expected per second.
KindName = Literal["pair", "place", "sheet", "best"]
_MOST_GROUPS = 1000  # that a reply may name


class PictureAhead(BaseModel):
    """A picture that may be shown next.

    Attributes
    ----------
    picture, key
        Where the picture is, and the item's key, as on a card.
    size
        In pixels, as the page will ask for it.
    """

    picture: str
    key: str
    size: int


class Place(BaseModel):
    """A group that an item may belong to.

    Attributes
    ----------
    anchor
        The key of the item by which it was found: it names the group as long as there is one.
    name, title
        Its name or "", and what it is called without one, by what it holds.
    size
        How many items are known to belong to it.
    member
        The key of the one of them that is most like the item; a placement names the group by it.
    exemplars
        Some of them, `member` first.
    """

    anchor: str
    name: Shown
    title: Shown
    size: int
    member: str
    exemplars: list[Card]


class QuestionOut(BaseModel):
    """Two items that a person is to judge.

    Attributes
    ----------
    kind
        "pair".
    id
        What an answer names the question by: its study and the keys of the two items, joined by
        dots.
    study
        The identity of the study.
    ask
        The question as a sentence; faces are asked about as people.
    pair
        The positions of the two; the first is the one that is being placed.
    items, exemplars
        The two, and for each some items known to be the same.
    sizes, names
        How many those are, and what their group is called, "" if nothing.
    asked
        How many answers there are so far.
    """

    kind: Literal["pair"] = "pair"
    id: str
    study: str
    ask: Shown
    pair: tuple[int, int]
    items: list[Card]
    exemplars: list[list[Card]]
    sizes: tuple[int, int]
    names: tuple[Shown, Shown]
    asked: int


class PlaceQuestionOut(BaseModel):
    """An item that is to be placed into a group, or into a new one.

    Attributes
    ----------
    kind
        "place".
    id
        What `skip` names the question by; as a question about a pair, the item and the first
        place's member.
    study
        The identity of the study.
    ask
        The question as a sentence; faces are asked about as people.
    item
        What is to be placed.
    kin, size
        Some items known to be the same as it, and how many there are with it: they move together.
    places
        All groups it may belong to, the likeliest first.
    asked
        How many answers there are so far.
    """

    kind: Literal["place"] = "place"
    id: str
    study: str
    ask: Shown
    item: Card
    kin: list[Card]
    size: int
    places: list[Place]
    asked: int


class SheetQuestionOut(BaseModel):
    """Items that likely belong together: which of them do, and where do they go?

    Attributes
    ----------
    kind
        "sheet".
    id
        What `skip` names the question by.
    study
        The identity of the study.
    ask
        The question as a sentence; faces are asked about as people.
    first
        The item that shows what is meant.
    items
        The others, the doubtful first.
    ticked
        Which of these are believed to belong with the first.
    group
        The group that the first is known to belong to; None where that is open, and is to be asked
        after the items.
    places
        Where it is open: all groups it may belong to, the likeliest first.
    asked
        How many answers there are so far.
    """

    kind: Literal["sheet"] = "sheet"
    id: str
    study: str
    ask: Shown
    first: Card
    items: list[Card]
    ticked: list[bool]
    group: Place | None
    places: list[Place]
    asked: int


AnyQuestionOut = Annotated[
    QuestionOut | PlaceQuestionOut | SheetQuestionOut, Field(discriminator="kind")
]


class _ReplyIn(BaseModel):
    """What replies to places and sheets have in common."""

    annotator: Name = ""
    client_id: ClientId = ""
    seconds: Seconds | None = None
    study: StudyIdentity | None = None


class PlacementIn(_ReplyIn):
    """One click that answers several pairs.

    Attributes
    ----------
    item
        What is placed.
    group
        The label of the group it belongs to, or "new" for one of its own; may be left out where
        `member` is given.
    member
        Which item of the group was shown; without it the most typical one counts.
    among
        One item of every group that was shown, so that nothing is recorded about groups nobody
        saw; None: a new group differs from all known ones.
    name
        What a new group is called, "" for nothing yet.
    annotator, client_id, seconds
        As of an answer.
    study
        The identity of the study for which the click is meant; another one refuses it with 409.
    """

    item: ItemName
    group: Position | Literal["new"] | None = None
    member: ItemName | None = None
    among: Annotated[list[ItemName], Field(max_length=_MOST_GROUPS)] | None = None
    name: Name = ""


class SheetIn(_ReplyIn):
    """Which items of a sheet belong together, and where they go.

    Attributes
    ----------
    items
        All that were shown; the first one shows what is meant.
    belonging
        Those that belong together; the others differ from them.
    into
        An item of the group they go into, "new" for one of their own, None to leave that open or
        where it is known.
    among
        One item of every group that was offered: a new group differs from them.
    name
        What a new group is called, "" for nothing yet.
    annotator, client_id, seconds, study
        As of a placement.
    """

    items: Annotated[list[ItemName], Field(min_length=2, max_length=200)]
    belonging: Annotated[list[ItemName], Field(max_length=200)]
    into: ItemName | Literal["new"] | None = None
    among: Annotated[list[ItemName], Field(max_length=_MOST_GROUPS)] = []
    name: Name = ""
