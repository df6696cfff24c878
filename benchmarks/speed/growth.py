"""What one question costs as the pile grows, beside one cold eigenproblem on the same graph.

Run with `python -m benchmarks growth`. The pile is `blobs` in 10 dimensions with 10 groups, the
graph its neighbour graph. Questions and eigenproblems take turns, so that a busy machine slows
both; the table shows medians with quartiles, and peak memory against the size of the graph.
"""

from __future__ import annotations

import tracemalloc
from time import perf_counter

import numpy as np
import numpy.typing as npt

import likewise as lw
from benchmarks.tables import markdown, write_table
from likewise.bench.speed import cold_eigenproblem

SIZES = (1_000, 3_000, 10_000)
N_CLUSTERS, N_VECTORS = 10, 20
REFITS = 64  # placements timed at each size


def quartiles(seconds: list[float]) -> str:
    low, middle, high = np.quantile(seconds, [0.25, 0.5, 0.75]) * 1000
    return f"{middle:.0f} ({low:.0f}–{high:.0f})"


def measure(n: int) -> tuple[list[str], float]:
    """Return a row of the table, and the median seconds of a refit."""
    X, y = lw.datasets.load("blobs", n=n, n_clusters=N_CLUSTERS, d=10, spread=3.0)
    began = perf_counter()
    study = lw.Study(X, method="urasc", n_clusters=N_CLUSTERS)
    question = study.ask()
    first = perf_counter() - began
    graph = lw.affinities.Gaussian().fit(study.items.features).affinity_
    refits: list[float] = []
    every: list[float] = []
    full: list[float] = []
    needed: list[float] = []
    while len(refits) < REFITS and question is not None:
        placed_before = study.constraints.components()
        verdict = bool(y[question.pair.i] == y[question.pair.j])
        began = perf_counter()
        study.tell(question, verdict)
        question = study.ask()
        every.append(perf_counter() - began)
        if study.placing is None and not np.array_equal(
            placed_before, study.constraints.components()
        ):
            refits.append(every[-1])
            full.append(cold_eigenproblem(graph, N_VECTORS))
            needed.append(cold_eigenproblem(graph, N_CLUSTERS))
    row = [
        f"{n:,}",
        f"{graph.nnz // 2:,}",
        f"{first * 1000:.0f}",
        quartiles(every),
        quartiles(refits),
        quartiles(full),
        f"{np.mean(every) / np.median(full):.2f}",
        f"{np.median(refits) / np.median(full):.2f}",
        f"{np.median(refits) / np.median(needed):.2f}",
        f"{peak_memory(X, y) / (graph.nnz / 2):.0f}",
    ]
    return row, float(np.median(refits))


def peak_memory(X: npt.NDArray[np.float64], y: npt.NDArray[np.int64]) -> float:
    """Return bytes at the peak of the first thirty questions; numpy's arrays are counted."""
    tracemalloc.start()
    lw.run(X, lw.oracles.FromLabels(y), method="urasc", n_clusters=N_CLUSTERS, budget=30)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return float(peak)


def main() -> None:
    """Measure every size and fit the exponent of growth."""
    measure(300)  # warm up: imports, thread pools
    rows, seconds = zip(*(measure(n) for n in SIZES), strict=True)
    exponent = np.polyfit(np.log(SIZES), np.log(seconds), 1)[0]
    header = [
        "items", "edges", "first question, ms", "next question, ms", "next question with refit, ms",
        f"cold eigsh, {N_VECTORS} vectors, ms", "mean question / that", "refit / that",
        f"refit / cold eigsh, {N_CLUSTERS} vectors", "peak memory, bytes per edge",
    ]  # fmt: skip
    text = markdown(header, rows)
    text += f"\nA question with refit grows as n^{exponent:.2f} between these sizes.\n"
    write_table("growth", text)
