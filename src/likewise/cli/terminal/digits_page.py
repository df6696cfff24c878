"""How a question about two handwritten digits looks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rich.console import Group
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from likewise.cli.console import out
from likewise.cli.formatting import ACCENT, count
from likewise.cli.terminal import pictures
from likewise.cli.terminal.keys import Action
from likewise.cli.terminal.loop import OpenQuestion
from likewise.cli.terminal.screen import VerdictKeys
from likewise.cli.terminal.widgets import curve, heading, key_line, prompt
from likewise.journal.group_number import described_number
from likewise.quality import placed

if TYPE_CHECKING:
    from rich.console import RenderableType

    from likewise.cli.terminal.pictures import Image
    from likewise.study import Study

_GAP = 3  # columns between the two pictures, and after them
_PANEL = 20  # least width of the figures beside the pictures
_LEAST, _MOST = 4, 16  # height of a picture, in lines
_TINY = 4  # height of a picture in the column of a group
_AROUND = 7  # lines that are neither picture nor strip
_FIGURES = 7  # lines beside the pictures that are not the curve
_DEEPEST = 3  # pictures in the column of a group
_WIDE = 100  # from here on the pictures of groups need not be cropped


@dataclass
class DigitsPage(VerdictKeys):
    """Pictures of digits and the groups so far; fits `QuestionPage`.

    Parameters
    ----------
    images : sequence of array, shape (8, 8)
        0 is paper, 1 is ink.
    limit : int
        How many answers there will be at most.
    scores : list of float, optional
        ARI after each answer, if the truth is known; it is drawn in place of the share of answers
        that were predicted.
    colour : bool
        Whether the terminal shows enough shades of grey; found out unless given.
    """

    images: Sequence[Image]  # each (8, 8), 0 = paper, 1 = ink
    limit: int  # how many answers there will be at most
    scores: list[float] | None = None
    colour: bool = field(default_factory=lambda: pictures.has_greys(out))

    def render(self, asked: OpenQuestion, offset: int = 0) -> RenderableType:
        """Draw the two pictures large, figures beside them and the groups so far below."""
        width, height = out.size
        across = (width - _PANEL - 1 - 2 * _GAP) // 4
        tall = max(min(height - _AROUND - _TINY - 1, across, _MOST) // 4 * 4, _LEAST)
        deep = max(min((height - _AROUND - tall) // (_TINY + 1), _DEEPEST), 1)
        panel = self._panel(asked, width - 4 * tall - 2 - 2 * _GAP, tall - _FIGURES)
        rule = Rule(Text("groups so far", style="dim"), align="left", style="dim")
        groups = [Padding(rule, (0, 1)), self._groups(asked, width, deep), ""]
        return Group(
            heading("likewise demo", count(len(self.images), "handwritten digit")),
            "",
            self._pair(asked, 2 * tall, tall, panel),
            "",
            prompt(asked.note),
            *(groups if height >= _AROUND + _LEAST + _TINY + 1 else []),
            key_line() if self.scores is None else key_line([Action.STOP]),
        )

    def n_hidden(self, asked: OpenQuestion) -> int:
        """Return 0: the pictures are drawn at a size that fits."""
        return 0

    def render_lines(self, asked: OpenQuestion) -> RenderableType:
        """Draw both pictures and the question to be printed."""
        return Group(
            f"Question {asked.study.n_answers + 1} of {self.limit}",
            self._pair(asked, 24, 12, None),
            prompt(""),
        )

    def _pair(
        self, asked: OpenQuestion, width: int, height: int, beside: RenderableType | None
    ) -> RenderableType:
        """Draw the two pictures at this size, with `beside` to their right."""
        grid = Table.grid(padding=(0, _GAP, 0, 0))
        for columns in (width, width):
            grid.add_column(width=columns, no_wrap=True)
        left, right = (
            Text("\n").join(pictures.draw(self.images[k], width, height, colour=self.colour))
            for k in asked.question.pair
        )
        grid.add_row(left, right, beside or "")
        return Padding(grid, (0, 0, 0, 1))

    def _panel(self, asked: OpenQuestion, width: int, height: int) -> RenderableType:
        """Draw how far it got, in figures and as a curve of `height` lines."""
        study = asked.study
        groups = f"{len(study.constraints.representatives)}"
        if study.n_clusters is not None:
            groups += f" of {described_number(study.n_clusters)}"
        figures = Table.grid(padding=(0, 2, 0, 0))
        figures.add_row("answers", Text(f"{study.n_answers} of {self.limit}", style=ACCENT))
        figures.add_row("groups", Text(groups, style=ACCENT))
        figures.add_row("placed", Text(f"{placed(study)} of {len(study.items)}", style=ACCENT))
        if height < 1:
            return figures
        scored = self.scores is not None
        values = asked.predicted_shares if self.scores is None else self.scores
        caption = Text("agreement with the truth" if scored else "answers as predicted")
        latest = Text("", style=ACCENT)
        if values:
            latest = Text(f"ARI {values[-1]:.2f}" if scored else f"{values[-1]:.0%}", style=ACCENT)
        return Group(figures, "", caption, *curve(values, min(width, 40), height), latest)

    def _groups(self, asked: OpenQuestion, width: int, deep: int) -> RenderableType:
        """Draw a column per group: its size, and up to `deep` of the items placed in it."""
        study, known = asked.study, asked.study.constraints
        labels, compared = study.labels_, known.component(asked.question.pair.j)
        across = 8 if width >= _WIDE else 6
        fitting = max((width - 10) // (across + 1), 1)
        cells = []
        for representative in known.representatives[:fitting]:
            mark = known.component(representative)
            size = f"{int((labels == labels[representative]).sum()):^{across}}"
            cell = [Text(size, style=f"bold {ACCENT}" if mark == compared else "dim")]
            for member in _members(study, representative)[:deep]:
                image = self.images[member] if across == 8 else self.images[member][:, 1:7]
                cell += [*pictures.draw(image, across, _TINY, colour=self.colour), Text()]
            cells.append(Text("\n").join(cell[:-1]))
        if not cells:
            cells = [Text("none yet: the first answers make them", style="dim")]
        if len(known.representatives) > fitting:
            cells.append(Text(f"+ {len(known.representatives) - fitting} more", style="dim"))
        grid = Table.grid(padding=(0, 1, 0, 0))
        # The last cell only keeps the height, so that nothing below jumps when groups appear.
        grid.add_row(*cells, "\n" * ((_TINY + 1) * deep - 1))
        return Padding(grid, (0, 0, 0, 1))


def _members(study: Study, representative: int) -> list[int]:
    """List the items known to be in the representative's group, in the order of the answers."""
    known = study.constraints
    answered = dict.fromkeys(
        [representative, *(item for answer in study.answers for item in answer.pair)]
    )
    return [item for item in answered if known.component(item) == known.component(representative)]
