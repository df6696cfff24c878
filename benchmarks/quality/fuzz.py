"""Never worse for being told the truth: a thousand generated piles, answered truthfully.

Run with `python -m benchmarks fuzz`, or `python -m benchmarks --quick fuzz` for the first thirty
piles. Every pile is run with the number of groups told and not told. What is counted:

- a *fall*: the agreement stays more than .1 below the best it has had for more than 25 questions;
- *below the start*: it does so below what there was before the first answer;
- *told*: the area that is lost by telling the number of groups.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

import likewise as lw
from benchmarks import rows as kept
from benchmarks.calibration import MOMENTS, chance_table, counted, left_table, observed, share_table
from benchmarks.generated_piles import SHAPES, GeneratedPile
from benchmarks.tables import markdown, write_table
from likewise.bench.experiment import Task
from likewise.bench.task_data import hash_of_arrays

METHODS = ("auto", "a3s")
PILES, QUICK_PILES = 1000, 30
BUDGET, STEP = 200, 5
CHECKPOINTS = tuple(range(0, BUDGET + 1, STEP))
DEEP, LONG = 0.1, 25  # ARI, questions: less is no fall
LOST = 0.05  # area: less is noise
WORST = 10
Curve = npt.NDArray[np.float64]


class Fall(NamedTuple):
    """The deepest stay below a level: how far, and for how many questions."""

    depth: float = 0.0
    questions: int = 0


def deepest_fall(curve: Curve, level: Curve, step: int = STEP) -> Fall:
    """Return the deepest of the long falls of a curve below a level, or none.

    >>> deepest_fall(np.array([0.8, 0.5, 0.6, 0.9]), np.full(4, 0.8), step=20)
    Fall(depth=0.3, questions=40)
    """
    found, begin = [Fall()], None
    below = level - curve
    for at, fallen in enumerate([*(below > DEEP), False]):
        if fallen and begin is None:
            begin = at
        elif not fallen and begin is not None:
            if step * (at - begin) > LONG:
                depth = round(float(below[begin:at].max()), 6)
                found.append(Fall(depth, step * (at - begin)))
            begin = None
    return max(found)


def run(pile: int, method: str, told: bool) -> dict[str, float]:
    """Return the ARI after each number of questions, and whether what was told came true."""
    X, kinds = GeneratedPile.of(pile).draw()
    n_clusters = len(np.unique(kinds)) if told else None
    study = lw.Study(X, method=method, n_clusters=n_clusters, random_state=pile)
    found: dict[str, float] = {}
    for n_asked in range(BUDGET + 1):
        if n_asked in CHECKPOINTS:
            found[str(n_asked)] = lw.metrics.ari(kinds, study.labels_)
        if n_asked in MOMENTS:
            found |= observed(study, kinds, n_asked)
        question = study.ask() if n_asked < BUDGET else None
        if question is not None:  # one that has nothing left to ask stays where it is
            i, j = question.pair
            study.tell(question, bool(kinds[i] == kinds[j]))
    return found | counted(study)


def task_of(pile: int, method: str, **_: Any) -> Task:
    """Return the run as a task of the bench."""
    return Task(method, f"generated pile {pile}", pile, CHECKPOINTS)


def hash_of(pile: int, **_: Any) -> str:
    """Return the hash of a pile."""
    return hash_of_arrays(*GeneratedPile.of(pile).draw())


def main() -> None:
    """Write the tables of how often and how far the agreement falls, and of the worst piles."""
    n_piles = QUICK_PILES if kept.quick else PILES
    keys = [
        {"pile": pile, "method": method, "told": told}
        for pile, method, told in product(range(n_piles), METHODS, (False, True))
    ]
    rows = kept.kept_rows("fuzz", keys, run, task_of, hash_of=hash_of, n_jobs=-1)
    found = measured(rows)
    write_table("fuzz", table(found))
    write_table("fuzz_worst", worst_table(found[found["method"] == METHODS[0]]))
    # Older rows, if they are kept, were not looked at in this way.
    ours = rows[rows["method"] == METHODS[0]].dropna(subset=f"stop at {BUDGET}")
    piles = {number: GeneratedPile.of(number) for number in ours["pile"].unique()}
    by_number = {name: _of_number(belongs, piles) for name, belongs in KINDS_OF_PILE.items()}
    write_table("fuzz_chances", chance_table(ours, by_number))
    write_table("fuzz_shares", share_table(ours, by_number))
    write_table("fuzz_left", left_table(ours))


def measured(rows: pd.DataFrame) -> pd.DataFrame:
    """Return a line per run: its pile, the area of its curve, and its falls."""
    lines = []
    for row in rows.to_dict("records"):
        curve = np.array([row[str(at)] for at in CHECKPOINTS])
        best, start = np.maximum.accumulate(curve), np.full(len(curve), curve[0])
        lines.append(
            {
                "pile": row["pile"],
                "method": row["method"],
                "told": row["told"],
                "start": curve[0],
                "best": best[-1],
                "last": curve[-1],
                "area": np.trapezoid(curve, CHECKPOINTS) / BUDGET,
                "fall": deepest_fall(curve, best),
                "below_start": deepest_fall(curve, start),
            }
        )
    return pd.DataFrame(lines)


def _of_number(
    belongs: Callable[[GeneratedPile], bool], piles: Mapping[int, GeneratedPile]
) -> Callable[[int], bool]:
    return lambda number: belongs(piles[number])


def _of_shape(shape: str) -> Callable[[GeneratedPile], bool]:
    return lambda pile: pile.shape == shape


KINDS_OF_PILE: Mapping[str, Callable[[GeneratedPile], bool]] = {
    "all": lambda pile: True,
    **{shape: _of_shape(shape) for shape in SHAPES},
    "one kind": lambda pile: pile.n_kinds == 1,
    "2 to 14 kinds": lambda pile: 2 <= pile.n_kinds < 15,
    "15 kinds or more": lambda pile: pile.n_kinds >= 15,
    "very uneven, 10:1 or more": lambda pile: pile.unevenness >= 10 and pile.n_kinds > 1,
    "noise columns": lambda pile: pile.n_noise > 0,
    "copies": lambda pile: pile.copies > 0,
    "scattered kinds": lambda pile: pile.n_clumps > 1,
    "strays": lambda pile: pile.strays > 0,
}


def table(found: pd.DataFrame) -> str:
    """Return a line per method, kind of pile, and whether the number of groups was told."""
    piles = {number: GeneratedPile.of(number) for number in found["pile"].unique()}
    lines = []
    for method, (name, belongs) in product(found["method"].unique(), KINDS_OF_PILE.items()):
        inside = [number for number, pile in piles.items() if belongs(pile)]
        part = found[found["pile"].isin(inside) & (found["method"] == method)]
        if len(part):
            lines.append([str(method), name, str(part["pile"].nunique()), *_cells(part)])
    header = [
        "method", "piles", "number", "start", "area", "area, told", "falls", "falls, told",
        "deepest", "deepest, told", "below the start", "below it, told", "worse for being told",
    ]  # fmt: skip
    return markdown(header, lines) + (
        f"\nAdjusted Rand index, {BUDGET} questions, right answers; *told*: the number of groups "
        f"is. A fall is more than {DEEP} below its own best so far for more than {LONG} questions; "
        f"below the start means the same below what there was before the first answer. Worse for "
        f"being told: piles that lose more than {LOST} of area, and the most that one loses.\n"
    )


def _cells(part: pd.DataFrame) -> list[str]:
    """Return what is told of some piles by one method."""
    free, told = (part[part["told"] == told].set_index("pile") for told in (False, True))
    falls = [[fall.depth for fall in runs["fall"]] for runs in (free, told)]
    below = [[fall.depth for fall in runs["below_start"]] for runs in (free, told)]
    lost = free["area"] - told["area"]
    return [
        f"{free['start'].mean():.2f}",
        *(f"{runs['area'].mean():.3f}" for runs in (free, told)),
        *(f"{np.mean(np.array(depths) > 0):.0%}" for depths in falls),
        *(f"{max(depths):.2f}" for depths in falls),
        *(f"{np.mean(np.array(depths) > 0):.0%}" for depths in below),
        f"{(lost > LOST).mean():.0%}, {max(lost.max(), 0.0):.2f}",
    ]


def worst_table(found: pd.DataFrame) -> str:
    """Return the runs that fell deepest, then those of least area, with their piles."""
    runs = found.to_dict("records")
    order = sorted(runs, key=lambda run: (run["fall"], -run["area"]), reverse=True)
    lines = [
        [
            str(pile.seed), "yes" if run["told"] else "no", pile.shape, str(pile.n_items),
            str(pile.n_kinds), f"{pile.unevenness:.1f}", str(pile.n_features), str(pile.n_noise),
            f"{pile.width:.2f}", f"{pile.copies:.2f}", str(pile.n_clumps), f"{pile.strays:.2f}",
            f"{run['start']:.2f}", f"{run['best']:.2f}", f"{run['last']:.2f}",
            f"{run['fall'].depth:.2f} for {run['fall'].questions}",
        ]
        for run in order[:WORST]
        for pile in [GeneratedPile.of(run["pile"])]
    ]  # fmt: skip
    header = [
        "seed", "told", "shape", "items", "kinds", "unevenness", "features", "noise", "width",
        "copies", "clumps", "strays", "start", "best", "last", "fall",
    ]  # fmt: skip
    return markdown(header, lines)
