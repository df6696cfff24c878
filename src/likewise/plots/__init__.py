"""Figures with matplotlib: axes in, axes out; every figure shows data that the caller holds.

Without `ax` a figure of its own is made, outside pyplot; `axes.figure.savefig` writes it.
"""

from likewise.plots.bars import feature_weights
from likewise.plots.canvas import PALETTE
from likewise.plots.curves import curve
from likewise.plots.heatmaps import affinity
from likewise.plots.maps import map  # noqa: A004 - read as `plots.map`, where it hides nothing

__all__ = ["PALETTE", "affinity", "curve", "feature_weights", "map"]
