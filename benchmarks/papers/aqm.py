"""Query-augmented active metric learning beside its paper: tables 1 to 3, figures 3 and 4, growth.

Run with `python -m benchmarks aqm`; LIKEWISE_DATA must hold meu_mobile_9users and
urban_land_cover. The tables are what `likewise bench paper aqm` computes.
"""

from __future__ import annotations

from itertools import product
from time import process_time
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from sklearn.cluster import KMeans

import likewise as lw
from benchmarks import rows as kept
from benchmarks.rows import kept_rows, rows_of, time_is_left
from benchmarks.tables import markdown, mean_and_error, write_curves, write_figure, write_table
from likewise.bench import papers
from likewise.bench.experiment import Task
from likewise.bench.task_data import load

REAL = ("breast_cancer", "meu_mobile_9users", "urban_land_cover")
SIMULATED = (60, 120, 180, 240, 300)
SIZES = (300, 1_000, 3_000, 10_000)
ANSWERS, FIRST, WEIGHED_SEEDS = 300, (28, 3), 5  # figure 4
# The authors' code on the simulation as the text describes it, at 10, 25, 50, 100, 200 questions.
AUTHORS_CODE = {
    "aqm-mee": (0.18, 0.54, 0.86, 0.94, 0.98),
    "npu-mpckmeans": (0.19, 0.60, 0.78, 0.90, 0.96),
}
STRETCHED = "aqm-sphere(stretch=True)"
VARIANTS = {
    "aqm-simulation": "plain",
    "aqm-simulation(mix=True)": "mixed",
    "aqm-simulation(informative=10, n_clusters=10)": "plain",
    "aqm-simulation(informative=10, mix=True, n_clusters=10)": "mixed",
    "aqm-sphere": "as in the text",
    STRETCHED: "stretched",
}


def main() -> None:
    """Write the tables, then the figures, then what a question costs."""
    paper = papers.load("aqm")
    rows = rows_of(paper.experiment)
    scaling = papers.scalings(rows)
    raw, usual = rows[scaling == "raw"], rows[scaling == ""]
    for number in (1, 2, 3):
        told = paper.published[paper.published.reference == f"Table {number}"]
        write_table(f"aqm_table{number}", beside_paper(raw, told[told.method != "cobra"]))
    write_table("aqm_draws", draws(raw, paper.published))
    write_table("aqm_cobra", cobra(raw, paper.published))
    write_table("aqm_early", early(raw))
    write_table("aqm_units", units(raw, rows[scaling == "columns"], usual))
    write_table("aqm_real", real(usual, paper.published))
    figure_3(usual)
    write_table("aqm_features", figure_4())
    if time_is_left() and not kept.methods:  # seconds of all, or those that were
        write_table("aqm_growth", growth())


class Means:
    """Mean agreement and its standard error over seeds, by data set, method and questions."""

    def __init__(self, rows: pd.DataFrame) -> None:
        by_point = rows.groupby(["data", "method", "questions"]).ari
        self.mean: dict[Any, float] = by_point.mean().to_dict()
        self.error: dict[Any, float] = by_point.sem().to_dict()
        self.runs: dict[Any, int] = rows.groupby(["data", "method"]).seed.nunique().to_dict()

    def shown(self, data: str, method: str, questions: int) -> str:
        """Return it as in a table; nothing where there is none yet."""
        at = data, method, questions
        if at not in self.mean:
            return ""
        spread = f" ± {self.error[at]:.3f}" if self.runs[data, method] > 1 else ""
        return f"{self.mean[at]:.3f}{spread}"

    def n_runs(self, data: str, method: str) -> str:
        """Return how many seeds there are."""
        return str(self.runs.get((data, method), 0))


def beside_paper(rows: pd.DataFrame, told: pd.DataFrame) -> str:
    """Return our mean and the paper's, a line per variant of the data and method."""
    means = Means(rows)
    lines = []
    for key, part in told.groupby(["data", "method"], sort=False):
        data, method = map(str, key)
        both = [
            f"{means.shown(data, method, at)} / {figure:.3f}"
            for at, figure in zip(part.questions, part.published, strict=True)
        ]
        lines.append([VARIANTS[data], method, means.n_runs(data, method), *both])
    for data in dict.fromkeys(told.data):
        for method in ("aqm-literal", "aqm-authors"):
            if (data, method) in means.runs:
                cells = [means.shown(data, method, at) for at in SIMULATED]
                lines.append([VARIANTS[data], method, means.n_runs(data, method), *cells])
    header = ["features", "method", "runs", *(f"{q} questions" for q in SIMULATED)]
    return markdown(header, lines)


def cobra(rows: pd.DataFrame, published: pd.DataFrame) -> str:
    """Return COBRA, whose questions by number of super-instances the paper tells."""
    means = Means(rows)
    lines = []
    told = published[published.method == "cobra"]
    for key, part in told.groupby(["reference", "data"], sort=False):
        reference, data = map(str, key)
        cells = [
            f"{at}: {means.shown(data, 'cobra', at)} / {figure:.3f}"
            for at, figure in zip(part.questions, part.published, strict=True)
        ]
        lines.append([reference.lower(), VARIANTS[data], means.n_runs(data, "cobra"), *cells])
    return markdown(["of", "features", "runs", *["questions: ours / paper"] * 5], lines)


def draws(rows: pd.DataFrame, published: pd.DataFrame) -> str:
    """Return where the paper's figures of table 3 lie among our draws of the stretched data.

    The authors draw these data once, so that their means tell of one draw, ours of as many as runs.
    """
    told = published[(published.reference == "Table 3") & (published.data == STRETCHED)]
    lines = []
    for method, part in told.groupby("method", sort=False):
        own = rows[(rows.data == STRETCHED) & (rows.method == method)]
        cells = []
        for at, figure in zip(part.questions, part.published, strict=True):
            found = own[own.questions == at].groupby("seed").ari.mean()
            below = int((found.round(3) < figure).sum())
            extent = f"{found.min():.2f} to {found.max():.2f}"
            cells.append(f"{at:g}: {figure:.3f}; {below} of {len(found)} below, {extent}")
        lines.append([str(method), *cells])
    return markdown(["method", *["questions: paper; ours below it, least to most"] * 5], lines)


def early(rows: pd.DataFrame) -> str:
    """Return the simulation as the text describes it, from the first answers on."""
    plain, shown = "aqm-simulation", (10, 25, 50, 100, 200, 300)
    means = Means(rows[rows.data == plain])
    lines = []
    for method in dict.fromkeys(str(key[1]) for key in means.runs):
        lines.append([method, *(means.shown(plain, method, q) for q in shown)])
        if method in AUTHORS_CODE:
            lines.append([f"{method}, authors' code", *map(str, AUTHORS_CODE[method]), ""])
    return markdown(["method", *(f"{q} questions" for q in shown)], lines)


def units(raw: pd.DataFrame, columns: pd.DataFrame, usual: pd.DataFrame) -> str:
    """Return the area to 300 questions with columns as they are, and brought to one unit."""
    lines = []
    for data, one_unit in (
        ("aqm-simulation", columns), (STRETCHED, columns),
        *((name, usual) for name in REAL),
    ):  # fmt: skip
        for method in (
            "auto",
            "aqm-mee",
            "npu-mpckmeans",
            "npu-pckmeans",
            "cobras",
            "random-items",
        ):
            cells = []
            for rows in (raw, one_unit):
                part = rows[(rows.data == data) & (rows.method == method)]
                part = part[part.questions.isin((60, 120, 180, 240, 300, 80, 160))]
                by_seed = part.groupby("seed").ari.mean()
                shown = mean_and_error(by_seed)
                cells.append(f"{shown} ({len(by_seed)})" if shown else "")
            if any(cells):
                lines.append([data, method, *cells])
    return markdown(["data", "method", "as they are (runs)", "in one unit (runs)"], lines)


def real(rows: pd.DataFrame, published: pd.DataFrame) -> str:
    """Return the three real data sets of figure 3, with the two numbers that the text gives."""
    means, shown = Means(rows[rows.data.isin(REAL)]), (20, 40, 80, 160, 300)
    told = published.set_index(["data", "method", "questions"]).published.to_dict()
    lines = []
    for data, method in means.runs:
        cells = [
            means.shown(data, method, at)
            + (f" / {told[data, method, at]:.3f}" if (data, method, at) in told else "")
            for at in shown
        ]
        lines.append([data, method, means.n_runs(data, method), *cells])
    return markdown(["data", "method", "runs", *(f"{q} questions" for q in shown)], lines)


def figure_3(rows: pd.DataFrame) -> None:
    """Draw the three real data sets."""
    for data in sorted(set(REAL) & set(rows.data)):
        write_curves(
            rows[rows.data == data], f"aqm-{data.replace('_', '-')}", data.replace("_", " ")
        )


def weighed(scaling: str, method: str, seed: int) -> dict[str, float]:
    """Return the weights after 300 answers, and the ARI of k-means on all and on the first few."""
    X, y, _ = load(task_of(scaling, method, seed))
    items, k = lw.Items.of(X, scaling=scaling), len(np.unique(y))
    run = lw.run(
        items, lw.oracles.FromLabels(y), method=method, budget=ANSWERS, n_clusters=k,
        checkpoints=[ANSWERS], random_state=seed,
    )  # fmt: skip
    learned = run.study.clustering_.feature_weights_
    weights = learned / learned.sum()
    order, scaled = np.argsort(-weights), np.asarray(items.data)
    found = {f"weight {place + 1}": float(weight) for place, weight in enumerate(weights)}
    for n_first in (len(weights), *FIRST):
        means = KMeans(k, n_init=10, random_state=seed)
        labels = means.fit_predict(scaled[:, order[:n_first]])
        name = "ari of all" if n_first == len(weights) else f"ari of {n_first}"
        found[name] = lw.metrics.ari(y, labels)
    return found


def task_of(scaling: str, method: str, seed: int) -> Task:
    """Return the run as a task of the bench."""
    how = "raw" if scaling == "none" else scaling
    return Task(method, "urban_land_cover", seed, (ANSWERS,), scaling=how)


def figure_4() -> str:
    """Draw which features of the land cover images count after 300 answers, beside MPCK-means.

    The paper then clusters by k-means, without any answer, on all features and on the first few.
    The weights drawn are those of the first run; what k-means makes of them is of all.
    """
    kinds = list(product(("none", "columns"), ("aqm-mee", "npu-mpckmeans")))
    keys = [
        {"scaling": scaling, "method": method, "seed": seed}
        for seed in range(WEIGHED_SEEDS)
        for scaling, method in kinds
    ]
    rows = kept_rows("aqm_features", keys, weighed, task_of)
    names = [name for name in rows.columns if name.startswith("weight ")]
    figure = Figure(figsize=(9.0, 8.4), layout="constrained")
    lines = []
    for axes, (scaling, method) in zip(figure.subplots(2, 2).ravel(), kinds, strict=True):
        here = rows[(rows["scaling"] == scaling) & (rows["method"] == method)]
        if here.empty:
            continue
        weights = here.sort_values("seed")[names].to_numpy()[0]
        shown = [name.replace("weight", "feature") for name in names]
        lw.plots.feature_weights(weights, shown, top=28, ax=axes)
        unit = "as they are" if scaling == "none" else "in one unit"
        axes.set_title(f"{method}, {unit}")
        first = ", ".join(str(place + 1) for place in np.argsort(-weights)[:5])
        cells = [mean_and_error(here[f"ari of {some}"], digits=2) for some in ("all", *FIRST)]
        lines.append([method, unit, first, *cells])
    write_figure(figure, "aqm-feature-weights", dpi=110)
    lines.append(["the paper", "", "19, 40, 61 first", "0.03", "0.34", "0.29"])
    header = [
        "weights of",
        "columns",
        "features of most weight (first run)",
        *(f"k-means on {n}" for n in (147, *FIRST)),
    ]
    return markdown(header, lines)


def growth() -> str:
    """Return the processor time from the answer that places an item to the next question."""
    lines = []
    for n in SIZES:
        X, y = lw.datasets.load("aqm-simulation", n=n)
        study = lw.Study(X, method="aqm-mee", n_clusters=5)
        loops: list[float] = []
        while len(loops) < 24 and (question := study.ask()) is not None:
            before = question.pair.i
            verdict = bool(y[question.pair.i] == y[question.pair.j])
            began = process_time()
            study.tell(question, verdict)
            following = study.ask()
            if following is not None and following.pair.i != before:
                loops.append(process_time() - began)
        low, middle, high = np.quantile(loops[4:], [0.25, 0.5, 0.75]) * 1000
        lines.append([f"{n:,}", f"{middle:.0f} ({low:.0f}–{high:.0f})"])
    return markdown(["items", "ms for a loop, median (quartiles)"], lines)
