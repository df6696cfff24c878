"""The groups that `auto` shows before any answer, beside k-means that is told how many there are.

Run with `python -m benchmarks first_grouping`; LIKEWISE_DATA names the folder with the CSV files
and `images/<pile>/<kind>/`; piles that are not there keep the rows that were computed before. At
most a thousand items of each. Both have the same features; k-means has the true number of groups
and the best of three starts, the mean of three such runs; `auto` has nothing but the features. How
the first number of groups is chosen was decided on CHOSEN_ON.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pandas as pd
import scipy.sparse as sp
from sklearn.cluster import KMeans

import likewise as lw
from benchmarks.methods.auto_piles import Labels, pictures
from benchmarks.rows import kept_rows
from benchmarks.tables import RESULTS, markdown, write_table
from likewise.bench.experiment import Task
from likewise.metrics import ari

PICTURES = ("trashnet", "fruits360", "olivetti_faces", "flowers12", "cifar10", "pets37", "scenes6")
TEXTS = (
    *("banking77", "stackoverflow_titles", "newsgroups20_2000", "biomedical_titles", "tweets"),
    *("agnews", "search_snippets", "clinc150", "googlenews"),
)
ROWS = (
    *("iris", "wine", "segmentation_train210", "pendigits", "glass", "ionosphere", "parkinsons"),
    *("shuttle_sample400", "sonar", "breast_cancer_wdbc", "leaf_uci", "letter_recognition"),
    *("urban_land_cover", "meu_mobile_9users", "cho_yeast_genes", "waveform", "balance_scale"),
)
CHOSEN_ON = (*PICTURES, *TEXTS[:5], *ROWS[:10])
MOST = 1000
TIE = 0.005  # less is noise


def drawn(pile: str, seed: int) -> tuple[lw.Items, Labels]:
    """Return some items of a pile, and their kinds."""
    folder = Path(os.environ["LIKEWISE_DATA"])
    if pile in PICTURES:
        return pictures(pile, folder)
    table = pd.read_csv(folder / f"{pile}.csv").dropna()
    if pile in TEXTS:
        table = table.drop_duplicates("text")
    table = table.sample(frac=1.0, random_state=seed)[:MOST]
    kinds = np.unique(table["label"].astype(str), return_inverse=True)[1]
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / "rows.csv"
        table.drop(columns="label").to_csv(path, index=False)
        return lw.load_items(path, text="text" if pile in TEXTS else None, collapse=False), kinds


def measured(pile: str, seed: int) -> dict[str, float]:
    """Return both agreements with the kinds, and how many groups there are and were found."""
    items, kinds = drawn(pile, seed)
    labels = lw.Study(items, random_state=seed).labels_
    return {
        "items": len(items),
        "kinds": int(kinds.max()) + 1,
        "found": len(np.unique(labels)),
        "kmeans": told(items, kinds),
        "start": float(ari(kinds, labels)),
    }


def told(items: lw.Items, kinds: Labels) -> float:
    """Return the mean ARI of k-means that is told the number of groups."""
    assert items.features is not None
    found = items.features
    X: npt.NDArray[np.float64] = np.asarray(found.todense() if sp.issparse(found) else found)
    runs = (KMeans(int(kinds.max()) + 1, n_init=3, random_state=seed) for seed in range(3))
    return float(np.mean([ari(kinds, run.fit_predict(X)) for run in runs]))


def task_of(pile: str, seed: int) -> Task:
    """Return the run as a task of the bench."""
    return Task("auto", pile, seed, (0,))


def main() -> None:
    """Write a table of the piles looked at and one of the others."""
    data = Path(os.environ["LIKEWISE_DATA"])
    for pile in (*PICTURES, *TEXTS, *ROWS):
        file = data / "images" / pile if pile in PICTURES else data / f"{pile}.csv"
        if file.exists():
            kept_rows("first_grouping", [{"pile": pile, "seed": 0}], measured, task_of)
            found = pd.read_parquet(RESULTS / "first_grouping.parquet")
            write_table("first_grouping_chosen", table(found[found["pile"].isin(CHOSEN_ON)]))
            write_table("first_grouping", table(found[~found["pile"].isin(CHOSEN_ON)]))


def table(found: pd.DataFrame) -> str:
    """Return a line per pile, and one that counts."""
    order = [pile for pile in (*PICTURES, *TEXTS, *ROWS) if pile in set(found["pile"])]
    means = found.groupby("pile")[["items", "kinds", "found", "kmeans", "start"]].mean().loc[order]
    reached = means["start"] >= means["kmeans"] - TIE
    lines = [
        [
            str(pile),
            *(f"{row[name]:.0f}" for name in ("items", "kinds", "found")),
            *(f"{row[name]:.2f}" for name in ("kmeans", "start")),
            "yes" if good else "no",
        ]
        for (pile, row), good in zip(means.iterrows(), reached, strict=True)
    ]
    both = [f"{means[name].mean():.2f}" for name in ("kmeans", "start")]
    lines.append(["mean", "", "", "", *both, f"{reached.sum()} of {len(means)}"])
    header = ["pile", "items", "kinds", "groups found", "k-means, told the kinds"]
    return markdown([*header, "`auto`, told nothing", "as good"], lines)
