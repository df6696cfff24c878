"""Query-augmented active metric learning beside its paper: tables 1 to 3, figures 3 and 4, growth.

Run with `python -m benchmarks aqm`; LIKEWISE_DATA must hold meu_mobile_9users and
urban_land_cover. The tables are what `likewise bench paper aqm` computes.
"""

from __future__ import annotations

from time import perf_counter
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

import likewise as lw
from benchmarks.experiments import IMAGES, curves, markdown, rows_of, write_table
from likewise.bench import papers

REAL = ("breast_cancer", "meu_mobile_9users", "urban_land_cover")
SIMULATED = (60, 120, 180, 240, 300)
SIZES = (300, 1_000, 3_000, 10_000)


def main() -> None:
    """The tables, then the figures, then what a question costs."""
    paper = papers.load("aqm")
    rows = rows_of(paper.experiment)
    write_table("aqm_simulation", beside_paper(rows, paper.published))
    write_table("aqm_early", early(rows))
    write_table("aqm_real", real(rows))
    figure_3(rows)
    figure_4()
    write_table("aqm_growth", growth())


def beside_paper(rows: pd.DataFrame, published: pd.DataFrame) -> str:
    """Our mean and the paper's, a line per data set and method."""
    means = rows.groupby(["data", "method", "questions"]).ari.mean().to_dict()
    runs = rows.groupby(["data", "method"]).seed.nunique().to_dict()
    told = published[published.questions.isin(SIMULATED) & ~published.data.isin(REAL)]
    lines = []
    for (data, method), part in told.groupby(["data", "method"], sort=False):
        both = [
            f"{means[data, method, at]:.3f} / {figure:.3f}"
            for at, figure in zip(part.questions, part.published, strict=True)
        ]
        lines.append([str(data), str(method), str(runs[data, method]), *both])
    header = ["data", "method", "runs", *(f"{q} questions, ours / paper" for q in SIMULATED)]
    return markdown(header, lines)


def early(rows: pd.DataFrame) -> str:
    """The simulation as the text describes it, from the first answers on."""
    plain = rows[rows.data == "aqm-simulation"]
    means = plain.groupby(["method", "questions"]).ari.mean().unstack()
    shown = (10, 25, 50, 100, 200, 300)
    lines = [[str(method), *(f"{row[q]:.3f}" for q in shown)] for method, row in means.iterrows()]
    return markdown(["method", *(f"{q} questions" for q in shown)], lines)


def real(rows: pd.DataFrame) -> str:
    """The three real data sets of figure 3."""
    part = rows[rows.data.isin(REAL)]
    means: dict[Any, float] = part.groupby(["data", "method", "questions"]).ari.mean().to_dict()
    shown = (20, 40, 80, 160, 300)
    pairs = dict.fromkeys((str(key[0]), str(key[1])) for key in means)
    lines = [[*pair, *(f"{means[*pair, q]:.3f}" for q in shown)] for pair in pairs]
    return markdown(["data", "method", *(f"{q} questions" for q in shown)], lines)


def figure_3(rows: pd.DataFrame) -> None:
    """The three real data sets."""
    for data in REAL:
        curves(rows[rows.data == data], f"aqm-{data.replace('_', '-')}", data.replace("_", " "))


def figure_4() -> None:
    """Which features of the land cover images count after 300 answers, beside MPCK-means."""
    X, y = lw.datasets.load("urban_land_cover")
    figure = Figure(figsize=(9.0, 5.0), layout="constrained")
    for axes, method in zip(figure.subplots(1, 2), ("aqm-mee", "npu-mpckmeans"), strict=True):
        run = lw.run(X, lw.oracles.FromLabels(y), method=method, budget=300, n_clusters=9)
        learned = run.study.clustering_.feature_weights_
        weights = learned / learned.sum()
        names = [f"feature {number}" for number in range(1, X.shape[1] + 1)]
        lw.plots.feature_weights(weights, names, top=28, ax=axes)
        axes.set_title(method)
    figure.savefig(IMAGES / "aqm-feature-weights.png", dpi=110, metadata={"Software": None})


def growth() -> str:
    """Seconds for one loop, from the answer that places an item to the next item's question."""
    lines = []
    for n in SIZES:
        X, y = lw.datasets.load("aqm-simulation", n=n)
        study = lw.Study(X, method="aqm-mee", n_clusters=5)
        loops: list[float] = []
        while len(loops) < 24 and (question := study.ask()) is not None:
            before = question.pair.i
            verdict = bool(y[question.pair.i] == y[question.pair.j])
            began = perf_counter()
            study.tell(question, verdict)
            following = study.ask()
            if following is not None and following.pair.i != before:
                loops.append(perf_counter() - began)
        low, middle, high = np.quantile(loops[4:], [0.25, 0.5, 0.75]) * 1000
        lines.append([f"{n:,}", f"{middle:.0f} ({low:.0f}–{high:.0f})"])
    return markdown(["items", "ms for a loop, median (quartiles)"], lines)
