"""URASC and its rivals at the paper's numbers of questions, beside the paper's figures.

    LIKEWISE_DATA=folder python -m benchmarks.urasc_table

writes results/urasc_table.csv (a row per method, data set, seed and checkpoint) and
results/urasc_table.md (means beside the published figures).
"""

from __future__ import annotations

import sys
from pathlib import Path

import pandas as pd
from joblib import Parallel, delayed
from threadpoolctl import threadpool_limits

import likewise as lw

RESULTS = Path(__file__).parent / "results"
SEEDS = 10
# data set -> number of questions -> (Jaccard, V-measure) of URASC+N: figures 4 and 5 of the paper.
PUBLISHED = {
    "wine": {5: (0.8370, 0.8389), 10: (0.8565, 0.8579), 15: (0.9342, 0.9281)},
    "sonar": {50: (0.3707, 0.0641), 150: (0.8182, 0.7154), 180: (0.9124, 0.8593)},
    "bupa_liver": {100: (0.5090, 0.2079), 200: (0.6001, 0.4039), 300: (0.8952, 0.8088)},
    "pima_diabetes": {150: (0.5661, 0.2113), 300: (0.6173, 0.3780), 450: (0.6303, 0.4606)},
}
METHODS = (
    "urasc", "urasc-p", "urasc-go", "urasc-no", "urasc-po", "ffqs", "random-items", "random",
)  # fmt: skip


def one(data: str, method: str, seed: int) -> pd.DataFrame:
    """One run, scored at the paper's numbers of questions."""
    X, y = lw.datasets.load(data)
    checkpoints = list(PUBLISHED[data])
    with threadpool_limits(1):
        result = lw.run(
            X,
            lw.oracles.FromLabels(y),
            method=method,
            budget=max(checkpoints),
            n_clusters=len(set(y)),
            random_state=seed,
            checkpoints=checkpoints,
        )
    rows = result.curve[["questions", "jaccard", "v_measure", "ari", "seconds"]].copy()
    # A study that is complete before the budget is spent keeps its last score.
    for missing in sorted(set(checkpoints) - set(rows.questions)):
        rows.loc[len(rows)] = {**rows.iloc[-1], "questions": missing}
    rows.insert(0, "seed", seed)
    rows.insert(0, "method", method)
    rows.insert(0, "data", data)
    return rows[rows.questions.isin(checkpoints)]


def table(rows: pd.DataFrame) -> str:
    """Means over seeds as Markdown, Jaccard / V-measure, the paper's URASC+N first."""
    means = rows.groupby(["data", "questions", "method"])[["jaccard", "v_measure"]].mean()
    methods = [m for m in METHODS if m in set(rows.method)]
    lines = [
        "| data, questions | paper, URASC+N | " + " | ".join(methods) + " |",
        "|---|---|" + "---|" * len(methods),
    ]
    for data, checkpoints in PUBLISHED.items():
        for questions, (jaccard, v_measure) in checkpoints.items():
            if (data, questions, methods[0]) not in means.index:
                continue
            cells = [f"{jaccard:.3f} / {v_measure:.3f}"]
            for method in methods:
                mean = means.loc[(data, questions, method)]
                cells.append(f"{mean.jaccard:.3f} / {mean.v_measure:.3f}")
            lines.append(f"| {data}, {questions} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def main(methods: tuple[str, ...] = METHODS) -> None:
    """Run everything, most expensive first so that both cores stay busy to the end."""
    jobs = [
        (data, method, seed)
        for data in reversed(PUBLISHED)
        for method in methods
        for seed in range(SEEDS)
    ]
    frames = Parallel(n_jobs=-1, verbose=1)(delayed(one)(*job) for job in jobs)
    rows = pd.concat(frames, ignore_index=True)
    RESULTS.mkdir(exist_ok=True)
    rows.round(4).to_csv(RESULTS / "urasc_table.csv", index=False)
    (RESULTS / "urasc_table.md").write_text(table(rows))
    sys.stdout.write(table(rows))


if __name__ == "__main__":
    main(tuple(sys.argv[1:]) or METHODS)
