"""The default method on pictures, texts and many kinds, as a user would start them.

Run with `python -m benchmarks auto_piles`; LIKEWISE_DATA names the folder with the CSV files and
`images/<set>/<class>/`. At most a thousand items of each pile; the number of groups is unknown,
answers are right. Rows go to results/auto_piles.csv as they come, and what is there is not computed
again.
"""

from __future__ import annotations

import os
import sys
import tempfile
from itertools import product
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pandas as pd

import likewise as lw
from benchmarks.experiments import RESULTS, markdown, write_table

PICTURES = ("fruits360", "olivetti_faces", "trashnet")
TEXTS = ("banking77", "stackoverflow_titles", "newsgroups20_2000")
ROWS = ("letter_recognition",)
METHODS = ("auto", "cobra", "random-items", "urasc")
MOST, SEEDS = 1000, 2
CHECKPOINTS = (0, 10, 25, 50, 100, 150, 200)
Labels = npt.NDArray[np.int64]


def pictures(name: str, folder: Path) -> tuple[lw.Items, Labels]:
    """A folder of pictures; its subfolders are the kinds."""
    items = lw.load_items(folder / "images" / name)
    kinds = [Path(str(path)).parts[0] for path in items.ids]
    return items, np.unique(kinds, return_inverse=True)[1]


def table(name: str, folder: Path, seed: int) -> tuple[lw.Items, Labels]:
    """Some rows of a CSV file, in random order, by their text or their numbers."""
    rows = pd.read_csv(folder / f"{name}.csv").sample(frac=1.0, random_state=seed)[:MOST]
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / "rows.csv"
        rows.drop(columns="label").to_csv(path, index=False)
        items = lw.load_items(path, text="text" if name in TEXTS else None, collapse=False)
    return items, np.unique(rows["label"], return_inverse=True)[1]


def curve(name: str, method: str, seed: int) -> list[float]:
    """ARI after each number of questions."""
    folder = Path(os.environ["LIKEWISE_DATA"])
    items, kinds = pictures(name, folder) if name in PICTURES else table(name, folder, seed)
    result = lw.run(
        items,
        lw.oracles.FromLabels(kinds),
        method=method,
        budget=CHECKPOINTS[-1],
        checkpoints=CHECKPOINTS,
        random_state=seed,
    )
    return [float(ari) for ari in result.curve.ari]


def main() -> None:
    """Every pile by every method; the table of areas and of where the curves end."""
    kept = RESULTS / "auto_piles.csv"
    found = pd.read_csv(kept) if kept.exists() else pd.DataFrame(columns=["pile", "method", "seed"])
    for seed in range(SEEDS):
        for name in (*PICTURES, *TEXTS, *ROWS):
            for method in METHODS:
                there = (found.pile == name) & (found.method == method) & (found.seed == seed)
                if there.any():
                    continue
                reached = dict(zip(map(str, CHECKPOINTS), curve(name, method, seed), strict=False))
                row = pd.DataFrame([{"pile": name, "method": method, "seed": seed, **reached}])
                found = pd.concat([found, row], ignore_index=True)
                found.to_csv(kept, index=False, float_format="%.4f")
                sys.stderr.write(".")
                sys.stderr.flush()
    write_table("auto_piles", areas(found))


def areas(found: pd.DataFrame) -> str:
    """A line per pile and method, the better of the areas in bold."""
    columns = list(map(str, CHECKPOINTS))
    means = found.groupby(["pile", "method"])[columns].mean()
    there = product((*PICTURES, *TEXTS, *ROWS), METHODS)
    means = means.loc[[key for key in there if key in means.index]]
    means["area"] = np.trapezoid(means[columns], CHECKPOINTS) / CHECKPOINTS[-1]
    means["best"] = means.groupby(level="pile")["area"].transform("max")
    shown = ("0", "25", "50", "100", "200")
    lines = []
    for row in means.reset_index().to_dict("records"):
        area = f"**{row['area']:.3f}**" if row["area"] >= row["best"] else f"{row['area']:.3f}"
        lines.append([row["pile"], row["method"], area, *(f"{row[at]:.3f}" for at in shown)])
    return markdown(["pile", "method", "area", *(f"{at} questions" for at in shown)], lines)
