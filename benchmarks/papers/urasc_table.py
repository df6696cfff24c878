"""URASC, its variants and baselines at the paper's numbers of questions, beside its figures.

Run with `python -m benchmarks urasc_table`; it shows what `likewise bench paper urasc` computes as
tables. LIKEWISE_DATA must hold sonar, bupa_liver, pima_diabetes and leaf_uci.
"""

from __future__ import annotations

from collections.abc import Callable

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
    write_table("urasc_reached", reached(rows, paper.published))
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
            lines.append([data, str(at), runs_of(here), *cells])
        header = ["data", "questions", "runs (as printed)", *methods]
        write_table(f"urasc_{metric}", markdown(header, lines))


def runs_of(rows: pd.DataFrame) -> str:
    """Return how many seeds the methods have, and in brackets the literal form."""
    count = rows.groupby("method")["seed"].nunique()
    ours = count.drop("urasc-literal", errors="ignore")
    ends = sorted({int(ours.min()), int(ours.max())}) if len(ours) else [0]
    return f"{'–'.join(map(str, ends))} ({int(count.get('urasc-literal', 0))})"


def reached(rows: pd.DataFrame, published: pd.DataFrame) -> str:
    """Return in how many of the cells of URASC+N ours are not below the paper, as both are printed.

    Where only one of several forms may be chosen, it is chosen by the number of groups; the last
    line is of the form that reaches most on each set, which nobody knows beforehand.
    """
    mean = rows.groupby(["data", "method", "questions"])[["jaccard", "v_measure"]].mean()
    told = published[published["method"] == "urasc"].to_dict("records")
    forms: dict[str, Callable[[str], str]] = {
        "`urasc`": lambda data: "urasc",
        "`urasc` on wine, `urasc-additive` where there are two groups": lambda data: (
            "urasc" if data == "wine" else "urasc-additive"
        ),
        "`urasc-literal`": lambda data: "urasc-literal",
    }

    def cells(form: str, data: str) -> list[bool]:
        """Return of each cell of a set whether a form reaches it."""
        found = [
            (float(mean.loc[(data, form, one["questions"]), one["metric"]]), one["published"])
            for one in told
            if one["data"] == data and (data, form, one["questions"]) in mean.index
        ]
        return [f"{ours:.3f}" >= f"{theirs:.3f}" for ours, theirs in found]

    sets = list(dict.fromkeys(str(one["data"]) for one in told))
    lines = []
    for name, form in forms.items():
        every = [reaches for data in sets for reaches in cells(form(data), data)]
        lines.append([name, f"{sum(every)} of {len(every)}"])
    named = ("urasc", "urasc-additive", "urasc-literal")
    best = [max((cells(form, data) for form in named), key=sum) for data in sets]
    lines.append(
        ["the best of the three on each set", f"{sum(map(sum, best))} of {sum(map(len, best))}"]
    )
    return markdown(["form", "cells not below the paper's URASC+N"], lines)


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
        runs = here.groupby("k_known")["seed"].nunique()
        line = [str(at), "–".join(str(count) for count in sorted(set(runs)))]
        for metric in ("jaccard", "v_measure", "ari"):
            for known in (True, False):
                values = here[here["k_known"] == known][metric]
                line.append(mean_and_error(values))
        lines.append(line)
    header = ["questions", "runs"]
    for metric in ("Jaccard", "V-measure", "ARI"):
        header += [f"{metric}, known", f"{metric}, unknown"]
    return markdown(header, lines)
