"""Rows in parts by one representative or by the votes of five: what it brings, and what it takes.

Run with `python -m benchmarks votes`. The rows are 50 Gaussian groups that overlap, in blocks of at
most 50,000. Representatives have the group of the row that is shown for each, or that of `auto`
after 100 true answers about these rows. Seconds of the processor for all rows, on one thread,
without reading: with the one representative that rows are counted with, and with five.
"""

from __future__ import annotations

from time import process_time
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from threadpoolctl import threadpool_limits

import likewise as lw
from benchmarks.tables import keep_row
from likewise.bench.provenance import commit
from likewise.partitions import RepresentativeItems, load_partitioned

Labels = npt.NDArray[np.int64]
GROUPS, PER_BLOCK, ANSWERS = 50, 50_000, 100
HEADER = [
    "rows", "dimensions", "representatives", "draw", "their groups", "ARI by one", "ARI by votes",
    "by one, s", "by votes, s", "representatives found, s", "commit",
]  # fmt: skip


class Size(NamedTuple):
    """A pile: `apart` is the deviation of the groups' centres, of which rows deviate by one."""

    n: int
    d: int
    representatives: int
    apart: float
    draws: int


SIZES = (Size(100_000, 8, 1_000, 2.0, 3), Size(400_000, 32, 4_000, 0.8, 1))


def main() -> None:
    """Write two rows for every pile."""
    with threadpool_limits(1):
        for size in SIZES:
            for draw in range(size.draws):
                measure(size, draw)


def measure(size: Size, draw: int) -> None:
    """Write the rows of one pile."""
    rng = np.random.default_rng(draw)
    centres = rng.normal(0.0, size.apart, (GROUPS, size.d))
    truth = rng.integers(GROUPS, size=size.n)
    X = centres[truth] + rng.normal(size=(size.n, size.d))
    blocks = np.array_split(X, -(-size.n // PER_BLOCK))
    began = process_time()
    items = load_partitioned(blocks, size.representatives, n_jobs=1)
    found = process_time() - began
    shown = truth[[int(name) for name in items.ids]]
    study = answered(items, shown)
    for kind, labels, sure in (
        ("of the rows shown", shown, np.ones(len(items))),
        (f"auto, {study.n_answers} answers", study.labels_, study.confidence_),
    ):
        began = process_time()
        alone = np.concatenate([labels[part.assign_rows()[0]] for part in items.partitions])
        between = process_time()
        voted = np.concatenate(list(items.all_labels(labels, sure)))
        ended = process_time()
        row = [
            f"{size.n:,}", str(size.d), f"{len(items):,}", str(draw), kind,
            f"{lw.metrics.ari(truth, alone):.3f}", f"{lw.metrics.ari(truth, voted):.3f}",
            f"{between - began:.2f}", f"{ended - between:.2f}", f"{found:.1f}", commit(),
        ]  # fmt: skip
        keep_row("votes", HEADER, row, 5)


def answered(items: RepresentativeItems, truth: Labels) -> lw.Study:
    """Return a study of representatives after true answers."""
    study = lw.Study(items)
    while study.n_answers < ANSWERS and (question := study.ask()) is not None:
        i, j = question.pair
        study.tell(question, bool(truth[i] == truth[j]))
    return study


if __name__ == "__main__":
    main()
