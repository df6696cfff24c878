"""Bars: the weights of features in a learned metric."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from likewise.errors import DataError
from likewise.plots.canvas import PALETTE, finite_vector, new_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def feature_weights(
    weights: Any, names: Sequence[str] | None = None, *, top: int = 20, ax: Axes | None = None
) -> Axes:
    """Draw the largest weights as bars, the largest on top; equal ones in the features' order.

    Parameters
    ----------
    weights : array of shape (d,)
        Of a metric, at least 0.
    names : sequence of str, optional
        Of the features; without names they are numbered from 0.
    top : int
        How many bars at most.
    ax : matplotlib Axes, optional
        Where to draw.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    DataError
        If weights are negative or not finite, or names do not match them.
    """
    heights = finite_vector(weights, "weights")
    d = len(heights)
    if heights.min() < 0:
        raise DataError(f"the weights of a metric are at least 0 but one is {heights.min():g}")
    if names is not None and len(names) != d:
        raise DataError(f"there must be a name for each of {d} features but there are {len(names)}")
    if top < 1:
        raise DataError(f"top must be at least 1 but is {top}")
    shown = [f"feature {k}" for k in range(d)] if names is None else [str(name) for name in names]
    largest = np.argsort(-heights, kind="stable")[:top]
    axes = ax if ax is not None else new_axes(6.4, 1.0 + 0.24 * len(largest))
    axes.barh(np.arange(len(largest)), heights[largest], height=0.7, color=PALETTE[0])
    axes.set_yticks(np.arange(len(largest)), [shown[k] for k in largest], parse_math=False)
    axes.set_ylim(len(largest) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.set_xlabel("weight" if d <= top else f"weight (the {top} largest of {d})")
    return axes
