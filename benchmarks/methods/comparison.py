"""Every method and every public tool on eighteen data sets: who needs the fewest answers, where.

Run with `python -m benchmarks comparison`; comparison.toml says what is run. LIKEWISE_DATA must
hold the UCI sets; the public tools are installed into environments of their own when first wanted.
"""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from benchmarks.rows import rows_of
from benchmarks.tables import RESULTS, markdown, write_table
from likewise.bench.experiment import Experiment
from likewise.bench.peers import PEERS
from likewise.bench.report import write_report
from likewise.bench.report.rows import checked
from likewise.bench.report.summary import ConditionSummary, parts_of, runs_of


def main() -> None:
    """Write the report, and the tables that the documentation shows."""
    experiment = Experiment.read(Path(__file__).with_name("comparison.toml"))
    rows = rows_of(experiment)
    write_report(rows, RESULTS / "comparison", title=experiment.title)
    frame = checked(rows)
    (part,) = parts_of(frame, runs_of(frame))
    write_table("comparison_ranks", ranks(part))
    write_table("comparison_areas", areas(part))


def ranks(part: ConditionSummary) -> str:
    """Return a line per method, best mean rank first."""
    lines = []
    for line in part.summary():
        versus = line["versus"]
        record = f"{versus.wins} / {versus.ties} / {versus.losses}" if versus else ""
        ended = ", ".join(f"{line[how]} {how}" for how in ("failed", "stopped") if line[how])
        area, rank, ms = f"{line['area']:.3f}", f"{line['rank']:.1f}", f"{line['ms']:.0f}"
        lines.append([line["method"], rank, area, record, ms, ended])
    header = ["method", "mean rank", "mean area", "won / tied / lost against the first"]
    return markdown([*header, "ms per question", "runs that did not end well"], lines)


def areas(part: ConditionSummary) -> str:
    """Return a line per data set: the best methods here, the best public tools, the reference."""
    possible = {line["data"]: line["possible"] for line in part.sets}
    ours = part.table[[name for name in part.table if name not in PEERS]]
    theirs = part.table[[name for name in part.table if name in PEERS]]
    lines = [
        [
            str(data),
            f"{part.table.loc[data, 'auto']:.3f}",
            *(cell for table in (ours, theirs) for cell in best_two(table.loc[data])),
            "" if pd.isna(possible[data]) else f"{possible[data]:.3f}",
        ]
        for data in part.table.index
    ]
    header = ["data", "auto", "best here", "second", "best public tool", "second", "omniscient"]
    return markdown(header, lines)


def best_two(scores: pd.Series) -> list[str]:
    """Return the two largest, with their names."""
    top = scores.dropna().sort_values(ascending=False, kind="stable")[:2]
    return [f"{name} {score:.3f}" for name, score in top.items()]
