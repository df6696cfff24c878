"""The state that the events of a study amount to, computed again whenever it is needed.

`Journal.apply` is the only place that turns an event into state, whether it has just happened or
is read from a file years later.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from likewise.errors import AnswerError, StoreError
from likewise.journal.constraints import Constraints
from likewise.journal.events import (
    Answered,
    Event,
    Grown,
    Measured,
    Named,
    Noted,
    Opened,
    OpenedSimilarities,
    Redone,
    Retracted,
    Switched,
    Undone,
)
from likewise.journal.group_number import exact_number
from likewise.journal.notes import Notes
from likewise.journal.pairs import Answer
from likewise.journal.steps import JournalStep, Steps
from likewise.journal.subset import Subset

_SALVAGE = "save the rest with: likewise backup --salvage"


class Journal:
    """What the events so far amount to.

    Parameters
    ----------
    opened : Opened
        The first event.

    Attributes
    ----------
    whole : Constraints
        What follows from the answers about all items that there ever were.
    next_id : int
        The id of the next answer; ids are never used twice.
    by_client_id : dict of str to Answer
        By the name its sender gave it, every answer that ever came, also those taken back.
    n_grown : int
        How often the pile was found changed.
    steps : Steps
        The edits, each of several events.
    notes : Notes
        What was noted beside the answers, about all items that there ever were.
    off : tuple of str
        The names of views of the items that do not count.
    n_switched : int
        How often that was said.
    """

    def __init__(self, opened: Opened) -> None:
        self.whole = Constraints(opened.n_items, exact_number(opened.n_clusters))
        self.next_id = 0
        self.by_client_id: dict[str, Answer] = {}
        self.n_grown = 0
        self.steps = Steps()
        self.notes = Notes()
        self.off: tuple[str, ...] = ()
        self.n_switched = 0
        self._opened = opened
        self._names: dict[int, str] = {}
        self._namings: list[tuple[int, str, int | None]] = []  # all of them, with their steps
        self._n_at_hand: int | None = None
        self._subset: Subset | None = None  # while some items are not at hand

    @classmethod
    def replay(cls, events: Iterable[Event]) -> Journal:
        """Return the state after all the events."""
        stream = iter(events)
        opened = next(stream, None)
        if isinstance(opened, OpenedSimilarities):
            raise StoreError(
                "the journal belongs to a study of similarities; open it with SimilarityStudy.open"
            )
        if not isinstance(opened, Opened):
            raise StoreError("a journal must begin by saying which study it belongs to")
        journal = cls(opened)
        known: set[int] = set()
        for position, event in enumerate(stream, start=1):
            if isinstance(event, Answered):
                if event.answer.id in known:
                    raise StoreError(
                        f"answer {event.answer.id} stands twice in the journal; {_SALVAGE}"
                    )
                known.add(event.answer.id)
            try:
                journal.apply(event)
            except AnswerError as error:
                raise StoreError(
                    f"event {position} of the journal does not fit those before it ({error}); "
                    f"{_SALVAGE}"
                ) from error
        return journal

    def restrict(self, n_items: int) -> None:
        """Restrict what is said to the first `n_items` items: those at hand, if there are more."""
        self._n_at_hand = n_items
        self._subset = None if n_items == self.whole.n_items else Subset(self.whole, n_items)

    @property
    def opened(self) -> Opened:
        """The settings, with the number of items and the fingerprint as they are by now."""
        n_items = self._n_at_hand
        return self._opened if n_items is None else replace(self._opened, n_items=n_items)

    @property
    def constraints(self) -> Constraints:
        """What follows from the answers, for the items at hand."""
        return self.whole if self._subset is None else self._subset.constraints

    @property
    def answers(self) -> list[Answer]:
        """The answers that stand and say something about the items at hand, oldest first."""
        return self.constraints.answers

    @property
    def names(self) -> dict[int, str]:
        """The names of groups, by the item that each was given to, the latest last."""
        if self._subset is None:
            return self._names
        found: dict[int, str] = {}
        for item, name in self._names.items():
            if (place := self._subset.place(item)) is not None:
                found.pop(place, None)
                found[place] = name
        return found

    @property
    def notes_at_hand(self) -> Notes:
        """What was noted about the items at hand, and the groups in which they lie."""
        return self.notes if self._subset is None else self.notes.placed(self._subset.place)

    def apply(self, event: Event) -> None:
        """Take one more event into account."""
        match event:
            case Answered(answer, step):
                self._add(answer)
                if step is not None:
                    self.steps.gave(step, answer, self.next_id)
            case Retracted(answer_id, _, who, step):
                answer = self._remove(answer_id)
                if step is not None:
                    self.steps.begin(step, who, self.next_id).retracted.append(answer)
            case Undone(number):
                self._undo(self.steps.find(number))
            case Redone(number):
                self._redo(self.steps.find(number))
            case Named(item, name, _, who, step):
                self._namings.append((item, name, step))
                self._name(item, name)
                if step is not None:
                    self.steps.begin(step, who, self.next_id).named.append((item, name))
            case Noted(who=who, step=step):
                self.notes.add(event)
                if step is not None:
                    self.steps.begin(step, who, self.next_id).noted.append(event)
            case Grown():
                self._grow(event)
            case Switched(off):
                self.off = off
                self.n_switched += 1
            case Opened():
                raise StoreError("a journal can be opened only once")
            case OpenedSimilarities() | Measured():
                raise StoreError("a similarity cannot be kept in a study of answers")

    def _add(self, answer: Answer) -> None:
        self.whole.add(answer)
        if self._subset is not None:
            self._subset.added(answer)
        self.next_id = max(self.next_id, answer.id + 1)
        if answer.client_id:
            self.by_client_id[answer.client_id] = answer

    def _remove(self, answer_id: int) -> Answer:
        answer = self.whole.remove(answer_id)
        if self._subset is not None:
            self._subset.removed(answer)
        return answer

    def _name(self, item: int, name: str) -> None:
        self._names.pop(item, None)
        self._names[item] = name

    def standing(self) -> set[int]:
        """Return the ids of all answers that stand, about whatever items."""
        return {answer.id for answer in self.whole.answers}

    def latest_step(self, who: str | None = None) -> JournalStep | None:
        """Return what would be taken back next, of one person or, with None, of all."""
        return self.steps.latest(self.answers, self.standing(), who)

    def _undo(self, step: JournalStep) -> None:
        """Let everything be as if the step had never been."""
        self._exchange(taken=step.given, put_back=step.retracted)
        self._mark(step, undone=True)

    def _redo(self, step: JournalStep) -> None:
        """Let everything be as if the step had never been taken back."""
        self._exchange(taken=step.retracted, put_back=step.given)
        self._mark(step, undone=False)

    def _exchange(self, *, taken: Iterable[Answer], put_back: Iterable[Answer]) -> None:
        """Take answers back and put others, where they do not stand, where they once stood."""
        standing = self.standing()
        for answer in taken:
            if answer.id in standing:
                self._remove(answer.id)
        for answer in put_back:
            if answer.id not in standing:
                self.whole.insert(answer)
        if self._subset is not None and self._n_at_hand is not None:
            self.restrict(self._n_at_hand)

    def _mark(self, step: JournalStep, *, undone: bool) -> None:
        step.undone = undone
        self._names.clear()
        for item, name, number in self._namings:
            if number is None or not self.steps.find(number).undone:
                self._name(item, name)
        if step.noted:
            self.notes.leave_out(lambda number: self.steps.find(number).undone)

    def _grow(self, event: Grown) -> None:
        self.n_grown += 1
        self.whole.grow(event.n_items)
        self._opened = replace(self._opened, n_items=event.n_items, fingerprint=event.fingerprint)
        if self._n_at_hand is not None and self._subset is None:
            self.restrict(self._n_at_hand)
