"""What a person's minutes buy, by kind of question, beside sorting by hand.

Run with `python -m benchmarks minutes`; LIKEWISE_DATA names the folder with the CSV files and
`images/<set>/<class>/`. Simulated persons, always right, at the usual pace (three draws), in half
and in twice of its time (one). What settings were chosen on is told in docs/results/looks.md.
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
DRAWS = ((1.0, 0), (1.0, 1), (1.0, 2), (2.0, 0), (0.5, 0))  # times as slow, and the seed
LONG = ("banking77", "newsgroups20_2000")  # what takes most of the time comes last
MARKS = (1, 2, 5, 10)  # minutes


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
    draws = DRAWS[:1] if rows.quick else DRAWS
    piles = [pile for pile in (*PICTURES, *ROWS, *TEXTS) if not (rows.quick and pile in LONG)]
    keys = [
        {"pile": pile, "kind": kind, "factor": factor, "seed": seed}
        for (factor, seed), pile, kind in product(draws, piles, KINDS)
    ]
    keys.sort(key=lambda key: key["pile"] in LONG)
    found = kept_rows("minutes", keys, curve, task_of).sort_values(["pile", "factor", "seed"])
    write_table("minutes", shown(found))
    write_table("minutes_best", compared(found))


def shown(found: pd.DataFrame) -> str:
    """Return a line per pile, pace and number of minutes, the best kind in bold."""
    lines = []
    for (pile, factor), part in found.groupby(["pile", "factor"], sort=False):
        by_kind = part.groupby("kind")[[str(mark) for mark in MARKS]].mean()
        for mark in MARKS:
            values = [float(by_kind[str(mark)].get(kind, np.nan)) for kind in KINDS]
            lines.append([str(pile), f"{factor:g}", str(mark), *with_best_bold(values)])
    return markdown(["pile", "times as slow", "minutes", *KINDS], lines)


def compared(found: pd.DataFrame) -> str:
    """Return a line per pile: `best` beside pairs, and beside the better of pair and place.

    At the usual pace. The better one is that of the larger mean over the draws; behind the
    difference stands its standard error.
    """
    usual = found[found["factor"] == 1.0]
    lines = []
    for pile, part in usual.groupby("pile", sort=False):
        line = [str(pile)]
        for mark in MARKS[1:]:
            by_draw = part.pivot(index="seed", columns="kind", values=str(mark)).dropna()
            other = by_draw[["pair", "place"]]
            beside = by_draw["best"] - other[other.mean().idxmax()]
            error = f" ± {beside.std() / np.sqrt(len(beside)):.3f}" if len(beside) > 1 else ""
            line.append(f"{beside.mean():+.3f}{error}")
        ratio = by_draw["best"].mean() / by_draw["pair"].mean()
        lines.append([*line, f"{ratio:.2f}", f"{len(by_draw)}"])
    header = [f"after {mark} minutes" for mark in MARKS[1:]]
    return markdown(["pile", *header, "times pairs, after 10", "draws"], lines)
