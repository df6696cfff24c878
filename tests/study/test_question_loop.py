"""Tests of the one loop that simulations and the terminal share."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from likewise.study.loop import Outcome, QuestionLoop


class Counting(QuestionLoop[str]):
    """Asks for letters, and notes in which order things happen."""

    def __init__(
        self, letters: str, reply: Callable[[str], Outcome | None] | None = None, **limits: float
    ) -> None:
        super().__init__(**limits)  # type: ignore[arg-type]
        self.letters, self.log = letters, ""
        self._reply = reply

    @property
    def n_spent(self) -> int:
        return sum(letter.isupper() for letter in self.log)

    def before_question(self) -> None:
        self.log += "."

    def ask(self) -> str | None:
        left = self.letters[self.n_spent :]
        return left[0] if left else None

    def on_question(self, question: str | None) -> None:
        self.log += question or "-"

    def reply(self, question: str) -> Outcome | None:
        self.log += question.upper()
        return self._reply(question) if self._reply else None


def test_everything_is_asked_in_turn() -> None:
    loop = Counting("ab")
    assert loop.run() is Outcome.NOTHING_LEFT
    assert loop.log == ".aA.bB.-"


def test_nothing_is_asked_beyond_the_budget() -> None:
    loop = Counting("abc", budget=2)
    assert loop.run() is Outcome.BUDGET_SPENT
    assert loop.log == ".aA.bB.-"


def test_the_clock_ends_the_loop_before_the_next_question() -> None:
    loop = Counting("abc", time_limit=-1.0)
    assert loop.run() is Outcome.TIME_UP
    assert loop.log == "."


def test_a_reply_ends_the_loop() -> None:
    loop = Counting("abc", lambda letter: Outcome.STOPPED if letter == "b" else None)
    assert loop.run() is Outcome.STOPPED
    assert loop.log == ".aA.bB"


def test_the_keyboard_ends_the_loop_and_other_errors_pass() -> None:
    def interrupt(letter: str) -> Outcome | None:
        raise KeyboardInterrupt

    def fail(letter: str) -> Outcome | None:
        raise LookupError

    assert Counting("a", interrupt).run() is Outcome.INTERRUPTED
    with pytest.raises(LookupError):
        Counting("a", fail).run()
