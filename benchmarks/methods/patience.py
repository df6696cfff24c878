"""Slow public tools with ten minutes for a run, beside ours of the same kind.

Run with `python -m benchmarks patience`; it goes on where it was interrupted. LIKEWISE_DATA must
hold the UCI sets; the tools are installed into environments of their own when first wanted.
"""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from benchmarks.rows import rows_of
from benchmarks.tables import markdown, write_table
from likewise.bench.experiment import Experiment
from likewise.bench.report.rows import checked
from likewise.bench.report.summary import runs_of


def main() -> None:
    """Write a line per method: its area on each set, and how far it came where it was stopped."""
    write_tables(rows_of(Experiment.read(Path(__file__).with_name("patience.toml"))))


def write_tables(rows: pd.DataFrame) -> None:
    """Write what the documentation shows of the results."""
    write_table("patience", table(rows[rows["noise"] == 0]))
    wrong = rows[rows["noise"] > 0]
    if len(wrong):
        write_table("patience_wrong", table(wrong))


def table(rows: pd.DataFrame) -> str:
    """Return a line per method, a column per set."""
    runs = runs_of(checked(rows))
    sets = list(dict.fromkeys(runs["data"]))
    lines = []
    for method in dict.fromkeys(runs["method"]):
        own = runs[runs["method"] == method].set_index("data")
        cells = [cell(own.loc[[data]]) if data in own.index else "" for data in sets]
        lines.append([str(method), *cells])
    return markdown(["method", *(str(data) for data in sets)], lines)


def cell(runs: pd.DataFrame) -> str:
    """Return the mean area, and how many runs did not end."""
    ended = int((runs["status"] == "ok").sum())
    mean = "failed" if runs["area"].isna().all() else f"{float(runs['area'].mean()):.3f}"
    return (
        mean if ended == len(runs) else f"{mean} ({len(runs) - ended} of {len(runs)} did not end)"
    )
