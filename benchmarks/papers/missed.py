"""Which published figures ours do not reach: every cell of every paper's tables, from kept rows.

Run with `python -m benchmarks missed`, after the experiments of the papers; nothing is computed,
and rows of other code are left out unless `--keep-old` is said. Of active learning with clustering
no published cell can be set beside ours, for its data are not to be had.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from benchmarks import rows as kept
from benchmarks.tables import RESULTS, markdown, write_table
from likewise.bench import papers
from likewise.bench.provenance import STALE, with_states
from likewise.bench.results import Results

PAPERS = ("urasc", "iu-red", "coprf", "aqm")
SMALLER_IS_BETTER = {"dollars"}


def main() -> None:
    """Write one table of missed cells for each paper, and one that counts them."""
    counted = []
    for name in PAPERS:
        paper = papers.load(name)
        rows = Results(RESULTS / f"{name}.parquet").frame()
        if rows is None:
            continue
        keys = {task.key for task in paper.experiment.tasks}
        stated = with_states(rows[rows["key"].isin(keys)])
        left_out = () if kept.keep_old else STALE
        both = paper.compare(stated[~stated["state"].isin(left_out)])
        known = both[both["runs"] > 0]
        missed = known[[is_missed(cell) for cell in known.to_dict("records")]]
        counted.append([name, *(str(len(part)) for part in (both, known, missed))])
        write_table(f"missed_{name.replace('-', '')}", table(missed))
    header = ["paper", "published figures", "computed", "not reached"]
    write_table("missed", markdown(header, counted))


def is_missed(cell: dict[Any, Any]) -> bool:
    """Return whether our figure is on the wrong side of the published one, as both are printed."""
    digits = 4 if cell["metric"] == "decrease" else 3
    gap = round(cell["ours"], digits) - round(cell["published"], digits)
    return bool(gap > 0 if cell["metric"] in SMALLER_IS_BETTER else gap < 0)


def place(cell: dict[Any, Any]) -> str:
    """Return where in a paper a figure stands: its questions, its share of pairs or its table."""
    if not pd.isna(cell.get("over")):
        return str(cell["reference"])  # the area under a whole curve
    asked = cell.get("questions")
    return f"{cell['share']:.0%}" if pd.isna(asked) else f"{asked:g}"


def table(missed: pd.DataFrame) -> str:
    """Return the missed cells, and by how many standard errors each is missed."""
    lines = []
    for cell in missed.to_dict("records"):
        digits = {"dollars": 0, "decrease": 4}.get(str(cell["metric"]), 3)
        error = float(cell["spread"]) / np.sqrt(cell["runs"]) if cell["runs"] > 1 else np.nan
        # Two runs say next to nothing about their spread.
        away = abs(cell["difference"]) / error if error > 0 and cell["runs"] > 2 else np.nan
        lines.append(
            [
                str(cell["data"]),
                str(cell["method"]),
                str(cell["metric"]).replace("_", " "),
                place(cell),
                f"{cell['published']:.{digits}f}",
                f"{cell['ours']:.{digits}f}"
                + ("" if np.isnan(error) else f" ± {error:.{digits}f}"),
                "" if np.isnan(away) else f"{away:.1f}",
                str(cell["runs"]),
            ]
        )
    header = ["data", "method", "figure", "at", "paper", "ours", "standard errors away", "runs"]
    return markdown(header, lines)
