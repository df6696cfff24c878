"""URASC, its variants and baselines at the paper's numbers of questions, beside its figures.

Run with `python -m benchmarks urasc_table`; it shows what `likewise bench paper urasc` computes as
tables. LIKEWISE_DATA must hold sonar, bupa_liver, pima_diabetes and leaf_uci.
"""

from __future__ import annotations

import pandas as pd

from benchmarks.rows import rows_of
from benchmarks.tables import markdown, mean_and_error, write_table
from likewise.bench import papers

LEAVES = "leaf_uci"
FORM_OF = {"urasc-literal": "urasc", "urasc-additive": "urasc"}


def main() -> None:
    """Write one table for each of the two metrics, every published figure beside ours."""
    paper = papers.load("urasc")
    rows = rows_of(paper.experiment)
    write_table("urasc_unknown", unknown(rows[rows["data"] == LEAVES]))
    rows = rows[rows["data"] != LEAVES]
    methods = list(dict.fromkeys(task.method for task in paper.experiment.tasks))
    for metric in ("v_measure", "jaccard"):
        told = paper.published.query("metric == @metric")
        published = {
            (str(one["data"]), int(one["questions"]), str(one["method"])): float(one["published"])
            for one in told.to_dict("records")
        }
        wanted = list(dict.fromkeys(key[:2] for key in published))
        lines = []
        for data, at in wanted:
            here = rows[(rows["data"] == data) & (rows["questions"] == at)]
            # The literal and the additive form are set beside URASC+N, which they are forms of.
            told_of = {name: FORM_OF.get(name, name) for name in methods}
            cells = [
                cell(here[here["method"] == name][metric], published.get((data, at, told_of[name])))
                for name in methods
            ]
            lines.append([data, str(at), *cells])
        header = ["data", "questions", *methods]
        write_table(f"urasc_{metric}", markdown(header, lines))


def cell(ours: pd.Series, published: float | None) -> str:
    """Return our mean and its standard error, and the paper's in brackets where it prints one."""
    if ours.empty:
        return ""
    mean = mean_and_error(ours)
    if published is None:
        return mean
    shown = f"{published:.3f}"  # figures that look the same are the same
    reached = float(mean.split(" ")[0]) >= float(shown)
    return f"**{mean}** ({shown})" if reached else f"{mean} ({shown})"


def unknown(rows: pd.DataFrame) -> str:
    """Return figure 8: the same questions with the number of groups known, and found on the way."""
    lines = []
    for at in sorted(int(at) for at in rows["questions"].unique()):
        here = rows[rows["questions"] == at]
        line = [str(at)]
        for metric in ("jaccard", "v_measure", "ari"):
            for known in (True, False):
                values = here[here["k_known"] == known][metric]
                line.append(mean_and_error(values))
        lines.append(line)
    header = ["questions"]
    for metric in ("Jaccard", "V-measure", "ARI"):
        header += [f"{metric}, known", f"{metric}, unknown"]
    return markdown(header, lines)
