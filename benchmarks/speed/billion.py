"""What a billion rows in parts would take: every step on one part, the merge on all their centres.

Run with `python -m benchmarks billion`. A billion rows of 32 numbers are 20,000 parts of 50,000.
What is done for each part is done here for one, and multiplied; what is done once, for all parts,
is done with as many centres as they would have, drawn at random. Then what is done besides once the
pile has grown. Processor seconds of one thread.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from benchmarks.speed.million import write
from benchmarks.tables import markdown, write_table
from likewise.bench.provenance import commit
from likewise.clusterers.representative_votes import Regions
from likewise.partitions._assignments import RowAssigner, count_rows
from likewise.partitions._local_kmeans import CentredUnits, KMeansJob, LocalCentres, local_kmeans
from likewise.partitions._moments import Moments, merge_moments
from likewise.partitions.discover import find_partitions
from likewise.partitions.growth._located_rows import SoughtRows, find_rows
from likewise.partitions.growth.following import sum_rows
from likewise.partitions.load import _merge
from likewise.partitions.representative_items import _write

ROWS, PER_PART, D, REPRESENTATIVES = 10**9, 50_000, 32, 20_000
PARTS = ROWS // PER_PART
CENTRES = 2  # of a part: 1.5 for every representative are spread over all parts
CORES = 100


def main() -> None:
    """Write the table."""
    with TemporaryDirectory() as name, threadpool_limits(1):
        write(Path(name) / "data", PER_PART)
        (part,), _ = find_partitions(Path(name) / "data", drop=["group"])
        rows = list(steps(part, Path(name)))
    header = [
        "step",
        "one part, s",
        f"{PARTS:,} parts on {CORES} cores, min",
        "sent back by all, GiB",
        "commit",
    ]
    write_table("billion", markdown(header, ([*row, commit()] for row in rows)))


def steps(part: Any, folder: Path) -> Any:
    """Yield a row for every step."""
    moments, spent = timed(Moments.of, part)
    yield of_parts("units of the columns", spent, moments)
    units = merge_moments([moments]).units()
    frame = CentredUnits(units, units(moments.mean[None])[0])
    local, spent = timed(local_kmeans, KMeansJob(part, frame, CENTRES, (0, 0)))
    yield of_parts("centres of a part", spent, local)
    rng = np.random.default_rng(0)
    drawn = rng.normal(0, 3, (PARTS * CENTRES, D)).astype(np.float32)
    sizes = np.full(len(drawn), PER_PART // CENTRES)
    merged, spent = timed(_merge, ([LocalCentres(drawn, sizes)], REPRESENTATIVES, 0, PARTS))
    yield ["representatives of all centres, once", f"{spent:.1f}", f"{spent / 60:.2f}", ""]
    job = (part, frame, local.centres, merged.astype(np.float32), 0)
    counted, spent = timed(count_rows, job)
    yield of_parts("rows counted", spent, counted)
    sought = SoughtRows(tuple(rng.bytes(16) for _ in merged), None)
    found, spent = timed(find_rows, (RowAssigner.of(job), sought))
    yield of_parts("grown: known rows looked for", spent, found)
    sums, spent = timed(sum_rows, job)
    yield of_parts("grown: means of the rows near them", spent, sums)
    assigner = RowAssigner.of(job)
    labels = np.zeros(len(merged), dtype=np.int64)
    path = str(folder / "labels.parquet")
    regions = Regions.of(assigner.representatives)  # once, for all parts
    _, spent = timed(_write, ((assigner, regions, labels, np.ones(len(merged))), path))
    yield of_parts("labels written", spent, path)


def of_parts(name: str, spent: float, sent: Any) -> list[str]:
    """Return a row of the table: what one part takes, and all of them."""
    minutes = spent * PARTS / CORES / 60
    gib = len(pickle.dumps(sent)) * PARTS / 2**30
    return [name, f"{spent:.2f}", f"{minutes:.2f}", f"{gib:,.1f}"]


def timed(work: Callable[[Any], Any], job: Any) -> tuple[Any, float]:
    """Return a result, and how long it took."""
    began = process_time()
    result = work(job)
    return result, process_time() - began


if __name__ == "__main__":
    main()
