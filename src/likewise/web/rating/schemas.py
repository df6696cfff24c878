"""What travels between the page of ratings and its server."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, Field

from likewise.web.schemas import Card, ClientId, ItemKey, Name, Seconds, Shown

MOST = 10  # the rating of two that could not be more alike; the least is 1


class RatingQuestionOut(BaseModel):
    """Two items; `earlier` is how often they were rated, by anybody."""

    items: tuple[Card, Card]
    earlier: int


class RatingIn(BaseModel):
    """How alike two items are.

    Attributes
    ----------
    items
        The keys of the two.
    rating
        From 1, nothing in common, to 10; None where it cannot be judged, and nobody is asked again.
    annotator
        Who rates; "" where nobody gives a name.
    client_id
        Names the rating, so that it may be sent again when no reply came.
    seconds
        How long the person looked.
    """

    items: tuple[ItemKey, ItemKey]
    rating: Annotated[int, Field(ge=1, le=MOST)] | None
    annotator: Name = ""
    client_id: ClientId = ""
    seconds: Seconds | None = None


class RatingOut(BaseModel):
    """A rating as it was kept, or taken back; None where it could not be judged."""

    id: int
    rating: float | None


class UndoRatingIn(BaseModel):
    """Whose last rating is taken back."""

    annotator: Name = ""


class RaterOut(BaseModel):
    """What one person did.

    Attributes
    ----------
    ratings, not_judged
        How many pairs they rated, and how many they said cannot be judged.
    seconds
        What a rating takes them; None if nobody measured it.
    apart
        By how many of ten steps they and others differ, where both rated a pair; None if none is.
    """

    name: Shown
    ratings: int
    not_judged: int
    seconds: float | None
    apart: float | None


class RatingProgressOut(BaseModel):
    """How far it is.

    Attributes
    ----------
    pairs, rated, share
        All pairs there are, those rated at least once, and which share of all that is.
    ratings, repeated, repeats
        All ratings; how many pairs have several; how many a pair may get.
    not_judged
        How often somebody said that two cannot be compared.
    cost, whole_cost
        What the ratings have cost, and what one of every pair would.
    expected_error
        The share of items that the last third of the ratings has moved to another group; None
        before there are as many ratings as items.
    """

    name: Shown
    items: int
    groups: int
    pairs: int
    rated: int
    share: float
    ratings: int
    repeated: int
    repeats: int
    not_judged: int
    cost: float
    whole_cost: float
    expected_error: float | None
    raters: list[RaterOut]


class RatedGroupOut(BaseModel):
    """A group as far as the ratings tell, with members; the surest first."""

    group: int
    size: int
    members: list[Card]
