"""Notes beside the answers: what is to be reviewed, collections of groups, further groups.

Nothing is inferred from them. The latest note of a kind counts, and one that was undone with its
step is as if it had never been.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from likewise.errors import AnswerError
from likewise.journal.events import Noted

SEPARATOR = " / "  # between the levels of a collection
Path = tuple[str, ...]  # of a collection, the outermost level first
_LONGEST = 100  # characters of a level


@dataclass(frozen=True, slots=True)
class Review:
    """That an item needs a second pair of eyes.

    Parameters
    ----------
    note : str
        What is to be looked at; may be empty.
    who : str
        Who asks for it.
    when : str
        ISO 8601 time in UTC.
    """

    note: str = ""
    who: str = ""
    when: str = ""


class Notes:
    """What the notes of a journal amount to.

    Attributes
    ----------
    reviews : dict of int to Review
        The items that need review, the latest last.
    collections : dict of int to tuple of str
        By the item at which it was noted, the collection of its group; the latest last. One that
        was taken away is empty: it hides those before it.
    further : dict of int to list of int
        By item, those in whose groups it lies as well.
    apart : set of int
        The items whose stacks were taken apart.

    Examples
    --------
    >>> notes = Notes()
    >>> notes.add(Noted(3, "review", "a fox?", who="Ada"))
    >>> notes.reviews
    {3: Review(note='a fox?', who='Ada', when='')}
    """

    def __init__(self) -> None:
        self._all: list[Noted] = []
        self._clear()

    def _clear(self) -> None:
        self.reviews: dict[int, Review] = {}
        self.collections: dict[int, Path] = {}
        self.further: dict[int, list[int]] = {}
        self.apart: set[int] = set()

    def add(self, note: Noted) -> None:
        """Take one more note into account."""
        self._all.append(note)
        self._take(note)

    def leave_out(self, is_undone: Callable[[int], bool]) -> None:
        """Let everything be as if the notes of steps that are undone had never been."""
        self._clear()
        for note in self._all:
            if note.step is None or not is_undone(note.step):
                self._take(note)

    def placed(self, place: Callable[[int], int | None]) -> Notes:
        """Return the notes about items at hand, where `place` says which item stands for which.

        What is about a group passes to the item that stands in for one that is gone; what is about
        the item itself does not.
        """
        found = Notes()
        found.reviews = {k: one for k, one in self.reviews.items() if place(k) == k}
        for item, path in self.collections.items():
            if (here := place(item)) is not None:
                found.collections.pop(here, None)
                found.collections[here] = path
        for item, others in self.further.items():
            there = (place(other) for other in others)
            kept = dict.fromkeys(one for one in there if one is not None and one != item)
            if place(item) == item and kept:
                found.further[item] = list(kept)
        found.apart = {k for k in self.apart if place(k) == k}
        return found

    def facts(self) -> list[Noted]:
        """Return the notes that stand, without their steps; taken in anew they amount to this."""
        return [
            *(Noted(k, "review", one.note, None, True, one.when, one.who)
              for k, one in self.reviews.items()),
            *(Noted(k, "collection", SEPARATOR.join(path)) for k, path in self.collections.items()),
            *(Noted(k, "also", other=other) for k, others in self.further.items()
              for other in others),
            *(Noted(k, "apart") for k in sorted(self.apart)),
        ]  # fmt: skip

    def _take(self, note: Noted) -> None:
        item = note.item
        if note.about == "review":
            self.reviews.pop(item, None)
            if note.stands:
                self.reviews[item] = Review(note.text, note.who, note.when)
        elif note.about == "collection":
            self.collections.pop(item, None)
            self.collections[item] = levels(note.text) if note.stands else ()
        elif note.about == "also" and note.other is not None:
            others = [one for one in self.further.pop(item, []) if one != note.other]
            if note.stands:
                others.append(note.other)
            if others:
                self.further[item] = others
        elif note.about == "apart":
            (self.apart.add if note.stands else self.apart.discard)(item)


def levels(written: str) -> Path:
    """Return the levels of a collection as it is written, the outermost first.

    >>> levels("living things /animals"), levels(" ")
    (('living things', 'animals'), ())
    """
    return tuple(part.strip() for part in written.split("/") if part.strip())


def checked_levels(written: str) -> Path:
    """Return the levels of a collection that somebody has typed.

    Raises
    ------
    AnswerError
        If it is no line of text, or a level is longer than a hundred characters.
    """
    if not written.isprintable():
        raise AnswerError(f"a collection is one line of text, like 'animals', but got {written!r}")
    found = levels(written)
    if any(len(level) > _LONGEST for level in found):
        raise AnswerError(f"a level of a collection has at most {_LONGEST} characters")
    return found


def said_undone(notes: Iterable[Noted]) -> list[str]:
    """Return what it means that notes are taken back, in words.

    >>> said_undone([Noted(3, "review"), Noted(4, "also", other=5, stands=False)])
    ['the mark for review is gone', 'the further group is back']
    """
    words = {
        "review": "the mark for review",
        "collection": "what was said of the collection",
        "also": "the further group",
    }
    ends = {True: "is gone", False: "is back"}
    said = [
        f"{words[note.about]} {ends[note.stands]}"
        if note.about in words
        else "the stack is one again when the pile is read next"
        for note in notes
    ]
    return list(dict.fromkeys(said))
