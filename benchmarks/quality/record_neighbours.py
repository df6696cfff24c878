"""Whether the partner of a record is among its nearest, and what looking for it costs.

Run with `python -m benchmarks record_neighbours`; LIKEWISE_DATA names the folder with
restaurants.csv, without which that row stays as it is. "nearest", "three", "eight": share of the
rows that have a partner of which one is the nearest row, among the three or the eight nearest, by
what candidates are chosen by. Seconds are of the processor: making columns comparable, finding
neighbours, comparing them column by column, the first groups, and the groups after an answer.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from time import process_time

import narwhals as nw
import numpy as np
import numpy.typing as npt
import pandas as pd
import scipy.sparse as sp

import likewise as lw
from benchmarks.tables import keep_row
from likewise.auto.records.record_linkage import RecordLinkage
from likewise.features.records.blocking import row_pieces
from likewise.features.records.records import Records

N_PEOPLE = (700, 7_100, 71_000)  # of whom three in ten are written down more than once
AMONG = (1, 3, 8)
_AT_ONCE = 1_000
HEADER = (
    *("table", "rows", "partner is nearest", "among three", "among eight"),
    *("columns", "neighbours", "comparisons", "first groups", "another answer"),
)
Labels = npt.NDArray[np.int64]


def main() -> None:
    """Write a row per table."""
    restaurants = Path(os.environ["LIKEWISE_DATA"]) / "restaurants.csv"
    if restaurants.exists():
        table = pd.read_csv(restaurants)
        keep("restaurants", table, np.unique(table.pop("label"), return_inverse=True)[1])
    for n_people in N_PEOPLE:
        keep(f"{n_people:,} people", *lw.datasets.people(n_entities=n_people, random_state=1))


def keep(name: str, table: pd.DataFrame, truth: Labels) -> None:
    """Measure one table and keep its row."""
    records = Records.of_frame(nw.from_native(table, eager_only=True))
    linkage = RecordLinkage(records=records)
    nothing = np.zeros((len(table), 1))
    after = RecordLinkage(records=records)
    seconds = [
        timed(lambda: records.columns),
        timed(lambda: records.pairs),
        timed(lambda: (records.levels, records.random_levels)),
        timed(lambda: linkage.fit(nothing)),
        timed(lambda: after.fit(nothing, must_link=[records.pairs[0]], start=linkage)),
    ]
    shares = [f"{share:.1%}" for share in found(records, truth)]
    row = [name, f"{len(table):,}", *shares, *(f"{one:.2g}" for one in seconds)]
    keep_row("record_neighbours", HEADER, row, 1)


def found(records: Records, truth: Labels) -> list[float]:
    """Return the share of rows with a partner that have one among so many nearest rows."""
    pieces = row_pieces(records.columns)
    others = sp.csr_matrix(pieces.T)
    rows = np.flatnonzero(np.bincount(truth)[truth] > 1)
    ranks = [
        rank_of_partner(likeness, row, truth)
        for begin in range(0, len(rows), _AT_ONCE)
        for row, likeness in zip(
            rows[begin : begin + _AT_ONCE].tolist(),
            sp.csr_matrix(pieces[rows[begin : begin + _AT_ONCE]] @ others),
            strict=True,
        )
    ]
    return [float((np.array(ranks) < most).mean()) for most in AMONG]


def rank_of_partner(likeness: sp.csr_matrix, row: int, truth: Labels) -> int:
    """Return how many others are nearer to a row than its nearest partner."""
    other, alike = likeness.indices, np.round(likeness.data, 6)
    other, alike = other[other != row], alike[other != row]
    partner = truth[other] == truth[row]
    if not partner.any():
        return len(truth)
    return int((alike[~partner] >= alike[partner].max()).sum())


def timed(work: Callable[[], object]) -> float:
    """Return how long the processor works on something."""
    began = process_time()
    work()
    return process_time() - began
