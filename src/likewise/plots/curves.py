"""Learning curves: what the answers bought."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from likewise.errors import DataError
from likewise.plots.canvas import PALETTE, new_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_STYLES = ("-", "--", "-.", ":")


def curve(runs: Any, *, metric: str = "ari", ax: Axes | None = None) -> Axes:
    """Draw a metric against questions: per name the mean of its runs and, shaded, their deviation.

    Between two rows of a curve the line is straight; it ends where the shortest run does.

    Parameters
    ----------
    runs : Run, DataFrame, sequence of them, or mapping of str to these
        What `likewise.run` returned, or its `curve`; several runs of one method in a sequence,
        several methods by name.
    metric : str
        The column to draw.
    ax : matplotlib.axes.Axes, optional
        Where to draw; a new figure unless given.

    Returns
    -------
    matplotlib.axes.Axes
        What was drawn on.
    """
    named = runs if isinstance(runs, Mapping) else {"": runs}
    if not named:
        raise DataError("there is no run to draw; give one at least")
    axes = ax if ax is not None else new_axes()
    for k, (name, given) in enumerate(named.items()):
        curves = _frames(given)
        if not curves or any(metric not in frame for frame in curves):
            whose = f"the curves of {name!r}" if name else "the curve"
            raise DataError(f"{whose} must hold a column {metric!r}")
        counter = str(curves[0].columns[0])  # questions, or measurements
        questions = np.arange(min(int(frame[counter].max()) for frame in curves) + 1)
        ordered = [frame.sort_values(counter) for frame in curves]
        values = np.array([np.interp(questions, f[counter], f[metric]) for f in ordered])
        mean, spread = values.mean(axis=0), values.std(axis=0)
        colour, style = PALETTE[k % len(PALETTE)], _STYLES[k % len(_STYLES)]
        axes.plot(questions, mean, color=colour, linestyle=style, label=name)
        low, high = mean - spread, np.minimum(mean + spread, 1.0)  # no metric of ours exceeds 1
        axes.fill_between(questions, low, high, color=colour, alpha=0.15, lw=0)
    axes.set_xlabel("questions answered" if counter == "questions" else counter)
    axes.set_ylabel(metric.replace("_", " "))
    axes.set_ylim(top=1.02)
    axes.grid(alpha=0.25)
    if any(named):
        axes.legend(frameon=False)
    return axes


def _frames(given: Any) -> list[Any]:
    """Return the frames of one run or of several, each given as a run or as its curve."""
    several = given if isinstance(given, Sequence) else [given]
    frames = [getattr(one, "curve", one) for one in several]
    if not all(hasattr(frame, "sort_values") for frame in frames):
        raise DataError(f"a curve must be a run or the frame of one but got {given!r}")
    return frames
