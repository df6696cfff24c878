"""What a learned metric looks at: the weight of every feature."""

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
    """Draw the `top` largest weights as bars, the largest on top; ties in the features' order.

    Parameters
    ----------
    weights : array (d,)
        Those of a metric, at least 0: `study.clustering_.feature_weights_`.
    names : sequence of d str, optional
        The features' names; without them they are numbered from 0.
    top : int
        How many bars at most.
    ax : matplotlib.axes.Axes, optional
        Where to draw; a new figure unless given.

    Returns
    -------
    matplotlib.axes.Axes
        What was drawn on.
    """
    heights = finite_vector(weights, "weights")
    d = len(heights)
    if heights.min() < 0:
        raise DataError(f"the weights of a metric are at least 0 but one is {heights.min():g}")
    if names is not None and len(names) != d:
        raise DataError(f"there must be a name for each of {d} features but there are {len(names)}")
    if top < 1:
        raise DataError(f"top must be at least 1 but is {top}")
    told = [f"feature {k}" for k in range(d)] if names is None else [str(name) for name in names]
    largest = np.argsort(-heights, kind="stable")[:top]
    axes = ax if ax is not None else new_axes(6.4, 1.0 + 0.24 * len(largest))
    axes.barh(np.arange(len(largest)), heights[largest], height=0.7, color=PALETTE[0])
    axes.set_yticks(np.arange(len(largest)), [told[k] for k in largest], parse_math=False)
    axes.set_ylim(len(largest) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.set_xlabel("weight" if d <= top else f"weight (the {top} largest of {d})")
    return axes
