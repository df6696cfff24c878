"""What the scripts here share: carrying out an experiment, and tables for the documentation."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import pandas as pd
from matplotlib.figure import Figure

import likewise as lw
from likewise.bench.experiment import Experiment
from likewise.bench.results import Results
from likewise.bench.runner import carry_out

HERE = Path(__file__).parent
RESULTS = HERE / "results"
IMAGES = HERE.parent / "docs" / "images"


def rows_of(experiment: Experiment) -> pd.DataFrame:
    """All rows of an experiment, those that are missing computed now; results/NAME.parquet."""
    results = Results(RESULTS / f"{experiment.name}.parquet")

    def note(*_: object) -> None:
        sys.stderr.write(".")
        sys.stderr.flush()

    carry_out(experiment, results, n_jobs=-1, on_done=note)
    frame = results.frame()
    assert frame is not None
    return frame


def markdown(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table in Markdown."""
    lines = [header, ["---"] * len(header), *rows]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def write_table(name: str, text: str) -> None:
    """Keep a table as results/NAME.md, from where the documentation takes it."""
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / f"{name}.md").write_text(text)


def curves(rows: pd.DataFrame, name: str, title: str) -> None:
    """Mean curves of all methods in `rows`, as docs/images/NAME.png."""
    figure = Figure(figsize=(6.4, 4.0), layout="constrained")
    runs = {
        str(method): [curve for _, curve in part.groupby("seed")]
        for method, part in rows.groupby("method", sort=False)
    }
    axes = lw.plots.curve(runs, ax=figure.add_subplot())
    axes.set_title(title)
    axes.set_ylabel("agreement with the truth (ARI)")
    IMAGES.mkdir(parents=True, exist_ok=True)
    figure.savefig(IMAGES / f"{name}.png", dpi=130, metadata={"Software": None})
