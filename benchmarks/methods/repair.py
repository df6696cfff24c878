"""A3S and DSL beside the default method, where kinds are few and where they are many.

Run with `python -m benchmarks repair`; LIKEWISE_DATA names the folder with the CSV files and
`images/<set>/<class>/`. At most a thousand items of each pile, but all digits; answers
are right. Every pile is run with the number of groups told and not told.
"""

from __future__ import annotations

import os
from itertools import product
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
import pandas as pd
from sklearn.datasets import load_digits

import likewise as lw
from benchmarks.methods.auto_piles import PICTURES, Labels, pictures, table
from benchmarks.rows import kept_rows
from benchmarks.tables import markdown, with_best_bold, write_table
from likewise.bench.experiment import Task

PILES = ("digits", "olivetti_faces", "stackoverflow_titles", "banking77")
METHODS = ("a3s", "dsl", "auto")
CHECKPOINTS = (0, 25, 50, 100, 200)
TIMED = "ms per question"


def pile_of(name: str) -> tuple[lw.Items, Labels]:
    """Return the items of a pile and the kind of each."""
    if name == "digits":
        X, kinds = load_digits(return_X_y=True)
        return lw.Items.of(X), kinds
    folder = Path(os.environ["LIKEWISE_DATA"])
    return pictures(name, folder) if name in PICTURES else table(name, folder, 0)


def curve(pile: str, method: str, told: bool) -> dict[str, float]:
    """Return the ARI after each number of questions, and the processor time of one."""
    items, kinds = pile_of(pile)
    began = process_time()
    result = lw.run(
        items,
        lw.oracles.FromLabels(kinds),
        method=method,
        budget=CHECKPOINTS[-1],
        n_clusters=len(np.unique(kinds)) if told else None,
        checkpoints=CHECKPOINTS,
    )
    milliseconds = 1000 * (process_time() - began) / max(result.n_questions, 1)
    found = np.interp(CHECKPOINTS, result.curve.questions, result.curve.ari)
    return {**dict(zip(map(str, CHECKPOINTS), found.tolist(), strict=True)), TIMED: milliseconds}


def task_of(pile: str, method: str, **_: Any) -> Task:
    """Return the run as a task of the bench."""
    return Task(method, pile, 0, CHECKPOINTS)


def main() -> None:
    """Write the table of every pile by every method."""
    keys = [
        {"pile": pile, "method": method, "told": told}
        for method, pile, told in product(METHODS, PILES, (False, True))  # the quick ones first
    ]
    write_table("repair", curves_table(kept_rows("repair", keys, curve, task_of)))


def curves_table(found: pd.DataFrame) -> str:
    """Return a line per pile and method, the best of each pile and column in bold."""
    columns = list(map(str, CHECKPOINTS))
    lines = []
    for pile, told in product(PILES, (False, True)):
        part = found[(found["pile"] == pile) & (found["told"] == told)]
        best = [with_best_bold(part[at].tolist(), digits=2) for at in columns]
        for place, row in enumerate(part.to_dict("records")):
            cells = [column[place] for column in best]
            knows = "told" if told else "not told"
            lines.append([pile, knows, row["method"], *cells, f"{row[TIMED]:.0f}"])
    header = ["pile", "number of groups", "method", *(f"{at} questions" for at in columns), TIMED]
    return markdown(header, lines)
