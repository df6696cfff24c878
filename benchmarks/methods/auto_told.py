"""The default method on textbook sets, with the number of groups told and not told.

Run with `python -m benchmarks auto_told`; LIKEWISE_DATA names the folder with the CSV files.
Answers are right. Sets are the small ones of `python -m benchmarks auto`.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pandas as pd

import likewise as lw
from benchmarks.methods.auto import areas
from benchmarks.rows import kept_rows
from benchmarks.tables import RESULTS, markdown, write_table
from likewise.bench.experiment import Task
from likewise.bench.results import Results

DATA = (
    "iris", "wine", "glass", "sonar", "circles", "moons", "aqm-simulation", "parkinsons",
    "segmentation_train210",
)  # fmt: skip
BUDGET, SEEDS = 200, 1
CHECKPOINTS = (0, 5, 10, 20, 35, 50, 75, 100, 150, 200)


def area(data: str, told: bool, seed: int) -> dict[str, float]:
    """Return the area under the curve of the adjusted Rand index, to 200 questions and to 100."""
    X, y = lw.datasets.load(data)
    result = lw.run(
        X,
        lw.oracles.FromLabels(y),
        budget=BUDGET,
        n_clusters=len(np.unique(y)) if told else None,
        checkpoints=CHECKPOINTS,
        random_state=seed,
    )
    at = np.arange(BUDGET + 1)
    curve = np.interp(at, result.curve.questions, result.curve.ari)
    return {
        f"area {last}": float(np.trapezoid(curve[: last + 1], at[: last + 1]) / last)
        for last in (BUDGET, BUDGET // 2)
    }


def task_of(data: str, seed: int, **_: Any) -> Task:
    """Return the run as a task of the bench."""
    return Task("auto", data, seed, CHECKPOINTS)


def main() -> None:
    """Write a line per set: not told, told, and the kept areas of an older `auto` and of others."""
    keys = [
        {"data": data, "told": told, "seed": seed}
        for seed, data, told in product(range(SEEDS), DATA, (False, True))
    ]
    write_table("auto_told", table(kept_rows("auto_told", keys, area, task_of)))


def table(rows: pd.DataFrame) -> str:
    """Return the lines and their means."""
    kept = Results(RESULTS / "auto.parquet").frame()
    assert kept is not None
    before = areas(kept[kept.noise == 0]).reindex(DATA)
    others = before.drop(columns="auto")
    means = (
        rows.groupby(["data", "told"])[["area 200", "area 100"]].mean().unstack().loc[list(DATA)]
    )
    columns = {
        "not told": means["area 200", False],
        "told": means["area 200", True],
        "not told, to 100": means["area 100", False],
        "told, to 100": means["area 100", True],
        "an older auto, not told": before["auto"],
        "best other, not told": others.max(axis=1),
    }
    lines = [[data, *(f"{values[data]:.3f}" for values in columns.values())] for data in DATA]
    lines.append(["mean", *(f"{values.mean():.3f}" for values in columns.values())])
    return markdown(["data", *columns], lines)
