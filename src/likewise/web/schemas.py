"""What travels between the page and the server; OpenAPI's schema is made of these.

`…In` are bodies of requests, `…Out` bodies of replies.
"""

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
    """An item as it is shown; which of the last three there are depends on the pile.

    Attributes
    ----------
    item
        Its position, by which all requests name it.
    id
        What the user calls it: a file name, a key of a table, a number.
    picture
        The path of its picture; `?size=` asks for another size.
    text, row
        What it says, or its cells as pairs of column and value; very long ones are cut.
    """

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
    """A group the item may belong to.

    Attributes
    ----------
    group, name
        Its label, and its name or "".
    size
        How many items are known to belong to it.
    member
        The one of them most like the item; a placement names the group by it.
    exemplars
        Some of them, `member` first.
    """

    group: int
    name: str
    size: int
    member: int
    exemplars: list[Card]


class QuestionOut(BaseModel):
    """Two items that a person is to judge.

    Attributes
    ----------
    id
        What an answer names the question by.
    pair
        The positions of the two; the first is the one that is being placed.
    items, exemplars
        The two, and for each some items known to be the same.
    sizes, names
        How many those are, and what their group is called, "" if nothing.
    asked
        How many answers there are so far.
    places, more_places
        If wanted: groups the first item may belong to, and how many more there are.
    """

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
    """An answer to a question.

    Attributes
    ----------
    question
        The id of the question; any two items may be named so.
    annotator
        Who answers; "" where nobody gives a name.
    client_id
        Names the answer, so that it may be sent again when no reply came: it is kept once.
    seconds
        How long the person looked at the question.
    """

    question: QuestionId
    verdict: VerdictName
    annotator: Name = ""
    client_id: ClientId = ""
    seconds: Seconds | None = None


class AnswerOut(BaseModel):
    """An answer as it was recorded; what was predicted is sent only now.

    Attributes
    ----------
    same_probability, as_predicted
        How likely "same" was before, and whether the likelier verdict came; None if the pair was
        not a question.
    click
        The same for all answers of one click, which are taken back together.
    disputed
        Whether other answers imply another verdict; known when the answer is recorded.
    """

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

    Attributes
    ----------
    item
        What is placed.
    group
        The label of the group it belongs to, or "new" for one of its own.
    annotator, client_id, seconds
        As of an answer.
    member
        Which item of the group was shown; without it the most typical one counts.
    among
        One item of every group that was shown, so that nothing is recorded about groups nobody
        saw; None: a new group differs from all known ones.
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
    """The group of an item; `confidence` is between 0 and 1."""

    item: int
    id: str
    group: int
    name: str
    confidence: float


class GroupOut(BaseModel):
    """A group and some of its members.

    Attributes
    ----------
    group, name
        Its label, and its name or "".
    confidence
        How sure its members are on average, between 0 and 1.
    known
        How many of its members answers have placed there.
    members
        Those that show it best first, then the surest.
    """

    group: int
    name: str
    size: int
    confidence: float
    known: int
    members: list[Card]


class MapOut(BaseModel):
    """A dot per item, between 0 and 10 000, its group, and the names of groups by label."""

    x: list[int]
    y: list[int]
    groups: list[int]
    names: dict[int, str]


class DisputeOut(BaseModel):
    """Answers that cannot all be right, the likeliest culprit first.

    Attributes
    ----------
    items
        All items that the answers are about.
    by_elimination
        Whether the contradiction follows from the given number of groups.
    """

    answers: list[AnswerOut]
    items: list[Card]
    by_elimination: bool


class DoubtOut(BaseModel):
    """An answer that looks wrong beside the others, and how probably it is."""

    answer: AnswerOut
    items: list[Card]
    probability: float


class DisputesOut(BaseModel):
    """What to look at again."""

    disputes: list[DisputeOut]
    doubtful: list[DoubtOut]


class PersonOut(BaseModel):
    """What one person did: how much, how fast, and how far the others agree.

    Attributes
    ----------
    latest
        When the latest answer was recorded, "" if there is none.
    alpha
        Krippendorff's α of the pairs this person judged together with others; None without any.
    answering
        Whether the person has sent a request within the time of a lease.
    """

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
