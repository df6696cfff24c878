"""How a question about two rows of a table looks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rich.console import Group
from rich.padding import Padding
from rich.segment import Segment, SegmentLines
from rich.table import Table
from rich.text import Text

from likewise.cli.consoles import out
from likewise.cli.show import ACCENT, count, curve, heading, key_line, prompt, safe

if TYPE_CHECKING:
    from rich.console import RenderableType

    from likewise.cli.dialogue import Moment
    from likewise.study import Study

_AROUND = 5  # lines of a page that are not the table
_LONGEST = 20_000  # characters of a cell that are shown at most
_SPARK = 12  # width of the curve in the heading


@dataclass
class Rows:
    """The rows of a table; `names` says what to call each of them."""

    title: str
    rows: Sequence[Mapping[str, Any]]
    names: Sequence[str]
    tallest: int = 8  # lines of the tallest table so far: what stands below does not jump about

    def page(self, moment: Moment, offset: int) -> RenderableType:
        """The two rows side by side, the question below them."""
        shown, self.tallest = scrolled(self._table_lines(moment), offset, self.tallest)
        head = heading(self.title, count(len(self.rows), "row"), _facts(moment))
        return Group(head, "", shown, "", prompt(moment.note), key_line())

    def hidden(self, moment: Moment) -> int:
        """How far the page can be scrolled."""
        return hidden_lines(self._table_lines(moment))

    def lines(self, moment: Moment) -> RenderableType:
        """The two rows and the question."""
        i, j = moment.question.pair
        return Group("", side_by_side(self.rows, i, j, self._names(moment)), "", prompt(""))

    def _table_lines(self, moment: Moment) -> list[list[Segment]]:
        i, j = moment.question.pair
        return table_lines(self.rows, i, j, self._names(moment))

    def _names(self, moment: Moment) -> tuple[Text, Text]:
        one, other = (self._name(item, moment.study) for item in moment.question.pair)
        return one, other

    def _name(self, item: int, study: Study) -> Text:
        name = Text(safe(self.names[item]), style="bold")
        known = study.constraints
        alike = int((known.marks() == known.mark(item)).sum()) - 1
        if alike:
            name.append(f"  and {count(alike, 'row')} like it", style="not bold dim")
        return name


def side_by_side(
    rows: Sequence[Mapping[str, Any]], i: int, j: int, names: tuple[Text, Text], brief: bool = False
) -> RenderableType:
    """Two rows as a table; `brief` gives cells that are equal one line together."""
    table = Table.grid(expand=True, padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True, overflow="ellipsis", max_width=max(8, out.width // 4))
    table.add_column(ratio=1, overflow="fold")
    table.add_column(ratio=1, overflow="fold")
    table.add_row("", *names)
    equal = []
    for column in rows[i]:
        left, right = (_cell(rows[k][column]) for k in (i, j))
        if brief and left == right:
            equal.append(safe(column))
            continue
        style = "dim" if left == right else ""
        name = Text(f" {safe(column)}", style=ACCENT)
        table.add_row(name, Text(left, style=style), Text(right, style=style))
    if not equal:
        return table
    listed = Text(f"equal in both: {', '.join(equal)}", style="dim")
    return Group(table, Padding(listed, (0, 1)))


def table_lines(
    rows: Sequence[Mapping[str, Any]], i: int, j: int, names: tuple[Text, Text]
) -> list[list[Segment]]:
    """The table as lines; cells that are equal come as one line if all do not fit."""
    width, height = out.size
    options = out.options.update(width=width, height=None)
    lines = out.render_lines(side_by_side(rows, i, j, names), options)
    if len(lines) > height - _AROUND:
        lines = out.render_lines(side_by_side(rows, i, j, names, brief=True), options)
    return lines


def scrolled(lines: list[list[Segment]], offset: int, tallest: int) -> tuple[RenderableType, int]:
    """As many of the lines as fit, and how tall the tallest table was that did."""
    room = max(out.size.height - _AROUND, 1)
    if len(lines) > room:
        offset = min(offset, len(lines) - room + 1)
        below = len(lines) - offset - room + 1
        more = f"  … {count(below, 'more line')}: ↓" if below else "  ↑ scrolls back"
        shown = SegmentLines(lines[offset : offset + room - 1], new_lines=True)
        return Group(shown, Text(more, style="dim")), tallest
    tallest = max(tallest, len(lines))
    lines = lines + [[Segment("")] for _ in range(min(tallest, room) - len(lines))]
    return SegmentLines(lines, new_lines=True), tallest


def hidden_lines(lines: list[list[Segment]]) -> int:
    """How many lines of a page do not fit."""
    excess = len(lines) - max(out.size.height - _AROUND, 1)
    return excess + 1 if excess > 0 else 0


def _cell(value: object) -> str:
    text = safe(value)
    return text if len(text) <= _LONGEST else text[:_LONGEST] + " …"


def _facts(moment: Moment) -> str:
    """How far it got; how predictable the answers have become, once there are some."""
    groups = len(moment.study.constraints.pillars)
    facts = [count(moment.study.n_answers, "answer"), count(groups, "group")]
    if len(moment.foreseen) > 1:
        (spark,) = curve(moment.foreseen, _SPARK)
        facts.append(f"{moment.foreseen[-1]:.0%} as predicted {spark.plain}")
    return " · ".join(facts)
