"""What travels between the page and the server about people and programs who answer."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, Field

from likewise.web.schemas import (
    AnswerOut,
    Card,
    Name,
    QuestionId,
    Shown,
    StudyIdentity,
    VerdictName,
)

Share = Annotated[float, Field(ge=0, le=1)]


class ErrorsOut(BaseModel):
    """How far somebody can be relied on, by all that others have said.

    Attributes
    ----------
    same, different
        How often "different" is said of pairs that are the same, and "same" of those that differ.
    low, high
        Between which the share of wrong answers lies with 95 % probability.
    agreement
        The share of the answers that is believed.
    says_same
        The share of "same".
    one_sided
        Whether nothing else was ever said, although the items look otherwise.
    gold, gold_right
        How many questions with a known answer there were, and the share that was right.
    cost
        What the answers have cost.
    """

    same: Share
    different: Share
    low: Share
    high: Share
    agreement: Share
    says_same: Share
    one_sided: bool
    gold: int
    gold_right: Share | None
    cost: float


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
    invited
        Whether there is a link by which only this person comes.
    is_program
        Whether a program answers under this name.
    errors
        How often the answers are wrong, as far as others allow to tell; only the owner is told.
    """

    name: Shown
    answers: int
    unsure: int
    median_seconds: float | None
    latest: Shown
    alpha: float | None
    answering: bool
    invited: bool
    is_program: bool
    errors: ErrorsOut | None


class InvitationIn(BaseModel):
    """Who is invited to answer."""

    name: Name


class InvitationOut(BaseModel):
    """A link by which one person comes, and answers under this name."""

    name: str
    link: str


class PeopleOut(BaseModel):
    """Everybody, Krippendorff's α of all, and how many known answers people are checked by."""

    people: list[PersonOut]
    alpha: float | None
    overlap: int
    gold: int


class GuestIn(BaseModel):
    """How many more questions the guest answers, and whether it only proposes."""

    answers: Annotated[int, Field(ge=1, le=100_000)]
    propose: bool = False


class KindOut(BaseModel):
    """How far the guest agrees with people about one kind of pair."""

    kind: str
    compared: int
    agreed: int


class GuestOut(BaseModel):
    """A language model that answers beside people.

    Attributes
    ----------
    name
        Under which its answers are kept; "" where the server has no guest.
    sends_to
        Where items are sent.
    running
        Whether it is answering now.
    answers
        How many of its answers stand.
    answered, unsure
        Since it was last started: questions, and how many of them are left to people.
    proposals
        How many wait to be confirmed.
    spent, limit
        What it has cost in this study, and may; None: nothing was said.
    reason
        Why it has ended, in a sentence; "" before.
    kinds
        How far it agrees with people.
    """

    name: Shown
    sends_to: str
    running: bool
    answers: int
    answered: int
    unsure: int
    proposals: int
    spent: float
    limit: float | None
    reason: Shown
    kinds: list[KindOut]


class ProposalOut(BaseModel):
    """What the guest would answer about two items."""

    question: str
    verdict: VerdictName
    items: list[Card]


class ConfirmedIn(BaseModel):
    """What a person says about a pair that the guest has proposed an answer to."""

    question: QuestionId
    verdict: VerdictName


class ProposalsIn(BaseModel):
    """A sheet of proposals, as a person has left it."""

    answers: Annotated[list[ConfirmedIn], Field(min_length=1, max_length=200)]
    annotator: Name = ""
    study: StudyIdentity | None = None


class ConfirmedOut(BaseModel):
    """The answers of a person who has looked at proposals."""

    answers: list[AnswerOut]


class TakenBackOut(BaseModel):
    """How many answers were taken back."""

    answers: int
