"""The default method against the others, set by set, and what each of its ingredients buys.

Run with `python -m benchmarks auto`; auto.toml says what is run. The number of groups is unknown,
answers are right. The areas are under the curve of the adjusted Rand index from 0 to 200 questions.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from benchmarks.experiments import HERE, markdown, rows_of, write_table
from likewise.bench.experiment import Experiment

TUNED = 12  # so many data sets of the experiment were looked at while settings were chosen


def areas(rows: pd.DataFrame) -> pd.DataFrame:
    """Mean area by data set and method; what has not been run is missing."""

    def area(curve: pd.DataFrame) -> float:
        at = curve.sort_values("questions")
        return float(np.trapezoid(at.ari, at.questions) / at.questions.max())

    runs = rows.groupby(["data", "method", "seed"])[["questions", "ari"]].apply(area)
    return runs.groupby(["data", "method"]).mean().unstack()


def table(part: pd.DataFrame, methods: list[str]) -> str:
    """A line per data set, the best in bold, and the means of methods that were run on all."""
    lines = []
    for data, row in part.iterrows():
        best = row.max()
        cells = [
            "" if np.isnan(row[m]) else f"**{row[m]:.3f}**" if row[m] == best else f"{row[m]:.3f}"
            for m in methods
        ]
        lines.append([str(data), *cells])
    whole = part.notna().all()
    means = part.mean()
    lines.append(["mean", *(f"{means[m]:.3f}" if whole[m] else "" for m in methods)])
    return markdown(["data", *methods], lines)


def main() -> None:
    """Tables: sets that settings were chosen on, sets held out, and wrong answers."""
    experiment = Experiment.read(HERE / "auto.toml")
    rows = rows_of(experiment)
    found = areas(rows[rows.noise == 0])
    methods = list(dict.fromkeys(task.method for task in experiment.tasks))
    names = list(dict.fromkeys(task.data_name for task in experiment.tasks if not task.noise))
    for title, part in (("tuned", names[:TUNED]), ("held_out", names[TUNED:])):
        write_table(f"auto_{title}", table(found.reindex(part), methods))
    noisy = [task for task in experiment.tasks if task.noise]
    text = ""
    for noise in sorted({task.noise for task in noisy}):
        part = areas(rows[rows.noise == noise])
        text += f"{noise:.0%} wrong answers:\n\n{table(part, list(part))}\n"
    write_table("auto_noisy", text)
