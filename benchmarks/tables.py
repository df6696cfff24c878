"""Tables and figures for the documentation, and where they are kept."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

import likewise as lw
from likewise.features.catalogue import FIGURES

RESULTS = Path(__file__).with_name("results")
IMAGES = Path(__file__).parents[1] / "docs" / "images"


def markdown(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table in Markdown."""
    lines = [header, ["---"] * len(header), *rows]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def write_table(name: str, text: str) -> None:
    """Keep a table as results/NAME.md, from where the documentation takes it."""
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / f"{name}.md").write_text(text)


def keep_row(table: str, header: Sequence[str], row: Sequence[str], named_by: int) -> None:
    """Put a row into a kept table, in place of the one whose first cells are the same."""
    sys.stderr.write(f"{list(row)}\n")
    path = RESULTS / f"{table}.md"
    lines = path.read_text(encoding="utf-8").splitlines()[2:] if path.exists() else []
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    at = [k for k, other in enumerate(rows) if other[:named_by] == list(row)[:named_by]]
    if at:
        rows[at[0]] = list(row)
    else:
        rows.append(list(row))
    write_table(table, markdown(header, rows))


def write_figures(serves: str, experiment: str, items: int, rows: pd.DataFrame) -> None:
    """Write means over piles for `likewise models`, and where they come from.

    Parameters
    ----------
    serves : str
        "texts" or "pictures".
    experiment : str
        By which the rows were made.
    items : int
        How many a pile has at most.
    rows : DataFrame
        With columns pile, features, commit, and those named below.
    """
    names = ["ms", "mb", "vote", "kmeans", "area"]
    measured = rows.groupby("pile")["features"].transform("nunique")
    rows = rows[measured == rows["features"].nunique()]  # so that means are over the same piles
    means = rows.groupby(["pile", "features"])[names].mean().groupby(level="features").mean()
    kept = means.round(3).astype(object).where(means.notna(), None)
    figures = json.loads(FIGURES.read_text())
    figures[serves] = {
        "made_by": f"python -m benchmarks {experiment}",
        "commits": sorted(set(rows["commit"])),
        "items": items,
        "piles": sorted(set(rows["pile"])),
        "models": kept.to_dict("index"),
    }
    FIGURES.write_text(json.dumps(figures, indent=1) + "\n")


def mean_and_error(values: pd.Series, digits: int = 3, sign: str = "") -> str:
    """Return the mean over draws with its standard error; of one draw alone there is none.

    Nothing at all is an empty cell.

    >>> mean_and_error(pd.Series([0.25, 0.75]), digits=2)
    '0.50 ± 0.25'
    """
    numbers = values.to_numpy(np.float64)
    if not len(numbers):
        return ""
    mean = f"{numbers.mean():{sign}.{digits}f}"
    error = numbers.std(ddof=1) / np.sqrt(len(numbers)) if len(numbers) > 1 else 0.0
    return f"{mean} ± {error:.{digits}f}" if len(numbers) > 1 else mean


def with_best_bold(values: Sequence[float], *, digits: int = 3) -> list[str]:
    """Return numbers as text, the largest in bold, an empty cell for NaN.

    >>> with_best_bold([0.5, 0.25, float("nan")], digits=2)
    ['**0.50**', '0.25', '']
    """
    known = [value for value in values if value == value]
    cells = [f"{value:.{digits}f}" if value == value else "" for value in values]
    return [
        f"**{cell}**" if known and value == max(known) else cell
        for cell, value in zip(cells, values, strict=True)
    ]


def with_best_mean_bold(runs: Sequence[pd.Series], *, digits: int = 3) -> list[str]:
    """Return means with their standard errors, the largest in bold, an empty cell for no runs.

    >>> with_best_mean_bold([pd.Series([0.5, 0.5]), pd.Series([0.25]), pd.Series([])], digits=2)
    ['**0.50 ± 0.00**', '0.25', '']
    """
    means = [float(some.mean()) if len(some) else float("nan") for some in runs]
    best = max((mean for mean in means if mean == mean), default=None)
    cells = [mean_and_error(some, digits) for some in runs]
    return [
        f"**{cell}**" if cell and mean == best else cell
        for cell, mean in zip(cells, means, strict=True)
    ]


def write_figure(figure: Figure, name: str, *, dpi: int = 130) -> None:
    """Keep a figure as docs/images/NAME.png, the same bytes for the same picture."""
    IMAGES.mkdir(parents=True, exist_ok=True)
    figure.savefig(IMAGES / f"{name}.png", dpi=dpi, metadata={"Software": None})


def write_curves(rows: pd.DataFrame, name: str, title: str) -> None:
    """Keep the mean curves of all methods in `rows` as docs/images/NAME.png."""
    figure = Figure(figsize=(6.4, 4.0), layout="constrained")
    runs = {
        str(method): [curve[["questions", "ari"]] for _, curve in part.groupby("seed")]
        for method, part in rows.groupby("method", sort=False)
    }
    axes = lw.plots.curve(runs, ax=figure.add_subplot())
    axes.set_title(title)
    axes.set_ylabel("agreement with the truth (ARI)")
    write_figure(figure, name)
