"""What 1000 trees, as many as the COP-RF paper grows, change beside the 200 of `coprf_tables`.

The same links, trial by trial, with forests of both sizes: to the letter and with our additions,
by right answers (table II) and with 15 % wrong ones (III). Run with `python -m benchmarks
coprf_trees`; LIKEWISE_DATA must hold the paper's data sets.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from benchmarks.papers.coprf_tables import DATA, SHARES
from benchmarks.rows import kept_rows
from benchmarks.tables import markdown, mean_and_error, write_table
from likewise.bench import papers
from likewise.bench.experiment import Task
from likewise.bench.task_data import load
from likewise.bench.tasks.linked_clusterers import N_TREES
from likewise.bench.tasks.links import linked_rows
from likewise.clusterers import COPRF

TREES = (N_TREES, 1000)
FORMS = {"coprf-literal": "to the letter", "coprf": "with our additions"}
TABLES = {0.0: "Table II", 0.15: "Table III"}
TRIALS = 3


def area(method: str, data: str, noise: float, n_trees: int, seed: int) -> dict[str, float]:
    """Return the area of one trial, by the trapezoidal rule with points one apart."""
    task = task_of(method, data, noise, n_trees, seed)
    X, truth, _ = load(task)

    def model_of(n_clusters: int) -> COPRF:
        how: dict[str, Any] = {
            "n_clusters": n_clusters, "n_trees": n_trees, "random_state": seed,
        }  # fmt: skip
        return COPRF.literal(**how) if method == "coprf-literal" else COPRF(error_rate=noise, **how)

    rows = linked_rows(task.on(len(truth)), X, truth, model_of, contradicted=True)
    return {"area": float(np.trapezoid([row["ari"] for row in rows]))}


def task_of(method: str, data: str, noise: float, n_trees: int, seed: int) -> Task:
    """Return the trial of the bench that draws the same links."""
    assert n_trees in TREES
    return Task(method, data, seed, (), kind="links", noise=noise, scaling="range", shares=SHARES)


def main() -> None:
    """Write a line for each form, table and number of trees, a column per data set."""
    keys = [
        {"method": method, "data": data, "noise": noise, "n_trees": n_trees, "seed": seed}
        for seed, noise, method, data, n_trees in product(range(TRIALS), TABLES, FORMS, DATA, TREES)
    ]
    write_table("coprf_trees", table(kept_rows("coprf_trees", keys, area, task_of)))


def table(rows: pd.DataFrame) -> str:
    """Return mean areas with standard errors, and what more trees change, trial by trial.

    Only trials that both sizes of forest have count; the mean is over the sets, of the trials that
    have all of them. The paper's own figures stand above.
    """
    told = papers.load("coprf").published.query("method == 'coprf'")
    printed = told.set_index(["data", "reference"])["published"].to_dict()
    lines = []
    for noise, reference in TABLES.items():
        figures = [printed[data, reference] for data in DATA]
        whole = f"{np.mean(figures):.2f}"
        lines.append([reference, "the paper", "1000", *(f"{one:.2f}" for one in figures), whole])
        for method, form in FORMS.items():
            own = rows[(rows["noise"] == noise) & (rows["method"] == method)]
            areas = own.pivot_table("area", ["data", "seed"], "n_trees").dropna()
            if set(TREES) - set(areas.columns):
                continue  # not run yet
            few, many = (areas[n].unstack("data").reindex(columns=list(DATA)) for n in TREES)
            for label, found, sign in (
                (str(TREES[0]), few, "-"), (str(TREES[1]), many, "-"), ("more", many - few, "+"),
            ):  # fmt: skip
                cells = [mean_and_error(found[data].dropna(), 2, sign) for data in DATA]
                mean = mean_and_error(found.dropna().mean(axis=1), 2, sign)
                lines.append([reference, form, label, *cells, mean])
    return markdown(["", "", "trees", *DATA, "mean"], lines)
