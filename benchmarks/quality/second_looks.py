"""Does it help to leave doubtful answers out, or to ask again? With 0, 5 and 15 % wrong answers.

Run with `python -m benchmarks second_looks`; LIKEWISE_DATA must hold segmentation_train210 and
parkinsons. A second question costs like a first; whoever was mistaken about a pair stays so.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pandas as pd

import likewise as lw
from benchmarks.rows import kept_rows
from benchmarks.tables import markdown, with_best_bold, write_table
from likewise.bench.experiment import Task
from likewise.simulation.rechecks import POLICIES

DATA = ("wine", "iris", "parkinsons", "segmentation_train210")
METHODS = ("urasc", "random-items", "auto")
KEY = ("seed", "data", "method", "noise", "policy")
NOISE, SEEDS, BUDGET = (0.0, 0.05, 0.15), 2, 100


def ari(data: str, method: str, noise: float, policy: str, seed: int) -> dict[str, float]:
    """Return the agreement with the truth when the budget is spent."""
    X, truth = lw.datasets.load(data)
    result = lw.run(
        X,
        lw.oracles.Noisy(truth, noise, seed) if noise else lw.oracles.FromLabels(truth),
        method=method,
        budget=BUDGET,
        n_clusters=len(np.unique(truth)),
        random_state=seed,
        checkpoints=[BUDGET],
        doubt=policy,
    )
    return {"ari": lw.metrics.ari(truth, result.labels_)}


def task_of(data: str, method: str, noise: float, seed: int, **_: Any) -> Task:
    """Return the run as a task of the bench."""
    return Task(method, data, seed, (BUDGET,), noise=noise)


def main() -> None:
    """Write the table of each policy's ARI."""
    every = product(range(SEEDS), DATA, METHODS, NOISE, POLICIES)
    keys = [dict(zip(KEY, key, strict=True)) for key in every]
    write_table("second_looks", table(kept_rows("second_looks", keys, ari, task_of)))


def table(rows: pd.DataFrame) -> str:
    """Return a line per method and share of wrong answers: means over sets and seeds."""
    every = rows.pivot_table("ari", ["method", "noise", "data", "seed"], "policy")
    policies = [policy for policy in POLICIES if policy in every]
    lines = []
    for key, part in every[policies].groupby(["method", "noise"], sort=False):
        method, noise = np.asarray(key, dtype=object)
        # A run under every policy that the method was run under, or none.
        complete = part[[policy for policy in policies if part[policy].notna().any()]].dropna()
        means = complete.mean().reindex(policies)
        runs = str(len(complete))
        lines.append([str(method), f"{noise:.0%}", runs, *with_best_bold(list(means))])
    return markdown(["method", "wrong", "runs", *policies], lines)
