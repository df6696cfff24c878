"""What a study loses by being computed on 5,000 items that stand for all.

Run with `python -m benchmarks reduction`, or `python -m benchmarks.speed.reduction letter` for one
set; LIKEWISE_DATA names the folder with the CSV files. The same answers are asked of a study of all
items and of one that is reduced, also without the splits that answers bring about; ARI is of all
items, after 200 answers that are true. The sets have at most 20,000 items, so that both can be run:
a product would not reduce them.
"""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
import pandas as pd

import likewise as lw
from benchmarks.tables import keep_row
from likewise.study import reduction

ANSWERS, REPRESENTATIVES, SEEDS = 200, 5_000, (0, 1)
SETS = ("blobs", "pendigits", "banking77", "stackoverflow_titles", "letter_recognition")
HEADER = [
    "set", "items", "seed", "ARI, all items", "ARI, reduced", "lost", "ARI, never split",
    "first question, reduced / all", "200 answers, reduced / all",
]  # fmt: skip


def main(sets: tuple[str, ...] = SETS) -> None:
    """Write a row for every set and seed."""
    for name in sets:
        for seed in SEEDS:
            X, y = load(name, seed)
            whole = measured(X, y, seed, None)
            reduced = measured(X, y, seed, REPRESENTATIVES)
            never = measured(X, y, seed, REPRESENTATIVES, split=False)
            cells = [
                name, f"{len(y):,}", str(seed), f"{whole[0]:.3f}", f"{reduced[0]:.3f}",
                f"{whole[0] - reduced[0]:+.3f}", f"{never[0]:.3f}",
                f"{reduced[1] / whole[1]:.2f}", f"{reduced[2] / whole[2]:.2f}",
            ]  # fmt: skip
            keep_row("reduction", HEADER, cells, 3)


def load(name: str, seed: int) -> tuple[Any, Any]:
    """Return items and truth, in an order that depends on the seed."""
    if name == "blobs":
        return lw.datasets.load(
            "blobs", n=20_000, n_clusters=50, d=32, spread=3.0, random_state=seed
        )
    table = pd.read_csv(Path(os.environ["LIKEWISE_DATA"]) / f"{name}.csv")
    table = table.sample(frac=1, random_state=seed, ignore_index=True)
    y = np.unique(table.pop("label").astype(str), return_inverse=True)[1]
    return (table["text"].tolist() if "text" in table else table.to_numpy()), y


def measured(
    X: Any, y: Any, seed: int, wanted: int | None, *, split: bool = True
) -> tuple[float, float, float]:
    """Return ARI, and processor seconds to the first question and from there to the last."""
    recipe = replace(
        lw.METHODS["auto"], representatives=lambda items, n: wanted, name="auto, reduced"
    )
    items = lw.Items.of(X)
    usual = reduction._FIRST_SPLIT
    reduction._FIRST_SPLIT = usual if split else 10**9
    try:
        began = process_time()
        study = lw.Study(items, method=recipe, random_state=seed)
        question = study.ask()
        first = process_time() - began
        while question is not None and study.n_answers < ANSWERS:
            i, j = question.pair
            study.tell(question, bool(y[i] == y[j]))
            question = study.ask()
        rest = process_time() - began - first
        return lw.metrics.ari(y, study.labels_), first, rest
    finally:
        reduction._FIRST_SPLIT = usual


if __name__ == "__main__":
    main(tuple(sys.argv[1:]) or SETS)
