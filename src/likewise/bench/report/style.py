"""How figures of the report look: which colour and line a method has, fonts, rules, ticks."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from likewise._extras import extra_explained
from likewise.bench.report.rows import REFERENCE
from likewise.plots import PALETTE

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INK, SOFT, RULE = "#1d2530", "#6a7482", "#d5dae1"
# Not quite black: SVG does not write black down where it is the default, and what is not written
# cannot become a variable.
COLOURS = tuple("#010101" if colour == "#000000" else colour for colour in PALETTE)
_STYLES: tuple[Any, ...] = ("-", (0, (5, 1.6)), (0, (6, 1.5, 1.2, 1.5)), (0, (1.2, 1.2)))
FONT = 8.5


class MethodStyles:
    """The colour and line of each method, the same in every figure.

    Only as many methods as there are colours get one, the best of them; the others are thin and
    grey, since nobody tells more lines apart.
    """

    def __init__(self, methods: Sequence[str]) -> None:
        self.coloured = {name: k for k, name in enumerate(methods[: len(COLOURS)])}

    def number(self, method: str) -> int | None:
        """Return the method's place in the palette, None for the grey ones."""
        return self.coloured.get(method)

    def line(self, method: str) -> dict[str, Any]:
        """Return matplotlib's settings for the method's line."""
        if method == REFERENCE:
            return {"color": SOFT, "linestyle": (0, (1, 1.4)), "linewidth": 1.6, "zorder": 2}
        k = self.number(method)
        if k is None:
            return {"color": SOFT, "linestyle": "-", "linewidth": 0.7, "alpha": 0.55, "zorder": 1}
        style = _STYLES[k % len(_STYLES)]
        return {"color": COLOURS[k], "linestyle": style, "linewidth": 1.7, "zorder": 4}

    def dot(self, method: str) -> str:
        """Return the method's colour."""
        k = self.number(method)
        return SOFT if k is None else COLOURS[k]


@contextmanager
def drawing() -> Iterator[None]:
    """Set matplotlib's style inside the with-block; raise `MissingExtra` where it is missing."""
    with extra_explained():
        import matplotlib
    settings: Any = {
        "font.size": FONT, "font.family": "DejaVu Sans", "text.parse_math": False,
        "text.color": INK, "axes.labelcolor": SOFT, "axes.edgecolor": RULE, "axes.linewidth": 0.8,
        "axes.facecolor": "none", "axes.spines.top": False, "axes.spines.right": False,
        "axes.titlesize": FONT + 0.5,
        "axes.titlelocation": "left", "axes.titleweight": "bold", "axes.titlepad": 8,
        "axes.labelsize": FONT, "xtick.color": RULE, "ytick.color": RULE,
        "xtick.labelcolor": SOFT, "ytick.labelcolor": SOFT, "xtick.labelsize": FONT - 0.5,
        "ytick.labelsize": FONT - 0.5, "grid.color": RULE, "grid.linewidth": 0.6,
        "svg.fonttype": "none",
    }  # fmt: skip
    with matplotlib.rc_context(settings), warnings.catch_warnings():
        # A name in a script that the font lacks is drawn as boxes in the PNG, no reason to stop.
        warnings.filterwarnings("ignore", message="Glyph")
        yield


def plain_ticks(axes: Axes, which: str) -> None:
    """Label a logarithmic axis by 1, 2, 5, 10, … in plain figures."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

    axis = axes.xaxis if which == "x" else axes.yaxis
    low, high = axes.get_xlim() if which == "x" else axes.get_ylim()
    wide = abs(np.log10(max(high, 1e-12)) - np.log10(max(low, 1e-12))) > 2.5
    axis.set_major_locator(LogLocator(subs=(1.0,) if wide else (1.0, 2.0, 5.0)))
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.6g}".replace(",", " ")))
    axis.set_minor_locator(NullLocator())


def new_axes(width: float, height: float, **margins: float) -> Axes:
    """Return the axes of a new figure, in inches, with margins as shares of it."""
    from matplotlib.figure import Figure

    if "bottom" not in margins:
        margins |= {"bottom": 0.45 / height, "top": 1 - 0.12 / height}
    figure = Figure(figsize=(width, height))
    axes = figure.add_subplot()
    figure.subplots_adjust(**margins)
    return axes


def figure_of(axes: Axes) -> Figure:
    """Return the figure that axes belong to."""
    from matplotlib.figure import Figure

    figure = axes.figure
    assert isinstance(figure, Figure)
    return figure
