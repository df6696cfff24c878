"""COBRAS and COBRA here beside the package of the COBRAS authors: agreement and time.

Run with `python -m benchmarks cobras`. All are left to find the number of groups themselves. Runs
of the methods take turns. Time is processor time of the first hundred questions, while none has
finished, in the process that computes: what others do on the machine is not in it, nor, for the
package, most of what talking to it takes.
"""

from __future__ import annotations

from functools import cache
from itertools import product
from time import process_time

import numpy as np
import pandas as pd

import likewise as lw
from benchmarks.rows import kept_rows
from benchmarks.tables import markdown, mean_and_error, write_table
from likewise.bench.experiment import Task
from likewise.bench.peers import run_peer
from likewise.bench.task_data import load
from likewise.errors import MethodError

DATA = ("iris", "wine", "ionosphere", "breast_cancer", "digits")
METHODS = ("cobras", "cobra", "cobras-ts")
SEEDS = range(10)
CHECKPOINTS = (10, 25, 50, 100, 200)
TIMED = 100  # questions


def run(method: str, data: str, seed: int) -> dict[str, float]:
    """Return agreement with the truth at each checkpoint, and milliseconds per question."""
    if method != "cobras-ts":
        warm_up()
    X, truth, _ = load(task_of(method, data, seed))
    oracle = lw.oracles.FromLabels(truth)
    agreement, seconds = [], {}
    if method == "cobras-ts":
        scaled = np.asarray(lw.Items.of(X).data)
        ran = run_peer(
            method, scaled, oracle, n_clusters=None, checkpoints=CHECKPOINTS, random_state=seed,
            time_limit=600.0,
        )  # fmt: skip
        if ran.status != "ok":
            raise MethodError(f"{method} on {data}: {ran.reason}")
        agreement = [lw.metrics.ari(truth, labels) for _, labels, _ in ran.rows]
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
    # A pile that is settled early stays so.
    agreement += agreement[-1:] * (len(CHECKPOINTS) - len(agreement))
    found = {str(at): ari for at, ari in zip(CHECKPOINTS, agreement, strict=True)}
    return {**found, "ms": 1000 * seconds[TIMED] / TIMED}


@cache
def warm_up() -> None:
    """Compile what is compiled at first use."""
    X, truth, _ = load(task_of("cobras", "iris", 99))
    lw.run(X, lw.oracles.FromLabels(truth), method="cobras", budget=50, checkpoints=[50])


def task_of(method: str, data: str, seed: int) -> Task:
    """Return the run as a task of the bench."""
    kind = "peer" if method == "cobras-ts" else "questions"
    return Task(method, data, seed, CHECKPOINTS, kind=kind, k_known=False)


def main() -> None:
    """Run every data set and method, the methods in turn."""
    keys = [
        {"method": method, "data": data, "seed": seed}
        for data, seed, method in product(DATA, SEEDS, METHODS)
    ]
    write_table("cobras", table(kept_rows("cobras", keys, run, task_of)))


def table(rows: pd.DataFrame) -> str:
    """Return a line per data set and method: means over seeds, and time beside the package's."""
    times = rows.groupby(["data", "method"])["ms"].median().to_dict()
    lines = []
    for data, method in product(DATA, METHODS):
        here = rows[(rows["data"] == data) & (rows["method"] == method)]
        if here.empty:
            continue
        cells = [mean_and_error(here[str(at)], digits=2) for at in CHECKPOINTS]
        package = times.get((data, "cobras-ts"))
        share = "" if package is None else f"{times[data, method] / package:.2f}×"
        lines.append([data, method, *cells, f"{times[data, method]:.1f}", share])
    header = [
        "data", "method", *(f"{n} questions" for n in CHECKPOINTS), "ms per question",
        "of the package's time",
    ]  # fmt: skip
    seeds = rows["seed"].nunique()
    note = f"\nAdjusted Rand index, mean ± standard error of {seeds} seeds.\n"
    return markdown(header, lines) + note
