"""Active learning with clustering beside its paper: tables 1 and 2, figures 1 and 2, and the ridge.

Run with `python -m benchmarks sgt` (or `likewise bench paper sgt`); LIKEWISE_DATA must hold the
data sets named in sgt.toml. How labels are bought is told in `likewise.bench.tasks.labels`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

import likewise as lw
from benchmarks.rows import rows_of
from benchmarks.tables import markdown, with_best_mean_bold, write_figure, write_table
from likewise.affinities import Gaussian
from likewise.bench import papers
from likewise.clusterers import SpectralGraphTransducer

LEARNERS = {
    "ALG1": "alg1",
    "ALG2": "alg2",
    "SVM": "svm",
    "ALG2, kernels": "alg2-kernel",
    "ALG2, i²": "alg2-squares",
    "sgt": "sgt",
    "sgt, i²": "sgt-squares",
    "sgt, i², landmarks": "sgt-landmarks",
}
STANDS_IN = "another set"  # what references say of figures set beside data that stand in
TITLES = {
    "nova_like": "nova_like, tf-idf",
    "sylva_prior": "sylva_prior",
    "covertype_sample10k": "covertype, spruce and pine",
    "pendigits": "pendigits, even and odd",
    "newsgroups20_2000(classes=7-8": "autos and motorcycles",
    "newsgroups20_2000(classes=14-19": "space and religion",
}


def main() -> None:
    """Write the tables of both scores, the curves, the moons and the choice of the ridge."""
    rows = rows_of(papers.load("sgt").experiment)
    rows["title"] = [title_of(data) for data in rows.data]
    shown = rows[rows.title != ""]
    write_table("sgt", scores(shown))
    write_table("sgt_early", early(shown))
    write_table("sgt_published", published(papers.load("sgt").published))
    write_table("sgt_ridge", ridges(rows[rows.method.str.match(r"alg2-kernel-\d")]))
    figure_1()
    figure_2(shown)


def title_of(data: str) -> str:
    """Return what tables call a data set; nothing for those that only the ridge is chosen on."""
    return next((title for name, title in TITLES.items() if data.startswith(name)), "")


def scores(rows: pd.DataFrame) -> str:
    """Return AUC at the end and ALC with its standard error, in percent, a line per data set."""
    ends = rows[rows.alc.notna()].groupby(["title", "method"])
    auc, area, error, runs = (
        ends.final_auc.mean(), ends.alc.mean(), ends.alc.sem(), ends.alc.count(),
    )  # fmt: skip
    lines = []
    for title in TITLES.values():
        if not any((title, m) in runs for m in LEARNERS.values()):
            continue  # not computed yet
        best = max((area.get((title, m), -1.0) for m in LEARNERS.values()), default=0)
        cells = []
        for method in LEARNERS.values():
            at = title, method
            if at not in area:
                cells.append("")
                continue
            spread = "" if pd.isna(error[at]) else f" ± {100 * error[at]:.1f}"
            found = f"{100 * area[at]:.1f}{spread}"
            found = f"**{found}**" if area[at] == best else found
            cells.append(f"{100 * auc[at]:.1f} / {found}")
        found_runs = [runs[title, m] for m in LEARNERS.values() if (title, m) in runs]
        lines.append(
            [title, *cells, "–".join(map(str, sorted({min(found_runs), max(found_runs)})))]
        )
    return markdown(["AUC / ALC, %", *LEARNERS, "splits"], lines)


def published(told: pd.DataFrame) -> str:
    """Return all cells of the paper's tables, AUC/ALC in percent, by its own data sets."""
    own = told[~told["reference"].str.contains(STANDS_IN)]
    lines = []
    for data, part in own.groupby("data", sort=False):
        of = part.set_index(["method", "metric"])["published"]
        cells = [
            f"{100 * of[learner, 'final_auc']:.2f}/{100 * of[learner, 'alc']:.2f}"
            for learner in ("alg1", "alg2", "svm")
        ]
        lines.append([str(data), *(cell.replace("-", "−") for cell in cells)])
    return markdown(["data of the paper", "ALG1", "ALG2", "SVM"], lines)


def early(rows: pd.DataFrame) -> str:
    """Return AUC at 16, 64 and 128 labels: 64 and 128 lie around the 80 eigenvectors."""
    lines = []
    for title in TITLES.values():
        for at in (16, 64, 128):
            here = rows[(rows.title == title) & (rows.questions == at)]
            runs = [100 * here[here.method == m].auc.dropna() for m in LEARNERS.values()]
            cells = with_best_mean_bold(runs, digits=1)
            if any(cells):
                lines.append([title, str(at), *cells])
    return markdown(["AUC, %", "labels", *LEARNERS], lines)


def ridges(rows: pd.DataFrame) -> str:
    """Return ALC by the ridge of the kernel expansion, on sets that are shown nowhere else."""
    ends = rows[rows.alc.notna()]
    columns = sorted(set(ends.method), key=lambda name: float(name.rpartition("-")[2]))
    lines = []
    for data, part in ends.groupby("data"):
        runs = [100 * part[part.method == m].alc for m in columns]
        lines.append([str(data).partition("(")[0], *with_best_mean_bold(runs, digits=1)])
    # Over the sets split by split: the error is that of these sets' mean, not of sets at large.
    whole = 100 * ends.pivot_table("alc", ["method", "seed"], "data").dropna().mean(axis=1)
    lines.append(["mean", *with_best_mean_bold([whole[m] for m in columns], digits=1)])
    return markdown(["ALC, %", *(name.rpartition("-")[2] for name in columns)], lines)


def figure_1() -> None:
    """Draw where two moons are parted: spectral clustering, and the transducer with two labels."""
    X, y = lw.datasets.moons(n=200, noise=0.08)
    labelled = [int(np.flatnonzero(y == kind)[0]) for kind in (0, 1)]
    links: dict[str, Any] = {"cannot_link": [tuple(labelled)]}
    kernel = Gaussian(width="mean-norm", n_neighbours=None)
    models = {
        "spectral clustering, the paper's kernel": (kernel, "graph", {}),
        "transducer, the paper's kernel": (kernel, "graph", links),
        "transducer, neighbour graph": (None, "graph", links),
        "the same, eigenvalues i²": (None, "squares", links),
    }
    figure = Figure(figsize=(12.0, 2.9), layout="constrained")
    for axes, (title, (affinity, spectrum, known)) in zip(
        figure.subplots(1, len(models)), models.items(), strict=True
    ):
        model = SpectralGraphTransducer(affinity=affinity, spectrum=spectrum).fit(X, **known)
        score = model.scores_[:, 1] - model.scores_[:, 0]
        axes.tricontour(*X.T, score, levels=[0.0], colors="black", linewidths=2)
        axes.scatter(*X.T, c=model.labels_, s=6, cmap="coolwarm")
        axes.scatter(*X[labelled].T, c="black", marker="*", s=70)
        axes.set_title(f"{title}: ARI {lw.metrics.ari(y, model.labels_):.2f}", fontsize=8)
        axes.axis("off")
    write_figure(figure, "sgt-figure1", dpi=90)


def figure_2(rows: pd.DataFrame) -> None:
    """Draw the learning curves: AUC by the logarithm of the number of labels."""
    figure = Figure(figsize=(12.0, 6.6), layout="constrained")
    for axes, title in zip(figure.subplots(2, 3).ravel(), TITLES.values(), strict=True):
        part = rows[rows.title == title]
        for learner, method in LEARNERS.items():
            mean = part[part.method == method].groupby("questions").auc.mean()
            axes.plot(mean.index, mean, marker="o", ms=2.5, lw=1, label=learner)
        axes.set_xscale("log", base=2)
        axes.set(title=title, xlabel="labels", ylabel="AUC")
    figure.axes[0].legend(fontsize=7)
    write_figure(figure, "sgt-figure2", dpi=90)
