"""Representatives of rows in parts that answers show to be mixed: what it is worth to split them.

Run with `python -m benchmarks mixed_parts`; LIKEWISE_DATA names the folder with the CSV files. As
in a large pile in memory, a representative is mixed if some of its rows have another group by the
votes of the five nearest than itself; then the one of these rows nearest to their mean stands for
others, too, for at most a tenth as many representatives as there were. `auto` answers 200 questions
truthfully. ARI of all rows: without any split; with representatives where a split puts them, at the
means of the rows nearest to those they show, but none added; with a split after 100 answers; and
with another one after 200. Seconds of the processor for one split, which reads all rows four times,
and for one bare pass that finds the five nearest representatives of every row.
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
from likewise.clusterers.representative_votes import VOTERS, Regions, elect
from likewise.partitions import RepresentativeItems, load_partitioned
from likewise.partitions._assignments import RowAssigner
from likewise.partitions.growth._located_rows import FoundRows, SoughtRows, find_rows
from likewise.partitions.growth.following import ChosenRows, shown_rows, stand_for_all

PER_BLOCK, SHARE, HALF, ALL, DRAWS = 50_000, 0.1, 100, 200, (2, 3)
SETS = ("pendigits", "letter_recognition", "covertype_sample10k")
HEADER = [
    "rows", "how many", "representatives", "draw", "ARI, never split", "at means",
    "split after 100", "and after 200", "won by the first", "a split, s", "a pass, s", "commit",
]  # fmt: skip


class Rows(NamedTuple):
    """Rows with their kinds, and how many representatives they have."""

    name: str
    X: npt.NDArray[np.float64]
    truth: npt.NDArray[np.int64]
    wanted: int
    draw: int


def main() -> None:
    """Write a row for every pile and draw."""
    with threadpool_limits(1):
        for rows in piles():
            keep_row("mixed_parts", HEADER, measure(rows), 4)


def piles() -> Iterator[Rows]:
    """Yield real sets, and groups that overlap."""
    for draw in DRAWS:
        for name in SETS:
            table = pd.read_csv(Path(os.environ["LIKEWISE_DATA"]) / f"{name}.csv")
            table = table.sample(frac=1, random_state=draw)
            truth = np.unique(table.pop("label").astype(str), return_inverse=True)[1]
            yield Rows(name, table.to_numpy(dtype=np.float64), truth, 1_000, draw)
        for n, d, apart, wanted in ((200_000, 8, 2.0, 1_000), (200_000, 32, 0.8, 2_000)):
            yield gaussian(n, d, apart, wanted, draw)
    yield gaussian(1_000_000, 8, 2.0, 25_000, DRAWS[0])


def gaussian(n: int, d: int, apart: float, wanted: int, draw: int) -> Rows:
    """Return 50 groups whose centres deviate by so much, rows by one."""
    rng = np.random.default_rng([draw, d])
    centres = rng.normal(0.0, apart, (50, d))
    truth = rng.integers(50, size=n)
    X = centres[truth] + rng.normal(size=(n, d))
    return Rows(f"50 groups in {d} dimensions", X, truth, wanted, draw)


def measure(rows: Rows) -> list[str]:
    """Return the row of a pile."""
    blocks = np.array_split(rows.X, -(-len(rows.X) // PER_BLOCK))
    items = load_partitioned(blocks, rows.wanted, n_jobs=1, random_state=rows.draw)
    study = answered(items, rows, HALF)
    began = process_time()
    halfway = split(items, study, round(SHARE * rows.wanted))
    seconds = process_time() - began
    unsplit = answered(items, rows, ALL, study)
    moved = stand_for_all(items, shown_rows(items, found_in(items)))
    at_means = answered(moved, rows, ALL, study)
    once = answered(halfway, rows, ALL, study)
    again = split(halfway, once, round(SHARE * rows.wanted))
    twice = answered(again, rows, ALL, once)
    results = ((items, unsplit), (moved, at_means), (halfway, once), (again, twice))
    scores = [agreement(*one, rows.truth) for one in results]
    began = process_time()
    agreement(items, unsplit, rows.truth)
    bare = process_time() - began
    return [
        rows.name, f"{len(rows.X):,}", f"{len(items):,}", str(rows.draw),
        *(f"{one:.3f}" for one in scores), f"{scores[2] - scores[0]:+.3f}", f"{seconds:.1f}",
        f"{bare:.1f}", commit(),
    ]  # fmt: skip


def answered(
    items: RepresentativeItems, rows: Rows, n: int, earlier: lw.Study | None = None
) -> lw.Study:
    """Return a study with so many true answers, first those of another one."""
    study = lw.Study(items, random_state=rows.draw)
    kinds = rows.truth[[int(name) for name in items.ids]]
    for answer in () if earlier is None else earlier.answers:
        study.tell(answer.pair, answer.verdict)
    while study.n_answers < n and (question := study.ask()) is not None:
        i, j = question.pair
        study.tell(question, bool(kinds[i] == kinds[j]))
    return study


def agreement(items: RepresentativeItems, study: lw.Study, truth: npt.NDArray[np.int64]) -> float:
    """Return the ARI of all rows."""
    labels = np.concatenate(list(items.all_labels(study.labels_, study.confidence_)))
    return float(lw.metrics.ari(truth, labels))


def split(items: RepresentativeItems, study: lw.Study, most: int) -> RepresentativeItems:
    """Return the representatives and rows of those that answers show to be mixed."""
    strays = mixed_rows(items, study, most)
    return stand_for_all(items, shown_rows(items, found_in(items)).with_rows(strays))


def found_in(items: RepresentativeItems) -> list[FoundRows]:
    """Return the rows that are shown, part by part."""
    return [find_rows((one, SoughtRows((), None))) for one in items.partitions]


def mixed_rows(items: RepresentativeItems, study: lw.Study, most: int) -> ChosenRows:
    """Return of every mixed representative the stray row nearest to the mean of these."""
    regions = Regions.of(items.partitions[0].representatives)
    found = [strays_of(one, regions, study) for one in items.partitions]
    part = np.repeat(np.arange(len(found)), [len(rows) for rows, *_ in found])
    rows, home = (np.concatenate([one[k] for one in found]) for k in (0, 1))
    X = np.vstack([one[2] for one in found])
    if not len(rows):
        return ChosenRows(part, rows, X)
    cells, of_row, sizes = np.unique(home, return_inverse=True, return_counts=True)
    means = np.zeros((len(cells), X.shape[1]))
    np.add.at(means, of_row, X)
    means /= sizes[:, None]
    away = ((X - means[of_row]) ** 2).sum(axis=1)
    order = np.lexsort((away, of_row))
    _, first = np.unique(of_row[order], return_index=True)
    chosen = np.sort(order[first[np.argsort(-sizes, kind="stable")[:most]]])
    return ChosenRows(part[chosen], rows[chosen], X[chosen])


def strays_of(
    one: RowAssigner, regions: Regions, study: lw.Study
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.float32]]:
    """Return rows of a part that vote for another group than that of the nearest representative."""
    X = one.frame.rows(one.part)
    near = regions.nearest(X, VOTERS)
    elected, _ = elect(near, study.labels_, study.confidence_)
    home = near.positions[:, 0].astype(np.int64)
    is_stray = study.labels_[elected] != study.labels_[home]
    is_stray[one.shown[:, 0]] = False
    rows = np.flatnonzero(is_stray)
    return rows, home[rows], X[rows]


if __name__ == "__main__":
    main()
