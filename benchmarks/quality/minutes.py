"""What a person's minutes buy, by kind of question, beside sorting by hand.

Run with `python -m benchmarks minutes`; LIKEWISE_DATA names the folder with the CSV files and
`images/<set>/<class>/`. Simulated persons, always right, at the usual pace (three draws, ten of
piles of which three say little), in half and in twice of its time (one). One process per core; it
can be stopped by `--minutes` and goes on the next time. What settings were chosen on is told in
docs/results/looks.md.
"""

from __future__ import annotations

import os
from functools import lru_cache
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
# Where the draws differ by more than the kinds do: of posts ten minutes are eight questions.
MORE = {pile: [(1.0, seed) for seed in range(3, 10)] for pile in ("newsgroups20_2000", "leaf_uci")}
LONG = ("banking77",)  # what takes most of the time comes last
MARKS = (1, 2, 5, 10)  # minutes


def curve(pile: str, kind: str, factor: float, seed: int) -> dict[str, float]:
    """Return the ARI after each number of minutes."""
    items, kinds = items_of(pile, seed)
    pace = lw.Pace().times(factor)
    if kind == "by hand":
        return {str(mark): by_hand(items, kinds, pace, mark, seed) for mark in MARKS}
    person = lw.oracles.Person(kinds, pace=pace)
    found = lw.run(items, person, minutes=MARKS[-1], kinds=kind, random_state=seed).curve
    return {str(mark): float(found.ari[found.minutes <= mark].iloc[-1]) for mark in MARKS}


def items_of(pile: str, seed: int) -> tuple[lw.Items, Labels]:
    """Return a pile and its kinds; pictures are kept, since reading them takes as long as a run."""
    folder = Path(os.environ["LIKEWISE_DATA"])
    return _pictures(pile, folder) if pile in PICTURES else table(pile, folder, seed)


_pictures = lru_cache(pictures)


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
    piles = [pile for pile in (*PICTURES, *ROWS, *TEXTS) if not (rows.quick and pile in LONG)]
    runs = [(pile, draw) for draw, pile in product(DRAWS[:1] if rows.quick else DRAWS, piles)]
    runs.sort(key=lambda run: run[0] in LONG)
    runs += [] if rows.quick else [(pile, draw) for pile, more in MORE.items() for draw in more]
    keys = [
        {"pile": pile, "kind": kind, "factor": factor, "seed": seed}
        for (pile, (factor, seed)), kind in product(runs, KINDS)
    ]
    found = kept_rows("minutes", keys, curve, task_of, n_jobs=-1)
    found = found.sort_values(["pile", "factor", "seed"])
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
    # Draws of which every kind has been computed.
    whole = usual.groupby(["pile", "seed"]).filter(lambda draw: len(draw) == len(KINDS))
    lines = []
    for pile, part in whole.groupby("pile", sort=False):
        line = [str(pile)]
        for mark in MARKS[1:]:
            by_draw = part.pivot(index="seed", columns="kind", values=str(mark))
            other = by_draw[["pair", "place"]]
            beside = by_draw["best"] - other[other.mean().idxmax()]
            error = f" ± {beside.std() / np.sqrt(len(beside)):.3f}" if len(beside) > 1 else ""
            line.append(f"{beside.mean():+.3f}{error}")
        ratio = by_draw["best"].mean() / by_draw["pair"].mean()
        lines.append([*line, f"{ratio:.2f}", f"{len(by_draw)}"])
    header = [f"after {mark} minutes" for mark in MARKS[1:]]
    return markdown(["pile", *header, "times pairs, after 10", "draws"], lines)
