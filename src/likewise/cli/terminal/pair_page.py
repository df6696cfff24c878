"""How a question about two items of a pile looks, whatever they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.console import Group
from rich.segment import Segment, SegmentLines
from rich.table import Table
from rich.text import Text

from likewise.cli.console import out
from likewise.cli.formatting import ACCENT, count, safe
from likewise.cli.terminal.keys import RatingResponse, rating_of
from likewise.cli.terminal.loop import OpenQuestion, OpenRating
from likewise.cli.terminal.screen import VerdictKeys
from likewise.cli.terminal.side_by_side import Comparison, Names, comparison_of
from likewise.cli.terminal.widgets import curve, heading, key_line, prompt
from likewise.views.question_wording import THINGS, wording_of

if TYPE_CHECKING:
    from pathlib import Path

    from rich.console import RenderableType

    from likewise.piles import Pile
    from likewise.study import Study

_AROUND = 5  # lines of a page that are not the items
_SPARK = 12  # width of the curve in the heading
_RATING = "How alike are these, 1 to 10?"
_RATING_KEYS = (
    ("1 … 9", "how alike: 1 not at all, 9 very"),
    ("0", "10, as alike as can be"),
    ("space  n", "cannot be compared: never show these two again"),
    ("u  backspace  ctrl-z", "take back the last rating"),
    ("q  esc", "stop"),
    ("↑  ↓", "scroll"),
)


@dataclass
class PairLayout:
    """Two items on a page that scrolls.

    Parameters
    ----------
    title : str
        What the heading begins with, usually the pile's path.
    comparison : Comparison
        Draws two items side by side.
    names : sequence of str
        What to call each item.
    noun : str
        What one item is called: "row", "picture".
    question : str
        How two items are asked about.
    tallest : int
        Lines of the tallest page so far: what is below the items does not jump from page to page.
    """

    title: str
    comparison: Comparison
    names: Sequence[str]
    noun: str = "row"
    question: str = THINGS.pair
    tallest: int = 8  # lines of the tallest page so far: what stands below does not jump about

    @classmethod
    def of(cls, path: Path, pile: Pile) -> PairLayout:
        """Return the layout for the items of a pile that was read from `path`."""
        question = wording_of(pile.items).pair
        return cls(str(path), comparison_of(pile.items), pile.names(), pile.noun, question)

    def render_items(self, i: int, j: int, names: Names) -> list[list[Segment]]:
        """Draw items i and j as lines, cut to the page where that can be done."""
        options = out.options.update(width=out.width, height=None)
        return out.render_lines(self.comparison.render(i, j, names, _page_lines()), options)

    def render(
        self, lines: list[list[Segment]], offset: int, progress: str, *below: RenderableType
    ) -> RenderableType:
        """Draw the page: a heading, as many lines as fit from `offset` on, and what is `below`."""
        shown, self.tallest = scrolled(lines, offset, self.tallest)
        head = heading(self.title, count(len(self.comparison), self.noun), progress)
        return Group(head, "", shown, "", *below)


class PairPage(VerdictKeys):
    """Questions of same or different about the items of a pile; fits `QuestionPage`.

    Parameters
    ----------
    layout : PairLayout
        Draws the items.
    """

    def __init__(self, layout: PairLayout) -> None:
        self.layout = layout

    def render(self, asked: OpenQuestion, offset: int) -> RenderableType:
        """Draw the two items side by side with the question below them."""
        lines = self._lines(asked)
        asking = prompt(asked.note, self.layout.question)
        return self.layout.render(lines, offset, _progress_text(asked), asking, key_line())

    def n_hidden(self, asked: OpenQuestion) -> int:
        """Count the lines that do not fit, which is how far the page can be scrolled."""
        return hidden_lines(self._lines(asked))

    def render_lines(self, asked: OpenQuestion) -> RenderableType:
        """Draw the two items and the question to be printed."""
        shown = self.layout.comparison.render(*asked.question.pair, self._names(asked), None)
        return Group("", shown, "", prompt("", self.layout.question))

    def _lines(self, asked: OpenQuestion) -> list[list[Segment]]:
        return self.layout.render_items(*asked.question.pair, self._names(asked))

    def _names(self, asked: OpenQuestion) -> Names:
        one, other = (self._name(item, asked.study) for item in asked.question.pair)
        return one, other

    def _name(self, item: int, study: Study) -> Text:
        """Return an item's name, and how many items are known to be of its group."""
        name = Text(safe(self.layout.names[item]), style="bold")
        known = study.constraints
        alike = int((known.components() == known.component(item)).sum()) - 1
        if alike:
            name.append(f"  and {count(alike, self.layout.noun)} like it", style="not bold dim")
        return name


class RatingPage:
    """Pairs of a pile's items to be rated from 1 to 10; fits `QuestionPage`.

    Parameters
    ----------
    layout : PairLayout
        Draws the items.
    """

    hint = "Please rate from 1 to 10; unsure, undo, stop and ? work too."

    def __init__(self, layout: PairLayout) -> None:
        self.layout = layout

    def render(self, asked: OpenRating, offset: int) -> RenderableType:
        """Draw the two items side by side with the question below them."""
        rated = count(asked.study.n_measurements, "rating")
        keys = Text(" 1 … 9  0 = 10   space cannot say   u undo   q stop   ? keys", style="dim")
        lines = self.layout.render_items(*asked.pair, self._names(asked))
        return self.layout.render(lines, offset, rated, prompt(asked.note, _RATING), keys)

    def n_hidden(self, asked: OpenRating) -> int:
        """Count the lines that do not fit, which is how far the page can be scrolled."""
        return hidden_lines(self.layout.render_items(*asked.pair, self._names(asked)))

    def render_lines(self, asked: OpenRating) -> RenderableType:
        """Draw the two items and the question to be printed."""
        shown = self.layout.comparison.render(*asked.pair, self._names(asked), None)
        return Group("", shown, "", prompt("", _RATING))

    def response(self, key: str) -> RatingResponse | None:
        """Return the rating of a key, or another action than a verdict; None if neither."""
        return rating_of(key)

    def key_list(self) -> RenderableType:
        """List all keys and what they mean."""
        table = Table.grid(padding=(0, 3))
        for keys, what in _RATING_KEYS:
            table.add_row(Text(f"  {keys}", style=f"bold {ACCENT}"), what)
        return table

    def _names(self, asked: OpenRating) -> Names:
        i, j = asked.pair
        names = self.layout.names
        return Text(safe(names[i]), style="bold"), Text(safe(names[j]), style="bold")


def scrolled(lines: list[list[Segment]], offset: int, tallest: int) -> tuple[RenderableType, int]:
    """Cut lines to the page; return what is drawn and the height of the tallest page so far."""
    height = _page_lines()
    if len(lines) > height:
        offset = min(offset, len(lines) - height + 1)
        below = len(lines) - offset - height + 1
        more = f"  … {count(below, 'more line')}: ↓" if below else "  ↑ scrolls back"
        shown = SegmentLines(lines[offset : offset + height - 1], new_lines=True)
        return Group(shown, Text(more, style="dim")), tallest
    tallest = max(tallest, len(lines))
    lines = lines + [[Segment("")] for _ in range(min(tallest, height) - len(lines))]
    return SegmentLines(lines, new_lines=True), tallest


def hidden_lines(lines: list[list[Segment]]) -> int:
    """Count the lines of a page that do not fit; 0 if all do."""
    excess = len(lines) - _page_lines()
    return excess + 1 if excess > 0 else 0


def _page_lines() -> int:
    """Return how many lines the items may take."""
    return max(out.size.height - _AROUND, 1)


def _progress_text(asked: OpenQuestion) -> str:
    """Say how many answers and groups there are, and how predictable answers have become."""
    groups = len(asked.study.constraints.representatives)
    parts = [count(asked.study.n_answers, "answer"), count(groups, "group")]
    if len(asked.predicted_shares) > 1:
        (spark,) = curve(asked.predicted_shares, _SPARK)
        parts.append(f"{asked.predicted_shares[-1]:.0%} as predicted {spark.plain}")
    return " · ".join(parts)
