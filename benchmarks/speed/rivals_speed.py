"""Seconds per question of the first paper's rivals at 200, 1 000 and 5 000 items.

Run with `python -m benchmarks rivals_speed`. The pile is `blobs` in 10 dimensions; methods for any
number of groups have 10 of them, `asc` has 2. Methods take turns with one cold eigenproblem on the
same neighbour graph, so that a busy machine slows all of them.
"""

from __future__ import annotations

from typing import Any

import pandas as pd

from benchmarks.tables import markdown, write_table
from likewise.bench.speed import YARDSTICK, measure

SIZES = (200, 1_000, 5_000)
METHODS = ("urasc", "asc", "quire", "pknn", "active-hacc", "cac1", "closest")
QUESTIONS, ROUNDS = 10, 2


def main() -> None:
    """Write medians over rounds; the ratio is to the eigenproblem of the same size."""
    rows = measure(METHODS, sizes=SIZES, questions=QUESTIONS, rounds=ROUNDS)
    write_table("rivals_speed", table(rows))


def table(rows: pd.DataFrame) -> str:
    """Return a line per method: ms to the first question, ms per question, and ratios."""
    medians = rows.groupby(["method", "n"])[["first", "per_question"]].median() * 1000
    first: dict[Any, Any] = medians["first"].to_dict()
    later: dict[Any, Any] = medians["per_question"].to_dict()
    lines = []
    for method in (*METHODS, YARDSTICK):
        begins = "" if method == YARDSTICK else f"{first[method, SIZES[-1]]:.0f}"
        times = [f"{ms:.1f}" if (ms := later[method, n]) < 10 else f"{ms:.0f}" for n in SIZES]
        ratios = [f"{later[method, n] / later[YARDSTICK, n]:.2f}" for n in SIZES]
        lines.append([method, begins, *times, *ratios])
    header = ["method", f"first question at {SIZES[-1]:,}, ms"]
    header += [f"next at {n:,}, ms" for n in SIZES] + [
        f"ratio to {YARDSTICK} at {n:,}" for n in SIZES
    ]
    return markdown(header, lines)
