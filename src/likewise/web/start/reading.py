"""A pile that is being read: how far it is, how long it will take, and what came of it."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from likewise.errors import LikewiseError
from likewise.study import Study
from likewise.web.start.opening import Opening

State = Literal["reading", "thinking", "ready", "failed", "stopped"]
_OPTION = re.compile(r"(?<!\S)--[a-z]")


class _StoppedError(Exception):
    """Somebody does not want to wait."""


@dataclass(frozen=True)
class ReadingProgress:
    """How far the reading of a pile is.

    Attributes
    ----------
    state
        "reading", then "thinking" of the first question, then "ready"; or "failed", "stopped".
    done, of
        How many items are read, of how many; 0 of 0 until that is known.
    seconds_left
        How long reading will take at this pace; None while nobody can tell.
    sentence
        What was read, or why it failed.
    notes
        What was guessed, left out or put together.
    """

    state: State
    done: int = 0
    of: int = 0
    seconds_left: float | None = None
    sentence: str = ""
    notes: tuple[str, ...] = ()


class Reading:
    """Reads a pile in a thread of its own.

    What was computed so far is in the cache when it is stopped, so that nothing is lost.

    Parameters
    ----------
    opening
        The pile.
    on_end
        Called in the thread when it has ended, unless it was stopped.
    clock
        Monotonic seconds; replaced in tests.
    """

    def __init__(
        self,
        opening: Opening,
        on_end: Callable[[Reading], object],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.opening = opening
        self.study: Study | None = None
        self.error: LikewiseError | None = None
        self._on_end = on_end
        self._clock = clock
        self._progress = ReadingProgress("reading")
        self._stage = (clock(), 0)  # when the count began, and where
        self._stopped = threading.Event()
        # Whoever ends the program must not wait for a pile.
        self._thread = threading.Thread(target=self._run, name="likewise-reading", daemon=True)

    @property
    def progress(self) -> ReadingProgress:
        """How far it is."""
        return self._progress

    def start(self) -> None:
        """Begin to read."""
        self._thread.start()

    def stop(self, seconds: float = 5.0) -> None:
        """End as soon as the next item is done, and wait for that, but not for ever."""
        self._stopped.set()
        if self._thread.is_alive():
            self._thread.join(seconds)
        self._progress = ReadingProgress("stopped")

    def _run(self) -> None:
        """Read, begin the study, and say what came of it."""
        try:
            pile = self.opening.read(self._tell)
            noun = pile.noun if len(pile.items) == 1 else f"{pile.noun}s"
            said = f"{len(pile.items):,} {noun}, compared by {pile.compared_by}"
            notes = tuple(filter(None, map(without_options, pile.notes)))
            self._set(ReadingProgress("thinking", 1, 1, None, said, notes))
            self.study = self.opening.begin(pile)
            self._set(ReadingProgress("ready", 1, 1, None, said, notes))
        except _StoppedError:
            return
        except LikewiseError as error:
            self.error = error
            self._set(ReadingProgress("failed", sentence=str(error)))
        except Exception as error:  # a fault of ours; said without its trace, and raised there
            self.error = LikewiseError(f"reading {self.opening.path} failed: {error}")
            self._set(ReadingProgress("failed", sentence=str(self.error)))
            raise
        finally:
            if not self._stopped.is_set():
                self._on_end(self)

    def _set(self, progress: ReadingProgress) -> None:
        """Take the next state, unless somebody has stopped it."""
        if self._stopped.is_set():
            raise _StoppedError
        self._progress = progress

    def _tell(self, done: int, of: int) -> None:
        """Take in how far it is; raised in here, a stop ends the reading where it is."""
        now, last = self._clock(), self._progress
        # Another way of comparing begins at nothing again; and what has to be loaded before the
        # first item is no measure of how long the others take.
        if last.of != of or done < last.done or last.done == 0:
            self._stage = (now, done)
        began, first = self._stage
        left = None
        if done > first and now > began:
            left = (of - done) * (now - began) / (done - first)
        self._set(ReadingProgress("reading", done, of, left))


def without_options(note: str) -> str:
    """Leave out the clauses of a note that name options of the command line: a page has none.

    >>> without_options("every column weighs the same; --scaling none compares them as they are")
    'every column weighs the same'
    """
    return "; ".join(clause for clause in note.split("; ") if not _OPTION.search(clause))
