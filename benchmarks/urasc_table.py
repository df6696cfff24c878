"""URASC, its variants and baselines at the paper's numbers of questions, beside its figures.

Run with `python -m benchmarks urasc_table`; LIKEWISE_DATA must hold sonar, bupa_liver and
pima_diabetes.
"""

from __future__ import annotations

import pandas as pd

from benchmarks.running import Job, markdown, run_all, write_table

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


def table(rows: pd.DataFrame, metric: str, position: int) -> str:
    """Means over seeds, the paper's URASC+N first."""
    means = rows.groupby(["data", "questions", "method"])[metric].mean()
    lines = [
        [data, str(questions), f"{figures[position]:.3f}"]
        + [f"{means.loc[(data, questions, method)]:.3f}" for method in METHODS]
        for data, checkpoints in PUBLISHED.items()
        for questions, figures in checkpoints.items()
    ]
    return markdown(["data", "questions", "paper, URASC+N", *METHODS], lines)


def main() -> None:
    """Run everything and write one table for each of the two metrics."""
    rows = run_all(
        (
            Job(data, method, seed, tuple(checkpoints))
            for data, checkpoints in PUBLISHED.items()
            for method in METHODS
            for seed in range(SEEDS)
        ),
        "urasc",
    )
    write_table("urasc_v_measure", table(rows, "v_measure", 1))
    write_table("urasc_jaccard", table(rows, "jaccard", 0))
