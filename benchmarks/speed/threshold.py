"""From which size on a pile is better computed on items that stand for all.

Run with `python -m benchmarks threshold`, or `python -m benchmarks.speed.threshold 20000` for one
size. The piles are those of `sizes`, in 32 dimensions: all items are computed on, or 5,000 that
stand for them; processor seconds of one thread. What is lost on real sets is in `reduction`.
"""

from __future__ import annotations

import sys
from dataclasses import replace

import numpy as np
from threadpoolctl import threadpool_limits

import likewise as lw
from benchmarks.speed.sizes import pile, timed
from benchmarks.tables import keep_row
from likewise.bench.provenance import commit

SIZES, D = (5_000, 10_000, 20_000, 50_000), 32
HEADER = [
    "items", "computed on", "first question, s", "next question, ms", "19 of 20 within, ms",
    "ARI", "peak memory, MiB", "commit",
]  # fmt: skip


def main(sizes: tuple[int, ...] = SIZES) -> None:
    """Write two rows for every size; of 5,000 items one, since both are the same."""
    with threadpool_limits(1):
        lw.Study(np.random.default_rng(0).normal(size=(300, 8))).ask()  # imports, compiled loops
        for n in sizes:
            X, y = pile(n, D)
            for wanted in (None, 5_000) if n > 5_000 else (None,):
                recipe = replace(
                    lw.METHODS["auto"], representatives=lambda *_, m=wanted: m, name="auto, told"
                )
                found = timed(X, y, recipe)
                row = [
                    f"{n:,}", f"{wanted or n:,}", f"{found.first:.2f}",
                    f"{found.median * 1000:.0f}", f"{found.high * 1000:.0f}",
                    f"{found.ari:.3f}", f"{found.memory:,.0f}", commit(),
                ]  # fmt: skip
                keep_row("threshold", HEADER, row, 2)


if __name__ == "__main__":
    main(tuple(map(int, sys.argv[1:])) or SIZES)
