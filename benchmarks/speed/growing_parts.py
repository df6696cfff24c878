"""Piles in parts that grow: what is lost by keeping the representatives that a journal knows.

Run with `python -m benchmarks growing_parts`; LIKEWISE_DATA names the folder with pendigits.csv.
Rows come in steps, a block of them each. Once all representatives are found anew at every step,
500 of them, of a million rows 25,000; once those of the first step are followed. They have the
groups of the rows that they show, all rows have theirs by vote, and ARI is of all rows. Seconds of
the processor, on one thread: to find representatives anew, and what following takes beside that.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from time import process_time
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
from threadpoolctl import threadpool_limits

import likewise as lw
from benchmarks.tables import keep_row
from likewise.bench.provenance import commit
from likewise.partitions import RepresentativeItems, load_partitioned
from likewise.partitions.growth.following import follow_rows

REPRESENTATIVES, GROUPS, DRAW = 500, 50, 7
PER_BLOCK = 60_000  # rows
HEADER = [
    "rows", "what comes", "rows in the end", "steps", "representatives, anew", "followed",
    "ARI, anew", "followed, ARI", "found anew, s", "followed, s", "commit",
]  # fmt: skip


class Growth(NamedTuple):
    """A pile in the order in which its rows come, and after how many each step ends."""

    rows: str
    what: str
    X: npt.NDArray[np.float64]
    truth: npt.NDArray[np.int64]
    ends: tuple[int, ...]
    representatives: int = REPRESENTATIVES


def main() -> None:
    """Write a row for every pile."""
    with threadpool_limits(1):
        for growth in (*gaussian(8, 2.0), *gaussian(32, 0.8), *digits(), million()):
            keep_row("growing_parts", HEADER, measure(growth), 2)


def gaussian(d: int, apart: float) -> Iterator[Growth]:
    """Yield piles of Gaussian groups; their centres deviate by so much, rows by one."""
    rng = np.random.default_rng([DRAW, d])
    centres = rng.normal(0.0, apart, (GROUPS, d))
    name, n = f"{GROUPS} groups in {d} dimensions", 60_000
    few = tuple(range(40_000, 60_001, 2_000))
    for what, ends, first, known in (
        ("the same groups", (20_000, 60_000), 0, GROUPS),
        ("the same groups, in ten steps", few, 0, GROUPS),
        ("one more group", (40_000, 60_000), 40_000, GROUPS - 1),
        ("as many groups again", (20_000, 60_000), 20_000, GROUPS // 2),
        ("nearly all rows", (400, 60_000), 0, GROUPS),
    ):
        truth = rng.integers(GROUPS, size=n)
        truth[:first] = rng.integers(known, size=first)
        yield Growth(name, what, centres[truth] + rng.normal(size=(n, d)), truth, ends)


def digits() -> Iterator[Growth]:
    """Yield real digits: the same ten, and the other five."""
    table = pd.read_csv(Path(os.environ["LIKEWISE_DATA"]) / "pendigits.csv")
    table = table.sample(frac=1, random_state=DRAW)
    truth = np.unique(table.pop("label").astype(str), return_inverse=True)[1]
    X, n = table.to_numpy(dtype=np.float64), len(table)
    yield Growth("pendigits", "the same digits", X, truth, (n // 3, n))
    order = np.argsort(truth >= 5, kind="stable")
    ends = (int((truth < 5).sum()), n)
    yield Growth("pendigits", "five more digits", X[order], truth[order], ends)


def million() -> Growth:
    """Return a million rows, half of which come later, with the usual representatives."""
    rng = np.random.default_rng([DRAW, 10**6])
    truth = rng.integers(GROUPS, size=10**6)
    X = rng.normal(0.0, 0.8, (GROUPS, 32))[truth] + rng.normal(size=(10**6, 32))
    ends = (500_000, 10**6)
    return Growth(f"{GROUPS} groups in 32 dimensions", "half of a million", X, truth, ends, 25_000)


def measure(growth: Growth) -> list[str]:
    """Return the row of a pile."""
    anew = followed = None
    found = following = 0.0
    for k, end in enumerate(growth.ends):
        steps = np.split(growth.X[:end], growth.ends[:k])
        blocks = [one for X in steps for one in np.array_split(X, -(-len(X) // PER_BLOCK))]
        began = process_time()
        anew = load_partitioned(blocks, growth.representatives, n_jobs=1, random_state=DRAW)
        found = process_time() - began
        began = process_time()
        if followed is None:
            followed = anew
        else:
            known = followed.ids, followed.digests, followed.content
            followed = follow_rows(anew, *known).items
        following = process_time() - began
    assert anew is not None
    assert followed is not None
    scores = [f"{agreement(one, growth.truth):.3f}" for one in (anew, followed)]
    return [
        growth.rows, growth.what, f"{len(growth.truth):,}", str(len(growth.ends) - 1),
        str(len(anew)), str(len(followed)), *scores, f"{found:.2f}", f"{following:.2f}", commit(),
    ]  # fmt: skip


def agreement(items: RepresentativeItems, truth: npt.NDArray[np.int64]) -> float:
    """Return the ARI of all rows, by the groups of those that are shown."""
    shown = truth[[int(name) for name in items.ids]]
    return float(lw.metrics.ari(truth, np.concatenate(list(items.all_labels(shown)))))


if __name__ == "__main__":
    main()
