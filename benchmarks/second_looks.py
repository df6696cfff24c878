"""Does it help to leave doubtful answers out, or to ask again? With 5 to 15 % wrong answers.

Run with `python -m benchmarks second_looks`; LIKEWISE_DATA must hold segmentation_train210. A
second question costs like a first; whoever was mistaken about a pair stays so.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

import likewise as lw
from benchmarks.experiments import RESULTS, markdown, write_table
from likewise.second_looks import POLICIES

DATA = ("iris", "wine", "segmentation_train210")
METHODS = ("urasc",)
KEY = ("data", "method", "noise", "policy", "seed")
NOISE, SEEDS, BUDGET = (0.05, 0.1, 0.15), 3, 120


def ari(data: str, method: str, noise: float, policy: str, seed: int) -> float:
    """Agreement with the truth when the budget is spent."""
    X, truth = lw.datasets.load(data)
    result = lw.run(
        X,
        lw.oracles.Noisy(truth, noise, seed),
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
    for seed in range(SEEDS):
        for data in DATA:
            for method in METHODS:
                for noise in NOISE:
                    for policy in POLICIES:
                        key = (data, method, noise, policy, seed)
                        if key not in done:
                            rows.append({**dict(zip(KEY, key, strict=True)), "ari": ari(*key)})
                            pd.DataFrame(rows).to_csv(path, index=False)
    write_table("second_looks", table(pd.DataFrame(rows)))


def table(rows: pd.DataFrame) -> str:
    """A line per method, data set and share of wrong answers."""
    mean = rows.groupby(["method", "data", "noise", "policy"])["ari"].mean().to_dict()
    lines = [
        [method, data, f"{noise:.0%}", *(f"{mean[method, data, noise, p]:.3f}" for p in POLICIES)]
        for method in METHODS
        for data in DATA
        for noise in NOISE
        if all((method, data, noise, policy) in mean for policy in POLICIES)
    ]
    means = np.array([[float(cell) for cell in line[3:]] for line in lines]).mean(axis=0)
    lines.append(["mean", "", "", *(f"{value:.3f}" for value in means)])
    return markdown(["method", "data", "wrong", *POLICIES], lines)
