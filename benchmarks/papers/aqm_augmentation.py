"""What augmented pairs, and the terms we add, are worth to AQM when links are random pairs.

Run with `python -m benchmarks aqm_augmentation`; the smaller data set is that of the paper's
figure 2.
"""

from __future__ import annotations

from benchmarks.rows import rows_of
from benchmarks.tables import markdown, mean_and_error, write_curves, write_table
from likewise.bench.experiment import Experiment

METHODS = ["aqm-letter", "aqm-letter-not-augmented", "aqm", "aqm-not-augmented"]
LINKS = (10, 30, 60, 120)
FIGURE_2 = {"name": "aqm-simulation", "n": 60, "informative": 6, "noise": 3, "n_clusters": 6,
            "separation": 5.0}  # fmt: skip
RUNS = {"kind": "links", "methods": METHODS, "checkpoints": list(LINKS), "seeds": 10}


def main() -> None:
    """Write a table of means with their standard errors, and the paper's figure."""
    described = {
        "name": "aqm_augmentation",
        "runs": [{**RUNS, "data": [FIGURE_2]}, {**RUNS, "data": ["aqm-simulation"]}],
    }
    rows = rows_of(Experiment.of(described))
    by_point = rows.groupby(["data", "method", "questions"]).ari
    cells = {point: mean_and_error(runs) for point, runs in by_point}
    lines = [
        [f"{n} items", method, *(cells[data, method, links] for links in LINKS)]
        for n, data in sorted(set(zip(rows.n.tolist(), rows.data.tolist(), strict=True)))
        for method in METHODS
    ]
    write_table("aqm_augmentation", markdown(["data", "method", *map(str, LINKS)], lines))
    write_curves(
        rows[rows.n == FIGURE_2["n"]],
        "aqm-augmentation",
        "Random pairs, 6 groups, 3 of 9 features irrelevant",
    )
