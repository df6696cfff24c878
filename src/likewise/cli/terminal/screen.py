"""Where questions are asked: a full screen answered by keys, or plain lines answered by lines."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Protocol, TypeVar

from rich.console import Group
from rich.live import Live
from rich.text import Text

from likewise.cli.console import out, say
from likewise.cli.terminal import widgets
from likewise.cli.terminal.keys import RESIZED, Action, ReadKey, action_of, key_reader, line_reader
from likewise.cli.terminal.loop import OpenQuestion, OpenRating

if TYPE_CHECKING:
    from rich.console import RenderableType

_SCROLL = 3  # lines per press of an arrow key
M = TypeVar("M", OpenQuestion, OpenRating)
R = TypeVar("R")  # what a key can say: an action, or a rating too
M_contra = TypeVar("M_contra", OpenQuestion, OpenRating, contravariant=True)
R_co = TypeVar("R_co", covariant=True)


class QuestionPage(Protocol[M_contra, R_co]):
    """How questions of one kind look, and what keys mean there.

    The screen knows nothing about items; a page knows nothing about keys and terminals.

    Attributes
    ----------
    hint : str
        What to print below a line that means nothing.
    """

    hint: str  # what to say to a line that says nothing

    def render(self, asked: M_contra, offset: int) -> RenderableType:
        """Draw a whole screen; `offset` lines of what does not fit are scrolled away."""

    def n_hidden(self, asked: M_contra) -> int:
        """Count the lines of the page that do not fit."""

    def render_lines(self, asked: M_contra) -> RenderableType:
        """Draw the question to be printed, for whoever reads lines."""

    def response(self, key: str) -> R_co | None:
        """Return what a key, or a word on a line, means; None if nothing."""

    def key_list(self) -> RenderableType:
        """List all keys and what they mean."""


class VerdictKeys:
    """What pages share whose questions are answered by same, different or unsure."""

    hint = "Please answer same, different or unsure; skip, undo, stop and ? work too."

    def response(self, key: str) -> Action | None:
        """Return the action that a key asks for; None if none."""
        return action_of(key)

    def key_list(self) -> RenderableType:
        """List all keys and what they mean."""
        return widgets.key_list()


def is_interactive() -> bool:
    """Return whether a person is at a terminal that can be drawn on."""
    return sys.stdin.isatty() and out.is_terminal and not out.is_dumb_terminal


@contextmanager
def full_screen() -> Iterator[tuple[ReadKey, Live]]:
    """Take the whole terminal, and give it back as it was.

    Yields a function that reads a key and the display, which is redrawn only on demand.
    """
    with key_reader() as read, Live(console=out, screen=True, auto_refresh=False) as live:
        yield read, live


@contextmanager
def respondent(page: QuestionPage[M, R]) -> Iterator[Callable[[M], R | None]]:
    """Yield a function that shows a question and returns what was answered.

    Questions fill the screen and are answered by keys if there is a terminal; otherwise they are
    printed and answered by lines, so that a file or another program can answer. The function
    returns None when no answer will ever come.
    """
    if is_interactive():
        with full_screen() as (read, live):
            yield partial(_ask_by_key, page, read, live)
    else:
        yield partial(_ask_by_line, page, line_reader(sys.stdin))


def _ask_by_key(page: QuestionPage[M, R], read: ReadKey, live: Live, asked: M) -> R | None:
    """Show the question and wait for a key that answers it; None at the end of the input."""
    offset = 0
    while True:
        live.update(page.render(asked, offset), refresh=True)
        key = read()
        if key is None:
            return None
        response = page.response(key)
        if response is Action.HELP:
            live.update(_help_page(page.key_list()), refresh=True)
            if read() is None:
                return None
        elif response is Action.UP:
            offset = max(offset - _SCROLL, 0)
        elif response is Action.DOWN:
            offset = min(offset + _SCROLL, page.n_hidden(asked))
        elif response is not None:
            return response
        elif key != RESIZED:
            asked = replace(asked, note="That key means nothing here; ? lists the keys.")


def _ask_by_line(page: QuestionPage[M, R], read: ReadKey, asked: M) -> R | None:
    """Print the question and wait for a line that answers it; None at the end of the input."""
    if asked.note:
        say(asked.note)
    out.print(page.render_lines(asked))
    while True:
        key = read()
        if key is None:
            return None
        response = page.response(key)
        if response is Action.HELP:
            out.print(page.key_list())
        elif response is None or response in (Action.UP, Action.DOWN):
            say(page.hint)
        else:
            return response


def _help_page(keys: RenderableType) -> RenderableType:
    """Draw the list of keys."""
    title = Text("\n Every key\n", style="bold")
    return Group(title, keys, Text("\n Any key goes back.", style="dim"))
