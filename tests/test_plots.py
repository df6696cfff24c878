"""Figures show what the frames hold."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import likewise as lw
from likewise.errors import DataError


def frame(*ari: float) -> pd.DataFrame:
    return pd.DataFrame({"questions": [0, 5, 10], "ari": ari})


def test_a_curve_is_the_mean_of_its_runs() -> None:
    axes = lw.plots.curve({"ours": [frame(0.0, 0.5, 1.0), frame(0.2, 0.7, 0.8)]})
    (line,) = axes.get_lines()
    np.testing.assert_allclose(np.asarray(line.get_ydata())[[0, 5, 10]], [0.1, 0.6, 0.9])
    assert line.get_label() == "ours"


def test_the_order_of_rows_does_not_matter() -> None:
    shuffled = frame(0.0, 0.5, 1.0).iloc[[2, 0, 1]]
    (line,) = lw.plots.curve({"ours": [shuffled]}).get_lines()
    np.testing.assert_allclose(np.asarray(line.get_ydata())[[0, 5, 10]], [0.0, 0.5, 1.0])


def test_axes_given_are_axes_returned() -> None:
    from matplotlib.figure import Figure

    axes = Figure().add_subplot()
    assert lw.plots.curve({"a": [frame(0, 1, 1)], "b": [frame(0, 0, 1)]}, ax=axes) is axes
    assert len({line.get_linestyle() for line in axes.get_lines()}) == 2


def test_a_metric_that_was_not_measured_is_named() -> None:
    with pytest.raises(DataError, match="'jaccard'"):
        lw.plots.curve({"ours": [frame(0, 0, 0)]}, metric="jaccard")
