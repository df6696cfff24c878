"""KASP and RASP beside spectral clustering of all items: agreement lost and time won.

Run with `python -m benchmarks kasp`; LIKEWISE_DATA must hold pendigits and letter_recognition. All
take turns in the same run; times are processor seconds of the whole fit, representatives and graph
included.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import product
from time import process_time
from typing import Any

import numpy as np

import likewise as lw
from benchmarks.tables import markdown, write_table
from likewise.clusterers import KASP, RASP, SpectralLearning

DATA = ("pendigits", "letter_recognition")
SIZES = (100, 300, 1_000, 3_000)
SEEDS = range(2)


def main() -> None:
    """Write a table per data set."""
    rows = []
    for name in DATA:
        X, y = lw.datasets.load(name)
        X = np.asarray(lw.Items.of(X).features)
        k = len(np.unique(y))
        SpectralLearning(n_clusters=2).fit(X[:300])  # warm up
        ari, seconds = measure(partial(SpectralLearning, n_clusters=k), X, y)
        rows.append([name, "all items", f"{len(X):,}", f"{ari:.3f}", "", f"{seconds:.1f}", "1"])
        for kind, m in product((KASP, RASP), SIZES):
            found, spent = measure(partial(kind, n_clusters=k, n_representatives=m), X, y)
            rows.append([
                name, kind.__name__, f"{m:,}", f"{found:.3f}", f"{found - ari:+.3f}",
                f"{spent:.1f}", f"{seconds / spent:.1f}",
            ])  # fmt: skip
    header = ["data", "", "points", "ARI", "beside all items", "processor s", "times as fast"]
    write_table("kasp", markdown(header, rows))


def measure(model: Callable[..., Any], X: Any, y: Any) -> tuple[float, float]:
    """Return mean ARI and median seconds."""
    scores, seconds = [], []
    for seed in SEEDS:
        began = process_time()
        labels = model(random_state=seed).fit(X).labels_
        seconds.append(process_time() - began)
        scores.append(lw.metrics.ari(y, labels))
    return float(np.mean(scores)), float(np.median(seconds))
