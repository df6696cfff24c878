"""Figures, matplotlib style: axes in, axes out; every figure shows data that a frame holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from likewise.errors import DataError, MissingExtra

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

# Okabe and Ito's colours, which people with any kind of colour vision tell apart.
PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
_STYLES = ("-", "--", "-.", ":")


def curve(
    runs: Mapping[str, Sequence[pd.DataFrame]], *, metric: str = "ari", ax: Axes | None = None
) -> Axes:
    """Questions against a metric: per name the mean of its runs' curves and, shaded, their spread.

    `runs` maps a name to the curves of several runs; between two rows of a curve the line is
    straight.
    """
    axes = ax if ax is not None else _new_axes()
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


def _new_axes() -> Axes:
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingExtra("plots need matplotlib; install likewise[plots]") from error
    return Figure(figsize=(6.4, 4.0), layout="constrained").add_subplot()
