"""Single keys from the terminal, and what each of them means.

Where standard input is no terminal, an answer is a line instead, so that a file or another
program can answer too.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import Enum
from typing import Protocol, TextIO

HIGHEST_RATING = 10
RESIZED = "resized"  # comes in place of a key when the window has another size
_ESCAPE_SECONDS = 0.05  # seconds within which the rest of an arrow key's code must follow
_RESIZE_SECONDS = 0.25  # seconds between two checks of the window's size


class ReadKey(Protocol):
    """A source of keys."""

    def __call__(self, wait: float | None = None) -> str | None:
        """Return the name of the next key, such as "left", "space" or "s".

        "" says that none came within `wait` seconds (None: wait for ever), `RESIZED` that the
        window has another size, None that there will be no more keys.
        """


class Action(Enum):
    """What a key asks for; the value describes it in the list of keys."""

    SAME = "same"
    DIFFERENT = "different"
    UNSURE = "not sure"
    SKIP = "put this question off"
    UNDO = "take back the last answer"
    STOP = "stop"
    HELP = "list the keys"
    UP = "scroll up"
    DOWN = "scroll down"


RatingResponse = int | Action  # a rating from 1 to 10, or what else a key can ask for
KEYS: dict[Action, tuple[str, ...]] = {
    Action.DIFFERENT: ("left", "d", "f"),
    Action.SAME: ("right", "s", "j"),
    Action.UNSURE: ("space", "n"),
    Action.SKIP: ("k", "tab"),
    Action.UNDO: ("u", "backspace", "ctrl-z"),
    Action.STOP: ("q", "esc"),
    Action.HELP: ("?",),
    Action.UP: ("up",),
    Action.DOWN: ("down",),
}
# Words that a line may hold besides the keys.
_WORDS = {
    "same": Action.SAME,
    "different": Action.DIFFERENT,
    "unsure": Action.UNSURE,
    "skip": Action.SKIP,
    "undo": Action.UNDO,
    "stop": Action.STOP,
    "quit": Action.STOP,
    "help": Action.HELP,
}
_ACTIONS = {key: action for action, keys in KEYS.items() for key in keys} | _WORDS
_NAMES = {
    " ": "space",
    "\t": "tab",
    "\x7f": "backspace",
    "\x08": "backspace",
    "\x1a": "ctrl-z",
    "\r": "enter",
    "\n": "enter",
}
_ARROWS = {"A": "up", "B": "down", "C": "right", "D": "left"}
_WINDOWS_ARROWS = {"H": "up", "P": "down", "M": "right", "K": "left"}


def action_of(key: str) -> Action | None:
    """Return what a key, or a word on a line, asks for; None if nothing.

    >>> action_of("S"), action_of("left"), action_of("x")
    (<Action.SAME: 'same'>, <Action.DIFFERENT: 'different'>, None)
    """
    return _ACTIONS.get(key.lower())


def rating_of(key: str) -> RatingResponse | None:
    """Return what a key, or a word on a line, means where ratings are asked; the key 0 is a ten.

    >>> rating_of("7"), rating_of("0"), rating_of("10"), rating_of("11"), rating_of("u")
    (7, 10, 10, None, <Action.UNDO: 'take back the last answer'>)
    """
    if key.isascii() and key.isdigit():
        rating = int(key) or HIGHEST_RATING
        return rating if rating <= HIGHEST_RATING else None
    action = action_of(key)
    return None if action in (Action.SAME, Action.DIFFERENT, Action.SKIP) else action


def line_reader(lines: TextIO) -> ReadKey:
    """Return a reader that takes every line for the name of a key."""

    def read(wait: float | None = None) -> str | None:
        line = lines.readline()
        if not line:
            return None
        typed = line.rstrip("\r\n")
        return _NAMES.get(typed, typed.strip())

    return read


if sys.platform == "win32":  # pragma: no cover - needs a Windows terminal
    import msvcrt
    import time

    @contextmanager
    def key_reader() -> Iterator[ReadKey]:
        """Yield keys as they are pressed, without Enter."""
        size = shutil.get_terminal_size()

        def read(wait: float | None = None) -> str | None:
            nonlocal size
            until = None if wait is None else time.monotonic() + wait
            while not msvcrt.kbhit():
                time.sleep(_ESCAPE_SECONDS)
                if until is not None and time.monotonic() > until:
                    return ""
                if shutil.get_terminal_size() != size:
                    size = shutil.get_terminal_size()
                    return RESIZED
            typed = msvcrt.getwch()
            if typed == "\x03":
                raise KeyboardInterrupt
            if typed in ("\x00", "\xe0"):
                return _WINDOWS_ARROWS.get(msvcrt.getwch(), "")
            return "esc" if typed == "\x1b" else _NAMES.get(typed, typed)

        yield read

else:
    import select
    import signal
    import termios
    import tty

    @contextmanager
    def key_reader() -> Iterator[ReadKey]:
        """Yield keys as they are pressed, without Enter; the terminal is put back as it was."""
        terminal = sys.stdin.fileno()
        before = termios.tcgetattr(terminal)
        size = shutil.get_terminal_size()

        interrupted = False

        def interrupt(number: int, frame: object) -> None:
            nonlocal interrupted
            interrupted = True
            raise KeyboardInterrupt

        def ready(seconds: float) -> bool:
            if interrupted:  # raised where nobody could hear it, in a finaliser for instance
                raise KeyboardInterrupt
            return bool(select.select([terminal], [], [], seconds)[0])

        def read(wait: float | None = None) -> str | None:
            nonlocal size
            if wait is not None and not ready(wait):
                return ""
            while not ready(_RESIZE_SECONDS):
                if shutil.get_terminal_size() != size:
                    size = shutil.get_terminal_size()
                    return RESIZED
            typed = os.read(terminal, 1)
            if typed == b"\x1b":
                return _after_escape(ready, lambda: os.read(terminal, 1).decode("latin-1"))
            return _named(typed)

        handled = signal.signal(signal.SIGINT, interrupt)
        try:
            tty.setcbreak(terminal)
            mode = termios.tcgetattr(terminal)
            # Ctrl-Z takes an answer back, as everywhere else that people edit something.
            mode[6][termios.VSUSP] = bytes([os.fpathconf(terminal, "PC_VDISABLE")])
            termios.tcsetattr(terminal, termios.TCSADRAIN, mode)
            yield read
        finally:
            # What was typed too late for this program is not meant for the shell.
            termios.tcsetattr(terminal, termios.TCSAFLUSH, before)
            signal.signal(signal.SIGINT, handled)


def _named(typed: bytes) -> str | None:
    """Return the name of a key that is one byte; None at the end of the input."""
    if typed in (b"", b"\x04"):  # Ctrl-D ends the input, as it does on a line
        return None
    letter = typed.decode("latin-1")
    return _NAMES.get(letter, letter)


def _after_escape(ready: Callable[[float], bool], read: Callable[[], str]) -> str:
    """Return the key whose code began with an escape: "esc" if nothing follows, "" if unknown."""
    if not ready(_ESCAPE_SECONDS):
        return "esc"
    if read() not in ("[", "O"):
        return ""
    while ready(_ESCAPE_SECONDS):
        letter = read()
        # DigitsPage and semicolons tell of Shift and the like; the first other sign ends the code.
        if not (letter.isdigit() or letter == ";"):
            return _ARROWS.get(letter, "")
    return ""
