"""Names at the ends of lines: whole, and apart from each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from likewise.bench.report.style import FONT, MethodStyles

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_SIZE = FONT - 0.5  # points
_LEADER = 0.11  # of the axes' width: from a line's end to its name
_MOST = 30  # letters


def short(name: str, length: int = _MOST) -> str:
    """Return a name that fits beside a line; nearly all do as they are.

    >>> short("icgui:spectral-closest"), short("a name as long as a sentence would be", 12)
    ('icgui:spectral-closest', 'a name as l…')
    """
    plain = "".join(c if c.isprintable() else " " for c in name).strip()
    return plain if len(plain) <= length else plain[: length - 1] + "…"


def width(text: str, size: float = _SIZE) -> float:
    """Return how wide a text is, in inches."""
    from matplotlib.textpath import TextPath

    path = TextPath((0, 0), text, size=size)
    return float(path.get_extents().width) / 72 if len(path.vertices) else 0.0


def margins(names: Sequence[str], figure_width: float, left: float) -> dict[str, float]:
    """Return margins, as shares, that leave the longest of the names its place at the right."""
    longest = max((width(short(name)) for name in names), default=0.0)
    free = figure_width - left - longest - 0.12
    return {
        "left": left / figure_width,
        "right": (left + free / (1 + _LEADER)) / figure_width,
    }


def label_ends(
    axes: Axes,
    ends: Mapping[str, tuple[float, float]],
    styles: MethodStyles,
    texts: Mapping[str, str] | None = None,
) -> None:
    """Write every line's name beside its end (x, y), moved apart where two would overlap.

    The names are those of `ends`, best first, unless `texts` has other words. The axes must have
    their limits already: names are spread along the axis as it is seen, also a logarithmic one.
    """
    to_axes = (axes.transData + axes.transAxes.inverted()).transform
    seen = {name: to_axes(end) for name, end in ends.items()}
    # Of two that end alike the better one is named above.
    order = list(ends)
    names = sorted(seen, key=lambda name: (round(float(seen[name][1]), 3), -order.index(name)))
    heights = spread([float(seen[name][1]) for name in names], gap=0.082, low=0.0, high=1.0)
    where: dict[str, Any] = {"transform": axes.transAxes, "clip_on": False}
    for name, height in zip(names, heights, strict=True):
        x, y = seen[name]
        path = ([x, 1 + 0.4 * _LEADER, 1 + 0.85 * _LEADER], [y, height, height])
        axes.plot(*path, **(styles.line(name) | {"linewidth": 1.2}), **where)
        words = short((texts or {}).get(name, name))
        axes.text(1 + _LEADER, height, words, va="center", fontsize=_SIZE, **where)


def spread(wanted: Sequence[float], *, gap: float, low: float, high: float) -> list[float]:
    """Return ascending positions near those wanted, at least `gap` apart, inside if they fit.

    >>> spread([0.0, 0.0, 1.0], gap=0.25, low=0.0, high=1.0)
    [0.0, 0.25, 1.0]
    """
    positions: list[float] = []
    for value in wanted:
        positions.append(max(value, positions[-1] + gap) if positions else max(value, low))
    ceiling = high
    for k in reversed(range(len(positions))):
        positions[k] = min(positions[k], ceiling)
        ceiling = positions[k] - gap
    return positions
