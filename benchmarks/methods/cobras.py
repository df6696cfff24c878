"""COBRAS and COBRA here beside the package of the COBRAS authors: agreement and time.

Run with `python -m benchmarks cobras`. All are left to find the number of groups themselves. Runs
of the methods take turns. Time is processor time of the first hundred questions, while none has
finished, in the process that computes: what others do on the machine is not in it, nor, for the
package, most of what talking to it takes.
"""

from __future__ import annotations

import sys
from time import process_time

import numpy as np

import likewise as lw
from benchmarks.rows import show_progress
from benchmarks.tables import markdown, write_table
from likewise.bench.experiment import Task
from likewise.bench.peers import run_peer
from likewise.bench.task_data import load

DATA = ("iris", "wine", "ionosphere", "breast_cancer", "digits")
METHODS = ("cobras", "cobra", "cobras-ts")
SEEDS = range(10)
CHECKPOINTS = (10, 25, 50, 100, 200)
TIMED = 100  # questions


def run(method: str, data: str, seed: int) -> tuple[list[float], float]:
    """Return agreement with the truth at each checkpoint, and milliseconds per question."""
    X, truth, _ = load(Task(method, data, seed, CHECKPOINTS))
    oracle = lw.oracles.FromLabels(truth)
    agreement, seconds = [], {}
    if method == "cobras-ts":
        scaled = np.asarray(lw.Items.of(X).data)
        ran = run_peer(
            method, scaled, oracle, n_clusters=None, checkpoints=CHECKPOINTS, random_state=seed,
            time_limit=600.0,
        )  # fmt: skip
        if ran.status != "ok":
            sys.exit(f"{method} on {data}: {ran.reason}")
        agreement = [lw.metrics.all_metrics(truth, labels)["ari"] for _, labels, _ in ran.rows]
        seconds = ran.processor
    else:
        began = process_time()

        def note(row: dict[str, float]) -> None:
            agreement.append(row["ari"])
            seconds[int(row["questions"])] = process_time() - began

        lw.run(
            X, oracle, method=method, budget=CHECKPOINTS[-1], checkpoints=CHECKPOINTS,
            random_state=seed, on_row=note,
        )  # fmt: skip
    show_progress()
    # A pile that is settled early stays so.
    agreement += agreement[-1:] * (len(CHECKPOINTS) - len(agreement))
    return agreement, 1000 * seconds[TIMED] / TIMED


def main() -> None:
    """Run every data set and method, the methods in turn."""
    run("cobras", "iris", 99)  # compile what is compiled at first use
    table = []
    for data in DATA:
        runs: dict[str, list[tuple[list[float], float]]] = {method: [] for method in METHODS}
        for seed in SEEDS:
            for method in METHODS:
                runs[method].append(run(method, data, seed))
        peers = np.median([time for _, time in runs["cobras-ts"]])
        for method, results in runs.items():
            curves = np.array([curve for curve, _ in results])
            cells = [
                f"{mean:.2f} ± {spread:.2f}"
                for mean, spread in zip(curves.mean(axis=0), curves.std(axis=0), strict=True)
            ]
            time = np.median([time for _, time in results])
            table.append([data, method, *cells, f"{time:.1f}", f"{time / peers:.2f}×"])
    header = [
        "data", "method", *(f"{n} questions" for n in CHECKPOINTS), "ms per question",
        "of the package's time",
    ]  # fmt: skip
    note = f"\nAdjusted Rand index, mean ± standard deviation of {len(SEEDS)} seeds.\n"
    write_table("cobras", markdown(header, table) + note)
