"""Two groups: URASC as it is beside its additive form, which keeps cannot-links at -1.

Run with `python -m benchmarks urasc_forms`; LIKEWISE_DATA must hold the UCI sets. The number of
groups is given, answers are right; areas are of ARI to 100 questions. What would have to tell
beforehand which form a set wants is set beside them: how well the features alone show the groups,
which nobody knows who has not the truth, and what the graph tells without it.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pandas as pd

import likewise as lw
from benchmarks.rows import kept_rows
from benchmarks.tables import markdown, mean_and_error, write_table
from likewise.bench.experiment import Task
from likewise.bench.statistics import area
from likewise.bench.task_data import load
from likewise.clusterers import SpectralLearning

SETS = (
    "sonar", "pima_diabetes", "parkinsons", "ionosphere", "bupa_liver", "breast_cancer", "moons",
    "circles",
)  # fmt: skip
FORMS = ("urasc", "urasc-additive")
SEEDS, BUDGET = 5, 100
POINTS = tuple(range(0, BUDGET + 1, 5))


def compute(*, method: str, data: str, seed: int) -> dict[str, float]:
    """Return the area of one run, and what is known of the graph without any answer."""
    X, truth, _ = load(task_of(method=method, data=data, seed=seed))
    run = lw.run(
        X, lw.oracles.FromLabels(truth), method=method, n_clusters=2, budget=BUDGET,
        checkpoints=POINTS, random_state=seed,
    )  # fmt: skip
    graph: Any = SpectralLearning(n_clusters=2, n_extra=1).fit(lw.Items.of(X).data)
    second, third = graph.eigenvalues_[1:3]
    return {
        "area": area(run.curve, budget=BUDGET),
        "alone": lw.metrics.ari(truth, graph.labels_),
        "second": float(second),
        "ratio": float(second / third),
    }


def task_of(*, method: str, data: str, seed: int) -> Task:
    """Return the run as a task of the bench."""
    return Task(method, data, seed, POINTS)


def main() -> None:
    """Write a line per data set."""
    keys = [
        {"method": method, "data": data, "seed": seed}
        for seed, data, method in product(range(SEEDS), SETS, FORMS)
    ]
    write_table("urasc_forms", table(kept_rows("urasc_forms", keys, compute, task_of)))


def table(rows: pd.DataFrame) -> str:
    """Return areas of both forms, their differences paired by seed, and what the graph tells."""
    lines = []
    for data in SETS:
        here = rows[rows["data"] == data]
        areas = here.pivot_table(index="seed", columns="method", values="area")
        if set(FORMS) - set(areas.columns):
            continue
        gap = (areas[FORMS[1]] - areas[FORMS[0]]).dropna()
        alone, second, ratio = (np.mean(here[name]) for name in ("alone", "second", "ratio"))
        lines.append([
            data, *(mean_and_error(areas[form].dropna()) for form in FORMS),
            mean_and_error(gap, sign="+"), f"{alone:.2f}", f"{second:.3f}", f"{ratio:.2f}",
        ])  # fmt: skip
    header = ["data", *(f"`{form}`" for form in FORMS), "difference", "ARI without answers"]
    return markdown([*header, "second eigenvalue", "as a share of the third"], lines)
