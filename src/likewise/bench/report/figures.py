"""The report's figures: learning curves, ranks, costs, growth."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from likewise.bench.report.line_labels import label_ends, margins, short, width
from likewise.bench.report.rows import REFERENCE
from likewise.bench.report.style import (
    FONT,
    INK,
    RULE,
    SOFT,
    MethodStyles,
    figure_of,
    new_axes,
    plain_ticks,
)
from likewise.bench.report.summary import ENOUGH_SEEDS, ConditionSummary
from likewise.bench.statistics import confidence_band

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_PANEL = (5.0, 2.75)  # inches
_MOMENTS = 100  # at which a line over minutes is drawn


def curves(part: ConditionSummary, data: str, styles: MethodStyles) -> Figure:
    """Draw ARI against questions on one data set: means over seeds, 95 % intervals shaded.

    The methods that `styles` gives no colour are thin grey lines without a name.
    """
    axes = _panel_axes([*styles.coloured, REFERENCE])
    rows = part.rows[part.rows["data"] == data].dropna(subset=["ari"])
    about = part.runs[part.runs["data"] == data]
    budget = int(about["budget"].max())
    # The reference has a row per item placed; it is drawn where the others were measured.
    at = np.unique(np.append(rows.loc[rows["method"] != REFERENCE, "questions"], budget))
    ends: dict[str, tuple[float, float]] = {}
    low, high = math.inf, -math.inf
    for method in [*part.ranks.index, REFERENCE]:
        own = rows[rows["method"] == method]
        if own.empty:
            continue
        seeds = [g.sort_values("questions") for _, g in own.groupby("seed")]
        band = confidence_band([np.interp(at, g["questions"], g["ari"]) for g in seeds])
        line, named = styles.line(method), styles.number(method) is not None
        axes.plot(at, band.mean, **line)
        # With a handful of seeds Student's t covers the whole panel and says nothing.
        if named and len(seeds) >= ENOUGH_SEEDS:
            shade = {"color": line["color"], "alpha": 0.11, "linewidth": 0, "zorder": 1}
            axes.fill_between(at, band.low, np.minimum(band.high, 1.0), **shade)
        if named or method == REFERENCE:
            ends[method] = (budget, float(band.mean[-1]))
        low, high = min(low, float(band.mean.min())), max(high, float(band.mean.max()))
    axes.set_ylim(*score_range(low, high))
    axes.yaxis.set_major_locator(_tenths(axes))
    axes.set_xlim(0, max(budget, 1))
    axes.set_title(short(data, 60))
    axes.set_xlabel("questions")
    axes.set_ylabel("ARI")
    axes.grid(axis="y")
    axes.set_axisbelow(True)
    _mark_proof(axes, part, data, budget)
    label_ends(axes, ends, styles)
    return figure_of(axes)


def minutes(part: ConditionSummary, data: str, styles: MethodStyles) -> Figure | None:
    """Draw ARI against a person's minutes; each method as far as all its runs go.

    None where nobody counted them.
    """
    rows = part.rows[part.rows["data"] == data].dropna(subset=["ari", "minutes"])
    rows = rows[rows["method"] != REFERENCE]
    if rows.empty:
        return None
    axes = _panel_axes([*styles.coloured])
    ends: dict[str, tuple[float, float]] = {}
    low, high = math.inf, -math.inf
    for method in [name for name in part.ranks.index if (rows["method"] == name).any()]:
        runs = [
            run.sort_values(["minutes", "questions"]).drop_duplicates("minutes", keep="last")
            for _, run in rows[rows["method"] == method].groupby("seed")
        ]
        at = np.linspace(0.0, min(float(run["minutes"].max()) for run in runs), _MOMENTS)
        mean = np.mean([np.interp(at, run["minutes"], run["ari"]) for run in runs], axis=0)
        axes.plot(at, mean, **styles.line(method))
        if styles.number(method) is not None:
            ends[method] = (float(at[-1]), float(mean[-1]))
        low, high = min(low, float(mean.min())), max(high, float(mean.max()))
    axes.set_ylim(*score_range(low, high))
    axes.yaxis.set_major_locator(_tenths(axes))
    axes.set_xlim(0, max(float(rows["minutes"].max()), 0.1))
    axes.set_title(short(data, 60))
    axes.set_xlabel("minutes of a person")
    axes.set_ylabel("ARI")
    axes.grid(axis="y")
    axes.set_axisbelow(True)
    label_ends(axes, ends, styles)
    return figure_of(axes)


def score_range(low: float, high: float) -> tuple[float, float]:
    """Return the limits of an axis of scores: whole tenths around what is shown, at least three.

    >>> score_range(0.72, 0.98), score_range(0.02, 0.11)
    ((0.69, 1.01), (-0.01, 0.31))
    """
    if low > high:
        low, high = 0.0, 1.0
    # What lies a little beyond a tenth, as scores about chance do, is still inside the edge.
    bottom, top = math.floor(10 * low + 0.05) / 10, math.ceil(10 * high - 0.05) / 10
    top = min(1.0, max(top, bottom + 0.3))
    bottom = min(bottom, top - 0.3)
    edge = 0.03 * (top - bottom)
    return round(bottom - edge, 2), round(top + edge, 2)


def _tenths(axes: Axes) -> Any:
    from matplotlib.ticker import MultipleLocator

    low, high = axes.get_ylim()
    return MultipleLocator(0.1 if high - low < 0.7 else 0.2)


def _mark_proof(axes: Axes, part: ConditionSummary, data: str, budget: int) -> None:
    proof = next(row["proof"] for row in part.sets if row["data"] == data)
    if proof is not None and proof <= budget:
        axes.axvline(proof, color=SOFT, linewidth=0.8, linestyle=(0, (3, 3)))
        where: dict[str, Any] = {"rotation": 90, "ha": "right", "va": "bottom", "color": SOFT}
        axes.text(proof, axes.get_ylim()[0], " proof ", fontsize=FONT - 1.5, **where)


def critical_difference(part: ConditionSummary, styles: MethodStyles) -> Figure:
    """Draw mean ranks on a line, 1 at the left; a bar joins those that cannot be told apart."""
    ranks, reach = part.ranks, part.critical_difference or 0.0
    n = len(ranks)
    left = (n + 1) // 2
    bars = cliques(ranks.to_list(), reach)
    first_name = 0.75 + 0.28 * len(bars)
    bottom = first_name + 0.62 * max(left, n - left)
    texts = {str(method): f"{short(str(method))}  {rank:.2f}" for method, rank in ranks.items()}
    # The names take what they need at both sides, the line of ranks what is left.
    names = max(width(words, FONT) for words in texts.values()) + 0.12
    scale = 3.6 / max(n - 1, 1)  # inches per rank
    margin = (names + 0.25) / scale
    axes = new_axes(
        3.6 + 2 * (names + 0.25), 0.34 * (bottom + 2.2), left=0.0, right=1.0, bottom=0.0, top=1.0
    )
    axes.set_xlim(1 - margin, n + margin)
    axes.set_ylim(bottom, -2.2)
    axes.axis("off")
    axes.plot([1, n], [0, 0], color=INK, linewidth=1)
    for tick in range(1, n + 1):
        axes.plot([tick, tick], [0, -0.16], color=INK, linewidth=1)
        axes.text(tick, -0.3, str(tick), ha="center", va="bottom", color=SOFT)
    axes.plot([1, min(1 + reach, n + margin)], [-1.45, -1.45], color=INK, linewidth=1.6)
    axes.text(1, -1.6, f"critical difference {reach:.2f}", va="bottom", fontsize=FONT - 0.5)
    for k, (first, last) in enumerate(bars):
        height, ends = 0.35 + 0.28 * k, (ranks.iloc[first] - 0.03, ranks.iloc[last] + 0.03)
        axes.plot(ends, [height, height], color=INK, linewidth=3.2, solid_capstyle="round")
    for k, (method, rank) in enumerate(ranks.items()):
        on_left = k < left
        height = first_name + 0.62 * (k if on_left else n - 1 - k)
        side = 1 - 0.15 / scale if on_left else n + 0.15 / scale
        colour = styles.dot(str(method))
        axes.plot([rank, rank, side], [0, height, height], color=colour, linewidth=1.1)
        axes.plot([rank], [0], marker="o", markersize=4.5, color=colour, zorder=5)
        where = (side - 0.08 / scale, "right") if on_left else (side + 0.08 / scale, "left")
        axes.text(where[0], height, texts[str(method)], ha=where[1], va="center")
    return figure_of(axes)


def cliques(ranks: Sequence[float], reach: float) -> list[tuple[int, int]]:
    """Return the longest stretches of ascending ranks no wider than `reach`: first and last index.

    >>> cliques([1.0, 1.5, 2.2, 4.0], 1.0)
    [(0, 1), (1, 2)]
    """
    found: list[tuple[int, int]] = []
    for first, rank in enumerate(ranks):
        last = max(k for k, other in enumerate(ranks) if other - rank <= reach)
        if last > first and (not found or last > found[-1][1]):
            found.append((first, last))
    return found


def dot_plot(
    values: pd.Series, methods: Sequence[str], styles: MethodStyles, *, label: str
) -> Figure | None:
    """Draw a row per method, a dot per data set, a stroke at the median; None without any value."""
    values = values[np.isfinite(values) & (values > 0)]
    shown = [name for name in methods if name in values.index.get_level_values("method")]
    if not shown:
        return None
    names = max(width(short(name)) for name in shown)
    axes = new_axes(6.6, 0.75 + 0.27 * len(shown), left=(names + 0.15) / 6.6, right=0.97)
    for k, method in enumerate(shown):
        own = values.xs(method, level="method")
        axes.plot([own.min(), own.max()], [k, k], color=RULE, linewidth=1.2, zorder=1)
        dots: Any = {"s": 20, "alpha": 0.65, "linewidths": 0, "zorder": 3}
        axes.scatter(own, np.full(len(own), k), color=styles.dot(method), **dots)
        middle = own.median()
        axes.plot([middle, middle], [k - 0.3, k + 0.3], color=INK, linewidth=1.6, zorder=4)
    if values.max() > 10 * values.min():
        axes.set_xscale("log")
        plain_ticks(axes, "x")
    else:
        axes.set_xlim(0, 1.08 * values.max())
    axes.set_yticks(range(len(shown)), [short(name) for name in shown])
    axes.tick_params(axis="y", length=0, labelcolor=INK)
    axes.set_ylim(len(shown) - 0.45, -0.55)
    axes.spines["left"].set_visible(False)
    axes.set_xlabel(label)
    axes.grid(axis="x")
    axes.set_axisbelow(True)
    return figure_of(axes)


def growth(family: str, lines: Sequence[Mapping[str, Any]], styles: MethodStyles) -> Figure:
    """Draw milliseconds per question against n, both axes logarithmic; names carry exponents."""
    texts = {str(entry["method"]): _with_exponent(entry) for entry in lines}
    axes = _panel_axes([words for name, words in texts.items() if styles.number(name) is not None])
    ends: dict[str, tuple[float, float]] = {}
    for entry in lines:
        ms, method = entry["ms"], str(entry["method"])
        marks: dict[str, Any] = {"marker": "o", "markersize": 3}
        axes.plot(ms.index, ms, **styles.line(method), **marks)
        if styles.number(method) is not None:
            ends[method] = (float(ms.index[-1]), float(ms.iloc[-1]))
    axes.set_xscale("log")
    axes.set_yscale("log")
    for which in ("x", "y"):
        plain_ticks(axes, which)
    axes.set_title(short(family, 60))
    axes.set_xlabel("items")
    axes.set_ylabel("ms per question")
    axes.grid()
    axes.set_axisbelow(True)
    label_ends(axes, ends, styles, texts)
    return figure_of(axes)


def _with_exponent(entry: Mapping[str, Any]) -> str:
    exponent = float(entry["exponent"])
    # The name gives way, not the exponent.
    power = "" if math.isnan(exponent) else f"  n^{exponent:.2f}"
    return short(str(entry["method"]), 22) + power


def _panel_axes(names: Sequence[str]) -> Axes:
    wide, high = _PANEL
    return new_axes(wide, high, bottom=0.155, top=0.885, **margins(names, wide, left=0.55))
