"""Where a dialogue is played: a full screen answered by keys, or plain lines answered by lines."""

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

from likewise.cli.consoles import out, say
from likewise.cli.dialogue import Moment
from likewise.cli.keys import RESIZED, Action, ReadKey, key_reader, line_reader, meaning
from likewise.cli.ratings import RatingMoment
from likewise.cli.show import key_list

if TYPE_CHECKING:
    from rich.console import RenderableType

_SCROLL = 3  # lines per press of an arrow key
M = TypeVar("M", Moment, RatingMoment)
S = TypeVar("S")  # what can be said: an action, or a rating too
M_contra = TypeVar("M_contra", Moment, RatingMoment, contravariant=True)
S_co = TypeVar("S_co", covariant=True)


class Scene(Protocol[M_contra, S_co]):
    """How questions of one kind look, and what keys say to them."""

    plea: str  # what to say to a line that says nothing

    def page(self, moment: M_contra, offset: int) -> RenderableType:
        """A whole screen; `offset` lines of what does not fit are scrolled away."""

    def hidden(self, moment: M_contra) -> int:
        """How many lines of the page do not fit."""

    def lines(self, moment: M_contra) -> RenderableType:
        """The same to be printed, for whoever reads lines."""

    def heard(self, key: str) -> S_co | None:
        """What a key, or a word on a line, says; None if nothing."""

    def keys(self) -> RenderableType:
        """All keys and what they mean."""


class SameOrDifferent:
    """The part of a scene that all questions of same or different share."""

    plea = "Please answer same, different or unsure; skip, undo, stop and ? work too."

    def heard(self, key: str) -> Action | None:
        """What a key says."""
        return meaning(key)

    def keys(self) -> RenderableType:
        """All keys."""
        return key_list()


def on_screen() -> bool:
    """Whether somebody sits at a terminal that can be drawn on."""
    return sys.stdin.isatty() and out.is_terminal and not out.is_dumb_terminal


@contextmanager
def screen() -> Iterator[tuple[ReadKey, Live]]:
    """The whole terminal, given back as it was; it is redrawn only when told to."""
    with key_reader() as read, Live(console=out, screen=True, auto_refresh=False) as live:
        yield read, live


@contextmanager
def person(scene: Scene[M, S]) -> Iterator[Callable[[M], S | None]]:
    """Somebody who answers, by keys if there is a terminal and by lines if not."""
    if on_screen():
        with screen() as (read, live):
            yield partial(by_key, scene, read, live)
    else:
        yield partial(by_line, scene, line_reader(sys.stdin))


def by_key(scene: Scene[M, S], read: ReadKey, live: Live, moment: M) -> S | None:
    """Show the question and wait for a key that answers it."""
    offset = 0
    while True:
        live.update(scene.page(moment, offset), refresh=True)
        key = read()
        if key is None:
            return None
        said = scene.heard(key)
        if said is Action.HELP:
            live.update(_help_page(scene.keys()), refresh=True)
            if read() is None:
                return None
        elif said is Action.UP:
            offset = max(offset - _SCROLL, 0)
        elif said is Action.DOWN:
            offset = min(offset + _SCROLL, scene.hidden(moment))
        elif said is not None:
            return said
        elif key != RESIZED:
            moment = replace(moment, note="That key means nothing here; ? lists the keys.")


def by_line(scene: Scene[M, S], read: ReadKey, moment: M) -> S | None:
    """Print the question and wait for a line that answers it."""
    if moment.note:
        say(moment.note)
    out.print(scene.lines(moment))
    while True:
        key = read()
        if key is None:
            return None
        said = scene.heard(key)
        if said is Action.HELP:
            out.print(scene.keys())
        elif said is None or said in (Action.UP, Action.DOWN):
            say(scene.plea)
        else:
            return said


def _help_page(keys: RenderableType) -> RenderableType:
    title = Text("\n Every key\n", style="bold")
    return Group(title, keys, Text("\n Any key goes back.", style="dim"))
