"""What the parts of `COPRF` buy: one of them left out or as in the paper at a time.

Areas under the curve of ARI over shares of all pairs given as links, all answers right, as in the
COP-RF paper's table II. What is done about wrong ones stands in `coprf_tables`. Run with `python -m
benchmarks coprf_variants`; LIKEWISE_DATA must name a folder with the paper's data sets.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from benchmarks.rows import kept_rows
from benchmarks.tables import markdown, mean_and_error, write_table
from likewise.bench import papers
from likewise.bench.experiment import Task
from likewise.bench.task_data import load
from likewise.bench.tasks.linked_clusterers import N_TREES
from likewise.bench.tasks.links import linked_rows
from likewise.clusterers import COPRF

DATA = ("ionosphere", "iris", "segmentation_train210", "parkinsons", "glass_with_id")
SHARES = (0.001, 0.002, 0.003, 0.004, 0.005)
TRIALS = 3
BASE = "`COPRF`"
VARIANTS: dict[str, dict[str, Any]] = {
    BASE: {},
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
    """Write a line per variant, a column per data set."""
    keys = [
        {"variant": variant, "data": data, "noise": 0.0, "seed": seed}
        for seed, variant, data in product(range(TRIALS), VARIANTS, DATA)
    ]
    write_table("coprf_variants", table(kept_rows("coprf_variants", keys, area, task_of)))


def table(rows: pd.DataFrame) -> str:
    """Return means of the trials and their standard errors, below the paper's own figures.

    Then the mean over the sets, of the trials that have all of them, and how far it is from that of
    the whole method, paired by trial.
    """
    published = papers.load("coprf").published.query("method == 'coprf'")
    told = published.set_index(["data", "reference"])["published"].to_dict()
    lines = [["the paper", *(f"{told[data, 'Table II']:.2f}" for data in DATA), "", ""]]
    every = rows.pivot_table("area", ["variant", "seed"], "data")
    whole = every.reindex(columns=list(DATA)).dropna().mean(axis=1)
    for name in VARIANTS:
        here = rows[rows["variant"] == name]
        if here.empty:
            continue  # not run yet
        cells = [mean_and_error(here[here["data"] == data]["area"], digits=2) for data in DATA]
        mean = whole.loc[[name]].droplevel("variant") if name in whole.index else pd.Series()
        away = (mean - whole.loc[BASE]).dropna() if name != BASE and len(mean) else pd.Series()
        lines.append([
            name, *cells, mean_and_error(mean, digits=2), mean_and_error(away, digits=2, sign="+")
        ])  # fmt: skip
    return markdown(["", *DATA, "mean of the five", "beside `COPRF`, trial by trial"], lines)
