"""Drawings as inline SVG: the curve of foreseen answers, the map, the band of what is right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from likewise.report.markup import percent, tag, text

_WIDTH, _HEIGHT = 460, 240  # of the curve
_LEFT, _BELOW, _ABOVE = 44, 30, 14
_SIDE = 640  # of the map
_MOST_DOTS = 4000  # more would make the file heavy and show no more
_SHAPES = ("dot", "square", "triangle", "diamond", "cross")
COLOURS = 8  # as many as the style sheet has; beyond them colours repeat with another shape


def curve(shares: Sequence[float]) -> str:
    """The share of recent answers that were foreseen, after each answer."""
    if len(shares) < 2:
        return tag("p", "There are too few answers for a curve yet.", class_="quiet")
    right, floor = _WIDTH - 12, _HEIGHT - _BELOW
    across = np.linspace(_LEFT, right, len(shares))
    down = floor - np.asarray(shares) * (floor - _ABOVE)
    points = [f"{x:.1f},{y:.1f}" for x, y in zip(across, down, strict=True)]
    grid = [
        f'<line class="rule" x1="{_LEFT}" x2="{right}" y1="{y:.1f}" y2="{y:.1f}"/>'
        f'<text x="{_LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{percent(share)}</text>'
        for share in (0.0, 0.5, 1.0)
        for y in [floor - share * (floor - _ABOVE)]
    ]
    ticks = [
        f'<text x="{x:.1f}" y="{_HEIGHT - 8}" text-anchor="{anchor}">{label}</text>'
        for x, anchor, label in (
            (across[0], "start", "first answer"),
            (across[-1], "end", f"answer {len(shares)}"),
        )
    ]
    area = f"M{points[0]}L{'L'.join(points)}L{right},{floor}L{_LEFT},{floor}Z"
    end = f'<circle class="end" cx="{across[-1]:.1f}" cy="{down[-1]:.1f}" r="4.5"/>'
    return _svg(
        _WIDTH,
        _HEIGHT,
        f"Share of the latest 20 answers that were foreseen: {percent(shares[0])} at the first, "
        f"{percent(shares[-1])} at answer {len(shares)}.",
        *grid,
        *ticks,
        f'<path class="area" d="{area}"/>',
        f'<polyline class="line" points="{" ".join(points)}"/>',
        end,
    )


def band(right: float, low: float, high: float) -> str:
    """The expected share of items that are right, and between which bounds."""
    mark, start, width = (f"{100 * share:.1f}%" for share in (right, low, high - low))
    return tag(
        "div",
        tag("span", class_="between", style=f"left:{start};width:{width}"),
        tag("span", class_="mark", style=f"left:{mark}"),
        class_="band",
        role="img",
        aria_label=f"expected {percent(right)}, between {percent(low)} and {percent(high)}",
    )


def sign(rank: int) -> str:
    """The mark of a group on the map: colour and shape."""
    shape = _SHAPES[rank // COLOURS % len(_SHAPES)]
    return (
        f'<svg class="sign c{rank % COLOURS}" viewBox="-6 -6 12 12" aria-hidden="true">'
        f'<use href="#{shape}"/></svg>'
    )


def map_of(
    places: npt.NDArray[np.int64],
    labels: npt.NDArray[np.int64],
    ranks: Mapping[int, int],
    names: Mapping[int, str],
    rng: np.random.Generator,
) -> str:
    """All items where likeness puts them, marked by group; a sample of a large pile."""
    shown = np.arange(len(labels))
    if len(shown) > _MOST_DOTS:
        shown = np.sort(rng.choice(shown, _MOST_DOTS, replace=False))
    # Up is up: the map counts from below, SVG from above.
    dots = 14 + places * ((_SIDE - 28) / 10_000)
    dots[:, 1] = _SIDE - dots[:, 1]
    top, foot = dots[shown, 1].min() - 20, dots[shown, 1].max() + 20
    groups = []
    for label, rank in sorted(ranks.items(), key=lambda entry: entry[1]):
        mine = shown[labels[shown] == label]
        if not len(mine):
            continue
        shape = _SHAPES[rank // COLOURS % len(_SHAPES)]
        uses = "".join(f'<use href="#{shape}" x="{x:.0f}" y="{y:.0f}"/>' for x, y in dots[mine])
        groups.append(tag("g", uses, class_=f"c{rank % COLOURS}"))
    labelled = []
    for label, rank in ranks.items():
        mine = shown[labels[shown] == label]
        if rank < COLOURS and len(mine):
            x, y = np.median(dots[mine], axis=0)
            labelled.append(
                f'<text class="name" x="{x:.0f}" y="{y:.0f}" text-anchor="middle">'
                f"{text(names[label], 24)}</text>"
            )
    return _svg(
        _SIDE,
        foot - top,
        f"Map of {len(shown)} items: items that are alike lie near each other.",
        f'<g transform="translate(0 {-top:.0f})">',
        *groups,
        *labelled,
        "</g>",
        class_="map",
    )


SHAPES = (
    '<svg width="0" height="0" aria-hidden="true" focusable="false" class="unseen"><defs>'
    '<circle id="dot" r="3.6"/>'
    '<rect id="square" x="-3.3" y="-3.3" width="6.6" height="6.6"/>'
    '<path id="triangle" d="M0-4.4L4.2 3.2H-4.2Z"/>'
    '<path id="diamond" d="M0-4.8L4.8 0L0 4.8L-4.8 0Z"/>'
    '<path id="cross" d="M-4-1.4H-1.4V-4H1.4V-1.4H4V1.4H1.4V4H-1.4V1.4H-4Z"/>'
    "</defs></svg>"
)


def _svg(width: float, height: float, says: str, *inside: str, class_: str = "plot") -> str:
    return tag(
        "svg",
        *inside,
        class_=class_,
        viewBox=f"0 0 {width:.0f} {height:.0f}",
        role="img",
        aria_label=says,
    )
