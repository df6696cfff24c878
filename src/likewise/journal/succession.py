"""Which event may follow which: a journal whose events do not follow one another means nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from likewise.errors import AnswerError, StoreError
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
from likewise.journal.pairs import require_pair


class Succession:
    """The events of a journal so far, as far as the next one must agree with them.

    Examples
    --------
    >>> so_far = Succession()
    >>> so_far.follow(Opened(4, "", "auto", None, 0))
    >>> so_far.follow(Retracted(3))
    Traceback (most recent call last):
        ...
    likewise.errors.StoreError: it takes back answer 3, which does not stand
    """

    def __init__(self) -> None:
        self._opening: Opened | OpenedSimilarities | None = None
        self._n_items = 0
        self._standing: set[int] = set()
        # By the number of a step: what it gave and what it took back.
        self._steps: dict[int, tuple[set[int], set[int]]] = {}

    def follow(self, event: Event) -> None:
        """Take the next event in; one that cannot come next is refused and changes nothing.

        Raises
        ------
        StoreError
            If it does not follow from those before it; the message says why.
        """
        if self._opening is None:
            self._open(event)
            return
        match event:
            case Opened() | OpenedSimilarities():
                raise StoreError("a journal can be opened only once")
            case Answered(answer, step):
                self._require(Opened, "a similarity study cannot keep an answer")
                self._require_pair(*answer.pair)
                self._standing.add(answer.id)
                self._step(step)[0].add(answer.id)
            case Measured(measurement):
                self._require(
                    OpenedSimilarities, "a similarity cannot be kept in a study of answers"
                )
                self._require_pair(*measurement.pair)
                self._standing.add(measurement.id)
            case Retracted(answer_id, step=step):
                if answer_id not in self._standing:
                    raise StoreError(f"it takes back answer {answer_id}, which does not stand")
                self._standing.remove(answer_id)
                self._step(step)[1].add(answer_id)
            case Undone(number) | Redone(number):
                self._require(Opened, "a study of similarities has no edits")
                self._exchange(number, isinstance(event, Undone))
            case Named(item, step=step):
                self._require(Opened, "a study of similarities has no names")
                if item >= self._n_items:
                    raise StoreError(f"there is no item {item}")
                self._step(step)
            case Noted(item, other=other, step=step):
                self._require(Opened, "a study of similarities has no notes")
                for one in (item,) if other is None else (item, other):
                    if one >= self._n_items:
                        raise StoreError(f"there is no item {one}")
                self._step(step)
            case Switched():
                self._require(Opened, "a study of similarities has no views")
            case Grown(n_items):
                self._require(Opened, "a study of similarities cannot grow")
                if n_items < self._n_items:
                    raise StoreError(f"{self._n_items} items cannot become {n_items}")
                self._n_items = n_items

    def _step(self, number: int | None) -> tuple[set[int], set[int]]:
        """Return what the step with this number gave and took back, to be added to."""
        return (set(), set()) if number is None else self._steps.setdefault(number, (set(), set()))

    def _exchange(self, number: int, undone: bool) -> None:
        if number not in self._steps:
            raise StoreError(f"there is no step {number} to take back")
        given, retracted = self._steps[number]
        gone, back = (given, retracted) if undone else (retracted, given)
        self._standing = self._standing - gone | back

    def _open(self, event: Event) -> None:
        if not isinstance(event, Opened | OpenedSimilarities):
            raise StoreError("a journal must begin by saying which study it belongs to")
        self._opening, self._n_items = event, event.n_items

    def _require(self, kind: type[Opened] | type[OpenedSimilarities], otherwise: str) -> None:
        if not isinstance(self._opening, kind):
            raise StoreError(otherwise)

    def _require_pair(self, i: int, j: int) -> None:
        try:
            require_pair(i, j, self._n_items)
        except AnswerError as error:
            raise StoreError(str(error)) from error


def in_succession(events: Sequence[Event]) -> Iterator[Event]:
    """Yield the events of a journal, each once it is known to follow from those before it.

    Raises
    ------
    StoreError
        At the first that does not; the message says which, why, and what can be done.
    """
    so_far = Succession()
    for position, event in enumerate(events):
        try:
            so_far.follow(event)
        except StoreError as error:
            raise StoreError(
                f"event {position} of the journal does not fit those before it ({error}); "
                "save the rest with: likewise backup --salvage"
            ) from error
        yield event
