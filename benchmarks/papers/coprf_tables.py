"""Tables II, III and IV of the COP-RF paper: random links, some of them wrong, six methods.

Run with `python -m benchmarks coprf_tables` (or `likewise bench paper coprf`); LIKEWISE_DATA must
hold ionosphere, segmentation_train210, parkinsons, glass and glass_with_id. Figures are areas under
the curve of ARI, steps one apart: at most 4 over five shares of all pairs (tables II and III), at
most 5 over six shares of wrong answers (IV), with their standard errors. What was not computed yet
is left out of the mean.
"""

from __future__ import annotations

from itertools import product

import pandas as pd

from benchmarks.rows import rows_of
from benchmarks.tables import markdown, write_table
from likewise.bench import papers

DATA = (
    "ionosphere", "iris", "segmentation_train210", "parkinsons", "glass_with_id", "glass",
)  # fmt: skip
METHODS = {
    "SPClust": "spectral",
    "COP-KMeans": "copkmeans",
    "SL": "spectral-learning-pairs",
    "E²CP": "e2cp",
    "RF + E²CP": "rf+e2cp",
    "COP-RF": "coprf",
    "COP-RF, guessing": "coprf-guessing",
    "COP-RF by the letter": "coprf-literal",
}
TABLES = {"perfect": "Table II", "noisy": "Table III", "growing_noise": "Table IV"}


def main() -> None:
    """Write a file per table, ours beside the paper's, ours in bold where it is not below."""
    paper = papers.load("coprf")
    rows = rows_of(paper.experiment)
    for name, reference in TABLES.items():
        write_table(f"coprf_{name}", table(paper, rows, reference))


def table(paper: papers.Paper, rows: pd.DataFrame, reference: str) -> str:
    """Return one of the paper's tables; figures that it does not have are computed all the same."""
    printed = paper.published[paper.published["reference"] == reference]
    told = printed.set_index(["data", "method"])["published"].to_dict()
    for variant in ("coprf-guessing", "coprf-literal"):
        told |= {(data, variant): told.get((data, "coprf")) for data in DATA}
    wanted = pd.DataFrame(product(DATA, METHODS.values()), columns=["data", "method"])
    for column in ("metric", "over", "points", "noise", "share"):
        wanted[column] = printed[column].iloc[0]
    wanted["published"] = float("nan")
    ours = papers.Paper(paper.experiment, wanted).compare(rows).set_index(["data", "method"])
    mean = ours["ours"].to_dict()
    error = (ours["spread"] / ours["runs"] ** 0.5).to_dict()
    runs = {m: ours.loc[(slice(None), m), "runs"] for m in METHODS.values()}
    shown = {title: method for title, method in METHODS.items() if runs[method].any()}
    lines = [
        [data, *(cell(mean[data, m], error[data, m], told.get((data, m))) for m in shown.values())]
        for data in DATA
    ]
    lines.append(["trials", *(extent(runs[m].min(), runs[m].max()) for m in shown.values())])
    return markdown(["data", *shown], lines)


def extent(least: int, most: int) -> str:
    """Return how many trials there were, where not all sets have as many."""
    return str(least) if least == most else f"{least}–{most}"


def cell(ours: float, error: float, printed: float | None) -> str:
    """Return ours with its standard error, and the paper's in parentheses."""
    if pd.isna(ours):
        return ""
    figure = f"{ours:.2f} ± {error:.2f}"
    if printed is None:
        return figure
    return f"**{figure}** ({printed:.2f})" if ours >= printed else f"{figure} ({printed:.2f})"
