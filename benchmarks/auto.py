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
    """A line per data set, the best in bold, and the means over sets that all have run."""
    lines = []
    for data, row in part.iterrows():
        best = row.max()
        cells = [
            "" if np.isnan(row[m]) else f"**{row[m]:.3f}**" if row[m] == best else f"{row[m]:.3f}"
            for m in methods
        ]
        lines.append([str(data), *cells])
    means = part.dropna()[methods].mean()
    lines.append([f"mean of {len(part.dropna())}", *(f"{means[m]:.3f}" for m in methods)])
    return markdown(["data", *methods], lines)


def main() -> None:
    """Two tables: sets that settings were chosen on, and sets held out."""
    experiment = Experiment.read(HERE / "auto.toml")
    rows = rows_of(experiment)
    found = areas(rows.assign(data=rows["data"]))
    methods = list(dict.fromkeys(task.method for task in experiment.tasks))
    names = list(dict.fromkeys(task.data for task in experiment.tasks))
    for title, part in (("tuned", names[:TUNED]), ("held_out", names[TUNED:])):
        write_table(f"auto_{title}", table(found.reindex(part), methods))
