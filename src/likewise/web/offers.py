"""What is offered to people: a pair, an item to place, a sheet; and what is held ready for them.

Nothing here waits or computes for long; one thread at a time may use it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from likewise.journal.constraints import Constraints
from likewise.journal.pairs import Answer, Pair, Question, Verdict
from likewise.journal.questions import PlaceQuestion, SheetQuestion
from likewise.study.question_kinds import AnyQuestion

# A question, or a pair that is asked about again or by a second person: then nothing was predicted.
Offer = AnyQuestion | Pair
# What a reply says, however many answers that are; the order within a pair is ignored.
Told = tuple[tuple[Pair, Verdict], ...]


def pair_of(offer: Offer) -> Pair:
    """Return the pair by which an offer is reserved and named."""
    match offer:
        case Question():
            return offer.pair
        case PlaceQuestion():
            return Pair(offer.item, offer.members[0])
        case SheetQuestion():
            return Pair(offer.items[1], offer.items[0])
    return offer


def pairs_of(offer: Offer) -> list[Pair]:
    """Return all pairs that others need not be asked about meanwhile."""
    if isinstance(offer, SheetQuestion):
        return [Pair(item, offer.items[0]) for item in offer.items[1:]]
    return [pair_of(offer)]


def is_of_kind(offer: Offer, kind: str) -> bool:
    """Return whether an offer is what somebody wants who wants a kind of question."""
    return kind in ("best", "pair" if isinstance(offer, Pair) else offer.kind)


def is_settled(known: Constraints, offer: AnyQuestion) -> bool:
    """Return whether a part of the reply follows from the answers by now."""
    if isinstance(offer, PlaceQuestion):
        open_groups = set(known.open_representatives(offer.item))
        placed = known.representative_of(offer.item) is not None
        return placed or (bool(known.representatives) and not open_groups)
    return any(known.implied(*pair) is not None for pair in pairs_of(offer))


def told_by(answers: Iterable[Answer]) -> Told:
    """Return what the answers of one reply say."""
    return tuple((answer.pair.unordered, answer.verdict) for answer in answers)


@dataclass(frozen=True)
class _Ready:
    """A question chosen for somebody who wanted a kind, after the answers of a version."""

    kind: str
    version: int
    question: AnyQuestion


class ReadyQuestions:
    """Questions of other kinds than the pair that were chosen ahead of time, by person.

    For each person there are up to three: the one that was chosen after all answers; those that
    come after replies that are likely; and a spare one, about other items than the question at
    hand, which fits whatever the reply is.
    """

    def __init__(self) -> None:
        self._chosen: dict[str, _Ready] = {}
        self._spare: dict[str, _Ready] = {}
        self._foreseen: dict[tuple[int, str, str, Told], AnyQuestion] = {}

    def choose(self, who: str, kind: str, version: int, question: AnyQuestion) -> None:
        """Keep the question chosen after the answers of a version."""
        self._chosen[who] = _Ready(kind, version, question)

    def foresee(
        self, who: str, kind: str, version: int, told: Told | None, question: AnyQuestion
    ) -> None:
        """Keep the question that follows a reply; with None, one that fits any."""
        if told is None:
            self._spare[who] = _Ready(kind, version, question)
        else:
            self._foreseen[version, who, kind, told] = question

    def move_on(self, who: str, version: int, told: Told, now: int) -> None:
        """Take over what was foreseen for the reply that came."""
        for (since, person, kind, said), question in self._foreseen.items():
            if (since, person, said) == (version, who, told):
                self._chosen[who] = _Ready(kind, now, question)
        self._foreseen.clear()
        spare = self._spare.pop(who, None)
        if spare is not None and spare.version == version:
            self._spare[who] = _Ready(spare.kind, now, spare.question)

    def chosen(self, who: str, kind: str, version: int | None) -> AnyQuestion | None:
        """Return what was chosen for this person; of any version with None."""
        return self._fitting(self._chosen.get(who), kind, version)

    def spare(self, who: str, kind: str, version: int) -> AnyQuestion | None:
        """Return what fits whatever the last reply was."""
        return self._fitting(self._spare.get(who), kind, version)

    @staticmethod
    def _fitting(ready: _Ready | None, kind: str, version: int | None) -> AnyQuestion | None:
        if ready is None or ready.kind != kind or version not in (None, ready.version):
            return None
        return ready.question

    def forget(self) -> None:
        """Drop what was foreseen: the answers are others than was thought."""
        self._foreseen.clear()
