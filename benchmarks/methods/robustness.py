"""Two per cent of wrong answers, and an unknown number of groups, on the digits images.

Run with `python -m benchmarks robustness`; robustness.toml says what is run,
robustness_verified.toml what is run once more with doubtful answers asked again. No data but
scikit-learn's are needed. The paper's figures 7 and 8 show the same on face, leaf and dog images
that are not to be had.
"""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from benchmarks.rows import rows_of
from benchmarks.tables import markdown, mean_and_error, write_curves, write_table
from likewise.bench.experiment import Experiment

SHOWN = (0, 40, 100, 200, 300, 400)


def main() -> None:
    """Write a table of means, and a figure per case that the documentation shows."""
    experiment, verified = (
        Experiment.read(Path(__file__).with_name(f"{name}.toml"))
        for name in ("robustness", "robustness_verified")
    )
    rows, again = rows_of(experiment), rows_of(verified)
    again = again.assign(method=again["method"] + ", verified")
    methods = list(dict.fromkeys(task.method for task in experiment.tasks))

    def of_whom(name: str) -> tuple[int, str]:
        """Order by method, those that verify behind those that do not."""
        return methods.index(name.split(",")[0]), name

    lines = []
    for k_known in (True, False):
        for noise in (0.0, 0.02):
            case = rows[(rows.k_known == k_known) & (rows.noise == noise)]
            case = case.sort_values("method", key=lambda names: names.map(methods.index))
            groups = "10 groups, known" if k_known else "number of groups unknown"
            wrong = f"{noise:.0%} wrong answers" if noise else "all answers right"
            name = ("known" if k_known else "unknown") + ("-noisy" if noise else "")
            if k_known or not noise:
                write_curves(case, f"digits-{name}", f"Handwritten digits: {groups}, {wrong}")
            if noise:
                case = pd.concat([case, again[again.k_known == k_known]])
            runs = dict(list(case.groupby(["method", "questions"]).ari))
            lines += [
                [groups, wrong, method, *(mean_and_error(runs[method, q]) for q in SHOWN)]
                for method in sorted(case["method"].unique(), key=of_whom)
            ]
    header = ["groups", "answers", "method", *(f"{q} questions" for q in SHOWN)]
    write_table("robustness", markdown(header, lines))
