"""The report's figures: each one a file as PNG and SVG, and markup to put into the page.

In the page every colour becomes a CSS variable, so that figures follow the light or dark theme.
Names are drawn as they are: matplotlib's own mathematics is switched off, and it escapes markup.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from likewise.bench.report.summary import REFERENCE, Part
from likewise.bench.statistics import confidence_band
from likewise.errors import MissingExtra
from likewise.plots import PALETTE

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INK, SOFT, RULE = "#1d2530", "#6a7482", "#d5dae1"
# Not quite black: SVG does not write black down where it is the default, and what is not written
# cannot become a variable.
_COLOURS = tuple("#010101" if colour == "#000000" else colour for colour in PALETTE)
_THEME = {INK: "--ink", SOFT: "--soft", RULE: "--rule"} | {
    colour.lower(): f"--c{k}" for k, colour in enumerate(_COLOURS)
}
_STYLES: tuple[Any, ...] = ("-", (0, (5, 1.6)), (0, (6, 1.5, 1.2, 1.5)), (0, (1.2, 1.2)))
_FONT = 8.5


class Look:
    """Which colour and line each method has, the same in every figure.

    Only as many methods as there are colours get one, the best of them; the others are thin and
    grey, since nobody tells more lines apart.
    """

    def __init__(self, methods: Sequence[str]) -> None:
        self.coloured = {name: k for k, name in enumerate(methods[: len(_COLOURS)])}

    def number(self, method: str) -> int | None:
        """The method's place in the palette, None for the grey ones."""
        return self.coloured.get(method)

    def line(self, method: str) -> dict[str, Any]:
        """How to draw the method's line."""
        if method == REFERENCE:
            return {"color": SOFT, "linestyle": (0, (1, 1.4)), "linewidth": 1.6, "zorder": 2}
        k = self.number(method)
        if k is None:
            return {"color": SOFT, "linestyle": "-", "linewidth": 0.7, "alpha": 0.55, "zorder": 1}
        style = _STYLES[k % len(_STYLES)]
        return {"color": _COLOURS[k], "linestyle": style, "linewidth": 1.7, "zorder": 4}

    def dot(self, method: str) -> str:
        """The method's colour."""
        k = self.number(method)
        return SOFT if k is None else _COLOURS[k]


@contextmanager
def drawing() -> Iterator[None]:
    """Inside, figures look like the report's; says what to install when matplotlib is missing."""
    try:
        import matplotlib
    except ImportError as error:
        raise MissingExtra("the report needs matplotlib; install likewise[bench]") from error
    settings: Any = {
        "font.size": _FONT, "font.family": "DejaVu Sans", "text.parse_math": False,
        "text.color": INK, "axes.labelcolor": SOFT, "axes.edgecolor": RULE, "axes.linewidth": 0.8,
        "axes.facecolor": "none", "axes.spines.top": False, "axes.spines.right": False,
        "axes.titlesize": _FONT + 0.5,
        "axes.titlelocation": "left", "axes.titleweight": "bold", "axes.titlepad": 8,
        "axes.labelsize": _FONT, "xtick.color": RULE, "ytick.color": RULE,
        "xtick.labelcolor": SOFT, "ytick.labelcolor": SOFT, "xtick.labelsize": _FONT - 0.5,
        "ytick.labelsize": _FONT - 0.5, "grid.color": RULE, "grid.linewidth": 0.6,
        "svg.fonttype": "none",
    }  # fmt: skip
    with matplotlib.rc_context(settings), warnings.catch_warnings():
        # A name in a script that the font lacks is drawn as boxes in the PNG, no reason to stop.
        warnings.filterwarnings("ignore", message="Glyph")
        yield


def keep(figure: Figure, folder: Path, name: str) -> str:
    """Write the figure's two files; the markup for the page."""
    import matplotlib

    with matplotlib.rc_context({"svg.hashsalt": name}):
        figure.savefig(folder / f"{name}.png", dpi=160, facecolor="white")
        unsigned = dict.fromkeys(("Date", "Creator", "Format", "Type"))
        path = folder / f"{name}.svg"
        figure.savefig(path, facecolor="white", metadata=unsigned)
    return _inline(path.read_text(encoding="utf-8"), name)


def _inline(svg: str, name: str) -> str:
    """The figure as part of a page: no preamble, no fixed size, ids of its own, theme colours."""
    svg = svg[svg.index("<svg") :]
    # The first patch is the figure's white ground: in the page, the page's own shows through.
    for unwanted in ("<metadata>.*?</metadata>", "<style.*?</style>", '<g id="patch_1">.*?</g>'):
        svg = re.sub(unwanted, "", svg, count=1, flags=re.S)
    head, body = svg.split(">", 1)
    head = re.sub(r'\s(width|height)="[^"]*"', "", head)
    # Only inside tags: a name that happens to look like an id or a colour is text.
    return f'{head} aria-hidden="true">' + re.sub(
        r"<[^>]*>", lambda tag: _themed(tag.group(), name), body
    )


def _themed(tag: str, name: str) -> str:
    tag = re.sub(r'\bid="', f'id="{name}-', tag)
    tag = re.sub(r'(href="#|url\(#)', rf"\g<1>{name}-", tag)
    for colour, variable in _THEME.items():
        tag = tag.replace(colour, f"var({variable})")
    return tag


def short(name: str, length: int = 18) -> str:
    """A name that fits beside a line."""
    plain = "".join(c if c.isprintable() else " " for c in name).strip()
    return plain if len(plain) <= length else plain[: length - 1] + "…"


def curves(part: Part, data: str, look: Look) -> Figure:
    """Questions against ARI on one data set: means over seeds, 95 % intervals shaded."""
    axes = _axes(3.9, 2.75, left=0.135, right=0.7, bottom=0.155, top=0.885)
    rows = part.rows[part.rows["data"] == data].dropna(subset=["ari"])
    about = part.runs[part.runs["data"] == data]
    budget = int(about["budget"].max())
    # The reference has a row per item placed; it is drawn where the others were measured.
    at = np.unique(np.append(rows.loc[rows["method"] != REFERENCE, "questions"], budget))
    ends: dict[str, float] = {}
    lowest = 0.0
    for method in [*part.ranks.index, REFERENCE]:
        own = rows[rows["method"] == method]
        if own.empty:
            continue
        seeds = [g.sort_values("questions") for _, g in own.groupby("seed")]
        band = confidence_band([np.interp(at, g["questions"], g["ari"]) for g in seeds])
        line = look.line(method)
        axes.plot(at, band.mean, **line)
        if len(seeds) > 1 and (look.number(method) is not None):
            shade = {"color": line["color"], "alpha": 0.13, "linewidth": 0, "zorder": 1}
            axes.fill_between(at, band.low, np.minimum(band.high, 1.0), **shade)
        if look.number(method) is not None or method == REFERENCE:
            ends[method] = float(band.mean[-1])
        lowest = min(lowest, float(band.mean.min()))
    axes.set_ylim(lowest - 0.02, 1.03)
    axes.set_xlim(0, max(budget, 1))
    axes.set_title(short(data, 38))
    axes.set_xlabel("questions")
    axes.set_ylabel("ARI")
    axes.grid(axis="y")
    axes.set_axisbelow(True)
    _mark_proof(axes, part, data, budget)
    _label_ends(axes, ends, look, budget)
    return _figure(axes)


def _mark_proof(axes: Axes, part: Part, data: str, budget: int) -> None:
    proof = next(row["proof"] for row in part.sets if row["data"] == data)
    if proof is not None and proof <= budget:
        axes.axvline(proof, color=SOFT, linewidth=0.8, linestyle=(0, (3, 3)))
        where: dict[str, Any] = {"rotation": 90, "ha": "right", "va": "bottom", "color": SOFT}
        axes.text(proof, axes.get_ylim()[0] + 0.03, "proof ", fontsize=_FONT - 1.5, **where)


def _label_ends(axes: Axes, ends: Mapping[str, float], look: Look, budget: int) -> None:
    """Every line's name at its end, moved apart where two would overlap."""
    if not ends:
        return
    # Of two that end alike the better ranked, which was drawn first, is named above.
    drawn = list(ends)
    names = sorted(ends, key=lambda name: (ends[name], -drawn.index(name)))
    low, high = axes.get_ylim()
    spots = spread([ends[name] for name in names], gap=0.082 * (high - low), low=low, high=high)
    for name, spot in zip(names, spots, strict=True):
        line = look.line(name) | {"linewidth": 1.3, "clip_on": False}
        axes.plot([budget, budget * 1.05, budget * 1.11], [ends[name], spot, spot], **line)
        axes.text(budget * 1.13, spot, short(name), va="center", fontsize=_FONT - 0.5)


def spread(wanted: Sequence[float], *, gap: float, low: float, high: float) -> list[float]:
    """Ascending positions near those wanted, at least `gap` apart, inside if they fit.

    >>> spread([0.0, 0.0, 1.0], gap=0.25, low=0.0, high=1.0)
    [0.0, 0.25, 1.0]
    """
    spots: list[float] = []
    for value in wanted:
        spots.append(max(value, spots[-1] + gap) if spots else max(value, low))
    ceiling = high
    for k in reversed(range(len(spots))):
        spots[k] = min(spots[k], ceiling)
        ceiling = spots[k] - gap
    return spots


def critical_difference(part: Part, look: Look) -> Figure:
    """Mean ranks on a line, 1 at the left; a bar joins methods that cannot be told apart."""
    ranks, reach = part.ranks, part.critical_difference or 0.0
    n = len(ranks)
    left = (n + 1) // 2
    bars = cliques(ranks.to_list(), reach)
    bottom = 0.75 + 0.28 * len(bars) + 0.62 * max(left, n - left)
    axes = _axes(6.6, 0.34 * (bottom + 2.2), left=0.0, right=1.0, bottom=0.0, top=1.0)
    margin = 0.58 * (n - 1)
    axes.set_xlim(1 - margin, n + margin)
    axes.set_ylim(bottom, -2.2)
    axes.axis("off")
    axes.plot([1, n], [0, 0], color=INK, linewidth=1)
    for tick in range(1, n + 1):
        axes.plot([tick, tick], [0, -0.16], color=INK, linewidth=1)
        axes.text(tick, -0.3, str(tick), ha="center", va="bottom", color=SOFT)
    axes.plot([1, min(1 + reach, n + margin)], [-1.45, -1.45], color=INK, linewidth=1.6)
    told = f"critical difference {reach:.2f}"
    axes.text(1, -1.6, told, ha="left", va="bottom", fontsize=_FONT - 0.5)
    for k, (first, last) in enumerate(bars):
        height, ends = 0.35 + 0.28 * k, (ranks.iloc[first] - 0.03, ranks.iloc[last] + 0.03)
        axes.plot(ends, [height, height], color=INK, linewidth=3.2, solid_capstyle="round")
    for k, (method, rank) in enumerate(ranks.items()):
        on_left = k < left
        height = 0.75 + 0.28 * len(bars) + 0.62 * (k if on_left else n - 1 - k)
        side = 1 - 0.06 * margin if on_left else n + 0.06 * margin
        path = ([rank, rank, side], [0, height, height])
        axes.plot(*path, color=look.dot(str(method)), linewidth=1.1)
        axes.plot([rank], [0], marker="o", markersize=4.5, color=look.dot(str(method)), zorder=5)
        label = f"{short(str(method))}  {rank:.2f}"
        where = (side - 0.04 * margin, "right") if on_left else (side + 0.04 * margin, "left")
        axes.text(where[0], height, label, ha=where[1], va="center")
    return _figure(axes)


def cliques(ranks: Sequence[float], reach: float) -> list[tuple[int, int]]:
    """The longest stretches of ascending ranks no wider than `reach`, as first and last position.

    >>> cliques([1.0, 1.5, 2.2, 4.0], 1.0)
    [(0, 1), (1, 2)]
    """
    found: list[tuple[int, int]] = []
    for first, rank in enumerate(ranks):
        last = max(k for k, other in enumerate(ranks) if other - rank <= reach)
        if last > first and (not found or last > found[-1][1]):
            found.append((first, last))
    return found


def spots(values: pd.Series, methods: Sequence[str], look: Look, *, label: str) -> Figure | None:
    """A row per method, a dot per data set, the median marked; None when nothing was measured."""
    values = values[np.isfinite(values) & (values > 0)]
    shown = [name for name in methods if name in values.index.get_level_values("method")]
    if not shown:
        return None
    axes = _axes(6.6, 0.75 + 0.27 * len(shown), left=0.24, right=0.95)
    for k, method in enumerate(shown):
        own = values.xs(method, level="method")
        axes.plot([own.min(), own.max()], [k, k], color=RULE, linewidth=1.2, zorder=1)
        dots: Any = {
            "s": 20,
            "color": look.dot(method),
            "alpha": 0.65,
            "linewidths": 0,
            "zorder": 3,
        }
        axes.scatter(own, np.full(len(own), k), **dots)
        middle = own.median()
        axes.plot([middle, middle], [k - 0.3, k + 0.3], color=INK, linewidth=1.6, zorder=4)
    if values.max() > 10 * values.min():
        axes.set_xscale("log")
        _plain_ticks(axes, "x")
    else:
        axes.set_xlim(0, 1.08 * values.max())
    axes.set_yticks(range(len(shown)), [short(name, 24) for name in shown])
    axes.tick_params(axis="y", length=0, labelcolor=INK)
    axes.set_ylim(len(shown) - 0.45, -0.55)
    axes.spines["left"].set_visible(False)
    axes.set_xlabel(label)
    axes.grid(axis="x")
    axes.set_axisbelow(True)
    return _figure(axes)


def growth(family: str, lines: Sequence[Mapping[str, Any]], look: Look) -> Figure:
    """Milliseconds per question against n, both by orders of magnitude."""
    axes = _axes(3.9, 2.75, left=0.17, right=0.68, bottom=0.155, top=0.885)
    ends: dict[str, tuple[float, float]] = {}
    for entry in lines:
        ms, method = entry["ms"], str(entry["method"])
        marks: dict[str, Any] = {"marker": "o", "markersize": 3}
        axes.plot(ms.index, ms, **look.line(method), **marks)
        if look.number(method) is not None:
            ends[method] = (float(ms.index[-1]), float(ms.iloc[-1]))
    axes.set_xscale("log")
    axes.set_yscale("log")
    for which in ("x", "y"):
        _plain_ticks(axes, which)
    axes.set_title(short(family, 38))
    axes.set_xlabel("items")
    axes.set_ylabel("ms per question")
    axes.grid()
    axes.set_axisbelow(True)
    names = sorted(ends, key=lambda name: ends[name][1])
    # Labels are spread along the axis as it is seen, in shares of its height.
    to_axes = (axes.transData + axes.transAxes.inverted()).transform
    seen = [to_axes(ends[name]) for name in names]
    heights = spread([float(y) for _, y in seen], gap=0.082, low=0.0, high=1.0)
    for name, (x, y), height in zip(names, seen, heights, strict=True):
        line = look.line(name) | {"linewidth": 1.0, "clip_on": False}
        axes.plot([x, 1.05, 1.09], [y, height, height], transform=axes.transAxes, **line)
        where: dict[str, Any] = {"transform": axes.transAxes, "fontsize": _FONT - 0.5}
        axes.text(1.11, height, short(name), va="center", **where)
    return _figure(axes)


def _plain_ticks(axes: Axes, which: str) -> None:
    """1, 2, 5, 10, … in plain figures along a logarithmic axis."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

    axis = axes.xaxis if which == "x" else axes.yaxis
    low, high = axes.get_xlim() if which == "x" else axes.get_ylim()
    wide = abs(np.log10(max(high, 1e-12)) - np.log10(max(low, 1e-12))) > 2.5
    axis.set_major_locator(LogLocator(subs=(1.0,) if wide else (1.0, 2.0, 5.0)))
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.6g}".replace(",", " ")))
    axis.set_minor_locator(NullLocator())


def _axes(width: float, height: float, **margins: float) -> Axes:
    from matplotlib.figure import Figure

    if "bottom" not in margins:
        margins |= {"bottom": 0.45 / height, "top": 1 - 0.12 / height}
    figure = Figure(figsize=(width, height))
    axes = figure.add_subplot()
    figure.subplots_adjust(**margins)
    return axes


def _figure(axes: Axes) -> Figure:
    from matplotlib.figure import Figure

    figure = axes.figure
    assert isinstance(figure, Figure)
    return figure
