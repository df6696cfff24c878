"""Two per cent of wrong answers, and an unknown number of groups, on the digits images.

Run with `python -m benchmarks robustness`; it needs no data but scikit-learn's. The paper's
figures 7 and 8 show the same on face, leaf and dog images that are not to be had.
"""

from __future__ import annotations

from itertools import product

import pandas as pd

from benchmarks.running import IMAGES, Job, markdown, run_all, write_table

SEEDS = 10
METHODS = ("urasc", "ffqs", "random-items", "random")
CHECKPOINTS = tuple(range(0, 401, 20))
SHOWN = (0, 40, 100, 200, 300, 400)
CASES = {
    "clean": (True, 0.0),
    "noisy": (True, 0.02),
    "unknown": (False, 0.0),
    "unknown-noisy": (False, 0.02),
}


def draw(rows: pd.DataFrame, name: str, title: str) -> None:
    """Curves of all methods in one case, as docs/images/NAME.png."""
    from matplotlib.figure import Figure

    import likewise as lw

    figure = Figure(figsize=(6.4, 4.0), layout="constrained")
    runs = {
        method: [curve for _, curve in rows[rows.method == method].groupby("seed")]
        for method in METHODS
    }
    axes = lw.plots.curve(runs, ax=figure.add_subplot())
    axes.set_title(title)
    axes.set_ylabel("agreement with the truth (ARI)")
    IMAGES.mkdir(parents=True, exist_ok=True)
    figure.savefig(IMAGES / f"{name}.png", dpi=130, metadata={"Software": None})


def main() -> None:
    """Run everything; a table of means and a figure per case."""
    rows = run_all(
        (
            Job("digits", method, seed, CHECKPOINTS, k_known, error_rate)
            for (k_known, error_rate), method, seed in product(
                CASES.values(), METHODS, range(SEEDS)
            )
        ),
        "robustness",
    )
    lines = []
    for name, (k_known, error_rate) in CASES.items():
        case = rows[(rows.k_known == k_known) & (rows.error_rate == error_rate)]
        means = case.groupby(["method", "questions"]).ari.mean()
        groups = "10 groups, known" if k_known else "number of groups unknown"
        wrong = f"{error_rate:.0%} wrong answers" if error_rate else "all answers right"
        draw(case, f"digits-{name}", f"Handwritten digits: {groups}, {wrong}")
        lines += [
            [groups, wrong, method, *(f"{means.loc[(method, q)]:.3f}" for q in SHOWN)]
            for method in METHODS
        ]
    header = ["groups", "answers", "method", *(f"{q} questions" for q in SHOWN)]
    write_table("robustness", markdown(header, lines))
