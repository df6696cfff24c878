"""Places and sheets at a terminal: a question in a few lines, the reply is a line of numbers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from likewise.cli.terminal.keys import Action
from likewise.cli.terminal.loop import TerminalLoop, undo_last
from likewise.journal.pairs import Verdict
from likewise.journal.questions import PlaceQuestion, SheetQuestion
from likewise.views.cards import card
from likewise.views.group_names import known_name
from likewise.views.question_wording import wording_of

if TYPE_CHECKING:
    from likewise.study import Study
    from likewise.study.question_kinds import AnyQuestion

ReadLine = Callable[[], str | None]  # None: the input has ended
Say = Callable[[str], None]

_WIDTH = 100  # characters of an item
_VERDICTS = {"s": Verdict.SAME, "d": Verdict.DIFFERENT, "?": Verdict.UNSURE}
_ALWAYS = {"u": Action.UNDO, "q": Action.STOP}


class KindsLoop(TerminalLoop["AnyQuestion", "str | Action"]):
    """Asks questions of a kind, one line each way; what cannot be understood is asked again.

    Parameters
    ----------
    study : Study
        Where questions come from and replies go.
    kind : str
        As for `Study.ask`.
    read : callable
        Returns the next line; None when there will be none.
    say : callable
        Prints a line.
    budget : int, optional
        How many replies at most.
    """

    def __init__(
        self, study: Study, kind: str, read: ReadLine, say: Say, *, budget: int | None = None
    ) -> None:
        super().__init__(budget=budget)
        self.study, self.kind, self._read, self._say = study, kind, read, say
        self._n_replies = 0

    @property
    def n_spent(self) -> int:
        return self._n_replies

    def ask(self) -> AnyQuestion | None:
        question: AnyQuestion | None = self.study.ask(kind=self.kind)
        if question is None and self.kind == "sheet":
            # Sheets need several open items; the last few are placed one by one.
            question = self.study.ask(kind="place")
        return question

    def show(self, question: AnyQuestion) -> str | Action | None:
        if self.note:
            self._say(self.note)
        wording = wording_of(self.study.items)
        match question:
            case PlaceQuestion():
                self._say(f"\n{wording.place}\n  {self._shown(question.item)}")
                self._say_places(question.members)
                self._say("Its number, n: a new group, ?: not sure, u: undo, q: stop")
            case SheetQuestion():
                placed = question.group is not None
                name = (known_name(self.study, question.items[0]) or "") if placed else ""
                self._say(f"\n{wording.of_sheet(placed=placed, name=name)}")
                self._say(f"  {self._shown(question.items[0])}")
                for number, item in enumerate(question.items[1:], start=1):
                    sign = "x" if question.ticked[number] else " "
                    self._say(f"  [{sign}] {number:2d}  {self._shown(item)}")
                self._say("Numbers to change, Enter: as they stand, u: undo, q: stop")
            case _:
                self._say(f"\n{wording.pair}")
                for item in question.pair:
                    self._say(f"  {self._shown(item)}")
                self._say("s: same, d: different, ?: not sure, u: undo, q: stop")
        line = self._read()
        return None if line is None else _ALWAYS.get(line.strip().lower(), line.strip().lower())

    def take(self, question: AnyQuestion, response: str | Action, seconds: float) -> str:
        line = str(response)
        match question:
            case PlaceQuestion():
                reply = _place(line, question.groups)
                if reply is None:
                    return _not_understood(
                        line, f"a number from 1 to {len(question.groups)}, n or ?"
                    )
                self.study.tell(question, reply, seconds=seconds)
            case SheetQuestion():
                changed = _numbers(line, len(question.items) - 1)
                if changed is None:
                    most = len(question.items) - 1
                    return _not_understood(line, f"numbers from 1 to {most}, or nothing")
                return self._sort(question, changed, seconds)
            case _:
                if line not in _VERDICTS:
                    return _not_understood(line, "s, d or ?")
                self.study.tell(question, _VERDICTS[line], seconds=seconds)
        self._n_replies += 1
        return ""

    def _sort(self, question: SheetQuestion, changed: set[int], seconds: float) -> str:
        """Record a sheet; ask where its items go when nobody knows yet."""
        belonging = [
            item
            for number, item in enumerate(question.items)
            if question.ticked[number] != (number in changed)
        ]
        group: int | str | None = None
        if question.members and len(belonging) > 1:
            self._say("Where do they go?")
            self._say_places(question.members)
            group = self._where(question)
        self.study.tell(question, belonging, group=group, seconds=seconds)
        self._n_replies += 1
        return ""

    def _where(self, question: SheetQuestion) -> int | str:
        """Return where a sheet's items go; asked until it is understood, for the ticks stay."""
        while True:
            self._say("Its number, n: a new group, ?: not sure")
            line = self._read()
            if line is None:
                return "unsure"
            line = line.strip().lower() or "?"
            group = _place(line, question.groups)
            if group is not None:
                return group
            self._say(_not_understood(line, f"a number from 1 to {len(question.groups)}, n or ?"))

    def undo(self) -> str:
        return undo_last(self.study)

    def _say_places(self, members: Iterable[int]) -> None:
        for number, member in enumerate(members, start=1):
            name = known_name(self.study, member)
            self._say(f"  {number:2d}  {f'{name}: ' if name else ''}{self._shown(member)}")

    def _shown(self, item: int) -> str:
        """Return an item in one line: its id, and its text or row where it has one."""
        shown = card(self.study.items, item)
        row = ", ".join(f"{name} {cell}" for name, cell in shown.get("row", ()))
        text = " ".join(f"{shown['id']}  {shown.get('text', row)}".split())
        return text if len(text) <= _WIDTH else text[: _WIDTH - 1] + "…"


def _place(line: str, groups: tuple[int, ...]) -> int | str | None:
    """Return the group that a line names, "new" or "unsure"; None if it names none."""
    if line in ("n", "?"):
        return "new" if line == "n" else "unsure"
    numbers = _numbers(line, len(groups))
    return groups[numbers.pop() - 1] if numbers and len(numbers) == 1 else None


def _numbers(line: str, most: int) -> set[int] | None:
    """Return the numbers in a line, None if one of them is none, or too large.

    >>> _numbers("3, 5", 9), _numbers("", 9), _numbers("12", 9)
    ({3, 5}, set(), None)
    """
    words = [word for word in re.split(r"[\s,]+", line) if word]
    if not all(word.isascii() and word.isdigit() and 1 <= int(word) <= most for word in words):
        return None
    return {int(word) for word in words}


def _not_understood(line: str, wanted: str) -> str:
    return f"{line!r} was not understood; type {wanted}."
