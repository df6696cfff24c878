"""Which chooser suits the forest affinity: COP-RF as an active method, the paper's future work.

Run with `python -m benchmarks coprf_active`; LIKEWISE_DATA must hold the UCI sets. Spectral
learning on the neighbour graph of a constraint forest, grown anew with every 16th answer, is given
to each chooser; `urasc` is the same on the Gaussian graph, which learns nothing. Right answers, the
number of groups given, three seeds.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import numpy as np
import pandas as pd

import likewise as lw
from benchmarks.rows import kept_rows
from benchmarks.tables import markdown, mean_and_error, write_table
from likewise.bench.experiment import Task
from likewise.methods import constraint_forest
from likewise.strategies import (
    Chooser,
    ExpectedEntropy,
    NormalisedUncertainty,
    Placing,
    RandomItems,
    UncertaintyReduction,
)

DATA = (
    "iris", "wine", "sonar", "glass", "ionosphere", "parkinsons", "segmentation_train210",
    "cho_yeast_genes",
)  # fmt: skip
CHOOSERS: dict[str, Callable[[], Chooser]] = {
    "URASC": UncertaintyReduction,
    "MEE": ExpectedEntropy,
    "NPU": NormalisedUncertainty,
    "random items": RandomItems,
}
CHECKPOINTS, SEEDS = (0, 25, 50, 75, 100), 3


def area(data: str, method: str, seed: int) -> dict[str, float]:
    """Return the mean height of the ARI curve from 0 to 100 questions."""
    X, truth = lw.datasets.load(data)
    curve = lw.run(
        X,
        lw.oracles.FromLabels(truth),
        method=RECIPES[method],
        budget=CHECKPOINTS[-1],
        n_clusters=len(np.unique(truth)),
        random_state=seed,
        checkpoints=CHECKPOINTS,
    ).curve
    heights = np.interp(CHECKPOINTS, curve["questions"], curve["ari"])
    return {"area": float(np.trapezoid(heights, CHECKPOINTS) / CHECKPOINTS[-1])}


def task_of(data: str, method: str, seed: int) -> Task:
    """Return the run as a task of the bench."""
    return Task(method, data, seed, CHECKPOINTS)


def placing(chooser: Callable[[], Chooser]) -> Callable[[], Placing]:
    """Return what makes the strategy by which the chooser's items are placed."""
    return lambda: Placing(chooser())


RECIPES = {
    **{
        f"forest, {name}": lw.Recipe(name, placing(chooser), affinity=constraint_forest)
        for name, chooser in CHOOSERS.items()
    },
    "urasc": lw.METHODS["urasc"],
}


def main() -> None:
    """Write the areas of every chooser on every set."""
    keys = [
        {"data": data, "method": method, "seed": seed}
        for seed, data, method in product(range(SEEDS), DATA, RECIPES)
    ]
    rows = kept_rows("coprf_active", keys, area, task_of, recipes=RECIPES)
    write_table("coprf_active", table(rows, list(RECIPES)))


def table(rows: pd.DataFrame, methods: list[str]) -> str:
    """Return a line per data set and one of means; the best chooser in bold."""
    # Cells of which there are no rows yet stay empty.
    means = rows.pivot_table("area", "data", "method").reindex(index=list(DATA), columns=methods)
    lines = []
    for data, row in means.iterrows():
        of_set = rows[rows["data"] == data].groupby("method")["area"]
        cells = [mean_and_error(of_set.get_group(m)) if m in of_set.groups else "" for m in methods]
        best = [bool(cell) and value == row.max() for cell, value in zip(cells, row, strict=True)]
        lines.append(
            [str(data), *(f"**{c}**" if b else c for c, b in zip(cells, best, strict=True))]
        )
    whole = means.dropna()  # so that means are over the same sets
    lines.append(["mean", *(f"{value:.3f}" if len(whole) else "" for value in whole.mean())])
    return markdown(["data", *methods], lines)
