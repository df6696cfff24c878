"""IU-RED beside its paper: curves of error, single steps, money; both Laplacians.

Run with `python -m benchmarks iured`; it shows what `likewise bench paper iu-red` computes.
LIKEWISE_DATA must hold pendigits, waveform and segmentation_full.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

import likewise as lw
from benchmarks.rows import kept_rows, rows_of
from benchmarks.tables import markdown, mean_and_error, write_figure, write_table
from likewise.bench import papers
from likewise.bench.experiment import Task
from likewise.bench.task_data import load
from likewise.bench.tasks.similarity import similarities
from likewise.plots import PALETTE

GROUPS_SEEDS = 10  # of three and four blobs
N_BLOBS, MEASURED, GROUPS_WIDTH = 60, 530, 0.5  # 530 of the 1,770 pairs are 30 %
COMPLETE = "all pairs"
# Which rules each way of splitting offers; margins of different cuts cannot be compared.
SPLITTINGS = {"vectors": ("iu-red", "random"), "recursive": ("random",)}
SHOWN = (0.02, 0.04, 0.06)
STYLES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)))
FIGURES = {"three": "5a, median of three", "adaptive": "5b, up to three", "one": "5c, one"}
LAPLACIANS = ("unnormalised", "normalised")


def with_settings(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rows with what their tasks say of Laplacian, width and looks, and a short name."""
    tasks = {settings: Task.from_settings(settings) for settings in rows["settings"].unique()}
    told = {settings: dict(task.data_settings) for settings, task in tasks.items()}
    defaults = {"laplacian": "unnormalised", "width": 0.7, "looks": ""}
    found = {
        name: rows["settings"].map({s: one.get(name, default) for s, one in told.items()})
        for name, default in defaults.items()
    }
    names = {s: short(task.data, told[s]) for s, task in tasks.items()}
    return rows.assign(**found, set=rows["settings"].map(names))


def short(name: str, settings: dict[str, Any]) -> str:
    """Return a data set as tables name it."""
    if name != "two-gaussians":
        return name.removesuffix("_full")
    if settings.get("width") == 0:
        return "uniform numbers"
    return f"two Gaussians, {settings['separation']:g} apart"


def draw(rows: pd.DataFrame, name: str, by: str, across: str, label: str) -> None:
    """Draw error against a column, a panel per value of another: docs/images/NAME.png."""
    parts = list(dict.fromkeys(rows[by]))
    columns = min(len(parts), 3)
    lines = -(-len(parts) // columns)
    figure = Figure(figsize=(3.2 * columns, 2.7 * lines), layout="constrained")
    panels = figure.subplots(lines, columns, squeeze=False).ravel()
    for panel, part in zip(panels, parts, strict=False):
        here = rows[rows[by] == part]
        for k, method in enumerate(dict.fromkeys(rows.method)):
            line = here[here.method == method].groupby(across).misclustering.mean()
            panel.plot(line.index, line, color=PALETTE[k], linestyle=STYLES[k], label=method)
        panel.set_title(f"{part} (smaller group {here.balance.mean():.0%})", fontsize=8)
        panel.tick_params(labelsize=7)
        panel.grid(alpha=0.25)
    for panel in panels[len(parts) :]:
        panel.set_axis_off()
    panels[0].legend(frameon=False, fontsize=6)
    panels[0].set_ylabel("error", fontsize=8)
    figure.supxlabel(label, fontsize=8)
    write_figure(figure, name, dpi=110)


def curves(rows: pd.DataFrame) -> None:
    """Write mean errors as a table for each Laplacian, and figures 2 and 3."""
    for laplacian in LAPLACIANS:
        some = rows[rows.laplacian == laplacian]
        draw(some, f"iured-{laplacian}", "set", "share", "share of pairs measured")
        lines = []
        for data in dict.fromkeys(some["set"]):
            here = some[some["set"] == data]
            for method in dict.fromkeys(here.method):
                own = here[here.method == method]
                shown = [own[own.share == share].misclustering for share in SHOWN]
                area = own.groupby("seed").misclustering.mean()
                balance = f"{here.balance.mean():.0%}"
                cells = [mean_and_error(part) for part in (*shown, area)]
                lines.append([data, balance, method, *cells])
        header = ["data", "smaller group", "method"]
        header += [*(f"{share:.0%} measured" for share in SHOWN), "mean"]
        write_table(f"iured_curves_{laplacian}", markdown(header, lines))


def steps(rows: pd.DataFrame, published: pd.DataFrame) -> None:
    """Write table 1, mean decrease of the error beside the paper's, and the same elsewhere."""
    told = published.set_index(["data", "method"]).published
    usual = rows[(rows.share == 0.1) & rows.width.isin([0.7, 0])]
    first = usual[usual.laplacian == "unnormalised"]
    lines = []
    for data in dict.fromkeys(first["set"]):
        here = usual[usual["set"] == data]
        told_of = str(first[first["set"] == data]["data"].iloc[0])
        line = [data]
        for laplacian in LAPLACIANS:
            line.append(f"{here[here.laplacian == laplacian].balance.mean():.0%}")
            for method in ("iu-red", "s-and-t"):
                own = here[(here.method == method) & (here.laplacian == laplacian)].decrease
                line.append(mean_and_error(own, 4, "+"))
        lines.append(
            [*line, *(f"{told[told_of, method]:+.4f}" for method in ("iu-red", "s-and-t"))]
        )
    header = ["data", "smaller group", "IU-RED", "S&T", "smaller group, normalised", "IU-RED"]
    write_table("iured_steps", markdown([*header, "S&T", "paper, IU-RED", "paper, S&T"], lines))
    lines = []
    rows = rows[rows.width > 0]
    for (name, kind, width, share), here in rows.groupby(
        ["set", "laplacian", "width", "share"], sort=False
    ):
        own = [here[here.method == method].decrease for method in ("iu-red", "s-and-t")]
        cells = [mean_and_error(values, 4, "+") for values in own]
        balance = f"{here.balance.mean():.0%}"
        lines.append([str(name), str(kind), f"{width:g}", f"{share:.0%}", balance, *cells])
    header = ["data", "Laplacian", "width", "measured before", "smaller group", "IU-RED", "S&T"]
    write_table("iured_steps_elsewhere", markdown(header, sorted(lines)))


def money(rows: pd.DataFrame, published: pd.DataFrame) -> None:
    """Write table 2, dollars to an error of 0.05, and figure 5."""
    told = published.set_index("method").published
    plain = rows[rows.laplacian == "unnormalised"]
    shown = plain.assign(figure=plain.looks.map(FIGURES), fraction=plain.questions / 4950)
    draw(shown, "iured-photos", "figure", "fraction", "ratings, as a share of all pairs")
    runs = rows.drop_duplicates(["looks", "laplacian", "method", "seed"])
    ways = [("three", one) for one in LAPLACIANS]
    ways += [(looks, "unnormalised") for looks in ("adaptive", "one")]
    lines = []
    for method in dict.fromkeys(runs.method):
        line = [method]
        for looks, laplacian in ways:
            own = runs[
                (runs.method == method) & (runs.looks == looks) & (runs.laplacian == laplacian)
            ]
            missed = int((~own.reached.astype(bool)).sum())
            never = f" ({missed} of {len(own)} not by then)" if missed else ""
            line.append(f"${mean_and_error(own.dollars, 0)}{never}")
        more = "> " if method == "s-and-t" else ""
        lines.append([*line, f"{more}${told[method]:.0f}"])
    header = ["method", "three each (5a)", "three each, normalised", "up to three (5b)", "one (5c)"]
    write_table("iured_money", markdown([*header, "paper (5a)"], lines))


def grouped(
    laplacian: str, groups: int, splitting: str, method: str, seed: int
) -> dict[str, float]:
    """Return the ARI of three or four blobs from a share of the similarities, or from all."""
    X, y, _ = load(task_of(laplacian, groups, splitting, method, seed))
    W = similarities(X, GROUPS_WIDTH, seed)
    how: dict[str, Any] = {"n_clusters": groups, "laplacian": laplacian, "splitting": splitting}
    if method == COMPLETE:
        return {"ari": lw.metrics.ari(y, lw.complete_labels(W, **how))}
    run = lw.run_similarity(
        lw.oracles.FromMatrix(W), len(W), budget=MEASURED, reference=y, checkpoints=(MEASURED,),
        method=method, random_state=seed, **how,
    )  # fmt: skip
    return {"ari": float(run.curve.ari.iloc[-1])}


def task_of(laplacian: str, groups: int, splitting: str, method: str, seed: int) -> Task:
    """Return the run as a task of the bench; all similarities are grouped by the same code."""
    settings = {
        "n": N_BLOBS, "n_clusters": groups, "spread": 2.0, "width": GROUPS_WIDTH,
        "groups": groups, "laplacian": laplacian, "splitting": splitting,
    }  # fmt: skip
    rule = "random" if method == COMPLETE else method
    return Task(
        rule, "blobs", seed, (MEASURED,), kind="similarity",
        data_settings=tuple(sorted(settings.items())),
    )  # fmt: skip


def more_groups() -> str:
    """Return three and four groups: several eigenvectors at once, or one cut after the other."""
    keys = [
        {"laplacian": laplacian, "groups": k, "splitting": way, "method": method, "seed": seed}
        for laplacian, k, (way, rules), seed in product(
            LAPLACIANS, (3, 4), SPLITTINGS.items(), range(GROUPS_SEEDS)
        )
        for method in (COMPLETE, *rules)
    ]
    rows = kept_rows("iured_groups", keys, grouped, task_of)
    lines = []
    for laplacian, k, way in product(LAPLACIANS, (3, 4), SPLITTINGS):
        here = rows[
            (rows["laplacian"] == laplacian) & (rows["groups"] == k) & (rows["splitting"] == way)
        ]
        cells = [
            mean_and_error(here[here["method"] == method]["ari"])
            for method in (COMPLETE, "iu-red", "random")
        ]
        lines.append([laplacian, str(k), way, *cells])
    header = ["Laplacian", "groups", "splitting", "all pairs", "iu-red, 30 %", "random, 30 %"]
    return markdown(header, lines)


def main() -> None:
    """Write the tables and figures."""
    paper = papers.load("iu-red")
    write_table("iured_groups", more_groups())
    write_tables(rows_of(paper.experiment), paper.published)


def write_tables(rows: pd.DataFrame, told: pd.DataFrame) -> None:
    """Write what the documentation shows of the rows there are."""
    rows = with_settings(rows)
    curves(rows[rows.kind == "similarity"])
    steps(rows[rows.kind == "similarity-step"], told[told.metric == "decrease"])
    money(rows[rows.kind == "similarity-money"], told[told.metric == "dollars"])
