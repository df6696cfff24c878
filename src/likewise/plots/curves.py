"""Learning curves: what the answers bought."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from likewise.errors import DataError
from likewise.plots.canvas import PALETTE, new_axes

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

_STYLES = ("-", "--", "-.", ":")


def curve(
    runs: Mapping[str, Sequence[pd.DataFrame]], *, metric: str = "ari", ax: Axes | None = None
) -> Axes:
    """Draw a metric against questions: per name the mean of its runs and, shaded, their deviation.

    Between two rows of a curve the line is straight; it ends where the shortest run does.

    Parameters
    ----------
    runs : mapping of str to sequence of DataFrame
        By name, the curves of several runs: `run.curve`.
    metric : str
        The column to draw.
    ax : matplotlib.axes.Axes, optional
        Where to draw; a new figure unless given.

    Returns
    -------
    matplotlib.axes.Axes
        What was drawn on.
    """
    axes = ax if ax is not None else new_axes()
    for k, (name, curves) in enumerate(runs.items()):
        if not curves or any(metric not in frame for frame in curves):
            raise DataError(f"the curves of {name!r} must hold a column {metric!r}")
        end = min(int(frame["questions"].max()) for frame in curves)
        questions = np.arange(end + 1)
        ordered = [frame.sort_values("questions") for frame in curves]
        values = np.array([np.interp(questions, f["questions"], f[metric]) for f in ordered])
        mean, spread = values.mean(axis=0), values.std(axis=0)
        colour, style = PALETTE[k % len(PALETTE)], _STYLES[k % len(_STYLES)]
        axes.plot(questions, mean, color=colour, linestyle=style, label=name)
        low, high = mean - spread, np.minimum(mean + spread, 1.0)  # no metric of ours exceeds 1
        axes.fill_between(questions, low, high, color=colour, alpha=0.15, lw=0)
    axes.set_xlabel("questions answered")
    axes.set_ylabel(metric.replace("_", " "))
    axes.set_ylim(top=1.02)
    axes.grid(alpha=0.25)
    axes.legend(frameon=False)
    return axes
