"""What a person's minutes buy, by kind of question, beside sorting by hand.

Run with `python -m benchmarks minutes`; LIKEWISE_DATA names the folder with the CSV files and
`images/<set>/<class>/`. Simulated persons, always right, at the usual pace, in half and in twice
of its time. What settings were chosen on is told in docs/results/looks.md.
"""

from __future__ import annotations

import os
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd

import likewise as lw
from benchmarks import rows
from benchmarks.methods.auto_piles import PICTURES, ROWS, TEXTS, Labels, pictures, table
from benchmarks.rows import kept_rows
from benchmarks.tables import markdown, with_best_bold, write_table
from likewise.bench.experiment import Task

KINDS = ("pair", "place", "sheet", "best", "by hand")
FACTORS = (1.0, 0.5, 2.0)
MARKS = (1, 2, 5, 10)  # minutes
SEEDS = 1


def curve(pile: str, kind: str, factor: float, seed: int) -> dict[str, float]:
    """Return the ARI after each number of minutes."""
    folder = Path(os.environ["LIKEWISE_DATA"])
    items, kinds = pictures(pile, folder) if pile in PICTURES else table(pile, folder, seed)
    pace = lw.Pace().times(factor)
    if kind == "by hand":
        return {str(mark): by_hand(items, kinds, pace, mark, seed) for mark in MARKS}
    person = lw.oracles.Person(kinds, pace=pace)
    found = lw.run(items, person, minutes=MARKS[-1], kinds=kind, random_state=seed).curve
    return {str(mark): float(found.ari[found.minutes <= mark].iloc[-1]) for mark in MARKS}


def by_hand(items: lw.Items, kinds: Labels, pace: lw.Pace, minutes: float, seed: int) -> float:
    """Return the ARI once items were sorted one by one, the others lying on one heap."""
    seconds = np.cumsum([pace.of_place(look, 0) for look in pace.looks(items)])
    order = np.random.default_rng(seed).permutation(len(kinds))
    labels = np.full(len(kinds), -1)
    done = order[seconds <= 60 * minutes]
    labels[done] = kinds[done]
    return float(lw.metrics.ari(kinds, labels))


def task_of(pile: str, kind: str, factor: float, seed: int) -> Task:
    """Return the run as a task of the bench."""
    return Task("auto", pile, seed, MARKS)


def main() -> None:
    """Write the ARI of every pile and kind after some minutes.

    With --quick once and at the usual pace alone, without the longest texts.
    """
    factors, seeds = (FACTORS[:1], 1) if rows.quick else (FACTORS, SEEDS)
    piles = (*PICTURES, *ROWS, *(TEXTS[:2] if rows.quick else TEXTS))
    keys = [
        {"pile": pile, "kind": kind, "factor": factor, "seed": seed}
        for seed, factor, pile, kind in product(range(seeds), factors, piles, KINDS)
    ]
    write_table("minutes", shown(kept_rows("minutes", keys, curve, task_of)))


def shown(found: pd.DataFrame) -> str:
    """Return a line per pile, pace and number of minutes, the best kind in bold."""
    lines = []
    for (pile, factor), part in found.groupby(["pile", "factor"], sort=False):
        by_kind = part.groupby("kind")[[str(mark) for mark in MARKS]].mean()
        for mark in MARKS:
            values = [float(by_kind[str(mark)].get(kind, np.nan)) for kind in KINDS]
            lines.append([str(pile), f"{factor:g}", str(mark), *with_best_bold(values)])
    return markdown(["pile", "times as slow", "minutes", *KINDS], lines)
