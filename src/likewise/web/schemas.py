"""What travels between the page and the server; OpenAPI's schema is made of these.

`…In` are bodies of requests, `…Out` bodies of replies.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, Field, StringConstraints

from likewise.items import Items
from likewise.items.encodable import encodable
from likewise.journal.pairs import Answer
from likewise.quality.advice import Advice
from likewise.study import Study
from likewise.study.item_keys import item_key, question_id
from likewise.views.cards import cards

# Names end up in files and on other people's screens: no control characters, no novels.
Name = Annotated[
    str, StringConstraints(max_length=100, strip_whitespace=True, pattern=r"^[^\x00-\x1f\x7f]*$")
]
ClientId = Annotated[str, StringConstraints(max_length=80, pattern=r"^[A-Za-z0-9_.~-]*$")]
_KEY = r"\d{1,12}-[0-9a-f]{1,32}"
ItemKey = Annotated[str, StringConstraints(pattern=f"^{_KEY}$")]
StudyIdentity = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{1,32}$")]
QuestionId = Annotated[str, StringConstraints(pattern=rf"^[0-9a-f]{{1,32}}\.{_KEY}\.{_KEY}$")]
# What people wrote long ago, or another program did: a half of a surrogate pair is no text to send.
Shown = Annotated[str, AfterValidator(encodable)]
Position = Annotated[int, Field(ge=0, lt=2**53)]
# A position is what is there now; a key is refused with 409 once it is no longer what was shown.
ItemName = Position | ItemKey
Seconds = Annotated[float, Field(ge=0, le=1e7, allow_inf_nan=False)]
VerdictName = Literal["same", "different", "unsure"]
Kind = Literal["pictures", "texts", "rows", "numbers"]

_CLICK_PART = re.compile(r":\d+$")  # what tells the answers of one click apart


class Card(BaseModel):
    """An item as it is shown; which of the last three there are depends on the pile.

    Attributes
    ----------
    item
        Its position now; it changes when other items leave the pile.
    key
        What requests name it by that may be sent later: no other item will ever have it.
    id
        What the user calls it: a file name, a key of a table, a number.
    picture
        The path of its picture; `?size=` asks for another size.
    text, row
        What it says, or its cells as pairs of column and value; very long ones are cut.
    scale
        Of every cell, where its number lies among those of its column: from 0 to 1 for nine of ten,
        beyond for others, None if it is no number.
    stack
        How many photographs of one burst it stands for, itself included.
    """

    item: int
    key: str
    id: str
    picture: str | None = None
    stack: int | None = None
    text: str | None = None
    row: list[tuple[str, str]] | None = None
    scale: list[float | None] | None = None

    @classmethod
    def all_of(cls, items: Items, chosen: Iterable[int]) -> list[Card]:
        """Return the cards of the chosen items."""
        return [
            cls.model_validate({**card, "key": item_key(items, card["item"])})
            for card in cards(items, chosen)
        ]


class AnswerIn(BaseModel):
    """An answer to a question.

    Attributes
    ----------
    question
        The id of the question; any two items may be named so. If it is of another study, or one
        of the items has left the pile or was changed, the answer is refused with 409.
    annotator
        Who answers; "" where nobody gives a name.
    client_id
        Names the answer, so that it may be sent again when no reply came: it is kept once. Another
        answer under the same name is refused with 409.
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
    question
        The id by which the same two items can be answered about again.
    same_probability, as_predicted
        How likely "same" was before, and whether the likelier verdict came; None if the pair was
        not a question.
    click
        The same for all answers of one click, which are taken back together.
    disputed
        Whether other answers imply another verdict; known when the answer is recorded.
    by_program
        Whether a program gave it, a language model say.
    """

    id: int
    question: str
    pair: tuple[int, int]
    verdict: VerdictName
    annotator: Shown
    when: Shown
    seconds: float | None
    same_probability: float | None
    as_predicted: bool | None
    click: Shown
    disputed: bool = False
    by_program: bool = False

    @classmethod
    def of(cls, study: Study, answer: Answer, *, disputed: bool = False) -> AnswerOut:
        """Return an answer as it is sent; those of one click carry the same `click`."""
        return cls(
            id=answer.id,
            question=question_id(study, answer.pair),
            pair=(answer.pair.i, answer.pair.j),
            verdict=answer.verdict.value,
            annotator=answer.who,
            when=answer.when,
            seconds=answer.seconds,
            same_probability=answer.same_probability,
            as_predicted=answer.as_predicted,
            by_program=answer.by_program,
            click=_CLICK_PART.sub("", answer.client_id) or str(answer.id),
            disputed=disputed,
        )


class PlacementOut(BaseModel):
    """The answers that a click stood for."""

    answers: list[AnswerOut]

    @classmethod
    def of(cls, study: Study, answers: Iterable[Answer]) -> PlacementOut:
        """Return answers as they are sent."""
        return cls(answers=[AnswerOut.of(study, answer) for answer in answers])


class SaidOut(BaseModel):
    """An answer that stands, and its two items as they are shown."""

    answer: AnswerOut
    items: list[Card]

    @classmethod
    def of(cls, study: Study, answer: Answer) -> SaidOut:
        """Return an answer with its items."""
        return cls(answer=AnswerOut.of(study, answer), items=Card.all_of(study.items, answer.pair))


class StopOut(BaseModel):
    """Whether one may stop, and all that is known about it in words."""

    may_stop: bool
    sentence: str


class RestOut(BaseModel):
    """How far the reading of a pile is, whose other items are asked about meanwhile.

    Attributes
    ----------
    done, of
        How many items are read, of how many; 0 of 0 until that is known.
    seconds_left
        At the pace so far; null while nobody can tell.
    """

    done: int
    of: int
    seconds_left: float | None


class StudyOut(BaseModel):
    """How far a study is, and who asks.

    Attributes
    ----------
    study, name
        Its identity, and what the page calls it.
    rows
        How many rows the items stand for; null where each item stands for itself.
    n_clusters
        The number of groups, if it is known, or a range of two.
    kind
        What can be shown of the items.
    progress, advice
        Figures of how far it is, and whether one may stop.
    disputes
        How many contradictions there are.
    reviews
        How many items are marked for review.
    overlap, lease_seconds
        How many people are asked about a pair, and how long a question stays reserved.
    shared
        Whether several people are expected.
    doing
        What the server computes at the moment, "" if nothing.
    reading
        How far the reading of further items is; null if all are there.
    role, person
        What the visitor may do, and by which name they were invited.
    """

    study: str
    name: Shown
    items: int
    rows: int | None = None
    answers: int
    groups: int
    method: str
    n_clusters: int | tuple[int, int] | None
    kind: Kind
    progress: Advice
    advice: StopOut
    disputes: int
    reviews: int
    overlap: int
    lease_seconds: float
    shared: bool
    doing: str
    reading: RestOut | None = None
    role: Literal["owner", "answerer"]
    person: Shown


class WhyOut(BaseModel):
    """Why a pair was worth asking."""

    why: Shown


class NameOut(BaseModel):
    """The name that a group has now, or that was withdrawn."""

    name: Shown


class FieldError(BaseModel):
    """A field of a request that does not fit, and why not."""

    type: str
    loc: list[str | int]
    msg: str


class ErrorOut(BaseModel):
    """What was wrong.

    Attributes
    ----------
    detail
        One sentence; or, with 422, the fields that do not fit.
    study
        The identity of the study that is served, where the request was meant for another.
    against
        The answers that speak against an edit, the first 24; `force` takes all of them back.
    """

    detail: str | list[FieldError]
    study: str | None = None
    against: list[SaidOut] | None = None


class LabelOut(BaseModel):
    """The group of an item; `confidence` is between 0 and 1.

    Attributes
    ----------
    collection
        That in which its group lies, "" if none.
    also
        The numbers of further groups it belongs to, parted by semicolons.
    review, review_by
        What is to be reviewed, "" if nothing, and who has asked for it.
    """

    item: int
    id: str
    group: int
    name: Shown
    confidence: float
    collection: Shown = ""
    also: str = ""
    review: Shown = ""
    review_by: Shown = ""


class NotedOut(BaseModel):
    """What was noted of an item beside the answers."""

    review: Shown | None
    also: list[int]


class GroupOut(BaseModel):
    """A group and some of its members.

    Attributes
    ----------
    group, name
        Its label, and its name or "".
    title
        What it is called where it has no name, by what it holds; "" if nothing can be said.
    confidence
        How sure its members are on average, between 0 and 1.
    known
        How many of its members answers have placed there.
    members
        Those that show it best first, then the surest.
    collection
        That in which it lies, the outermost level first; empty if in none.
    also
        Items of other groups that belong to it as well, at most 24.
    noted
        By the key of a member, what was noted of it: what is to be reviewed ("" if nobody said), or
        null; and the numbers of further groups it belongs to.
    """

    group: int
    name: Shown
    title: Shown
    size: int
    confidence: float
    known: int
    members: list[Card]
    collection: list[Shown] = []
    also: list[Card] = []
    noted: dict[str, NotedOut] = {}


class MapOut(BaseModel):
    """A dot per item, between 0 and 10 000, its group, and the names of groups by label."""

    x: list[int]
    y: list[int]
    groups: list[int]
    names: dict[int, Shown]


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
    """What to look at again.

    Attributes
    ----------
    disputes
        Those that were asked for.
    n_disputes
        How many there are.
    """

    disputes: list[DisputeOut]
    n_disputes: int
    doubtful: list[DoubtOut]


class RenameIn(BaseModel):
    """A name for the group in which `item` lies; `study` as of a placement."""

    item: ItemName
    name: Name
    annotator: Name = ""
    study: StudyIdentity | None = None


class MergeIn(BaseModel):
    """The groups of two or more items become one; `study` as of a placement."""

    items: Annotated[list[ItemName], Field(min_length=2, max_length=100)]
    annotator: Name = ""
    force: bool = False
    study: StudyIdentity | None = None


class SplitIn(BaseModel):
    """Items that leave their group together; `study` as of a placement."""

    items: Annotated[list[ItemName], Field(min_length=1, max_length=500)]
    annotator: Name = ""
    force: bool = False
    study: StudyIdentity | None = None


class MoveIn(SplitIn):
    """Items that go into another group together.

    Attributes
    ----------
    into
        An item of that group, or "new" for one of their own.
    name
        What a new group is called, "" for nothing yet.
    """

    into: ItemName | Literal["new"]
    name: Name = ""


class MembersIn(BaseModel):
    """Members of one group that somebody has looked at; `study` as of a placement."""

    items: Annotated[list[ItemName], Field(min_length=1, max_length=2000)]
    annotator: Name = ""
    study: StudyIdentity | None = None


class LikeOut(BaseModel):
    """The keys of items that are more like one item than like their group's centre."""

    items: list[str]


class MergeHintOut(BaseModel):
    """Two groups that may be one.

    Attributes
    ----------
    groups
        The two, the larger first.
    reason
        Why that may be, in words.
    """

    groups: tuple[GroupOut, GroupOut]
    reason: Shown
