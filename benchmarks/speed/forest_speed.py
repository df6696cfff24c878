"""What a constraint forest costs, beside scikit-learn's forest on the same rows.

Run with `python -m benchmarks forest_speed`. Both grow on the items and as many synthetic rows,
each tree on a bag of n of these 2n, on one core, and take turns, so that a busy machine slows both;
times are of the processor, medians over the turns. Compiling is not counted.
"""

from __future__ import annotations

from time import process_time

import numpy as np
import numpy.typing as npt
from sklearn.ensemble import RandomForestClassifier

from benchmarks.tables import markdown, write_table
from likewise.affinities import ConstraintForest

TURNS = 3
Array = npt.NDArray[np.float64]


def measure(n: int, d: int, share: float, n_trees: int, *, n_neighbours: int | None) -> list[str]:
    """Return a row of the table."""
    rng = np.random.default_rng(0)
    truth = rng.integers(6, size=n)
    X = rng.normal(size=(n, d)) + 2 * rng.normal(size=(6, d))[truth]
    pairs = rng.integers(n, size=(round(share * n * (n - 1) / 2), 2))
    pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    same = truth[pairs[:, 0]] == truth[pairs[:, 1]]
    ours: list[float] = []
    pure: list[float] = []
    theirs: list[float] = []
    for _ in range(TURNS):
        for seconds, single in ((ours, True), (pure, False)):
            forest = ConstraintForest(
                n_trees=n_trees, n_neighbours=n_neighbours, to_single_rows=single
            )
            began = process_time()
            forest.fit(X, must_link=pairs[same], cannot_link=pairs[~same])
            seconds.append(process_time() - began)
        theirs.append(scikit_learn(X, n_trees))
    times = [float(np.median(seconds)) for seconds in (ours, pure, theirs)]
    ratios = [f"{time / times[2]:.2f}" for time in times[:2]]
    return [f"{n:,}", f"{len(pairs):,}", str(n_trees), *(f"{t:.2f}" for t in times), *ratios]


def scikit_learn(X: Array, n_trees: int) -> float:
    """Return seconds of an ordinary forest that tells items from synthetic rows."""
    rng = np.random.default_rng(0)
    synthetic = np.column_stack([rng.choice(column, size=len(X)) for column in X.T])
    rows, kind = np.vstack([X, synthetic]), np.repeat([0, 1], len(X))
    forest = RandomForestClassifier(n_trees, max_samples=len(X), n_jobs=1, random_state=0)
    began = process_time()
    forest.fit(rows, kind)
    return process_time() - began


def main() -> None:
    """Write the paper's size first, then growth in links and in items."""
    ConstraintForest(n_trees=1).fit(np.eye(3))  # compiles, or reads what was compiled before
    rows = [measure(600, 30, 0.003, 1000, n_neighbours=None)]
    rows += [measure(600, 30, share, 100, n_neighbours=None) for share in (0.0, 0.003, 0.03, 0.3)]
    rows += [
        measure(n, 30, 1000 / (n * (n - 1) / 2), 20, n_neighbours=20)
        for n in (1_000, 5_000, 20_000)
    ]
    header = [
        "items", "links", "trees", "forest with links, s", "leaves when pure, s",
        "scikit-learn, s", "ratio", "ratio when pure",
    ]  # fmt: skip
    write_table("forest_speed", markdown(header, rows))
