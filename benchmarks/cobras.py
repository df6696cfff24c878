"""COBRAS and COBRA here beside the package of the COBRAS authors: agreement and time.

Run with `python -m benchmarks cobras`. All are left to find the number of groups themselves. Runs
of the methods take turns on one core, so that a busy machine slows all of them. Time is that of
the first hundred questions, while none has finished; for the package with the little that talking
to it takes.
"""

from __future__ import annotations

import sys

import numpy as np

from benchmarks.experiments import markdown, write_table
from likewise.bench.experiment import Task
from likewise.bench.runner import attempt

DATA = ("iris", "wine", "ionosphere", "breast_cancer", "digits")
METHODS = {"cobras": "questions", "cobra": "questions", "cobras-ts": "peer"}
SEEDS = range(5)
CHECKPOINTS = (10, 25, 50, 100, 200)
TIMED = 100  # questions


def run(method: str, data: str, seed: int) -> tuple[list[float], float]:
    """Agreement with the truth at each checkpoint, and milliseconds per question."""
    task = Task(method, data, seed, CHECKPOINTS, kind=METHODS[method], k_known=False)
    rows = attempt(task)[1]
    if rows[-1]["status"] != "ok":
        sys.exit(f"{method} on {data}: {rows[-1]['reason']}")
    sys.stderr.write(".")
    sys.stderr.flush()
    seconds = rows[CHECKPOINTS.index(TIMED)]["seconds"]
    return [row["ari"] for row in rows], 1000 * seconds / TIMED


def main() -> None:
    """Every data set and method, the methods in turn."""
    table = []
    for data in DATA:
        runs: dict[str, list[tuple[list[float], float]]] = {method: [] for method in METHODS}
        for seed in SEEDS:
            for method in METHODS:
                runs[method].append(run(method, data, seed))
        for method, results in runs.items():
            curves = np.array([curve for curve, _ in results])
            cells = [
                f"{mean:.2f} ± {spread:.2f}"
                for mean, spread in zip(curves.mean(axis=0), curves.std(axis=0), strict=True)
            ]
            milliseconds = np.median([time for _, time in results])
            table.append([data, method, *cells, f"{milliseconds:.0f}"])
    header = ["data", "method", *(f"{n} questions" for n in CHECKPOINTS), "ms per question"]
    note = f"\nAdjusted Rand index, mean ± standard deviation of {len(SEEDS)} seeds.\n"
    write_table("cobras", markdown(header, table) + note)
