"""Several questions at once: what is lost beside one at a time, for the same number of answers.

Run with `python -m benchmarks urasc_batches`. The number of groups is given; areas are of ARI to
100 questions. How several items are chosen was settled on the first two sets.
"""

from __future__ import annotations

import pandas as pd

import likewise as lw
from benchmarks.rows import kept_rows
from benchmarks.tables import markdown, mean_and_error, write_table
from likewise.bench.experiment import Task
from likewise.bench.statistics import area

LOOKED_AT = ("segmentation_train210", "glass")
OTHERS = ("iris", "wine", "cho_yeast_genes", "parkinsons", "balance_scale")
METHODS = {"urasc": 3, "random-items": 3, "auto": 2}  # and how many seeds
SIZES = (1, 5, 15)
BUDGET = 100
POINTS = tuple(range(0, BUDGET + 1, 5))


def compute(*, method: str, data: str, batch: int, seed: int) -> dict[str, float]:
    """Return the area of one run, its last ARI, and how often it could learn from answers."""
    X, truth = lw.datasets.load(data)
    run = lw.run(
        X,
        lw.oracles.FromLabels(truth),
        method=method,
        n_clusters=len(set(truth.tolist())),
        budget=BUDGET,
        batch=batch,
        checkpoints=POINTS,
        random_state=seed,
    )
    return {"area": area(run.curve, budget=BUDGET), "last": float(run.curve["ari"].iloc[-1])}


def task_of(*, method: str, data: str, batch: int, seed: int) -> Task:
    """Return a task of the same method on the same data."""
    return Task(method, data, seed, POINTS)


def main() -> None:
    """Write a line per data set and method: one at a time, and what batches lose."""
    keys = [
        {"method": method, "data": data, "batch": batch, "seed": seed}
        for method, seeds in METHODS.items()
        for data in (*LOOKED_AT, *OTHERS)
        for batch in SIZES
        for seed in range(seeds)
    ]
    write_tables(kept_rows("urasc_batches", keys, compute, task_of))


def write_tables(rows: pd.DataFrame) -> None:
    """Write what the documentation shows of the rows there are."""
    lines = []
    for method in METHODS:
        parts = []
        for data in (*LOOKED_AT, *OTHERS):
            here = rows[(rows["method"] == method) & (rows["data"] == data)]
            areas = here.pivot_table(index="seed", columns="batch", values="area")
            if set(SIZES) - set(areas.columns):
                continue
            lost = [(areas[batch] - areas[1]).dropna() for batch in SIZES[1:]]
            name = f"{data} (looked at)" if data in LOOKED_AT else data
            cells = [mean_and_error(values, sign="+") for values in lost]
            lines.append([method, name, mean_and_error(areas[1]), *cells])
            if data in OTHERS:
                parts.append([values.mean() for values in lost])
        if parts:
            means = [f"{mean:+.3f}" for mean in pd.DataFrame(parts).mean()]
            lines.append([method, "mean of those not looked at", "", *means])
    header = ["method", "data", "area, one at a time", *(f"{b} at a time" for b in SIZES[1:])]
    write_table("urasc_batches", markdown(header, lines))
