"""Steps: what was done at once, and is taken back at once.

An edit gives answers, takes others back, names groups and notes things beside; its events carry the
number of its step. An answer that stands for itself has no number and is a step of its own.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from likewise.errors import AnswerError
from likewise.journal.events import Noted
from likewise.journal.notes import said_undone
from likewise.journal.pairs import Answer


@dataclass(slots=True)
class JournalStep:
    """What was done at once; to be read, not changed.

    Parameters
    ----------
    number : int or None
        What the journal calls it; None for a single answer.
    who : str
        Who did it.
    given, retracted : list of Answer
        The answers that it gave, and the earlier ones that it took back.
    named : list of tuple
        Items, each with the name that its group got.
    noted : list of Noted
        What it noted beside the answers.
    undone : bool
        Whether it was taken back.
    end : int
        The id of the first answer that came later.

    Examples
    --------
    >>> from likewise.journal.pairs import Pair, Verdict
    >>> print(JournalStep(None, given=[Answer(0, Pair(0, 1), Verdict.SAME)]))
    1 answer taken back
    """

    number: int | None
    who: str = ""
    given: list[Answer] = field(default_factory=list)
    retracted: list[Answer] = field(default_factory=list)
    named: list[tuple[int, str]] = field(default_factory=list)
    noted: list[Noted] = field(default_factory=list)
    undone: bool = False
    end: int = 0

    def has_effect(self, standing: Collection[int]) -> bool:
        """Return whether taking it back would change anything, where answers `standing` stand."""
        if self.undone:
            return False
        given = any(answer.id in standing for answer in self.given)
        beside = bool(self.named or self.noted)
        return given or beside or any(a.id not in standing for a in self.retracted)

    def __str__(self) -> str:
        said = []
        if self.given:
            said.append(f"{_counted(len(self.given))} taken back")
        if self.retracted:
            verb = "stands" if len(self.retracted) == 1 else "stand"
            said.append(f"{_counted(len(self.retracted), 'earlier ')} {verb} again")
        said += [
            f"the name “{name}” is gone" if name else "the name is back" for _, name in self.named
        ]
        said += said_undone(self.noted)
        return ", ".join(said)


class Steps:
    """The numbered steps of a journal, in their order."""

    def __init__(self) -> None:
        self._by_number: dict[int, JournalStep] = {}
        self._number_of: dict[int, int] = {}  # by the id of an answer

    @property
    def next_number(self) -> int:
        """The number of the next step."""
        return max(self._by_number, default=-1) + 1

    def find(self, number: int) -> JournalStep:
        """Return the step with this number."""
        if number not in self._by_number:
            raise AnswerError(f"there is no step {number} to take back")
        return self._by_number[number]

    def of(self, answer: Answer) -> JournalStep:
        """Return the step in which an answer was given."""
        number = self._number_of.get(answer.id)
        if number is None:
            return JournalStep(None, answer.who, [answer], end=answer.id + 1)
        return self._by_number[number]

    def begin(self, number: int, who: str, end: int) -> JournalStep:
        """Return the step with this number, a new one if there is none, that lasts until `end`."""
        step = self._by_number.setdefault(number, JournalStep(number, who))
        step.end = max(step.end, end)
        return step

    def gave(self, number: int, answer: Answer, end: int) -> None:
        """Take in that a step gave an answer."""
        self.begin(number, answer.who, end).given.append(answer)
        self._number_of[answer.id] = number

    def latest(
        self, answers: Sequence[Answer], standing: Collection[int], who: str | None
    ) -> JournalStep | None:
        """Return the last step that has an effect, of one person or of all; None if there is none.

        Parameters
        ----------
        answers : sequence of Answer
            The answers that single steps may be among, oldest first.
        standing : collection of int
            The ids of all answers that stand.
        who : str or None
            Whose steps count; None: everybody's.
        """
        edits = (step for step in reversed(self._by_number.values()) if who in (None, step.who))
        edit = next((step for step in edits if step.has_effect(standing)), None)
        single = next(
            (a for a in reversed(answers) if a.id not in self._number_of and who in (None, a.who)),
            None,
        )
        if single is not None and (edit is None or single.id >= edit.end):
            return self.of(single)
        return edit


def _counted(n: int, kind: str = "") -> str:
    return f"{n} {kind}answer{'s' * (n != 1)}"
