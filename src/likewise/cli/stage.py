"""Where a dialogue is played: a full screen answered by keys, or plain lines answered by lines."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Protocol

from rich.console import Group
from rich.live import Live
from rich.text import Text

from likewise.cli.consoles import out, say
from likewise.cli.dialogue import Moment, Respond
from likewise.cli.keys import RESIZED, Action, ReadKey, key_reader, line_reader, meaning
from likewise.cli.show import key_list

if TYPE_CHECKING:
    from rich.console import RenderableType

_SCROLL = 3  # lines per press of an arrow key


class Scene(Protocol):
    """How questions of one kind look."""

    def page(self, moment: Moment, offset: int) -> RenderableType:
        """A whole screen; `offset` lines of what does not fit are scrolled away."""

    def hidden(self, moment: Moment) -> int:
        """How many lines of the page do not fit."""

    def lines(self, moment: Moment) -> RenderableType:
        """The same to be printed, for whoever reads lines."""


def on_screen() -> bool:
    """Whether somebody sits at a terminal that can be drawn on."""
    return sys.stdin.isatty() and out.is_terminal and not out.is_dumb_terminal


@contextmanager
def screen() -> Iterator[tuple[ReadKey, Live]]:
    """The whole terminal, given back as it was; it is redrawn only when told to."""
    with key_reader() as read, Live(console=out, screen=True, auto_refresh=False) as live:
        yield read, live


@contextmanager
def person(scene: Scene) -> Iterator[Respond]:
    """Somebody who answers, by keys if there is a terminal and by lines if not."""
    if on_screen():
        with screen() as (read, live):
            yield partial(by_key, scene, read, live)
    else:
        yield partial(by_line, scene, line_reader(sys.stdin))


def by_key(scene: Scene, read: ReadKey, live: Live, moment: Moment) -> Action | None:
    """Show the question and wait for a key that answers it."""
    offset = 0
    while True:
        live.update(scene.page(moment, offset), refresh=True)
        key = read()
        if key is None:
            return None
        action = meaning(key)
        if action is Action.HELP:
            live.update(_help_page(), refresh=True)
            if read() is None:
                return None
        elif action is Action.UP:
            offset = max(offset - _SCROLL, 0)
        elif action is Action.DOWN:
            offset = min(offset + _SCROLL, scene.hidden(moment))
        elif action is not None:
            return action
        elif key != RESIZED:
            moment = replace(moment, note="That key means nothing here; ? lists the keys.")


def by_line(scene: Scene, read: ReadKey, moment: Moment) -> Action | None:
    """Print the question and wait for a line that answers it."""
    if moment.note:
        say(moment.note)
    out.print(scene.lines(moment))
    while True:
        key = read()
        if key is None:
            return None
        action = meaning(key)
        if action is Action.HELP:
            out.print(key_list())
        elif action is None or action in (Action.UP, Action.DOWN):
            say("Please answer same, different or unsure; undo, stop and ? work too.")
        else:
            return action


def _help_page() -> RenderableType:
    title = Text("\n Every key\n", style="bold")
    return Group(title, key_list(), Text("\n Any key goes back.", style="dim"))
