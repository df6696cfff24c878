"""What the parts of `COPRF` buy: one of them left out or as in the paper at a time.

Areas under the curve of ARI over shares of all pairs given as links, as in the COP-RF paper's
tables II and III. Run with `python -m benchmarks coprf_variants`; LIKEWISE_DATA must name a folder
with the paper's data sets.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from joblib import Parallel, delayed

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


def area(data: str, noise: float, seed: int, settings: dict[str, Any]) -> float:
    """Return the area of one trial, by the trapezoidal rule with points one apart."""
    task = Task("", data, seed, (), kind="links", noise=noise, scaling="range", shares=SHARES)
    settings = {"n_trees": N_TREES, "error_rate": noise, "random_state": seed, **settings}
    X, truth, _ = load(task)
    rows = linked_rows(
        task.on(len(truth)),
        X,
        truth,
        lambda n_clusters: COPRF(n_clusters=n_clusters, **settings),
        contradicted=True,
    )
    return float(np.trapezoid([row["ari"] for row in rows]))


def main() -> None:
    """Write a line per variant, a column per data set and share of wrong answers."""
    cells = [(data, noise) for noise in TABLES for data in DATA]
    jobs = [
        delayed(area)(data, noise, seed, settings)
        for settings in VARIANTS.values()
        for data, noise in cells
        for seed in range(TRIALS)
    ]
    shape = (len(VARIANTS), len(cells), TRIALS)
    means = np.reshape(Parallel(n_jobs=-1)(jobs), shape).mean(axis=2)
    published = papers.load("coprf").published.query("method == 'coprf'")
    told = published.set_index(["data", "reference"])["published"].to_dict()
    paper = [told[data, TABLES[noise]] for data, noise in cells]
    rows = [["the paper", *(f"{area:.2f}" for area in paper)]]
    rows += [
        [name, *(f"{area:.2f}" for area in row)] for name, row in zip(VARIANTS, means, strict=True)
    ]
    header = [f"{data}, {noise:.0%} wrong" for data, noise in cells]
    write_table("coprf_variants", markdown(["", *header], rows))
