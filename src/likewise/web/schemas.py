"""What travels between the page and the server; OpenAPI's schema is made of these."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Annotated, Literal

from pydantic import BaseModel, Field, StringConstraints

from likewise.items import Items
from likewise.journal.pairs import Answer
from likewise.views.cards import cards

# Names end up in files and on other people's screens: no control characters, no novels.
Name = Annotated[
    str, StringConstraints(max_length=100, strip_whitespace=True, pattern=r"^[^\x00-\x1f\x7f]*$")
]
ClientId = Annotated[str, StringConstraints(max_length=80, pattern=r"^[A-Za-z0-9_.~-]*$")]
QuestionId = Annotated[str, StringConstraints(pattern=r"^\d{1,12}-\d{1,12}$")]
Position = Annotated[int, Field(ge=0, lt=2**53)]
Seconds = Annotated[float, Field(ge=0, le=1e7, allow_inf_nan=False)]
VerdictName = Literal["same", "different", "unsure"]

_CLICK_PART = re.compile(r":\d+$")  # what tells the answers of one click apart


class Card(BaseModel):
    """An item as it is shown; which of the last three there are depends on the pile."""

    item: int
    id: str
    picture: str | None = None
    text: str | None = None
    row: list[tuple[str, str]] | None = None

    @classmethod
    def all_of(cls, items: Items, chosen: Iterable[int]) -> list[Card]:
        """Return the cards of the chosen items."""
        return [cls.model_validate(card) for card in cards(items, chosen)]


class Place(BaseModel):
    """A group the item may belong to: some of its members, and the one most like the item."""

    group: int
    name: str
    size: int
    member: int
    exemplars: list[Card]


class QuestionOut(BaseModel):
    """Two items; for each what it is like: items known to be the same, and how many there are."""

    id: str
    pair: tuple[int, int]
    items: list[Card]
    exemplars: list[list[Card]]
    sizes: tuple[int, int]
    names: tuple[str, str]
    asked: int
    places: list[Place] | None = None
    more_places: int = 0


class AnswerIn(BaseModel):
    """An answer; `client_id` names it, so that it may be sent again when no reply came."""

    question: QuestionId
    verdict: VerdictName
    annotator: Name = ""
    client_id: ClientId = ""
    seconds: Seconds | None = None


class AnswerOut(BaseModel):
    """An answer as it was kept; what was predicted is told only now."""

    id: int
    pair: tuple[int, int]
    verdict: VerdictName
    annotator: str
    when: str
    seconds: float | None
    same_probability: float | None
    as_predicted: bool | None
    click: str
    disputed: bool = False

    @classmethod
    def of(cls, answer: Answer, *, disputed: bool = False) -> AnswerOut:
        """Return an answer as it is sent; those of one click carry the same `click`."""
        return cls(
            id=answer.id,
            pair=(answer.pair.i, answer.pair.j),
            verdict=answer.verdict.value,
            annotator=answer.who,
            when=answer.when,
            seconds=answer.seconds,
            same_probability=answer.same_probability,
            as_predicted=answer.as_predicted,
            click=_CLICK_PART.sub("", answer.client_id) or str(answer.id),
            disputed=disputed,
        )


class PlacementIn(BaseModel):
    """One click that answers several pairs.

    `member` says which item of the group was shown; `among` has one item of every group that was
    shown, so that nothing is recorded about groups nobody saw.
    """

    item: Position
    group: Position | Literal["new"]
    annotator: Name = ""
    client_id: ClientId = ""
    seconds: Seconds | None = None
    member: Position | None = None
    among: Annotated[list[Position], Field(max_length=100)] | None = None


class PlacementOut(BaseModel):
    """The answers that a click stood for."""

    answers: list[AnswerOut]

    @classmethod
    def of(cls, answers: Iterable[Answer]) -> PlacementOut:
        """Return answers as they are sent."""
        return cls(answers=[AnswerOut.of(answer) for answer in answers])


class LabelOut(BaseModel):
    """The group of an item."""

    item: int
    id: str
    group: int
    name: str
    confidence: float


class GroupOut(BaseModel):
    """A group: its size, how sure its members are on average, and some of them."""

    group: int
    name: str
    size: int
    confidence: float
    known: int
    members: list[Card]


class MapOut(BaseModel):
    """A dot per item, between 0 and 10 000, and its group."""

    x: list[int]
    y: list[int]
    groups: list[int]
    names: dict[int, str]


class DisputeOut(BaseModel):
    """Answers that cannot all be right, the likeliest culprit first."""

    answers: list[AnswerOut]
    items: list[Card]
    by_elimination: bool


class DoubtOut(BaseModel):
    """An answer that looks wrong beside the others."""

    answer: AnswerOut
    items: list[Card]
    probability: float


class DisputesOut(BaseModel):
    """What to look at again."""

    disputes: list[DisputeOut]
    doubtful: list[DoubtOut]


class PersonOut(BaseModel):
    """What one person did: how much, how fast, and how far the others agree."""

    name: str
    answers: int
    unsure: int
    median_seconds: float | None
    latest: str
    alpha: float | None
    answering: bool


class PeopleOut(BaseModel):
    """Everybody, and Krippendorff's α of all."""

    people: list[PersonOut]
    alpha: float | None
    overlap: int


class RenameIn(BaseModel):
    """A name for the group in which `item` lies."""

    item: Position
    name: Name
    annotator: Name = ""


class MergeIn(BaseModel):
    """The groups of two items become one."""

    items: tuple[Position, Position]
    annotator: Name = ""
    force: bool = False


class SplitIn(BaseModel):
    """The items form a group of their own."""

    items: Annotated[list[Position], Field(min_length=1, max_length=500)]
    annotator: Name = ""
    force: bool = False
