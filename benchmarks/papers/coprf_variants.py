"""What the parts of `COPRF` buy: one of them left out or as in the paper at a time.

Areas under the curve of ARI over shares of all pairs given as links, as in the COP-RF paper's
tables II and III. Run with `python -m benchmarks coprf_variants`; LIKEWISE_DATA must name a folder
with the paper's data sets.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from benchmarks.rows import kept_rows
from benchmarks.tables import markdown, write_table
from likewise.bench import papers
from likewise.bench.experiment import Task
from likewise.bench.task_data import load
from likewise.bench.tasks.linked_clusterers import N_TREES
from likewise.bench.tasks.links import linked_rows
from likewise.clusterers import COPRF

DATA = ("ionosphere", "iris", "segmentation_train210", "parkinsons", "glass_with_id")
SHARES = (0.001, 0.002, 0.003, 0.004, 0.005)
TABLES = {0.0: "Table II", 0.15: "Table III"}
TRIALS = 3
VARIANTS: dict[str, dict[str, Any]] = {
    "`COPRF`": {},
    "odd links guide too": {"odd_share": 0.0},
    "shares of leaves as they are": {"sharpness": 1.0},
    "√d features": {"max_features": "sqrt"},
    "links as given": {"close_links": False},
    "n/5 neighbours": {"n_neighbours": 0.2},
    "all pairs": {"n_neighbours": None},
}


def area(variant: str, data: str, noise: float, seed: int) -> dict[str, float]:
    """Return the area of one trial, by the trapezoidal rule with points one apart."""
    task = task_of(variant, data, noise, seed)
    settings = {"n_trees": N_TREES, "error_rate": noise, "random_state": seed, **VARIANTS[variant]}
    X, truth, _ = load(task)
    rows = linked_rows(
        task.on(len(truth)),
        X,
        truth,
        lambda n_clusters: COPRF(n_clusters=n_clusters, **settings),
        contradicted=True,
    )
    return {"area": float(np.trapezoid([row["ari"] for row in rows]))}


def task_of(variant: str, data: str, noise: float, seed: int) -> Task:
    """Return the same trial of the whole method as a task of the bench."""
    assert variant in VARIANTS
    return Task("coprf", data, seed, (), kind="links", noise=noise, scaling="range", shares=SHARES)


def main() -> None:
    """Write a line per variant, a column per data set and share of wrong answers."""
    keys = [
        {"variant": variant, "data": data, "noise": noise, "seed": seed}
        for seed, variant, noise, data in product(range(TRIALS), VARIANTS, TABLES, DATA)
    ]
    write_table("coprf_variants", table(kept_rows("coprf_variants", keys, area, task_of)))


def table(rows: pd.DataFrame) -> str:
    """Return the means of the trials there are, below the paper's own figures."""
    cells = [(data, noise) for noise in TABLES for data in DATA]
    means = rows.groupby(["variant", "data", "noise"])["area"].mean()
    published = papers.load("coprf").published.query("method == 'coprf'")
    told = published.set_index(["data", "reference"])["published"].to_dict()
    lines = [["the paper", *(f"{told[data, TABLES[noise]]:.2f}" for data, noise in cells)]]
    found: dict[Any, float] = means.to_dict()
    shown = {key: f"{area:.2f}" for key, area in found.items()}  # empty where not run yet
    lines += [[name, *(shown.get((name, *cell), "") for cell in cells)] for name in VARIANTS]
    header = [f"{data}, {noise:.0%} wrong" for data, noise in cells]
    return markdown(["", *header], lines)
