"""What was done, step by step, and how a step is taken back."""

from __future__ import annotations

from abc import abstractmethod

from likewise.errors import AnswerError
from likewise.items import Items
from likewise.journal import JournalStep, Named, Redone, Undone
from likewise.journal.events import timestamp
from likewise.journal.pairs import Answer, Question
from likewise.journal.person_names import person_name
from likewise.journal.state import Journal
from likewise.study.base import BaseStudy
from likewise.study.item_references import ItemReference, position_meant


class UndoableStudy(BaseStudy[Journal, Answer, Question]):
    """A study whose edits, of several answers and names, are taken back as a whole."""

    @property
    @abstractmethod
    def items(self) -> Items:
        """What is grouped."""

    @abstractmethod
    def require_item(self, item: int) -> None:
        """Refuse a position at which there is no item."""

    def last_step(self, *, who: str | None = None) -> JournalStep | None:
        """Return what `undo` would take back, None when there is nothing.

        Parameters
        ----------
        who : str, optional
            Whose last step is meant; None: the last of all.
        """
        return self._state.latest_step(None if who is None else person_name(who))

    def step_of(self, answer: Answer) -> JournalStep:
        """Return the step in which an answer was given: itself, or the edit that it belongs to."""
        return self._state.steps.of(answer)

    def undo(self, *, who: str | None = None) -> Answer | None:
        """Take back the last step: an answer, a name, or a whole edit.

        What an edit gave is gone, and what it had taken back stands again, in its old place and
        in the name of whoever had said it: everything is as it was before. It can be called as
        often as there is anything.

        Parameters
        ----------
        who : str, optional
            Whose last step is taken back, in their name; None: the last of all.

        Returns
        -------
        Answer or None
            The last answer that was taken back; None if the step had none, but a name, say.

        Raises
        ------
        AnswerError
            If there is nothing to take back.

        Examples
        --------
        >>> from likewise import Study
        >>> from likewise.study.edits import merge
        >>> study = Study([[0.0], [0.1], [5.0], [5.1]])
        >>> _ = study.tell((0, 2), "different"), merge(study, 1, 3, force=True)
        >>> print(study.last_step())
        3 answers taken back, 1 earlier answer stands again
        >>> _ = study.undo()
        >>> study.answers == [study.find(0)]
        True
        """
        step = self.last_step(who=who)
        if step is None:
            raise AnswerError("there is no answer to take back")
        if step.number is None:
            return self.retract(step.given[0].id, who=who or "")
        self.undo_step(step.number, who=who or "")
        return step.given[-1] if step.given else None

    def undo_step(self, number: int, *, who: str = "") -> JournalStep:
        """Take back an edit, in the name of `who`, by the number of its step; return it."""
        step = self._state.steps.find(number)
        self._record(lambda: [Undone(number, timestamp(), who)])
        return step

    def redo_step(self, number: int, *, who: str = "") -> JournalStep:
        """Do an edit again that was taken back; return its step."""
        step = self._state.steps.find(number)
        self._record(lambda: [Redone(number, timestamp(), who)])
        return step

    def name(
        self, item: ItemReference, name: str, *, who: str = "", step: int | None = None
    ) -> None:
        """Name the group in which an item lies; an empty name takes the group's name away.

        The name stays with the item: wherever it lies later, that group is called so.

        Parameters
        ----------
        item : int or str
            An item of the group, by position or by id.
        name : str
            One line of text.
        who : str
            Who names it.
        step : int, optional
            The number of an edit that the name belongs to; None: it is a step of its own.
        """
        text = name.strip()
        if not text.isprintable():
            raise AnswerError(f"a name must be one line of text but got {name!r}")
        position = position_meant(self.items, item)
        self.require_item(position)

        def named() -> list[Named]:
            number = self._state.steps.next_number if step is None else step
            return [Named(position, text, timestamp(), person_name(who), number)]

        self._record(named)
