"""IU-RED beside its paper: curves of error, single steps, money.

Run with `python -m benchmarks iured`; it shows what `likewise bench paper iu-red` computes.
LIKEWISE_DATA must hold pendigits, waveform and segmentation_full.
"""

from __future__ import annotations

import pandas as pd
from matplotlib.figure import Figure

import likewise as lw
from benchmarks.rows import rows_of
from benchmarks.tables import markdown, write_figure, write_table
from likewise.bench import papers
from likewise.bench.tasks.similarity import similarities
from likewise.plots import PALETTE

ITEMS = 80
SEEDS = 5
SHOWN = (0.05, 0.1, 0.15)
STYLES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)))


def short(data: str) -> str:
    """Return a data set as figures name it."""
    name, _, settings = data.partition("(")
    if name != "two-gaussians":
        return name.removesuffix("_full")
    if "width=0" in settings:
        return "uniform numbers"
    return f"two Gaussians, {settings.split('separation=')[1].rstrip(')')} apart"


def draw(rows: pd.DataFrame, name: str, sets: list[str], methods: list[str]) -> None:
    """Draw error against the share of pairs measured, a panel per set: docs/images/NAME.png."""
    figure = Figure(
        figsize=(3.2 * min(len(sets), 3), 2.7 * (-(-len(sets) // 3))), layout="constrained"
    )
    panels = figure.subplots(-(-len(sets) // 3), min(len(sets), 3), squeeze=False).ravel()
    for panel, data in zip(panels, sets, strict=False):
        here = rows[rows.data == data]
        for k, method in enumerate(methods):
            line = here[here.method == method].groupby("questions").misclustering.mean()
            share = line.index.to_numpy() / (ITEMS * (ITEMS - 1) / 2)
            panel.plot(share, line, color=PALETTE[k], linestyle=STYLES[k], label=method)
        panel.set_title(f"{short(data)} (smaller group {here.balance.mean():.0%})", fontsize=8)
        panel.tick_params(labelsize=7)
        panel.grid(alpha=0.25)
    for panel in panels[len(sets) :]:
        panel.set_axis_off()
    panels[0].legend(frameon=False, fontsize=6)
    panels[0].set_ylabel("error", fontsize=8)
    figure.supxlabel("share of pairs measured", fontsize=8)
    write_figure(figure, name, dpi=110)


def curves(rows: pd.DataFrame) -> str:
    """Return mean errors as a table, and both figures."""
    sets, methods = list(dict.fromkeys(rows.data)), list(dict.fromkeys(rows.method))
    synthetic = [data for data in sets if data.startswith("two")]
    draw(rows, "iured-synthetic", synthetic, methods)
    draw(rows, "iured-real", [data for data in sets if data not in synthetic], methods)
    pairs = ITEMS * (ITEMS - 1) // 2
    lines = []
    for data in sets:
        here = rows[rows.data == data]
        means = here.groupby(["method", "questions"]).misclustering.mean()
        area = here[here.questions > 0].groupby("method").misclustering.mean()
        spread = here[here.questions > 0].groupby(["method", "seed"]).misclustering.mean()
        for method in methods:
            error = spread[method].std() / len(spread[method]) ** 0.5
            lines.append(
                [short(data), f"{here.balance.mean():.0%}", method]
                + [f"{means[method, round(share * pairs)]:.3f}" for share in SHOWN]
                + [f"{area[method]:.3f} ± {error:.3f}"]
            )
    header = [
        "data",
        "smaller group",
        "method",
        *(f"{share:.0%} measured" for share in SHOWN),
        "mean",
    ]
    return markdown(header, lines)


def steps(rows: pd.DataFrame, published: pd.DataFrame) -> str:
    """Return table 1: mean decrease of the error with its standard error, beside the paper's."""
    lines = []
    told = published.set_index(["data", "method"]).published
    for data in dict.fromkeys(rows.data):
        line = [short(data), f"{rows[rows.data == data].balance.mean():.0%}"]
        for method in ("iu-red", "s-and-t"):
            ours = rows[(rows.data == data) & (rows.method == method)].decrease
            error = ours.std() / len(ours) ** 0.5
            line += [f"{ours.mean():+.4f} ± {error:.4f}", f"{told[data, method]:+.4f}"]
        lines.append(line)
    header = ["data", "smaller group", "IU-RED", "paper", "S&T", "paper"]
    return markdown(header, lines)


def money(rows: pd.DataFrame, published: pd.DataFrame) -> str:
    """Return table 2: dollars to an error of 0.05."""
    told = published.set_index("method").published
    lines = []
    for method in dict.fromkeys(rows.method):
        ours = rows[rows.method == method]
        missed = int((~ours.reached.astype(bool)).sum())
        never = f" ({missed} of {len(ours)} not by then)" if missed else ""
        more = "> " if method == "s-and-t" else ""
        lines.append([method, f"${ours.dollars.mean():.0f}{never}", f"{more}${told[method]:.0f}"])
    return markdown(["method", "ours", "paper"], lines)


def more_groups() -> str:
    """Return three and four groups: several eigenvectors at once, or one cut after the other."""
    lines = []
    for k in (3, 4):
        for splitting in ("vectors", "recursive"):
            scores: dict[str, list[float]] = {"complete": [], "iu-red": [], "random": []}
            for seed in range(SEEDS):
                X, y = lw.datasets.load("blobs", n=60, n_clusters=k, spread=2.0, random_state=seed)
                W = similarities(X, 0.5, seed)
                complete = lw.complete_labels(W, k, splitting=splitting)
                scores["complete"].append(lw.metrics.ari(y, complete))
                for method in ("iu-red", "random"):
                    run = lw.run_similarity(
                        lw.oracles.FromMatrix(W), 60, budget=530, reference=y, n_clusters=k,
                        splitting=splitting, method=method, random_state=seed,
                    )  # fmt: skip
                    scores[method].append(float(run.curve.ari.iloc[-1]))
            means = [f"{sum(values) / SEEDS:.3f}" for values in scores.values()]
            lines.append([str(k), splitting, *means])
    header = ["groups", "splitting", "all pairs", "iu-red, 30 %", "random, 30 %"]
    return markdown(header, lines)


def main() -> None:
    """Write four tables and two figures."""
    paper = papers.load("iu-red")
    rows = rows_of(paper.experiment)
    told = paper.published
    for name, text in (
        ("iured_groups", more_groups()),
        ("iured_curves", curves(rows[rows.kind == "similarity"])),
        (
            "iured_steps",
            steps(rows[rows.kind == "similarity-step"], told[told.metric == "decrease"]),
        ),
        (
            "iured_money",
            money(rows[rows.kind == "similarity-money"], told[told.metric == "dollars"]),
        ),
    ):
        write_table(name, text)
