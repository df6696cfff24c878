"""How a question about two items of a pile looks, whatever they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.console import Group
from rich.segment import Segment, SegmentLines
from rich.table import Table
from rich.text import Text

from likewise.cli.consoles import out
from likewise.cli.dialogue import Moment
from likewise.cli.facing import Facing, Names
from likewise.cli.ratings import AnswerRecord, RatingMoment, said_by
from likewise.cli.show import ACCENT, count, curve, heading, key_line, prompt, safe
from likewise.cli.stage import SameOrDifferent

if TYPE_CHECKING:
    from rich.console import RenderableType

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
class Sheet:
    """Two items on a page that scrolls; `names` says what to call each item, `noun` all."""

    title: str
    facing: Facing
    names: Sequence[str]
    noun: str = "row"
    tallest: int = 8  # lines of the tallest page so far: what stands below does not jump about

    def rows(self, i: int, j: int, names: Names) -> list[list[Segment]]:
        """Both items as lines."""
        options = out.options.update(width=out.width, height=None)
        return out.render_lines(self.facing.shown(i, j, names, _room()), options)

    def whole(
        self, lines: list[list[Segment]], offset: int, facts: str, *below: RenderableType
    ) -> RenderableType:
        """The page: a heading, as many lines as fit, and what stands below them."""
        shown, self.tallest = scrolled(lines, offset, self.tallest)
        head = heading(self.title, count(len(self.facing), self.noun), facts)
        return Group(head, "", shown, "", *below)


class Cards(SameOrDifferent):
    """Questions of same or different about the items of a pile."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet

    def page(self, moment: Moment, offset: int) -> RenderableType:
        """The two items side by side, the question below them."""
        lines = self._lines(moment)
        return self.sheet.whole(lines, offset, _facts(moment), prompt(moment.note), key_line())

    def hidden(self, moment: Moment) -> int:
        """How far the page can be scrolled."""
        return hidden_lines(self._lines(moment))

    def lines(self, moment: Moment) -> RenderableType:
        """The two items and the question."""
        shown = self.sheet.facing.shown(*moment.question.pair, self._names(moment), None)
        return Group("", shown, "", prompt(""))

    def _lines(self, moment: Moment) -> list[list[Segment]]:
        return self.sheet.rows(*moment.question.pair, self._names(moment))

    def _names(self, moment: Moment) -> Names:
        one, other = (self._name(item, moment.study) for item in moment.question.pair)
        return one, other

    def _name(self, item: int, study: Study) -> Text:
        name = Text(safe(self.sheet.names[item]), style="bold")
        known = study.constraints
        alike = int((known.components() == known.component(item)).sum()) - 1
        if alike:
            name.append(f"  and {count(alike, self.sheet.noun)} like it", style="not bold dim")
        return name


class RatedCards:
    """Pairs of a pile's items to be rated."""

    plea = "Please rate from 1 to 10; unsure, undo, stop and ? work too."

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet

    def page(self, moment: RatingMoment, offset: int) -> RenderableType:
        """The two items side by side, the question below them."""
        rated = count(moment.study.n_measurements, "rating")
        keys = Text(" 1 … 9  0 = 10   space cannot say   u undo   q stop   ? keys", style="dim")
        lines = self.sheet.rows(*moment.pair, self._names(moment))
        return self.sheet.whole(lines, offset, rated, prompt(moment.note, _RATING), keys)

    def hidden(self, moment: RatingMoment) -> int:
        """How many lines of the page do not fit."""
        return hidden_lines(self.sheet.rows(*moment.pair, self._names(moment)))

    def lines(self, moment: RatingMoment) -> RenderableType:
        """The two items and the question, to be printed."""
        shown = self.sheet.facing.shown(*moment.pair, self._names(moment), None)
        return Group("", shown, "", prompt("", _RATING))

    def heard(self, key: str) -> AnswerRecord | None:
        """What a key says: a rating, or anything but a verdict."""
        return said_by(key)

    def keys(self) -> RenderableType:
        """All keys."""
        table = Table.grid(padding=(0, 3))
        for keys, what in _RATING_KEYS:
            table.add_row(Text(f"  {keys}", style=f"bold {ACCENT}"), what)
        return table

    def _names(self, moment: RatingMoment) -> Names:
        i, j = moment.pair
        names = self.sheet.names
        return Text(safe(names[i]), style="bold"), Text(safe(names[j]), style="bold")


def scrolled(lines: list[list[Segment]], offset: int, tallest: int) -> tuple[RenderableType, int]:
    """As many of the lines as fit, and how tall the tallest page was that did."""
    room = _room()
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
    excess = len(lines) - _room()
    return excess + 1 if excess > 0 else 0


def _room() -> int:
    return max(out.size.height - _AROUND, 1)


def _facts(moment: Moment) -> str:
    """How far it got; how predictable the answers have become, once there are some."""
    groups = len(moment.study.constraints.representatives)
    facts = [count(moment.study.n_answers, "answer"), count(groups, "group")]
    if len(moment.foreseen) > 1:
        (spark,) = curve(moment.foreseen, _SPARK)
        facts.append(f"{moment.foreseen[-1]:.0%} as predicted {spark.plain}")
    return " · ".join(facts)
