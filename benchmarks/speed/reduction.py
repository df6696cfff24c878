"""What a study loses by being computed on some items that stand for all.

Run with `python -m benchmarks reduction`, or for some sets and one draw
`python -m benchmarks.speed.reduction letter_recognition pendigits --seed 1`; LIKEWISE_DATA names
the folder with the CSV files. A study of all items, one that is reduced to 5,000, as a large pile
is, and one reduced to 1,000, of which each stands for as many as those of a pile five times as
large; these also without the splits that answers bring about. ARI is of all items, after 200
answers that are true. The sets have at most 20,000 items, so that all can be run. With `--splits`
only the reduction to 1,000 is run, which takes little: what splits are worth, over more draws.
"""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from itertools import product
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
import pandas as pd
from threadpoolctl import threadpool_limits

import likewise as lw
from benchmarks.tables import keep_row
from likewise.bench.provenance import commit
from likewise.study.reduction import reduced as reduction

ANSWERS, REPRESENTATIVES, SEEDS = 200, (5_000, 1_000), (0, 1)
SETS = (
    "letter_recognition", "stackoverflow_titles", "banking77", "covertype_sample10k", "pendigits",
    "sylva_prior", "blobs",
)  # fmt: skip
HEADER = [
    "set", "items", "seed", "representatives", "ARI, all items", "ARI, reduced", "lost",
    "ARI, never split", "first question, reduced / all", "200 answers, reduced / all", "commit",
]  # fmt: skip
SPLITS_HEADER = ["set", "items", "seed", "ARI, split", "ARI, never split", "won", "commit"]


def main(sets: tuple[str, ...] = SETS, seeds: tuple[int, ...] = SEEDS) -> None:
    """Write a row for every set, seed and number of representatives."""
    with threadpool_limits(1):
        for seed, name in product(seeds, sets):
            X, y = load(name, seed)
            whole = measured(X, y, seed, None)
            for wanted in REPRESENTATIVES:
                reduced = measured(X, y, seed, wanted)
                never = measured(X, y, seed, wanted, split=False)
                cells = [
                    name, f"{len(y):,}", str(seed), f"{wanted:,}", f"{whole[0]:.3f}",
                    f"{reduced[0]:.3f}", f"{whole[0] - reduced[0]:+.3f}", f"{never[0]:.3f}",
                    f"{reduced[1] / whole[1]:.2f}", f"{reduced[2] / whole[2]:.2f}", commit(),
                ]  # fmt: skip
                keep_row("reduction", HEADER, cells, 4)


def compare_splits(sets: tuple[str, ...] = SETS, seeds: tuple[int, ...] = SEEDS) -> None:
    """Write for every set and seed what is reached with and without splits."""
    with threadpool_limits(1):
        for seed, name in product(seeds, sets):
            X, y = load(name, seed)
            wanted = REPRESENTATIVES[-1]
            split, never = (measured(X, y, seed, wanted, split=one)[0] for one in (True, False))
            scores = [f"{split:.3f}", f"{never:.3f}", f"{split - never:+.3f}"]
            row = [name, f"{len(y):,}", str(seed), *scores, commit()]
            keep_row("reduction_splits", SPLITS_HEADER, row, 3)


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
    words = sys.argv[1:]
    chosen: tuple[int, ...] = SEEDS
    if "--seed" in words:
        at = words.index("--seed")
        chosen = (int(words[at + 1]),)
        del words[at : at + 2]
    run = compare_splits if "--splits" in words else main
    run(tuple(word for word in words if word != "--splits") or SETS, chosen)
