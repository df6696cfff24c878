"""Which published figures ours do not reach: every cell of every paper's tables, from kept rows.

Run with `python -m benchmarks missed`, after the experiments of the papers; nothing is computed,
and rows of other code are left out unless `--keep-old` is said. Figures of data that are not to be
had are counted, too: of active learning with clustering that is every one. Literal and other forms
of a method are held to the same published figures as the method, and counted apart.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from benchmarks import rows as kept
from benchmarks.papers.sgt import STANDS_IN
from benchmarks.tables import RESULTS, markdown, write_table
from likewise.bench import papers
from likewise.bench.experiment import Experiment
from likewise.bench.provenance import STALE, with_states
from likewise.bench.results import Results

PAPERS = ("urasc", "iu-red", "coprf", "sgt", "aqm")
RIVALS = "rivals"  # QUIRE and pKNN as the URASC paper reports them
FORMS = {
    "urasc": {"urasc-additive": "urasc", "urasc-literal": "urasc"},
    "coprf": {"coprf-literal": "coprf"},
    "aqm": {"aqm-literal": "aqm-mee"},
}
SMALLER_IS_BETTER = {"dollars"}
DIGITS = {"dollars": 0, "decrease": 4}  # as printed; three of anything else


def main() -> None:
    """Write one table of missed cells for each paper, and one that counts them."""
    counted = []
    for name in (*PAPERS, RIVALS):
        paper = paper_of(name)
        both = compared(name, paper)
        if both is None:
            continue
        tables = []
        forms = FORMS.get(name, {})
        others = [(f"{name}: `{form}`", both["method"] == form) for form in forms]
        for title, part in [(name, ~both["method"].isin([*forms])), *others]:
            here = both[part]
            known = here[here["runs"] > 0]
            missed = known[[is_missed(cell) for cell in known.to_dict("records")]]
            absent = here[~here["data"].isin({task.data_name for task in paper.experiment.tasks})]
            not_reached = str(len(missed)) if len(known) else "–"
            counted.append(
                [title, *(str(len(some)) for some in (here, absent, known)), not_reached]
            )
            tables.append(missed)
        if any(len(missed) for missed in tables):
            write_table(f"missed_{name.replace('-', '')}", table(pd.concat(tables)))
    header = ["paper", "published figures", "of data not to be had", "computed", "not reached"]
    write_table("missed", markdown(header, counted))


def paper_of(name: str) -> papers.Paper:
    """Return a paper, its published figures told once more for each form of a method."""
    if name == RIVALS:
        here = Path(__file__)
        published = pd.read_csv(here.with_name("rivals_published.csv"))
        return papers.Paper(Experiment.read(here.with_name("rivals.toml")), published)
    paper = papers.load(name)
    # A set that stands in for another has other figures: these are not to be reached on it.
    own = ~paper.published["reference"].str.contains(STANDS_IN)
    paper = papers.Paper(paper.experiment, paper.published[own])
    ran = {(task.method, task.data_name) for task in paper.experiment.tasks}
    told = [paper.published]
    for form, method in FORMS.get(name, {}).items():
        same = paper.published[paper.published["method"] == method].assign(method=form)
        told.append(same[[(form, data) in ran for data in same["data"]]])
    return papers.Paper(paper.experiment, pd.concat(told, ignore_index=True))


def compared(name: str, paper: papers.Paper) -> pd.DataFrame | None:
    """Return every published figure with ours, from the rows of what is declared today."""
    rows = Results(RESULTS / f"{name}.parquet").frame()
    if rows is None:
        return None
    rows = rows[rows["key"].isin({task.key for task in paper.experiment.tasks})]
    if name == RIVALS:  # published with right answers alone
        rows = rows[rows["noise"] == 0]
    stated = with_states(rows)
    return paper.compare(stated[~stated["state"].isin(() if kept.keep_old else STALE)])


def is_missed(cell: dict[Any, Any]) -> bool:
    """Return whether our figure is on the wrong side of the published one, as both are printed."""
    digits = DIGITS.get(str(cell["metric"]), 3)
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
        digits = DIGITS.get(str(cell["metric"]), 3)
        error = float(cell["spread"]) / np.sqrt(cell["runs"]) if cell["runs"] > 1 else np.nan
        # Two runs say next to nothing about their spread.
        away = abs(cell["difference"]) / error if error > 1e-6 and cell["runs"] > 2 else np.nan
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
