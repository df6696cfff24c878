"""Geometry of the drawings: the curve of predicted answers, and the map.

`templates/drawings.svg.j2` makes SVG of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

_WIDTH, _HEIGHT = 460, 240  # of the curve
_LEFT, _BELOW, _ABOVE = 44, 30, 14
_SIDE, _RIM = 640, 14  # of the map
_MOST_DOTS = 4000  # more would make the file heavy and show no more
_SHAPES = ("dot", "square", "triangle", "diamond", "cross")
COLOURS = 8  # as many as the style sheet has; beyond them colours repeat with another shape


@dataclass(frozen=True)
class Sign:
    """How a group is marked on the map: a colour and a shape."""

    colour: int
    shape: str

    @classmethod
    def of(cls, rank: int) -> Sign:
        """Return the sign of the group at this place by size, from 0.

        >>> Sign.of(0), Sign.of(9)
        (Sign(colour=0, shape='dot'), Sign(colour=1, shape='square'))
        """
        return cls(rank % COLOURS, _SHAPES[rank // COLOURS % len(_SHAPES)])


@dataclass(frozen=True)
class PredictedCurve:
    """A line through shares, and rules at some of them; all lengths in pixels."""

    width: int
    height: int
    left: int
    right: int
    floor: int
    shares: Sequence[float]
    points: list[str]  # "x,y"
    end: tuple[float, float]
    rules: list[tuple[float, float]]  # (share, y)


def predicted_curve(shares: Sequence[float]) -> PredictedCurve | None:
    """Return the curve of the share of recent answers that were predicted, after each answer.

    None with fewer than two of them: a point is no curve.
    """
    if len(shares) < 2:
        return None
    right, floor = _WIDTH - 12, _HEIGHT - _BELOW

    def down(share: float) -> float:
        return float(floor - share * (floor - _ABOVE))

    across = np.linspace(_LEFT, right, len(shares))
    return PredictedCurve(
        width=_WIDTH,
        height=_HEIGHT,
        left=_LEFT,
        right=right,
        floor=floor,
        shares=shares,
        points=[f"{x:.1f},{down(share):.1f}" for x, share in zip(across, shares, strict=True)],
        end=(float(across[-1]), down(shares[-1])),
        rules=[(share, down(share)) for share in (0.0, 0.5, 1.0)],
    )


@dataclass(frozen=True)
class MapGroup:
    """A group on the map: its sign, its items, and its name with where that stands, if it does."""

    sign: Sign
    dots: npt.NDArray[np.float64]  # (n, 2)
    name: str
    middle: tuple[float, float] | None


@dataclass(frozen=True)
class Map:
    """All groups on the map; all lengths in pixels."""

    width: int
    height: float
    top: float
    n_dots: int
    groups: list[MapGroup]


def map_drawing(
    places: npt.NDArray[np.int64],
    labels: npt.NDArray[np.int64],
    names: Mapping[int, str],
    rng: np.random.Generator,
) -> Map:
    """Return all items where likeness puts them, marked by group; a sample of a large pile.

    Parameters
    ----------
    places
        Of every item, as `views.map_layout.layout` gives them.
    labels
        The group of every item.
    names
        Of every group, by label, the largest first: that order decides about signs, and only as
        many names as there are colours are written on the map.
    rng
        Chooses the sample.
    """
    shown = np.arange(len(labels))
    if len(shown) > _MOST_DOTS:
        shown = np.sort(rng.choice(shown, _MOST_DOTS, replace=False))
    dots = _RIM + places * ((_SIDE - 2 * _RIM) / 10_000)
    dots[:, 1] = _SIDE - dots[:, 1]  # up is up: the map counts from below, SVG from above
    top, foot = dots[shown, 1].min() - 20, dots[shown, 1].max() + 20
    groups = []
    for rank, (label, name) in enumerate(names.items()):
        mine = dots[shown[labels[shown] == label]]
        if len(mine):
            x, y = np.median(mine, axis=0)
            groups.append(MapGroup(Sign.of(rank), mine, name, (x, y) if rank < COLOURS else None))
    return Map(_SIDE, foot - top, top, len(shown), groups)
