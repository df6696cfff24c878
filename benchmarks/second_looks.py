"""Does it help to leave doubtful answers out, or to ask again? With 0, 5 and 15 % wrong answers.

Run with `python -m benchmarks second_looks`; LIKEWISE_DATA must hold segmentation_train210 and
parkinsons. A second question costs like a first; whoever was mistaken about a pair stays so.
"""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd

import likewise as lw
from benchmarks.experiments import RESULTS, markdown, write_table
from likewise.simulation.rechecks import POLICIES

DATA = ("wine", "iris", "parkinsons", "segmentation_train210")
METHODS = ("urasc", "random-items", "auto")
KEY = ("data", "method", "noise", "policy", "seed")
NOISE, SEEDS, BUDGET = (0.0, 0.05, 0.15), 2, 100


def ari(data: str, method: str, noise: float, policy: str, seed: int) -> float:
    """Agreement with the truth when the budget is spent."""
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
    return lw.metrics.ari(truth, result.labels_)


def main() -> None:
    """ARI of each policy; what is in the file already is not computed again."""
    path = RESULTS / "second_looks.csv"
    rows = pd.read_csv(path).to_dict("records") if path.exists() else []
    done = {tuple(row[name] for name in KEY) for row in rows}
    for seed, data, method, noise, policy in product(range(SEEDS), DATA, METHODS, NOISE, POLICIES):
        key = (data, method, noise, policy, seed)
        if key not in done:
            rows.append({**dict(zip(KEY, key, strict=True)), "ari": ari(*key)})
            pd.DataFrame(rows).to_csv(path, index=False)
    write_table("second_looks", table(pd.DataFrame(rows)))


def table(rows: pd.DataFrame) -> str:
    """A line per method and share of wrong answers: means over sets and seeds."""
    every = rows.pivot_table("ari", ["method", "noise", "data", "seed"], "policy")
    policies = [policy for policy in POLICIES if policy in every]
    complete = every[policies].dropna()  # a run under every policy, or none
    lines = []
    for key, part in complete.groupby(["method", "noise"], sort=False):
        method, noise = np.asarray(key, dtype=object)
        means = part.mean()
        cells = [f"**{m:.3f}**" if m == means.max() else f"{m:.3f}" for m in means]
        lines.append([str(method), f"{noise:.0%}", str(len(part)), *cells])
    return markdown(["method", "wrong", "runs", *policies], lines)
