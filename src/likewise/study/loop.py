"""The loop of every study: ask, get a reply, record it, until somebody or something ends it.

Simulations, the terminal and audits run the same loop; they differ in what they ask, in who
replies and in what else is done at each question.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from enum import Enum
from time import perf_counter
from typing import Generic, TypeVar

_Q = TypeVar("_Q")


class Outcome(Enum):
    """Why a loop has ended, in words that can be printed."""

    STOPPED = "stopped"
    INTERRUPTED = "interrupted"
    NO_MORE_INPUT = "the input has ended"
    BUDGET_SPENT = "that was the last answer of this sitting"
    NOTHING_LEFT = "nothing is left to ask"
    TIME_UP = "the time is up"
    COST_LIMIT = "the money is spent"
    ORACLE_FAILED = "the oracle failed"


class QuestionLoop(ABC, Generic[_Q]):
    """Asks until nothing is left, the budget is spent, the time is up or the reply ends it.

    A subclass says what is asked and what is done with it.

    Parameters
    ----------
    budget : int, optional
        How many replies count at most, by `n_spent`; None: as many as there are.
    time_limit : float, optional
        Seconds after which nothing more is asked; a question under way is still answered.
    """

    def __init__(self, *, budget: int | None = None, time_limit: float | None = None) -> None:
        self.budget, self.time_limit = budget, time_limit
        self._started = perf_counter()

    def run(self) -> Outcome:
        """Ask until there is a reason to end; Ctrl-C is one."""
        self._started = perf_counter()
        try:
            while True:
                self.before_question()
                if self.time_limit is not None and self.seconds > self.time_limit:
                    return Outcome.TIME_UP
                question = None if self._is_spent() else self.ask()
                self.on_question(question)
                if not question:
                    return Outcome.BUDGET_SPENT if self._is_spent() else Outcome.NOTHING_LEFT
                if (outcome := self.reply(question)) is not None:
                    return outcome
        except KeyboardInterrupt:
            return Outcome.INTERRUPTED

    @property
    def seconds(self) -> float:
        """Time since the loop was started."""
        return perf_counter() - self._started

    @property
    @abstractmethod
    def n_spent(self) -> int:
        """How much of the budget was spent so far."""

    @abstractmethod
    def ask(self) -> _Q | None:
        """Return the next question; None, or an empty batch, when nothing is left."""

    @abstractmethod
    def reply(self, question: _Q) -> Outcome | None:
        """Get a reply and record it; return an outcome to end the loop."""

    def before_question(self) -> None:
        """Do something before each question is looked for; nothing unless overridden."""

    def on_question(self, question: _Q | None) -> None:
        """Do something once a question was found, or none; nothing unless overridden."""

    def _is_spent(self) -> bool:
        return self.budget is not None and self.n_spent >= self.budget
