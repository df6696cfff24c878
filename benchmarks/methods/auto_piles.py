"""The default method on pictures, texts and many kinds, as a user would start them.

Run with `python -m benchmarks auto_piles`; LIKEWISE_DATA names the folder with the CSV files and
`images/<set>/<class>/`. At most a thousand items of each pile; the number of groups is unknown,
answers are right. Every draw has other rows, or, but for the first, four of five pictures. "Bits"
are what the features leave unknown (`likewise.bench.bounds.label_bits`): no method can be exact
with fewer answers, as far as that estimate goes.
"""

from __future__ import annotations

import os
import tempfile
from itertools import product
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pandas as pd

import likewise as lw
from benchmarks.calibration import MOMENTS, chance_table, counted, left_table, observed, share_table
from benchmarks.rows import kept_rows
from benchmarks.tables import markdown, write_table
from likewise.bench.bounds import label_bits
from likewise.bench.experiment import Task

PICTURES = ("fruits360", "olivetti_faces", "trashnet")
TEXTS = ("banking77", "stackoverflow_titles", "newsgroups20_2000")
ROWS = ("letter_recognition", "shuttle_sample400", "leaf_uci", "segmentation_train210")
METHODS = ("auto", "a3s", "random-items", "cobra")
MOST, SEEDS = 1000, 5
CHECKPOINTS = (0, 25, 50, 100, 200, 400)
NEARLY_EXACT = 0.95  # ARI
# By what a pile is counted where it is asked whether what is told comes true.
SORTS = {
    "all": lambda pile: True,
    "pictures": lambda pile: pile in PICTURES,
    "texts": lambda pile: pile in TEXTS,
    "rows of numbers": lambda pile: pile in ROWS,
}
Labels = npt.NDArray[np.int64]


def pictures(name: str, folder: Path) -> tuple[lw.Items, Labels]:
    """Return a folder of pictures; its subfolders are the kinds."""
    items = lw.load_items(folder / "images" / name)
    kinds = [Path(str(path)).parts[0] for path in items.ids]
    return items, np.unique(kinds, return_inverse=True)[1]


def table(name: str, folder: Path, seed: int) -> tuple[lw.Items, Labels]:
    """Return some rows of a CSV file, in random order, by their text or their numbers."""
    rows = pd.read_csv(folder / f"{name}.csv").sample(frac=1.0, random_state=seed)[:MOST]
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / "rows.csv"
        rows.drop(columns="label").to_csv(path, index=False)
        items = lw.load_items(path, text="text" if name in TEXTS else None, collapse=False)
    return items, np.unique(rows["label"], return_inverse=True)[1]


def curve(pile: str, method: str, seed: int) -> dict[str, float]:
    """Return the ARI after each number of questions."""
    folder = Path(os.environ["LIKEWISE_DATA"])
    items, kinds = pictures(pile, folder) if pile in PICTURES else table(pile, folder, seed)
    if pile in PICTURES and seed:
        some = np.random.default_rng(seed).permutation(len(items))[: len(items) * 4 // 5]
        items, kinds = items.take(some), kinds[some]
    study = lw.Study(items, method=method, random_state=seed)
    found: dict[str, float] = {}
    for n_asked in range(CHECKPOINTS[-1] + 1):
        if n_asked in CHECKPOINTS:
            found[str(n_asked)] = lw.metrics.ari(kinds, study.labels_)
        if n_asked in MOMENTS and method == METHODS[0]:
            found |= observed(study, kinds, n_asked)
        question = study.ask() if n_asked < CHECKPOINTS[-1] else None
        if question is not None:  # one that has nothing left to ask stays where it is
            i, j = question.pair
            study.tell(question, bool(kinds[i] == kinds[j]))
    features = study.items.features
    assert features is not None
    return {**found, **counted(study), "bits": label_bits(features, kinds)}


def task_of(pile: str, method: str, seed: int) -> Task:
    """Return the run as a task of the bench."""
    return Task(method, pile, seed, CHECKPOINTS)


def main() -> None:
    """Write the table of areas and of where the curves end, of every pile by every method."""
    keys = [
        {"pile": pile, "method": method, "seed": seed}
        for method, seed, pile in product(METHODS, range(SEEDS), (*PICTURES, *TEXTS, *ROWS))
    ]
    rows = kept_rows("auto_piles", keys, curve, task_of, n_jobs=-1)
    write_table("auto_piles", areas(rows))
    ours = rows[rows["method"] == METHODS[0]]
    write_table("auto_piles_chances", chance_table(ours, SORTS))
    write_table("auto_piles_shares", share_table(ours, SORTS))
    write_table("auto_piles_left", left_table(ours))


def questions_until(curve: npt.ArrayLike, level: float = NEARLY_EXACT) -> float:
    """Return after how many questions a curve stays at a level or above; infinite if never.

    >>> round(questions_until([0.5, 0.7, 0.9, 1.0, 1.0, 1.0]))
    75
    >>> questions_until([0.5, 0.7, 0.9, 0.9, 0.9, 0.9])
    inf
    """
    heights = np.asarray(curve, dtype=np.float64)
    below = np.flatnonzero(heights < level)
    if not len(below):
        return 0.0
    last = int(below[-1])
    if last == len(heights) - 1:
        return float("inf")
    return float(np.interp(level, heights[last : last + 2], CHECKPOINTS[last : last + 2]))


def areas(found: pd.DataFrame) -> str:
    """Return a line per pile and method, the best of the areas in bold.

    How many answers it took until the groups were nearly exact is told in bits that are unknown
    before, where every draw came so far.
    """
    columns = list(map(str, CHECKPOINTS))
    found = found.assign(
        area=np.trapezoid(found[columns], CHECKPOINTS) / CHECKPOINTS[-1],
        beside=[questions_until(curve) for curve in found[columns].to_numpy()] / found["bits"],
    )
    runs = found.groupby(["pile", "method"])
    means = runs[[*columns, "bits", "area", "beside"]].mean()
    means["draws"], means["error"] = runs.size(), runs["area"].sem()
    there = product((*PICTURES, *TEXTS, *ROWS), METHODS)
    means = means.loc[[key for key in there if key in means.index]]
    means["best"] = means.groupby(level="pile")["area"].transform("max")
    lines = []
    for row in means.reset_index().to_dict("records"):
        area = f"**{row['area']:.3f}**" if row["area"] >= row["best"] else f"{row['area']:.3f}"
        if row["draws"] > 1:
            area += f" ± {row['error']:.3f}"
        curve = [f"{row[at]:.3f}" for at in columns]
        curve.append(f"{row['beside']:.1f}" if np.isfinite(row["beside"]) else "–")
        lines.append(
            [row["pile"], f"{row['bits']:.0f}", row["method"], str(row["draws"]), area, *curve]
        )
    return markdown(
        [
            *("pile", "bits", "method", "draws", "area", *(f"{at} questions" for at in columns)),
            f"to {NEARLY_EXACT:g}, × bits",
        ],
        lines,
    )
