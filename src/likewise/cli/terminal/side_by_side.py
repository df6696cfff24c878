"""Two items beside each other: rows cell by cell, texts word by word, pictures as blocks."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from rich.console import Group
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from likewise.cli.console import out
from likewise.cli.formatting import ACCENT, safe
from likewise.cli.terminal import pictures

if TYPE_CHECKING:
    from rich.console import RenderableType

    from likewise.items import Items

_LONGEST = 20_000  # characters of a cell or text that are shown at most
_MOST_COLUMNS = 300  # cells of a row that are shown at most
_MOST_WORDS = 3000  # of a text, that are compared with the other's
_SHARED = 0.25  # share of words that two texts must have in common for marks to help
_PRINTED = 16  # height of a picture that is printed, in lines
_TALLEST = 40  # height of a picture on a page, in lines

Names = tuple[Text, Text]


class Comparison(Protocol):
    """Draws two items of one kind side by side; `len` is the number of items."""

    def __len__(self) -> int:
        """Return the number of items."""

    def render(self, i: int, j: int, names: Names, max_lines: int | None) -> RenderableType:
        """Draw items i and j under their names, in `max_lines` lines if possible; None: in any."""


def comparison_of(items: Items) -> Comparison:
    """Return the comparison for the items: of pictures, texts, rows or, without any, numbers."""
    if items.pictures is not None:
        return PictureComparison(items.pictures)
    if items.texts is not None:
        return TextComparison(items.texts)
    return RowComparison(items.rows if items.rows is not None else _Numbers(items.features))


@dataclass(frozen=True)
class RowComparison:
    """Rows: cells of the same column on one line.

    Cells that are equal are dimmed; where all do not fit, their columns are listed in one line.

    Parameters
    ----------
    rows : sequence of mappings
        The cells of every item, by column.
    """

    rows: Sequence[Mapping[str, Any]]

    def __len__(self) -> int:
        return len(self.rows)

    def render(self, i: int, j: int, names: Names, max_lines: int | None) -> RenderableType:
        """Draw two rows as a table."""
        table = self._table(i, j, names, brief=False)
        if max_lines is None:
            return table
        options = out.options.update(width=out.width, height=None)
        fits = len(out.render_lines(table, options)) <= max_lines
        return table if fits else self._table(i, j, names, brief=True)

    def _table(self, i: int, j: int, names: Names, *, brief: bool) -> RenderableType:
        """Draw the table; `brief` lists the columns of equal cells below it instead."""
        table = _comparison_table(names)
        one, other = self.rows[i], self.rows[j]
        equal = []
        for column in list(one)[:_MOST_COLUMNS]:
            left, right = _cell(one[column]), _cell(other[column])
            if brief and left == right:
                equal.append(safe(column))
                continue
            style = "dim" if left == right else ""
            name = Text(f" {safe(column)}", style=ACCENT)
            table.add_row(name, Text(left, style=style), Text(right, style=style))
        more = len(one) - _MOST_COLUMNS
        below = [f"equal in both: {', '.join(equal)}"] if equal else []
        below += [f"… and {more:,} more columns"] if more > 0 else []
        if not below:
            return table
        return Group(table, *(Padding(Text(line, style="dim"), (0, 1)) for line in below))


@dataclass(frozen=True)
class TextComparison:
    """Texts in two columns; words that only one of them has are highlighted.

    Parameters
    ----------
    texts : sequence of str
        The texts of all items.
    """

    texts: Sequence[str]

    def __len__(self) -> int:
        return len(self.texts)

    def render(self, i: int, j: int, names: Names, max_lines: int | None) -> RenderableType:
        """Draw two texts."""
        table = Table.grid(expand=True, padding=(0, 2, 0, 0))
        table.add_column(ratio=1, overflow="fold")
        table.add_column(ratio=1, overflow="fold")
        table.add_row(*names)
        table.add_row(*highlight_differences(_cell(self.texts[i]), _cell(self.texts[j])))
        return Padding(table, (0, 0, 0, 1))


@dataclass(frozen=True)
class PictureComparison:
    """Pictures as blocks of colour, as large as fits.

    Parameters
    ----------
    pictures : sequence of Path or array
        Files, or arrays of bytes.
    """

    pictures: Sequence[Any]  # paths, or arrays of bytes
    _made: dict[tuple[int, int, int], Text] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.pictures)

    def render(self, i: int, j: int, names: Names, max_lines: int | None) -> RenderableType:
        """Draw two pictures; one that cannot be read is replaced by the reason."""
        height = _PRINTED if max_lines is None else max(min(max_lines - 1, _TALLEST), 4)
        width = (out.width - 5) // 2
        table = Table.grid(padding=(0, 2, 0, 0))
        table.add_column(width=width, no_wrap=True, overflow="ellipsis")
        table.add_column(width=width, no_wrap=True, overflow="ellipsis")
        table.add_row(*names)
        table.add_row(*(self._drawn(k, width, height) for k in (i, j)))
        return Padding(table, (0, 0, 0, 1))

    def _drawn(self, k: int, width: int, height: int) -> Text:
        """Draw picture k at this size, or return it as it was drawn before."""
        key = (k, width, height)
        if key not in self._made:
            if len(self._made) > 64:  # pages are drawn anew at every key; pictures need not be
                self._made.clear()
            self._made[key] = _blocks(self.pictures[k], width, height)
        return self._made[key]


def _comparison_table(names: Names) -> Table:
    """Return a table with a narrow column for what is compared, and one for each item."""
    table = Table.grid(expand=True, padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True, overflow="ellipsis", max_width=max(8, out.width // 4))
    table.add_column(ratio=1, overflow="fold")
    table.add_column(ratio=1, overflow="fold")
    table.add_row("", *names)
    return table


def highlight_differences(one: str, other: str) -> Names:
    """Highlight the words in which two texts differ.

    Nothing is highlighted where nearly all words differ, or texts are too long to be compared.

    >>> [t.spans for t in highlight_differences("a red car", "a blue car")]  # doctest: +ELLIPSIS
    [[Span(2, 5, 'bold ...')], [Span(2, 6, 'bold ...')]]
    """
    left, right = Text(one), Text(other)
    mine, theirs = (list(re.finditer(r"\w+|[^\w\s]", t)) for t in (one, other))
    if max(len(mine), len(theirs)) > _MOST_WORDS:
        return left, right
    matcher = difflib.SequenceMatcher(
        None, [m[0].lower() for m in mine], [m[0].lower() for m in theirs], autojunk=False
    )
    if matcher.ratio() < _SHARED:  # where nearly all differs, marks say nothing
        return left, right
    for tag, a, b, c, d in matcher.get_opcodes():
        if tag != "equal":
            for text, words in ((left, mine[a:b]), (right, theirs[c:d])):
                for word in words:
                    text.stylize(f"bold {ACCENT}", word.start(), word.end())
    return left, right


class _Numbers(Sequence[Mapping[str, Any]]):
    """Feature vectors as rows: all that can be shown of items that are nothing but vectors."""

    def __init__(self, features: Any) -> None:
        self._features = features

    def __len__(self) -> int:
        return 0 if self._features is None else int(self._features.shape[0])

    def __getitem__(self, k: Any) -> Any:
        vector = self._features[k]
        dense = vector.toarray().ravel() if hasattr(vector, "toarray") else vector
        return {str(column): f"{value:.4g}" for column, value in enumerate(dense)}


def _cell(value: object) -> str:
    """Return a value as safe text, cut where it is too long to be shown."""
    text = safe(value)
    return text if len(text) <= _LONGEST else text[:_LONGEST] + " …"


def _blocks(picture: Any, width: int, height: int) -> Text:
    """Draw a picture, or the reason why it cannot be read."""
    import numpy as np
    from PIL import Image

    from likewise.features.decoding import Unreadable
    from likewise.features.images import open_picture
    from likewise.features.regions import file_of

    try:
        image = (
            open_picture(picture, 2 * max(width, height))
            if file_of(picture) is not None
            else Image.fromarray(np.asarray(picture)).convert("RGB")
        )
    except Unreadable as error:
        return Text(f"[{error}]", style="dim")
    colour = pictures.has_greys(out)
    return Text("\n").join(pictures.draw_photo(image, width, height, colour=colour))
