"""Tables II, III and IV and figures 6 to 11 of the COP-RF paper: random links, some of them wrong.

Run with `python -m benchmarks coprf_tables` (or `likewise bench paper coprf`); LIKEWISE_DATA must
hold the data sets of the paper and those named in coprf.toml. Figures are areas under the curve of
ARI, steps one apart: at most 4 over five shares of all pairs (tables II and III), at most 5 over
six shares of wrong answers (IV), with their standard errors. What was not computed yet is left out
of the mean. The paper's seventh row, ERCe, is absent: those video data were never published.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from benchmarks.rows import rows_of
from benchmarks.tables import markdown, mean_and_error, write_figure, write_table
from likewise.affinities import ConstraintForest, Gaussian
from likewise.bench import papers
from likewise.bench.experiment import Task
from likewise.bench.task_data import load
from likewise.bench.tasks.linked_clusterers import N_TREES
from likewise.clusterers import COPRF, E2CP

DATA = ("ionosphere", "iris", "segmentation_train210", "parkinsons", "glass_with_id")
LETTER = {
    "SPClust": "spectral",
    "COP-KMeans": "copkmeans",
    "SL": "spectral-learning-pairs",
    "E²CP": "e2cp",
    "RF + E²CP": "rf+e2cp",
    "COP-RF": "coprf-literal",
}
TOLD = {
    "SL": "spectral-learning-told",
    "E²CP": "e2cp-told",
    "RF + E²CP": "rf+e2cp-told",
    "COP-RF": "coprf",
    "COP-RF, guessing": "coprf-guessing",
    "COP-RF, wrong answers left out by one who knows": "coprf-ceiling",
}
OTHER_WAYS = {
    "COP-RF": "coprf",
    "soft answers": "coprf-soft",
    "one budget for both kinds": "coprf-one-budget",
    "the forest's graph alone": "coprf-forest-alone",
    "links count through the forest alone": "coprf-unweighed",
    "wrong answers left out by one who knows": "coprf-ceiling",
}
# The method of the paper beside which ours is set.
PRINTED = {
    "coprf-literal": "coprf", "coprf-guessing": "coprf", "coprf-ceiling": "coprf",
    "coprf-soft": "coprf", "coprf-one-budget": "coprf", "coprf-forest-alone": "coprf",
    "coprf-unweighed": "coprf",
    "spectral-learning-told": "spectral-learning-pairs", "e2cp-told": "e2cp",
    "rf+e2cp-told": "rf+e2cp",
}  # fmt: skip
TABLES = {"perfect": "Table II", "noisy": "Table III", "growing_noise": "Table IV"}
LOOKED_AT = ("letter_recognition", "leaf_uci")  # of the other sets, since
SHARES = (0.001, 0.002, 0.003, 0.004, 0.005)


def main() -> None:
    """Write the tables, ours in bold where it is not below the paper's; then the figures."""
    paper = papers.load("coprf")
    rows = rows_of(paper.experiment)
    areas = {reference: compared(paper, rows, reference) for reference in TABLES.values()}
    for name, reference in TABLES.items():
        write_table(f"coprf_{name}_letter", table(areas[reference], LETTER))
        # Where no answer is wrong nothing is left out by one who knows.
        shown = {k: m for k, m in TOLD.items() if name != "perfect" or m != "coprf-ceiling"}
        write_table(f"coprf_{name}", table(areas[reference], shown))
    ways = compared(paper, first_trials(rows), "Table III")
    write_table("coprf_other_ways", table(ways, OTHER_WAYS))
    write_table("coprf_other_sets", other_sets(rows))
    curves(rows[rows.noise == 0], "share", SHARES, "coprf-figure7", "share of pairs given")
    curves(rows[rows.noise == 0.15], "share", SHARES, "coprf-figure9", "share of pairs given")
    single = rows[rows.key.isin(tasks_of_one_share(rows))]
    noises = sorted(set(single.noise))
    curves(single, "noise", noises, "coprf-figure10", "share of wrong answers")
    figure_8(areas)
    figure_11(single, noises)
    figure_6()


def first_trials(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the trials that all ways of dealing with wrong answers have in common."""
    fewest = rows[rows.method.isin(OTHER_WAYS.values()) & (rows.noise == 0.15)]
    seeds = [set(own.seed) for _, own in fewest.groupby("method")]
    return rows[rows.seed.isin(set.intersection(*seeds))] if seeds else rows


def compared(paper: papers.Paper, rows: pd.DataFrame, reference: str) -> pd.DataFrame:
    """Return ours, its standard error, the number of trials and the paper's, by data and method."""
    printed = paper.published[paper.published["reference"] == reference]
    told = printed.set_index(["data", "method"])["published"].to_dict()
    methods = dict.fromkeys([*LETTER.values(), *TOLD.values(), *OTHER_WAYS.values()])
    wanted = pd.DataFrame(product(DATA, methods), columns=["data", "method"])
    for column in ("metric", "over", "points", "noise", "share"):
        wanted[column] = printed[column].iloc[0]
    wanted["published"] = [
        told.get((data, PRINTED.get(method, method)))
        for data, method in zip(wanted.data, wanted.method, strict=True)
    ]
    ours = papers.Paper(paper.experiment, wanted).compare(rows)
    ours["error"] = ours["spread"] / ours["runs"] ** 0.5
    return ours.set_index(["data", "method"])


def table(areas: pd.DataFrame, methods: dict[str, str]) -> str:
    """Return one of the paper's tables, with the row of averages over the sets that are here."""
    cells: dict[Any, Any] = areas[["ours", "error", "published"]].T.to_dict("list")
    lines = [[data, *(cell(*cells[data, m]) for m in methods.values())] for data in DATA]
    average = ["average of the five"]
    for method in methods.values():
        of_method = areas.xs(method, level="method")
        error = float(np.sqrt((of_method["error"] ** 2).sum())) / len(of_method)
        average.append(
            cell(of_method["ours"].mean(skipna=False), error, of_method["published"].mean())
        )
    runs = {m: areas.xs(m, level="method")["runs"] for m in methods.values()}
    lines.append(average)
    lines.append(["trials", *(extent(runs[m].min(), runs[m].max()) for m in methods.values())])
    return markdown(["data", *methods], lines)


def extent(least: int, most: int) -> str:
    """Return how many trials there were, where not all sets have as many."""
    return str(least) if least == most else f"{least}–{most}"


def cell(ours: float, error: float, printed: float) -> str:
    """Return ours with its standard error, and the paper's in parentheses."""
    if pd.isna(ours):
        return ""
    figure = f"{ours:.2f}" if pd.isna(error) else f"{ours:.2f} ± {error:.2f}"
    # As printed: two digits are what can be compared.
    above = round(ours, 2) >= round(printed, 2)
    return f"**{figure}** ({printed:.2f})" if above else f"{figure} ({printed:.2f})"


def other_sets(rows: pd.DataFrame) -> str:
    """Return COP-RF beside spectral clustering on other sets, saying which were looked at."""
    lines = []
    for data, part in rows[~rows.data.isin(DATA)].groupby("data"):
        area = {
            method: np.trapezoid(own.pivot(index="seed", columns="share", values="ari"), axis=1)
            for method, own in part.groupby("method")
        }
        if set(area) != {"spectral", "coprf"} or len(area["coprf"]) != len(area["spectral"]):
            continue
        ahead = area["coprf"] - area["spectral"]
        name = str(data).partition("(")[0]
        lines.append([
            f"{name} (looked at)" if name in LOOKED_AT else name,
            *(mean_and_error(pd.Series(area[m]), digits=2) for m in ("spectral", "coprf")),
            mean_and_error(pd.Series(ahead), digits=2, sign="+"), str(len(ahead)),
        ])  # fmt: skip
    return markdown(["data", "SPClust", "COP-RF", "difference, trial by trial", "trials"], lines)


def tasks_of_one_share(rows: pd.DataFrame) -> set[str]:
    """Return the tasks of table IV, which give 0.3 % of the pairs and no other share."""
    n_shares = rows.groupby("key")["share"].nunique()
    return set(n_shares.index[n_shares == 1])


def curves(rows: pd.DataFrame, over: str, points: Any, name: str, label: str) -> None:
    """Draw a panel of mean ARI per data set, as in figures 7, 9 and 10."""
    figure = Figure(figsize=(11.0, 6.4), layout="constrained")
    shown = {**LETTER, "COP-RF, ours": "coprf"}
    for axes, data in zip(figure.subplots(2, 3).ravel(), (*DATA, None), strict=True):
        if data is None:
            axes.axis("off")
            axes.legend(*figure.axes[0].get_legend_handles_labels(), loc="center")
            continue
        for title, method in shown.items():
            own = rows[(rows.data == data) & (rows.method == method)]
            mean = own.groupby(over).ari.mean().reindex(points)
            axes.plot([100 * point for point in points], mean, marker="o", ms=3, label=title)
        axes.set(title=data, xlabel=f"{label}, %", ylabel="ARI")
    write_figure(figure, name, dpi=90)


def figure_8(areas: dict[str, pd.DataFrame]) -> None:
    """Draw by how much COP-RF is ahead of each other method, all to their letter: figure 8."""
    figure = Figure(figsize=(11.0, 3.4), layout="constrained")
    others = {title: m for title, m in LETTER.items() if m != "coprf-literal"}
    for axes, (reference, found) in zip(
        figure.subplots(1, 3, sharey=True), areas.items(), strict=True
    ):
        mean = found["ours"]
        for k, (title, method) in enumerate(others.items()):
            ahead = [mean[data, "coprf-literal"] - mean[data, method] for data in DATA]
            axes.bar(np.arange(len(DATA)) + 0.16 * k, ahead, width=0.15, label=title)
        axes.axhline(0, color="black", lw=0.6)
        axes.set_xticks(np.arange(len(DATA)) + 0.32, [data[:12] for data in DATA], rotation=30)
        axes.set_title(reference)
    figure.axes[0].set_ylabel("area of COP-RF beside theirs")
    figure.axes[-1].legend(fontsize=7)
    write_figure(figure, "coprf-figure8", dpi=100)


def figure_11(rows: pd.DataFrame, noises: list[float]) -> None:
    """Draw the improvement over E²CP and RF + E²CP as more are wrong, all to their letter."""
    figure = Figure(figsize=(8.0, 3.4), layout="constrained")
    for axes, (title, other) in zip(
        figure.subplots(1, 2), (("E²CP", "e2cp"), ("RF + E²CP", "rf+e2cp")), strict=True
    ):
        for data in DATA:
            mean = rows[rows.data == data].groupby(["method", "noise"]).ari.mean()
            if not {"coprf-literal", other} <= set(mean.index.get_level_values(0)):
                continue
            gain = 100 * (mean["coprf-literal"] / mean[other].clip(lower=0.01) - 1)
            axes.plot([100 * n for n in noises], gain.reindex(noises), marker="o", ms=3, label=data)
        axes.axhline(0, color="black", lw=0.6)
        axes.set(title=f"beside {title}", xlabel="wrong answers, %", ylabel="more ARI, %")
        axes.set_yscale("symlog", linthresh=100)
    figure.axes[0].legend(fontsize=7)
    write_figure(figure, "coprf-figure11", dpi=100)


def figure_6() -> None:
    """Draw the affinities of three sets as links grow, items in the order of their kinds."""
    names, shares = ("ionosphere", "parkinsons", "glass_with_id"), (0.001, 0.003, 0.005)
    titles = ("SL", "E²CP", "RF + E²CP", "COP-RF")
    figure = Figure(figsize=(8.4, 18.0), layout="constrained")
    grid = figure.subplots(len(names) * len(shares), len(titles))
    for row, (data, share) in enumerate(product(names, shares)):
        task = Task("", data, 0, (), kind="links", scaling="range", shares=(share,))
        X, truth, _ = load(task)
        order = np.argsort(truth, kind="stable")
        X, truth = X[order], truth[order]
        n_links = task.on(len(truth)).checkpoints[0]
        for column, affinity in enumerate(affinities(X, truth, n_links)):
            axes = grid[row, column]
            axes.imshow(affinity / np.quantile(affinity, 0.99), vmin=0, vmax=1, cmap="Greys")
            axes.set_xticks([])
            axes.set_yticks([])
            if row == 0:
                axes.set_title(titles[column])
        grid[row, 0].set_ylabel(f"{data[:10]}, {100 * share:.1f} %", fontsize=8)
    write_figure(figure, "coprf-figure6", dpi=60)


def affinities(X: Any, truth: Any, n_links: int) -> list[Any]:
    """Return what SL, E²CP on kernel and on forest, and COP-RF make of the same links."""
    rng = np.random.default_rng(0)
    pairs = rng.permutation(np.array(np.triu_indices(len(X), 1)).T)[:n_links]
    same = truth[pairs[:, 0]] == truth[pairs[:, 1]]
    links: dict[str, Any] = {"must_link": pairs[same], "cannot_link": pairs[~same]}
    k = len(np.unique(truth))
    tenth = Gaussian(n_neighbours=0.1)
    forest = ConstraintForest(n_trees=N_TREES, n_neighbours=0.1).fit(X)
    models = [
        E2CP(n_clusters=k, affinity=tenth, alpha=0.0).fit(X, **links),
        E2CP(n_clusters=k, affinity=tenth).fit(X, **links),
        E2CP(n_clusters=k, affinity="precomputed").fit(forest.affinity_, **links),
        COPRF(n_clusters=k, n_trees=N_TREES, error_rate=0.0).fit(X, **links),
    ]
    found = [model.affinity_matrix_ for model in models]
    return [one if isinstance(one, np.ndarray) else one.toarray() for one in found]
