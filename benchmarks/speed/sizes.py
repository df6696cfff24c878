"""How long the first and the next question of `auto` take as piles grow, beside k-means.

Run with `python -m benchmarks sizes`, or `python -m benchmarks.speed.sizes 100000x32` for one size.
The rows are 50 Gaussian groups in memory; from an array to the first question, then to each next
one, in processor seconds of one thread. The yardstick is one pass of k-means over the same rows:
the nearest of 5,000 centres for each, by matrix products in single precision.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from time import process_time

import numpy as np
import numpy.typing as npt
from threadpoolctl import threadpool_limits

import likewise as lw
from benchmarks.tables import RESULTS, keep_row, markdown, write_table
from likewise.bench.memory import peak_memory
from likewise.bench.provenance import commit

SIZES = (
    "10000x32", "20000x32", "100000x32", "1000000x32", "10000x384", "100000x384", "1000000x384"
)  # fmt: skip
GROUPS, CENTRES, ANSWERS, SPREAD = 50, 5_000, 100, 3.0
HEADER = [
    "items", "dimensions", "k-means pass, s", "first question, s", "/ pass", "next question, ms",
    "19 of 20 within, ms", "all labels, s", "ARI", "peak memory, MiB", "commit",
]  # fmt: skip


def main(sizes: tuple[str, ...] = SIZES) -> None:
    """Write a row for every size."""
    with threadpool_limits(1):
        lw.Study(np.random.default_rng(0).normal(size=(300, 8))).ask()  # imports, compiled loops
        for size in sizes:
            n, d = map(int, size.split("x"))
            keep_row("sizes", HEADER, measure(n, d), 2)
    write_exponents()


def write_exponents() -> None:
    """Write how fast each figure grows: the slope between sizes, both as logarithms."""
    lines = (RESULTS / "sizes.md").read_text(encoding="utf-8").splitlines()[2:]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    named = {"first question": 3, "19 of 20 questions": 6, "peak memory": 9, "k-means pass": 2}
    table = []
    for d in ("32", "384"):
        of = {int(r[0].replace(",", "")): r for r in rows if r[1] == d}
        for few, many in ((10_000, 100_000), (100_000, 1_000_000)):
            if few not in of or many not in of:
                continue
            cells = [
                f"{np.log10(_number(of[many][at]) / _number(of[few][at])):.2f}"
                for at in named.values()
            ]
            table.append([f"{few:,} to {many:,}", d, *cells])
    write_table("sizes_growth", markdown(["items", "dimensions", *named], table))


def _number(cell: str) -> float:
    return float(cell.replace(",", ""))


def measure(n: int, d: int) -> list[str]:
    """Return a row of the table."""
    X, y = pile(n, d)
    unit = bare_pass(X, np.random.default_rng(1))
    found = timed(X, y, "auto")
    return [
        f"{n:,}", str(d), f"{unit:.2f}", f"{found.first:.2f}", f"{found.first / unit:.1f}",
        f"{found.median * 1000:.0f}", f"{found.high * 1000:.0f}", f"{found.labelled:.2f}",
        f"{found.ari:.3f}", f"{found.memory:,.0f}", commit(),
    ]  # fmt: skip


def pile(n: int, d: int) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.int64]]:
    """Return Gaussian groups that overlap, and which row is of which."""
    rng = np.random.default_rng(0)
    y = rng.integers(GROUPS, size=n)
    X = rng.normal(0, 3, (GROUPS, d)).astype(np.float32)[y]
    for start in range(0, n, 50_000):  # no second array of all
        part = X[start : start + 50_000]
        part += SPREAD * rng.standard_normal(part.shape, dtype=np.float32)
    return X, y


@dataclass(frozen=True)
class Timed:
    """Processor seconds of a study, to the first question, to the next ones and to the labels."""

    first: float
    median: float
    high: float  # 19 of 20 questions are there sooner
    labelled: float
    ari: float
    memory: float  # MiB at the peak


def timed(X: npt.NDArray[np.float32], y: npt.NDArray[np.int64], method: str | lw.Recipe) -> Timed:
    """Answer a hundred questions by the truth, and look at the clock."""
    with peak_memory() as peak:
        began = process_time()
        study = lw.Study(X, method=method)
        question = study.ask()
        first = process_time() - began
        spent: list[float] = []
        while question is not None and len(spent) < ANSWERS:
            i, j = question.pair
            began = process_time()
            study.tell(question, bool(y[i] == y[j]))
            question = study.ask()
            spent.append(process_time() - began)
        began = process_time()
        labels = study.labels_
        labelled = process_time() - began
    middle, high = np.quantile(spent, [0.5, 0.95])
    return Timed(first, float(middle), float(high), labelled, lw.metrics.ari(y, labels), peak[0])


def bare_pass(X: npt.NDArray[np.float32], rng: np.random.Generator) -> float:
    """Return how long it takes to find the nearest of the centres for every row."""
    centres = X[rng.choice(len(X), min(CENTRES, len(X)), replace=False)]
    began = process_time()
    squares = (centres**2).sum(axis=1)
    for start in range(0, len(X), 5000):
        (squares - 2 * (X[start : start + 5000] @ centres.T)).argmin(axis=1)
    return process_time() - began


if __name__ == "__main__":
    main(tuple(sys.argv[1:]) or SIZES)
