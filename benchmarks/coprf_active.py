"""Which chooser suits the forest affinity: COP-RF as an active method, the paper's future work.

Run with `python -m benchmarks coprf_active`; LIKEWISE_DATA must hold the UCI sets. Spectral
learning on the neighbour graph of a constraint forest, grown anew with every 16th answer, is given
to each chooser; `urasc` is the same on the Gaussian graph, which learns nothing. Right answers, the
number of groups given, three seeds.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd

import likewise as lw
from benchmarks.experiments import RESULTS, markdown, write_table
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


def area(data: str, method: lw.Recipe, seed: int) -> float:
    """Mean height of the ARI curve from 0 to 100 questions."""
    X, truth = lw.datasets.load(data)
    curve = lw.run(
        X,
        lw.oracles.FromLabels(truth),
        method=method,
        budget=CHECKPOINTS[-1],
        n_clusters=len(np.unique(truth)),
        random_state=seed,
        checkpoints=CHECKPOINTS,
    ).curve
    heights = np.interp(CHECKPOINTS, curve["questions"], curve["ari"])
    return float(np.trapezoid(heights, CHECKPOINTS) / CHECKPOINTS[-1])


def placing(chooser: Callable[[], Chooser]) -> Callable[[], Placing]:
    """The strategy by which the chooser's items are placed."""
    return lambda: Placing(chooser())


def main() -> None:
    """Areas of every chooser on every set; what is in the file already is not computed again."""
    path = RESULTS / "coprf_active.csv"
    recipes = {
        f"forest, {name}": lw.Recipe(name, placing(chooser), affinity=constraint_forest)
        for name, chooser in CHOOSERS.items()
    }
    methods = {**recipes, "urasc": lw.METHODS["urasc"]}
    rows = pd.read_csv(path).to_dict("records") if path.exists() else []
    done = {(row["data"], row["method"], row["seed"]) for row in rows}
    for seed in range(SEEDS):
        for data in DATA:
            for method, recipe in methods.items():
                if (data, method, seed) not in done:
                    found = area(data, recipe, seed)
                    rows.append({"data": data, "method": method, "seed": seed, "area": found})
                    pd.DataFrame(rows).to_csv(path, index=False)
    write_table("coprf_active", table(pd.DataFrame(rows), list(methods)))


def table(rows: pd.DataFrame, methods: list[str]) -> str:
    """A line per data set and one of means; the best chooser in bold."""
    mean = rows.groupby(["data", "method"])["area"].mean().to_dict()
    lines = []
    for data in DATA:
        best = max(mean[data, method] for method in methods)
        cells = [f"{mean[data, m]:.3f}" for m in methods]
        lines.append(
            [
                data,
                *(
                    f"**{c}**" if mean[data, m] == best else c
                    for c, m in zip(cells, methods, strict=True)
                ),
            ]
        )
    means = [np.mean([mean[data, method] for data in DATA]) for method in methods]
    lines.append(["mean", *(f"{value:.3f}" for value in means)])
    return markdown(["data", *methods], lines)
