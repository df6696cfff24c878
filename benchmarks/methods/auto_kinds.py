"""The default method on many, unequal and textbook kinds, with right and with wrong answers.

Run with `python -m benchmarks auto_kinds`; LIKEWISE_DATA names the folder with the CSV files and
`images/<set>/<class>/`. The number of groups is unknown; one draw of each pile.
"""

from __future__ import annotations

import os
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd

import likewise as lw
from benchmarks.methods.auto_piles import PICTURES, pictures, table
from benchmarks.rows import kept_rows
from benchmarks.tables import markdown, write_table
from likewise.bench.experiment import Task

MANY = ("olivetti_faces", "leaf_uci", "fruits360", "shuttle_sample400", "trashnet")
TEXTBOOK = (
    "wine",
    "glass",
    "ionosphere",
    "sonar",
    "parkinsons",
    "breast_cancer_wdbc",
    "segmentation_train210",
)
WRONG = (0.0, 0.15)
CHECKPOINTS = (0, 10, 25, 50, 75, 100, 150, 200)


def curve(pile: str, wrong: float) -> dict[str, float]:
    """Return the ARI after each number of questions, a share of them answered wrong."""
    folder = Path(os.environ["LIKEWISE_DATA"])
    items, kinds = pictures(pile, folder) if pile in PICTURES else table(pile, folder, 0)
    oracle = lw.oracles.Noisy(kinds, wrong, random_state=0)
    result = lw.run(
        items,
        oracle if wrong else lw.oracles.FromLabels(kinds),
        budget=CHECKPOINTS[-1],
        checkpoints=CHECKPOINTS,
        random_state=0,
    )
    # A run that has nothing left to ask stays where it is.
    found = list(map(float, result.curve.ari))
    found += found[-1:] * (len(CHECKPOINTS) - len(found))
    return dict(zip(map(str, CHECKPOINTS), found, strict=True))


def task_of(pile: str, wrong: float) -> Task:
    """Return the run as a task of the bench."""
    return Task("auto", pile, 0, CHECKPOINTS)


def main() -> None:
    """Write the table of curves."""
    keys = [
        {"pile": pile, "wrong": wrong}
        for wrong, pile in product(WRONG, (*MANY, *TEXTBOOK))
        if not wrong or pile in TEXTBOOK
    ]
    found = kept_rows("auto_kinds", keys, curve, task_of)
    found["area"] = np.trapezoid(found[list(map(str, CHECKPOINTS))], CHECKPOINTS) / CHECKPOINTS[-1]
    write_table("auto_kinds", curves(found))


def curves(found: pd.DataFrame) -> str:
    """Return a line per pile, and another where it was answered with errors."""
    shown = ("0", "25", "50", "100", "200")
    lines = [
        [row["pile"], f"{row['wrong']:.0%}", *(f"{float(row[at]):.2f}" for at in ("area", *shown))]
        for row in found.to_dict("records")
    ]
    return markdown(["pile", "wrong", "area", *(f"{at} questions" for at in shown)], lines)
