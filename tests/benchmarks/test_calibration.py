"""Whether what a study tells comes true: how forecasts are counted."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

pytest.importorskip("benchmarks", reason="the experiments are not in a wheel")

from benchmarks.calibration import MOMENTS, left_table


def run(left: float, stop: int | None) -> dict[str, float]:
    """A run that was always told so many answers are left, and to stop from some moment on."""
    found = {f"left at {at}": left for at in MOMENTS}
    return found | {f"stop at {at}": float(stop is not None and at >= stop) for at in MOMENTS}


def test_what_came_is_counted_of_runs_that_were_told_to_stop_and_others_are_told_beside() -> None:
    rows = pd.DataFrame([run(50, 50), run(30, 100), run(150, None), run(np.nan, None)])
    lines = left_table(rows).splitlines()
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]
    # After 25 answers 50 and 30 were told, 25 and 75 came; after 50 only the second is not done.
    assert cells[0] == ["0 to 50", "40, 50 (2 of 2)", "30, 50 (1 of 1)", "–, – (0 of 0)"]
    assert cells[2] == ["100 to 200", *["150, – (0 of 1)"] * 3]
