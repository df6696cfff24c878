"""KASP, RASP and landmarks beside spectral clustering of all items: agreement lost, time won.

Run with `python -m benchmarks kasp`; LIKEWISE_DATA must hold pendigits and letter_recognition. All
take turns in the same run; times are processor seconds of the whole fit, representatives and graph
included. Landmarks stand for nobody: every item is joined to the nearest of them and has a score of
its own; without a link that is spectral clustering on the graph of items and landmarks.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import product
from time import process_time
from typing import Any

import numpy as np
import pandas as pd

import likewise as lw
from benchmarks.rows import kept_rows
from benchmarks.tables import markdown, mean_and_error, write_table
from likewise.bench.experiment import Task
from likewise.bench.task_data import load
from likewise.clusterers import KASP, RASP, LandmarkTransducer, SpectralLearning
from likewise.methods import Recipe
from likewise.strategies import RandomPairs

DATA = ("pendigits", "letter_recognition")
SIZES = (100, 300, 1_000, 3_000)
SEEDS = range(5)
ALL = "all items"
BY_POINTS: dict[str, Callable[..., Any]] = {
    "KASP": lambda m, **how: KASP(n_representatives=m, **how),
    "RASP": lambda m, **how: RASP(n_representatives=m, **how),
    "landmarks": lambda m, **how: LandmarkTransducer(n_landmarks=m, **how),
}
NAMES = (ALL, *(f"{kind}, {m}" for kind, m in product(BY_POINTS, SIZES)))


def model(name: str, **how: Any) -> Any:
    """Return the clusterer that a name stands for."""
    if name == ALL:
        return SpectralLearning(**how)
    kind, _, points = name.partition(", ")
    return BY_POINTS[kind](int(points), **how)


# Their clusterers are what the hashes of the code are taken of.
RECIPES = {
    name: Recipe(name, RandomPairs, lambda *, _name=name, **how: model(_name, **how))
    for name in NAMES
}


def measure(name: str, data: str, seed: int) -> dict[str, float]:
    """Return ARI and processor seconds of one fit."""
    warm_up()
    X, y, _ = load(task_of(name, data, seed))
    X = np.asarray(lw.Items.of(X).features)
    began = process_time()
    labels = model(name, n_clusters=len(np.unique(y)), random_state=seed).fit(X).labels_
    return {"seconds": process_time() - began, "ari": lw.metrics.ari(y, labels)}


@cache
def warm_up() -> None:
    """Import and compile what the first fit of a process would."""
    SpectralLearning(n_clusters=2).fit(np.random.default_rng(0).normal(size=(300, 4)))


def task_of(name: str, data: str, seed: int) -> Task:
    """Return a task on the same data; nothing is asked."""
    return Task(name, data, seed, ())


def main() -> None:
    """Compute what is missing, all kinds in turn, and write a table per data set."""
    keys = [
        {"data": data, "name": name, "seed": seed}
        for data, seed, name in product(DATA, SEEDS, NAMES)
    ]
    write_table("kasp", table(kept_rows("kasp", keys, measure, task_of, RECIPES)))


def table(rows: pd.DataFrame) -> str:
    """Return mean ARI with its standard error, beside that of all items, and median seconds."""
    lines = []
    for data, name in product(DATA, NAMES):
        whole, here = (
            rows[(rows["data"] == data) & (rows["name"] == one)].set_index("seed")
            for one in (ALL, name)
        )
        if whole.empty or here.empty:
            continue
        kind, _, points = name.partition(", ")
        points = points or str(len(load(task_of(name, data, 0)).truth))
        gap = (here["ari"] - whole["ari"]).dropna()
        seconds, spent = whole["seconds"].median(), here["seconds"].median()
        lines.append([
            data, kind, f"{int(points):,}", mean_and_error(here["ari"]),
            "" if name == ALL else mean_and_error(gap, sign="+"), f"{spent:.1f}",
            f"{seconds / spent:.1f}" if name != ALL else "1",
        ])  # fmt: skip
    header = ["data", "", "points", "ARI", "beside all items", "processor s", "times as fast"]
    return markdown(header, lines)
