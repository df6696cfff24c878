"""What every page is made of: a heading, the question, the keys, a curve."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from likewise.cli.formatting import ACCENT, safe
from likewise.cli.terminal.keys import KEYS, Action
from likewise.views.question_wording import THINGS

if TYPE_CHECKING:
    from rich.console import RenderableType

_SHORT = {
    Action.DIFFERENT: "different",
    Action.SAME: "same",
    Action.UNSURE: "not sure",
    Action.SKIP: "skip",
    Action.UNDO: "undo",
    Action.STOP: "stop",
    Action.HELP: "keys",
}
_SIGNS = {"left": "←", "right": "→", "up": "↑", "down": "↓"}
_BARS = " ▁▂▃▄▅▆▇█"


def heading(title: str, about: str, progress: str = "") -> RenderableType:
    """Draw one line: what this is on the left, how far it got on the right."""
    line = Table.grid(expand=True, padding=(0, 1, 0, 0))
    line.add_column(no_wrap=True, overflow="ellipsis", ratio=1)
    line.add_column(no_wrap=True, justify="right")
    left = Text(safe(title), style="bold")
    left.append(f"  {about}", style="not bold dim")
    line.add_row(left, Text(progress, style=ACCENT))
    return Padding(line, (0, 1))


def prompt(note: str, question: str = THINGS.pair) -> Text:
    """Draw the question, and beside it what just happened."""
    line = Text(f" {question}", style="bold", no_wrap=True, overflow="ellipsis")
    if note:
        line.append(f"   {note}", style="not bold yellow")
    return line


def key_line(actions: Iterable[Action] = tuple(_SHORT)) -> Text:
    """Draw the keys of these actions in one line, the first one or two of each."""
    line = Text(" ", no_wrap=True, overflow="ellipsis")
    for action in actions:
        word = _SHORT[action]
        keys = [_SIGNS.get(key, key) for key in KEYS[action]]
        arrow_and_letter = 2 if action in (Action.SAME, Action.DIFFERENT) else 1
        line.append(" ".join(keys[:arrow_and_letter]), style=f"bold {ACCENT}")
        line.append(f" {word}   ")
    line.rstrip()
    return line


def key_list() -> RenderableType:
    """Draw all keys, one action per line."""
    table = Table.grid(padding=(0, 3))
    for action, keys in KEYS.items():
        names = "  ".join(_SIGNS.get(key, key) for key in keys)
        table.add_row(Text(f"  {names}", style=f"bold {ACCENT}"), action.value)
    return table


def curve(values: Sequence[float], width: int, height: int = 1) -> list[Text]:
    """Draw values between 0 and 1 as `height` lines of bars; many values are thinned to `width`.

    >>> [line.plain for line in curve([0.0, 0.5, 1.0], 3)]
    ['▁▄█']
    """
    if len(values) > width:
        step = (len(values) - 1) / (width - 1)
        values = [values[round(k * step)] for k in range(width)]
    eighths = [max(1, round(min(max(value, 0.0), 1.0) * 8 * height)) for value in values]
    lines = []
    for floor in range(8 * (height - 1), -1, -8):
        bars = "".join(_BARS[min(max(e - floor, 0), 8)] for e in eighths)
        lines.append(Text(bars.ljust(width) if height > 1 else bars, style=ACCENT))
    return lines
