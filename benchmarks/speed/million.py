"""A million rows by representatives: what a study of them costs, from the files to the labels.

Run with `python -m benchmarks million`. The rows are 50 Gaussian groups in 32 dimensions, written
as Parquet files of 50,000 rows each to a temporary folder. `auto` has 25,000 representatives and is
not told how many groups there are, as `likewise start` does it unasked; `sgt` has 2 % as many as
rows, at most 20,000, and is told. Every time is told as a ratio to one bare pass of k-means over
the same files in the same run: reading every row and assigning it to the nearest of as many
centres, in single precision.
All work is done in one process and times are its processor seconds, so that a busy machine changes
nothing. Above a million rows the bare pass is timed on a part of the files and scaled up.
"""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

import numpy as np

import likewise as lw
from benchmarks.tables import keep_row
from likewise.bench.memory import peak_memory
from likewise.bench.provenance import commit
from likewise.partitions import load_partitioned
from likewise.partitions._local_kmeans import nearest_centres
from likewise.partitions.discover import find_partitions

SIZES = (100_000, 1_000_000, 10_000_000)
D, GROUPS, PER_FILE = 32, 50, 50_000
ANSWERS = 100
HEADER = [
    "rows", "method", "representatives", "bare pass, s", "representatives found / that",
    "first question / that", "answer, ms (median, p95)", "labels written / that",
    "peak memory, MiB", "data, MiB", "ARI of all rows", "commit",
]  # fmt: skip


def main(sizes: tuple[int, ...] = SIZES) -> None:
    """Write a row for every size and method."""
    for n in sizes:
        with TemporaryDirectory() as name:
            write(Path(name) / "data", n)
            for method, wanted in (("auto", 25_000), ("sgt", min(20_000, n // 50))):
                keep_row("million", HEADER, measure(Path(name) / "data", n, method, wanted), 2)


def measure(data: Path, n: int, method: str, wanted: int) -> list[str]:
    """Return all of it at one size, with so many representatives."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        bare = bare_pass(data, wanted)
        with peak_memory() as peak:
            began = process_time()
            items = load_partitioned(data, wanted, drop=["group"], n_jobs=1)
            loaded = process_time() - began
            assert items.rows is not None
            truth = [row["group"] for row in items.rows]
            told = None if method == "auto" else GROUPS
            study = lw.Study(items, method=method, n_clusters=told)
            question = study.ask()
            first = process_time() - began
            answers: list[float] = []
            while question is not None and len(answers) < ANSWERS:
                i, j = question.pair
                asked = process_time()
                study.tell(question, truth[i] == truth[j])
                question = study.ask()
                answers.append(process_time() - asked)
            labels, confidence = study.labels_, study.confidence_
            began = process_time()
            written = [*map(Path, items.write_labels(folder / "labels", labels, confidence))]
            wrote = process_time() - began
        score = agreement(data, written)
    low, high = np.quantile(answers, [0.5, 0.95]) * 1000
    return [
        f"{n:,}", method, f"{len(items):,}", f"{bare:.1f}", f"{loaded / bare:.2f}",
        f"{first / bare:.2f}", f"{low:.0f}, {high:.0f}", f"{wrote / bare:.2f}",
        f"{peak[0]:,.0f}", f"{n * D * 8 / 2**20:,.0f}", f"{score:.3f}", commit(),
    ]  # fmt: skip


def write(folder: Path, n: int) -> None:
    """Write the rows, file by file: never more than one in memory."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    folder.mkdir()
    centres = np.random.default_rng(0).normal(0.0, 2.0, (GROUPS, D))
    for number, start in enumerate(range(0, n, PER_FILE)):
        rng = np.random.default_rng((1, number))
        group = rng.integers(GROUPS, size=min(PER_FILE, n - start))
        X = (centres[group] + rng.normal(size=(len(group), D))).astype(np.float32)
        columns = {f"x{k}": X[:, k] for k in range(D)} | {"group": group}
        pq.write_table(pa.table(columns), folder / f"{number:05d}.parquet")


def bare_pass(folder: Path, n_centres: int) -> float:
    """Return seconds to read all rows and find the nearest of so many centres, on one core."""
    from threadpoolctl import threadpool_limits

    parts, _ = find_partitions(folder, drop=["group"])
    every = max(1, len(parts) // 20)
    centres = np.random.default_rng(0).normal(0.0, 2.0, (n_centres, D)).astype(np.float32)
    with threadpool_limits(1):
        began = process_time()
        for part in parts[::every]:
            nearest_centres(part.features().astype(np.float32), centres)
        return (process_time() - began) * len(parts) / len(parts[::every])


def agreement(folder: Path, written: list[Path]) -> float:
    """Return how well the labels of all rows agree with the groups."""
    import pyarrow.parquet as pq

    truth = [pq.read_table(path, columns=["group"]) for path in sorted(folder.glob("*.parquet"))]
    found = [pq.read_table(path, columns=["group"]) for path in written]
    both = (np.concatenate([t.column(0).to_numpy() for t in tables]) for tables in (truth, found))
    return lw.metrics.ari(*both)


if __name__ == "__main__":
    main(tuple(int(size) for size in sys.argv[1:]) or SIZES)
