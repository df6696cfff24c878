"""`likewise rate`: how alike are two rows of a CSV file, with every rating kept beside it."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from rich.console import Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from likewise.cli.consoles import out, say, working
from likewise.cli.dialogue import require_budget
from likewise.cli.endings import Ending
from likewise.cli.facts import in_words
from likewise.cli.keys import RESIZED, Action, ReadKey, line_reader
from likewise.cli.ratings import RatingMoment, Respond, Said, converse, said_by
from likewise.cli.rows import hidden_lines, scrolled, side_by_side, table_lines
from likewise.cli.show import ACCENT, count, heading, prompt, safe
from likewise.cli.stage import on_screen, screen
from likewise.cli.table import Source

if TYPE_CHECKING:
    from rich.console import RenderableType

    from likewise.similarity import SimilarityStudy

QUESTION = "How alike are these, 1 to 10?"
_KEYS = (
    ("1 … 9", "how alike: 1 not at all, 9 very"),
    ("0", "10, as alike as can be"),
    ("space  n", "cannot be compared: never show these two again"),
    ("u  backspace  ctrl-z", "take back the last rating"),
    ("q  esc", "stop"),
    ("↑  ↓", "scroll"),
)
_SCROLL = 3  # lines per press of an arrow key


@dataclass
class RatedRows:
    """How a pair of rows to be rated looks."""

    title: str
    rows: Sequence[Mapping[str, Any]]
    names: Sequence[str]
    tallest: int = 8

    def page(self, moment: RatingMoment, offset: int) -> RenderableType:
        """The two rows side by side, the question below them."""
        lines = table_lines(self.rows, *moment.pair, self._names(moment))
        shown, self.tallest = scrolled(lines, offset, self.tallest)
        rated = count(moment.study.n_measurements, "rating")
        head = heading(self.title, count(len(self.rows), "row"), rated)
        keys = Text(" 1 … 9  0 = 10   space cannot say   u undo   q stop   ? keys", style="dim")
        return Group(head, "", shown, "", prompt(moment.note, QUESTION), keys)

    def hidden(self, moment: RatingMoment) -> int:
        """How many lines of the page do not fit."""
        return hidden_lines(table_lines(self.rows, *moment.pair, self._names(moment)))

    def lines(self, moment: RatingMoment) -> RenderableType:
        """The two rows and the question, to be printed."""
        table = side_by_side(self.rows, *moment.pair, self._names(moment))
        return Group("", table, "", prompt("", QUESTION))

    def _names(self, moment: RatingMoment) -> tuple[Text, Text]:
        i, j = moment.pair
        return Text(safe(self.names[i]), style="bold"), Text(safe(self.names[j]), style="bold")


def rate(
    source: Source,
    *,
    method: str | None,
    n_clusters: int | None,
    repeats: int | None,
    seed: int | None,
    budget: int | None,
) -> Ending:
    """Show pairs of rows until somebody stops, and say how to go on."""
    require_budget(budget)
    with working(f"Reading {source.path}"):
        items = source.items()
        study = source.begin_rating(items, method, n_clusters, repeats, seed)
        study.ask()
    so_far = f"{count(study.n_measurements, 'rating')} so far." if study.n_measurements else ""
    say(f"{source.path}: {count(len(items), 'row')}.")
    with _person(RatedRows(str(source.path), items.rows or [], source.names(items))) as respond:
        ending = converse(study, respond, budget=budget, note=so_far)
    _conclude(study, ending, source)
    return ending


def _conclude(study: SimilarityStudy, ending: Ending, source: Source) -> None:
    if ending is Ending.NOTHING_LEFT:
        say("Every pair has been rated.")
    sizes = sorted(Counter(study.labels_.tolist()).values(), reverse=True)
    say(f"{count(study.n_measurements, 'rating')} in all made {in_words(sizes)}.")
    say(f"Every rating is kept in {source.ratings}.")
    if ending is not Ending.NOTHING_LEFT:
        say(f"  {source.command('rate')}   goes on")
    say(f"  {source.command('labels')} --ratings   writes the groups")


@contextmanager
def _person(scene: RatedRows) -> Iterator[Respond]:
    """Somebody who rates, by keys if there is a terminal and by lines if not."""
    if on_screen():
        with screen() as (read, live):
            yield partial(_by_key, scene, read, live)
    else:
        yield partial(_by_line, scene, line_reader(sys.stdin))


def _by_key(scene: RatedRows, read: ReadKey, live: Live, moment: RatingMoment) -> Said | None:
    offset = 0
    while True:
        live.update(scene.page(moment, offset), refresh=True)
        key = read()
        if key is None:
            return None
        said = said_by(key)
        if said is Action.HELP:
            live.update(_key_table(), refresh=True)
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


def _by_line(scene: RatedRows, read: ReadKey, moment: RatingMoment) -> Said | None:
    if moment.note:
        say(moment.note)
    out.print(scene.lines(moment))
    while True:
        key = read()
        if key is None:
            return None
        said = said_by(key)
        if said is Action.HELP:
            out.print(_key_table())
        elif said is None or said in (Action.UP, Action.DOWN):
            say("Please rate from 1 to 10; unsure, undo, stop and ? work too.")
        else:
            return said


def _key_table() -> RenderableType:
    table = Table.grid(padding=(0, 3))
    for keys, what in _KEYS:
        table.add_row(Text(f"  {keys}", style=f"bold {ACCENT}"), what)
    return table
