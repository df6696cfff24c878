"""The vocabulary: which two items a question is about, and what was answered.

Nothing of ours but the errors is imported here, so that every module can speak these words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from math import isfinite
from typing import Any, Literal, NamedTuple

from likewise.errors import AnswerError


class Pair(NamedTuple):
    """Two items by position.

    Parameters
    ----------
    i : int
        The item being placed.
    j : int
        The item it is compared with.

    Examples
    --------
    >>> Pair(7, 2).unordered
    Pair(i=2, j=7)
    """

    i: int
    j: int

    @property
    def unordered(self) -> Pair:
        """The same two items, smaller position first: the key under which a pair is looked up."""
        return self if self.i <= self.j else Pair(self.j, self.i)


def require_pair(i: int, j: int, n_items: int, subject: str = "an answer") -> None:
    """Refuse two positions that are no pair of `n_items` items; `subject` begins the sentence."""
    if i == j or not (0 <= i < n_items and 0 <= j < n_items):
        raise AnswerError(
            f"{subject} needs two different items between 0 and {n_items - 1} but got {i} and {j}"
        )


class Verdict(Enum):
    """What a person can say about a pair."""

    SAME = "same"
    DIFFERENT = "different"
    UNSURE = "unsure"

    @classmethod
    def of(cls, value: Any) -> Verdict:  # Verdict, str, bool or numpy's bool
        """Return the verdict that is meant; True is "same" and False is "different".

        >>> Verdict.of("same"), Verdict.of(False)
        (<Verdict.SAME: 'same'>, <Verdict.DIFFERENT: 'different'>)
        """
        if isinstance(value, cls):
            return value
        if isinstance(value, str) and value in _BY_VALUE:
            return _BY_VALUE[value]
        # numpy's booleans are no bools, but equal to them; a 1 or a 0.5 is more likely a mistake.
        if type(value).__name__ in ("bool", "bool_"):
            return cls.SAME if value else cls.DIFFERENT
        raise AnswerError(
            f"an answer must be 'same', 'different' or 'unsure' (or True, False) but got {value!r}"
        )


# What may be told in place of a verdict: its name, or whether the two are the same.
Reply = Verdict | Literal["same", "different", "unsure"] | bool

# What the `client_id` of a program's answer begins with.
PROGRAM = "program:"
# And that of an answer that is known to be right, by which people are checked.
GOLD = "program:gold:"

_BY_VALUE = {verdict.value: verdict for verdict in Verdict}
_SIGNS = {Verdict.SAME: "=", Verdict.DIFFERENT: "≠", Verdict.UNSURE: "?"}


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer about a pair: never edited, only taken back.

    Parameters
    ----------
    id : int
        Counts answers in the order they were given.
    pair, verdict
        The two items, and what was answered.
    who : str
        Who answered; empty where nobody signed.
    when : str
        ISO 8601 time in UTC.
    weight : float
        How far the answerer is trusted before others have spoken; 1 is one error in twenty.
    seconds : float, optional
        How long it took.
    same_probability : float, optional
        How likely "same" was predicted to be when the question was asked; None if it was not.
    model_version : str
        Which version of likewise predicted that.
    client_id : str
        A name that the sender gave the answer, so that one sent twice is kept once.
    cost : float
        What it has cost.
    """

    id: int
    pair: Pair
    verdict: Verdict
    who: str = ""
    when: str = ""
    weight: float = 1.0
    seconds: float | None = None
    same_probability: float | None = None
    model_version: str = ""
    client_id: str = ""
    cost: float = 0.0

    @property
    def as_predicted(self) -> bool | None:
        """Whether the answer was the likelier one; None for "unsure" and unasked answers."""
        if self.same_probability is None or self.verdict is Verdict.UNSURE:
            return None
        return (self.same_probability > 0.5) == (self.verdict is Verdict.SAME)

    @property
    def by_program(self) -> bool:
        """Whether a program gave it, a language model say, and no person."""
        return self.client_id.startswith(PROGRAM)

    @property
    def is_gold(self) -> bool:
        """Whether it is known to be right, and people are checked by it without being told."""
        return self.client_id.startswith(GOLD)

    def repeats(self, draft: AnswerDraft) -> bool:
        """Return whether the draft is this answer, sent again: same person, items and verdict.

        >>> Answer(3, Pair(0, 1), Verdict.SAME).repeats(AnswerDraft(Pair(1, 0), Verdict.SAME))
        True
        """
        said = (self.pair.unordered, self.verdict, self.who)
        return said == (draft.pair.unordered, draft.verdict, draft.who)

    def describe(self, ids: Sequence[str]) -> str:
        """Return the answer by its number and the ids of its items.

        >>> Answer(3, Pair(0, 1), Verdict.SAME).describe(["cat.png", "dog.png"])
        'answer 3 (cat.png = dog.png)'
        """
        i, j = self.pair
        return f"answer {self.id} ({ids[i]} {_SIGNS[self.verdict]} {ids[j]})"

    def __str__(self) -> str:
        return f"#{self.id}: {self.pair.i} {_SIGNS[self.verdict]} {self.pair.j}"


@dataclass(frozen=True, slots=True)
class AnswerDraft:
    """An answer before it is kept: all that its sender knows of it.

    A study turns drafts into answers: it gives each the next id, the time, and the version of
    likewise that predicted it.

    Parameters
    ----------
    pair, verdict
        The two items, and what was answered about them.
    who : str
        Who answered; empty where nobody signed.
    seconds : float, optional
        How long it took.
    weight : float
        How far the answerer is trusted before others have spoken, above 0; 1: one error in twenty.
    same_probability : float, optional
        How likely "same" was thought to be when the question was asked; None for a pair that
        nobody asked about.
    client_id : str
        A name by which the answer is recognised when it is sent again; empty: never recognised.
    when : str
        ISO 8601 time in UTC of an answer from elsewhere; empty: the time at which it is kept.
    model_version : str, optional
        Which likewise predicted an answer from elsewhere; None: the one that keeps it, if there
        was a prediction.
    cost : float
        What the answer has cost, at least 0.
    """

    pair: Pair
    verdict: Verdict
    who: str = ""
    seconds: float | None = None
    weight: float = 1.0
    same_probability: float | None = None
    client_id: str = ""
    when: str = ""
    model_version: str | None = None
    cost: float = 0.0

    def __post_init__(self) -> None:
        if not (self.cost >= 0 and isfinite(self.cost)):
            raise AnswerError(f"an answer's cost must be at least 0 but got {self.cost}")
        if not (self.weight > 0 and isfinite(self.weight)):
            raise AnswerError(f"an answer's weight must be above 0 but got {self.weight}")
        if self.seconds is not None and not isfinite(self.seconds):
            raise AnswerError(f"an answer takes a finite number of seconds but got {self.seconds}")

    def answer(self, number: int, now: str, version: str) -> Answer:
        """Return the answer with this id, kept at time `now` by this version of likewise."""
        predicted_by = "" if self.same_probability is None else version
        return Answer(
            id=number,
            pair=self.pair,
            verdict=self.verdict,
            who=self.who,
            when=self.when or now,
            weight=float(self.weight),
            seconds=_plain_float(self.seconds),
            same_probability=_plain_float(self.same_probability),
            model_version=predicted_by if self.model_version is None else self.model_version,
            client_id=self.client_id,
            cost=float(self.cost),
        )


def _plain_float(value: float | None) -> float | None:
    """Return numpy's numbers as Python's, which every store can write."""
    return None if value is None else float(value)


@dataclass(frozen=True, slots=True)
class Changes:
    """What is kept in one piece: first the answers with these ids are taken back, then new ones.

    Parameters
    ----------
    drafts : sequence of AnswerDraft
        The answers to keep.
    retracted : sequence of int
        Ids of the answers to take back.
    who : str
        Who takes them back.
    is_step : bool
        Whether all of it is one edit, which is taken back as a whole.

    Examples
    --------
    >>> Changes([AnswerDraft(Pair(0, 1), Verdict.SAME)], retracted=[3]).retracted
    [3]
    """

    drafts: Sequence[AnswerDraft] = ()
    retracted: Sequence[int] = ()
    who: str = ""
    is_step: bool = False


@dataclass(frozen=True, slots=True)
class Question:
    """A pair worth asking about, and how likely the answer "same" is before it is asked.

    Parameters
    ----------
    pair : Pair
        `i` is the item being placed.
    same_probability : float
        Between 0 and 1.
    seconds : float
        How long an answer is expected to take; 0 where nobody has worked that out.
    """

    pair: Pair
    same_probability: float
    # A guess about the person, not part of what is asked.
    seconds: float = field(default=0.0, compare=False)

    @property
    def kind(self) -> str:
        """The kind of question: "pair"."""
        return "pair"

    @property
    def items(self) -> tuple[int, ...]:
        """The two items."""
        return tuple(self.pair)


@dataclass(frozen=True, slots=True)
class Measurement:
    """One measurement of how alike two items are: never edited, only taken back.

    Parameters
    ----------
    id : int
        Counts measurements in the order they were made.
    pair : Pair
        The two items.
    value : float or None
        From 0 to 1; None when the pair cannot be measured at any price.
    cost : float
        What the measurement cost.
    who : str
        Who measured.
    when : str
        ISO 8601 time in UTC.
    seconds : float, optional
        How long it took.
    """

    id: int
    pair: Pair
    value: float | None
    cost: float = 1.0
    who: str = ""
    when: str = ""
    seconds: float | None = None
