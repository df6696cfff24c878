"""Which published figures ours do not reach: every cell of every paper's tables, from kept rows.

Run with `python -m benchmarks missed`, after the experiments of the papers; nothing is computed.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from benchmarks.tables import RESULTS, markdown, write_table
from likewise.bench import papers
from likewise.bench.results import Results

PAPERS = ("urasc", "iu-red")
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
        both = paper.compare(rows[rows["key"].isin(keys)])
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


def table(missed: pd.DataFrame) -> str:
    """Return the missed cells, and by how many standard errors each is missed."""
    lines = []
    for cell in missed.to_dict("records"):
        digits = {"dollars": 0, "decrease": 4}.get(str(cell["metric"]), 3)
        error = float(cell["spread"]) / np.sqrt(cell["runs"]) if cell["runs"] > 1 else np.nan
        away = abs(cell["difference"]) / error if error > 0 else np.nan
        at = cell["questions"] if not pd.isna(cell.get("questions")) else f"{cell['share']:.0%}"
        lines.append(
            [
                str(cell["data"]),
                str(cell["method"]),
                str(cell["metric"]).replace("_", " "),
                at if isinstance(at, str) else f"{at:g}",
                f"{cell['published']:.{digits}f}",
                f"{cell['ours']:.{digits}f}"
                + ("" if np.isnan(error) else f" ± {error:.{digits}f}"),
                "" if np.isnan(away) else f"{away:.1f}",
                str(cell["runs"]),
            ]
        )
    header = ["data", "method", "figure", "at", "paper", "ours", "standard errors away", "runs"]
    return markdown(header, lines)
