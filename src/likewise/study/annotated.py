"""What is said about items and groups beside the answers: nothing is inferred from it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Any

import numpy as np
import numpy.typing as npt

from likewise.errors import AnswerError
from likewise.journal import Noted, Review
from likewise.journal.events import timestamp
from likewise.journal.notes import SEPARATOR, Path, checked_levels
from likewise.journal.person_names import person_name
from likewise.stores import ItemStore
from likewise.study.item_references import ItemReference, position_meant
from likewise.study.undoing import UndoableStudy

Labels = npt.NDArray[np.int64]
_LONGEST = 500  # characters of what is to be reviewed


class AnnotatedStudy(UndoableStudy):
    """A study in which items are marked for review, and groups put into collections.

    Each of these is a step that `undo` takes back, is kept in the journal, and changes neither
    groups nor questions.
    """

    # -- review ------------------------------------------------------------------------------

    def mark_for_review(
        self, item: ItemReference | Sequence[ItemReference], note: str = "", *, who: str = ""
    ) -> None:
        """Ask for a second pair of eyes on an item.

        Parameters
        ----------
        item : int, str or sequence of them
            The item, by position or by id; of several it is one step.
        note : str
            What is to be looked at, one line; may be empty.
        who : str
            Who asks for it.

        Examples
        --------
        >>> from likewise import Study
        >>> study = Study([[0.0], [0.1], [5.0], [5.1]])
        >>> study.mark_for_review(2, "is this one of ours?", who="Ada")
        >>> study.reviews[2].note, study.reviews[2].who
        ('is this one of ours?', 'Ada')
        >>> study.clear_review(2, who="Bob"), study.reviews
        (True, {})
        """
        text = note.strip()
        if not text.isprintable() or len(text) > _LONGEST:
            raise AnswerError(
                f"a note is one line of text of at most {_LONGEST} characters but got {note[:40]!r}"
            )
        positions = self._items_meant(item)
        self._note(lambda: [Noted(position, "review", text) for position in positions], who)

    def clear_review(self, item: ItemReference | Sequence[ItemReference], *, who: str = "") -> bool:
        """Take the mark for review from an item, whoever has set it; False if it has none.

        Parameters
        ----------
        item : int, str or sequence of them
            The item, by position or by id; of several it is one step.
        who : str
            Who has looked at it.
        """
        positions = self._items_meant(item)

        def cleared() -> list[Noted]:
            marked = self._state.notes_at_hand.reviews
            return [Noted(k, "review", stands=False) for k in positions if k in marked]

        return bool(self._note(cleared, who))

    @property
    def reviews(self) -> dict[int, Review]:
        """The items that need review, by position, in the order in which they were marked."""
        return dict(self._state.notes_at_hand.reviews)

    # -- collections of groups ---------------------------------------------------------------

    def collect(
        self, item: ItemReference, collection: str, *, who: str = "", step: int | None = None
    ) -> None:
        """Put the group in which an item lies into a collection; an empty one takes it out.

        Like a name it stays with the item. Collections lie in others: "living things / animals".

        Parameters
        ----------
        item : int or str
            An item of the group, by position or by id.
        collection : str
            Its name, with those it lies in before it, parted by slashes.
        who : str
            Who does so.
        step : int, optional
            The number of an edit that it belongs to; None: it is a step of its own.

        Examples
        --------
        >>> from likewise import Study
        >>> study = Study([[0.0], [0.1], [5.0], [5.1]])
        >>> _ = study.tell((0, 2), "different")
        >>> study.collect(0, "living things / animals")
        >>> study.collections_
        {0: ('living things', 'animals')}
        """
        path = checked_levels(collection)
        position = self._item_meant(item)
        self._note(lambda: [_in_collection(position, path)], who, step)

    def rename_collection(self, collection: str, to: str, *, who: str = "") -> int:
        """Call a collection otherwise, with all in it; return how many groups that touches.

        Parameters
        ----------
        collection : str
            The collection as it is: "animals".
        to : str
            As it shall be; "living things / animals" puts it into another one, "" dissolves it,
            so that what it held lies one level higher.
        who : str
            Who does so.

        Raises
        ------
        AnswerError
            If there is no such collection.
        """
        old, new = checked_levels(collection), checked_levels(to)
        if not old:
            raise AnswerError("say which collection is meant")

        def renamed() -> list[Noted]:
            labels, collected = self.labels_, self._state.notes_at_hand.collections
            by_label: dict[int, list[int]] = {}
            for item in collected:
                by_label.setdefault(int(labels[item]), []).append(item)
            notes = []
            for items in by_label.values():
                # Those before another collection's note are hidden by it and stay so.
                inside = takewhile(lambda k: collected[k][: len(old)] == old, reversed(items))
                for item in reversed(list(inside)):
                    notes.append(_in_collection(item, new + collected[item][len(old) :]))
            if not notes:
                called = SEPARATOR.join(old)
                raise AnswerError(f"no group lies in a collection {called!r} to be renamed")
            return notes

        kept = self._note(renamed, who)
        labels = self.labels_
        return len({int(labels[note.item]) for note in kept})

    @property
    def collected(self) -> dict[int, Path]:
        """The collections of groups, by the item at which each was noted; the latest last."""
        return dict(self._state.notes_at_hand.collections)

    @property
    def collections_(self) -> dict[int, Path]:
        """The collections of groups by label, the outermost level first; only of those in one."""
        return self.collections_by(self.labels_) if self.collected else {}

    def collections_by(self, labels: Labels) -> dict[int, Path]:
        """Return the collections by label, where `labels` are the study's, computed before."""
        found = {int(labels[item]): path for item, path in self.collected.items()}
        return {label: path for label, path in sorted(found.items()) if path}

    # -- further groups ----------------------------------------------------------------------

    def add_to_group(
        self,
        item: ItemReference | Sequence[ItemReference],
        other: ItemReference,
        *,
        who: str = "",
    ) -> None:
        """Say that an item belongs, beside its own, to the group in which another one lies.

        It is no answer: groups stay as they are. The note goes where `other` goes, and says
        nothing while both lie in one group.

        Parameters
        ----------
        item : int, str or sequence of them
            The item, by position or by id; of several it is one step.
        other : int or str
            Any item of the further group.
        who : str
            Who says so.

        Examples
        --------
        >>> from likewise import Study
        >>> study = Study([[0.0], [0.1], [5.0], [5.1]])
        >>> _ = study.tell((0, 2), "different")
        >>> study.add_to_group(1, 3)
        >>> study.labels_.tolist(), study.also_
        ([0, 0, 1, 1], {1: [1]})
        """
        those, another = self._items_meant(item), self._item_meant(other)
        if another in those:
            raise AnswerError("an item lies in its own group already; name one of another group")
        self._note(lambda: [Noted(one, "also", other=another) for one in those], who)

    def remove_from_group(
        self,
        item: ItemReference | Sequence[ItemReference],
        other: ItemReference,
        *,
        who: str = "",
    ) -> bool:
        """Say that an item does not belong to a further group any more; False if it did not.

        Parameters
        ----------
        item : int, str or sequence of them
            The item, by position or by id; of several it is one step.
        other : int or str
            Any item of the further group.
        who : str
            Who says so.
        """
        those, another = self._items_meant(item), self._item_meant(other)

        def removed() -> list[Noted]:
            further = self._state.notes_at_hand.further
            labels = self.labels_ if any(one in further for one in those) else None
            return [
                Noted(one, "also", other=anchor, stands=False)
                for one in those
                for anchor in further.get(one, ())
                if labels is not None and labels[anchor] == labels[another]
            ]

        return bool(self._note(removed, who))

    @property
    def also_(self) -> dict[int, list[int]]:
        """By item, the labels of further groups it belongs to; only of items that have any."""
        return self.also_by(self.labels_) if self._state.notes_at_hand.further else {}

    def also_by(self, labels: Labels) -> dict[int, list[int]]:
        """Return the same, where `labels` are the study's, computed before."""
        found = {}
        for item, anchors in sorted(self._state.notes_at_hand.further.items()):
            there = {int(labels[anchor]) for anchor in anchors} - {int(labels[item])}
            if there:
                found[item] = sorted(there)
        return found

    # -- stacks ------------------------------------------------------------------------------

    def unstack(self, item: ItemReference, *, who: str = "") -> None:
        """Take the stack of an item apart: its photographs are no longer asked about as one.

        It is a note, which whoever reads the pile next heeds (`likewise.piles.stacks_apart`): then
        the others are items of their own. What was answered about the one that was shown stays.

        Parameters
        ----------
        item : int or str
            The item, by position or by id.
        who : str
            Who says so.

        Raises
        ------
        AnswerError
            If it is no stack, or the study's store does not know its items again.
        """
        position = self._item_meant(item)
        if position not in self.items.stacks:
            raise AnswerError(f"{self.items.ids[position]} is no stack of photographs")
        if not isinstance(getattr(self.store, "store", self.store), ItemStore):
            raise AnswerError(
                f"{self.store} cannot follow a pile that changes, so its stacks stay; a study that "
                "was begun in a .db file can"
            )
        self._note(lambda: [Noted(position, "apart")], who)

    @property
    def n_to_unstack(self) -> int:
        """How many of the items are stacks that were taken apart since the pile was read."""
        return sum(item in self.items.stacks for item in self._state.notes_at_hand.apart)

    # -- all of it ---------------------------------------------------------------------------

    @property
    def notes(self) -> list[Noted]:
        """All notes that stand, about the items at hand."""
        return self._state.notes_at_hand.facts()

    def take_notes(self, notes: Sequence[Noted], *, who: str = "") -> None:
        """Keep notes that were made elsewhere, as one step; `who` signs those without a name."""
        for note in notes:
            for item in (note.item, *(() if note.other is None else (note.other,))):
                self.require_item(item)
            if note.about == "collection":
                checked_levels(note.text)
        self._note(lambda: notes, who)

    def annotation_columns(self, labels: Labels | None = None) -> dict[str, list[str]]:
        """Return what is noted as columns with a cell per item; only those that say anything.

        `collection` of its group, `also`: the numbers of further groups, `review`: what is to be
        looked at, and `review_by`. `labels` are the study's, if they were computed before.
        """
        notes = self._state.notes_at_hand
        if not (notes.collections or notes.further or notes.reviews):
            return {}
        labels = self.labels_ if labels is None else labels
        paths, also, reviews = self.collections_by(labels), self.also_by(labels), self.reviews
        columns = {
            "collection": [SEPARATOR.join(paths.get(label, ())) for label in labels.tolist()],
            "also": _cells(len(labels), also, lambda groups: "; ".join(map(str, groups))),
            "review": _cells(len(labels), reviews, lambda one: one.note or "needs review"),
            "review_by": _cells(len(labels), reviews, lambda one: one.who),
        }
        return {name: cells for name, cells in columns.items() if any(cells)}

    def _annotations(self, labels: Labels) -> Mapping[str, Sequence[str]]:
        return self.annotation_columns(labels)

    def _items_meant(self, given: ItemReference | Sequence[ItemReference]) -> list[int]:
        several = isinstance(given, Sequence) and not isinstance(given, str)
        named: Sequence[Any] = given if several else [given]  # type: ignore[assignment]
        return list(dict.fromkeys(map(self._item_meant, named)))

    def _item_meant(self, item: ItemReference) -> int:
        position = position_meant(self.items, item)
        self.require_item(position)
        return position

    def _note(
        self, make: Callable[[], Iterable[Noted]], who: str, step: int | None = None
    ) -> Sequence[Noted]:
        """Keep notes in one piece, as one step or as a part of another one."""
        name = person_name(who)

        def noted() -> list[Noted]:
            number = self._state.steps.next_number if step is None else step
            now = timestamp()
            return [
                replace(one, when=one.when or now, who=person_name(one.who) or name, step=number)
                for one in make()
            ]

        return self._record(noted)


def _in_collection(item: int, path: Path) -> Noted:
    """Return the note that the group of an item lies in a collection, or in none."""
    return Noted(item, "collection", SEPARATOR.join(path), stands=bool(path))


def _cells(n: int, values: Mapping[int, Any], said: Callable[[Any], str]) -> list[str]:
    """Return a cell per item: what is said of those that have a value."""
    return [said(values[k]) if k in values else "" for k in range(n)]
