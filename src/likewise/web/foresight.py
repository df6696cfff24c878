"""Which replies are likely, and what would be asked after each: computed while somebody looks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from likewise.journal.pairs import Pair, Question, Verdict
from likewise.journal.questions import PlaceQuestion, SheetQuestion
from likewise.study import edits
from likewise.study.branch import Branch
from likewise.study.question_kinds import AnyQuestion
from likewise.web.offers import Told, pairs_of

_PLACES = 3  # likeliest groups that are foreseen; more replies than that are hardly ever computed


@dataclass(frozen=True)
class Guess:
    """A reply that somebody may give.

    Attributes
    ----------
    verdict
        Of a pair.
    into
        A member of the group that an item or a sheet is put into, or "new".
    belonging
        The items of a sheet that are left ticked.
    """

    verdict: Verdict | None = None
    into: int | Literal["new"] | None = None
    belonging: tuple[int, ...] = ()


def likely_replies(question: AnyQuestion) -> Iterator[Guess]:
    """Yield replies to a question, the likeliest first."""
    match question:
        case Question():
            same, other = Guess(Verdict.SAME), Guess(Verdict.DIFFERENT)
            yield from (same, other) if question.same_probability >= 0.5 else (other, same)
        case PlaceQuestion():
            chances = [*question.probabilities, question.new_probability]
            places = [*question.members, "new"]
            order = sorted(range(len(places)), key=lambda k: -chances[k])
            for k in order[: _PLACES + 1]:
                yield Guess(into=places[k])  # type: ignore[arg-type]
        case SheetQuestion():
            ticked = zip(question.items, question.ticked, strict=True)
            belonging = tuple(item for item, tick in ticked if tick)
            if not question.members:
                yield Guess(belonging=belonging)
                return
            for into in (*question.members[:_PLACES], "new"):
                yield Guess(into=into, belonging=belonging)  # type: ignore[arg-type]


def ask_kind(branch: Branch, kind: str, pending: frozenset[Pair]) -> AnyQuestion | None:
    """Return the question most worth asking of a kind, of another when none of it is left."""
    kinds = {"sheet": ("sheet", "place", "pair"), "place": ("place", "pair")}.get(kind, (kind,))
    found = (branch.ask(kind=one, pending=pending) for one in kinds)
    return next((question for question in found if question is not None), None)


def ask_after_reply(
    branch: Branch, kind: str, question: AnyQuestion, guess: Guess | None, pending: frozenset[Pair]
) -> tuple[Told | None, AnyQuestion | None]:
    """Return what a reply says and the question that would follow it.

    Without a guess, a question that can be asked whatever is replied: about other items.
    """
    if guess is None:
        return None, ask_kind(branch, kind, pending.union(pairs_of(question)))
    told = _answers(branch, question, guess)
    with branch.assuming_all(told):
        found = ask_kind(branch, kind, pending)
    return tuple((pair.unordered, verdict) for pair, verdict in told), found


def _answers(branch: Branch, question: AnyQuestion, guess: Guess) -> list[tuple[Pair, Verdict]]:
    """Return the answers that a reply would become."""
    match question:
        case Question():
            assert guess.verdict is not None
            return [(question.pair, guess.verdict)]
        case PlaceQuestion():
            into = None if guess.into == "new" else guess.into
            return edits.foreseen_place(
                branch, question.item, into, among=question.members if into is None else ()
            )
    return edits.foreseen_sheet(
        branch, question.items, guess.belonging, into=guess.into, among=question.members
    )
