"""What the experiments share: one run on one core, many runs on all of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
from joblib import Parallel, delayed
from threadpoolctl import threadpool_limits

import likewise as lw

RESULTS = Path(__file__).parent / "results"
IMAGES = Path(__file__).parent.parent / "docs" / "images"


@dataclass(frozen=True)
class Job:
    """One run: which data, which method, how answered, how scored."""

    data: str
    method: str
    seed: int
    checkpoints: tuple[int, ...]
    k_known: bool = True
    error_rate: float = 0.0

    def curve(self) -> pd.DataFrame:
        """The run's curve, with what was run in its first columns."""
        X, y = lw.datasets.load(self.data)
        oracle = (
            lw.oracles.Noisy(y, self.error_rate, self.seed)
            if self.error_rate
            else lw.oracles.FromLabels(y)
        )
        with threadpool_limits(1):
            curve = lw.run(
                X,
                oracle,
                method=self.method,
                budget=max(self.checkpoints),
                n_clusters=len(np.unique(y)) if self.k_known else None,
                random_state=self.seed,
                checkpoints=self.checkpoints,
            ).curve
        # A study that is complete before its budget is spent keeps its last score.
        curve = curve.set_index("questions").reindex(self.checkpoints, method="ffill").reset_index()
        what = ["data", "method", "seed", "k_known", "error_rate"]
        curve[what] = [getattr(self, name) for name in what]
        return curve[[*what, *curve.columns.drop(what)]]


def run_all(jobs: Iterable[Job], name: str) -> pd.DataFrame:
    """All jobs, the longest first, written to results/NAME.csv."""
    in_order = sorted(jobs, key=lambda job: -max(job.checkpoints))
    curves = Parallel(n_jobs=-1, verbose=1)(delayed(job.curve)() for job in in_order)
    rows: pd.DataFrame = pd.concat(curves, ignore_index=True)
    RESULTS.mkdir(exist_ok=True)
    rows.drop(columns="seconds").round(4).to_csv(RESULTS / f"{name}.csv", index=False)
    return rows


def markdown(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table in Markdown."""
    lines = [header, ["---"] * len(header), *rows]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def write_table(name: str, text: str) -> None:
    """Keep a table as results/NAME.md, from where the documentation takes it."""
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / f"{name}.md").write_text(text)
