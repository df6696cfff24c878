"""Whom Check accuses: right answers that it lists, and two wrong ones among two hundred.

Run with `python -m benchmarks slips`; LIKEWISE_DATA must name a folder with segmentation_train210
and glass. One person answers what the default method asks, always right, or with two slips anywhere
from the eleventh answer on (fewer where nothing is left to ask before that). "Listed" is what
stands under Check as a likely slip; then up to twenty verification questions are asked, which are
answered rightly, and a slip has come to light once it is part of a contradiction.
"""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd

import likewise as lw
from benchmarks.methods.auto_piles import Labels
from benchmarks.rows import kept_rows
from benchmarks.tables import markdown, write_table
from likewise.bench.experiment import Task
from likewise.quality import answers_in_doubt

DATA = ("iris", "wine", "segmentation_train210", "glass")
ANSWERS, LOOKS, MOST, SEEDS = 200, 20, 250, 2


def pile(data: str, seed: int) -> tuple[lw.Items, Labels]:
    """Return some items of a set in random order."""
    X, y = lw.datasets.load(data)
    chosen = np.random.default_rng(seed).permutation(len(y))[:MOST]
    return lw.Items.of(X[chosen]), np.asarray(y)[chosen]


def checked(data: str, slips: int, seed: int) -> dict[str, float]:
    """Return what Check says of the answers, and what verification questions bring to light."""
    items, y = pile(data, seed)
    study = lw.Study(items, random_state=seed)
    turned = np.random.default_rng(seed).choice(np.arange(10, ANSWERS), slips, replace=False)
    wrong = set()
    while study.n_answers < ANSWERS and (question := study.ask()) is not None:
        slip = study.n_answers in turned
        i, j = question.pair
        answer = study.tell(question, bool(y[i] == y[j]) != slip)
        wrong |= {answer.id} if slip else set()
    listed = [doubt.answer.id for doubt in answers_in_doubt(study)]
    looks = 0
    while looks < LOOKS and (question := study.verification()) is not None:
        i, j = question.pair
        study.tell(question, bool(y[i] == y[j]))
        looks += 1
    in_loops = {one.id for loop in study.disputes() for one in (loop.answer, *loop.chain)}
    return {
        "right listed": len([one for one in listed if one not in wrong]),
        "wrong listed": len(wrong.intersection(listed)),
        "looks": looks,
        "come to light": len(wrong & in_loops),
        "wrong": len(wrong),
    }


def task_of(data: str, slips: int, seed: int) -> Task:
    """Return the run as a task of the bench."""
    return Task("auto", data, seed, (ANSWERS,))


def main() -> None:
    """Write a line per set."""
    keys = [
        {"data": data, "slips": slips, "seed": seed}
        for data, slips, seed in product(DATA, (0, 2), range(SEEDS))
    ]
    write_table("slips", shown(kept_rows("slips", keys, checked, task_of, n_jobs=-1)))


def shown(found: pd.DataFrame) -> str:
    """Return sums over the draws, without slips and with two of them."""
    lines = []
    for data, part in found.groupby("data", sort=False):
        none, two = (part[part.slips == slips].sum(numeric_only=True) for slips in (0, 2))
        lines.append(
            [
                str(data),
                f"{none['right listed']:g}",
                f"{none['looks']:g}",
                f"{two['right listed']:g}",
                f"{two['wrong listed']:g} of {two['wrong']:g}",
                f"{two['come to light']:g} of {two['wrong']:g}",
                f"{two['looks']:g}",
            ]
        )
    header = [
        "pile", "all right: listed", "verification questions", "two wrong: right ones listed",
        "wrong ones listed", "brought to light by verification", "verification questions",
    ]  # fmt: skip
    return markdown(header, lines)
