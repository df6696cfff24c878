"""What a question of `auto` costs as the pile grows, beside one cold eigenproblem on its graph.

Run with `python -m benchmarks auto_speed`. Processor time, `blobs` in 10 dimensions with 10 groups;
questions and eigenproblems take turns, so that a busy machine slows both.
"""

from __future__ import annotations

from time import process_time

import numpy as np

import likewise as lw
from benchmarks.tables import markdown, write_table
from likewise.bench.speed import cold_eigenproblem

SIZES = (1_000, 3_000, 10_000)
N_CLUSTERS, QUESTIONS, EVERY = 10, 64, 8


def measure(n: int) -> list[str]:
    """Return a row of the table."""
    X, y = lw.datasets.load("blobs", n=n, n_clusters=N_CLUSTERS, d=10, spread=3.0)
    began = process_time()
    study = lw.Study(X)
    question = study.ask()
    first = process_time() - began
    graph = lw.affinities.Gaussian(n_neighbours=15).fit(study.items.features).affinity_
    spent: list[float] = []
    yardstick: list[float] = []
    for number in range(QUESTIONS):
        if number % EVERY == 0:
            began = process_time()
            cold_eigenproblem(graph, N_CLUSTERS)
            yardstick.append(process_time() - began)
        assert question is not None
        i, j = question.pair
        began = process_time()
        study.tell(question, bool(y[i] == y[j]))
        question = study.ask()
        spent.append(process_time() - began)
    middle, high = np.quantile(spent, [0.5, 0.95])
    unit = float(np.median(yardstick))
    return [
        f"{n:,}",
        f"{first * 1000:.0f}",
        f"{middle * 1000:.0f}",
        f"{high * 1000:.0f}",
        f"{middle / unit:.2f}",
        f"{high / unit:.2f}",
    ]


def main() -> None:
    """Measure every size."""
    measure(300)  # warm up: imports, compiled loops
    header = [
        "items", "first question, ms", "next question, ms", "19 of 20 within, ms",
        "next / cold eigsh", "19 of 20 / cold eigsh",
    ]  # fmt: skip
    write_table("auto_speed", markdown(header, [measure(n) for n in SIZES]))
