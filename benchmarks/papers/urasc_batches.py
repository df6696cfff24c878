"""Several questions at once: what is lost beside one at a time, for the same number of answers.

Run with `python -m benchmarks urasc_batches`; LIKEWISE_DATA must hold the sets below. The number of
groups is given; areas are of ARI to 100 questions. How several are chosen was settled on the sets
that are marked; of the larger sets 300 rows are drawn by the seed.
"""

from __future__ import annotations

import pandas as pd

import likewise as lw
from benchmarks.rows import kept_rows
from benchmarks.tables import markdown, mean_and_error, write_table
from likewise.bench.experiment import Task
from likewise.bench.statistics import area
from likewise.bench.task_data import load

SMALL = (
    "segmentation_train210", "glass", "iris", "wine", "cho_yeast_genes", "parkinsons",
    "balance_scale",
)  # fmt: skip
LARGE = ("urban_land_cover", "meu_mobile_9users", "digits", "olivetti_faces", "pendigits")
ROWS = 300  # of the larger ones
SETS = dict.fromkeys(("urasc", "random-items", "auto"), (*SMALL, *LARGE))
LOOKED_AT = {
    "urasc": ("segmentation_train210", "glass"),
    "random-items": (),
    "auto": (*(data for data in SMALL if data != "parkinsons"), *LARGE[:2]),
}
SEEDS = {"urasc": 8, "random-items": 8, "auto": 2}
SIZES = (1, 5, 15)
BUDGET = 100
POINTS = tuple(range(0, BUDGET + 1, 5))


def compute(*, method: str, data: str, batch: int, seed: int) -> dict[str, float]:
    """Return the area of one run, its last ARI, and how often it could learn from answers."""
    X, truth, _ = load(task_of(method=method, data=data, batch=batch, seed=seed))
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
    drawn = (("rows", ROWS),) if data in LARGE else ()
    return Task(method, data, seed, POINTS, data_settings=drawn)


def main() -> None:
    """Write a line per data set and method: one at a time, and what batches lose."""
    keys = [
        {"method": method, "data": data, "batch": batch, "seed": seed}
        for seed in range(max(SEEDS.values()))
        for method in SETS
        for data in SETS[method]
        for batch in SIZES
        if seed < SEEDS[method]
    ]
    write_tables(kept_rows("urasc_batches", keys, compute, task_of))


def write_tables(rows: pd.DataFrame) -> None:
    """Write what the documentation shows of the rows there are."""
    lines = []
    for method, sets in SETS.items():
        parts = []
        for data in sets:
            here = rows[(rows["method"] == method) & (rows["data"] == data)]
            areas = here.pivot_table(index="seed", columns="batch", values="area")
            if set(SIZES) - set(areas.columns):
                continue
            lost = [(areas[batch] - areas[1]).dropna() for batch in SIZES[1:]]
            looked_at = data in LOOKED_AT[method]
            name = f"{data} (looked at)" if looked_at else data
            cells = [mean_and_error(values, sign="+") for values in lost]
            runs = str(len(areas.dropna()))
            lines.append([method, name, runs, mean_and_error(areas[1]), *cells])
            if not looked_at:
                parts.append([values.mean() for values in lost])
        if parts:
            means = [f"{mean:+.3f}" for mean in pd.DataFrame(parts).mean()]
            name = "mean of those not looked at" if LOOKED_AT[method] else "mean"
            lines.append([method, name, "", "", *means])
    header = ["method", "data", "runs", "area, one at a time"]
    header += [f"{batch} at a time" for batch in SIZES[1:]]
    write_table("urasc_batches", markdown(header, lines))
