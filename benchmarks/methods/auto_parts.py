"""What each ingredient of `auto` buys, and whether the chances it tells come true.

Run with `python -m benchmarks auto_parts`. Every variant leaves out or replaces one thing. The
number of groups is unknown, answers are right, 100 questions, at most 200 rows of each set.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import pairwise, product

import numpy as np
from joblib import Parallel, delayed

import likewise as lw
from benchmarks.tables import markdown, write_table
from likewise.auto import Committee, ExpectedGain
from likewise.auto.structure import PRIOR_WEIGHTS
from likewise.methods import close_neighbours
from likewise.strategies import Placing, RandomItems, Strategy

DATA = ("wine", "digits", "breast_cancer", "glass", "sonar", "aqm-simulation", "circles")
ROWS, BUDGET, SEEDS = 200, 100, 3
EDGES = (0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0)
CHECKPOINTS = (0, 5, 10, 20, 35, 50, 75, 100)


def variants() -> dict[str, lw.Recipe]:
    """Return `auto`, and `auto` without one thing."""

    def recipe(clusterer: Callable[..., Committee], asks: Callable[[], Strategy]) -> lw.Recipe:
        return lw.Recipe("", asks, clusterer, close_neighbours)

    found = {"all of it": recipe(Committee, ExpectedGain)}
    for name in PRIOR_WEIGHTS:
        others = tuple(other for other in PRIOR_WEIGHTS if other != name)
        found[f"without {name}"] = recipe(partial(Committee, experts=others), ExpectedGain)
    found["without stacking"] = recipe(partial(Committee, stacking=False), ExpectedGain)
    found["without calibration"] = recipe(partial(Committee, calibrate=False), ExpectedGain)
    found["without elimination"] = recipe(partial(Committee, elimination=False), ExpectedGain)
    found["random items"] = recipe(Committee, lambda: Placing(RandomItems()))
    return found


Told = list[tuple[float, bool]]


def area(name: str, data: str, seed: int) -> tuple[float, Told]:
    """Return the area under the curve of one run, and the chances told with what came."""
    X, y = lw.datasets.load(data)
    kept = np.random.default_rng(seed).permutation(len(y))[:ROWS]
    result = lw.run(
        X[kept],
        lw.oracles.FromLabels(y[kept]),
        method=variants()[name],
        budget=BUDGET,
        checkpoints=CHECKPOINTS,
        random_state=seed,
    )
    told = [
        (answer.same_probability, answer.verdict is lw.Verdict.SAME)
        for answer in result.study.answers
        if answer.same_probability is not None
    ]
    curve = result.curve
    return float(np.trapezoid(curve.ari, curve.questions) / curve.questions.max()), told


def main() -> None:
    """Write a line per variant, and a line per range of chances."""
    cells = list(product(variants(), DATA, range(SEEDS)))
    runs = dict(
        zip(cells, Parallel(n_jobs=-1)(delayed(area)(*cell) for cell in cells), strict=True)
    )
    lines = []
    for name in variants():
        areas = [np.mean([runs[name, data, seed][0] for seed in range(SEEDS)]) for data in DATA]
        lines.append([name, *(f"{a:.3f}" for a in areas), f"{np.mean(areas):.3f}"])
    write_table("auto_parts", markdown(["", *DATA, "mean"], lines))
    told = [pair for (name, *_), run in runs.items() if name == "all of it" for pair in run[1]]
    chance, same = np.array(told, dtype=float).T
    ranges = [(low, high, (chance > low) & (chance <= high)) for low, high in pairwise(EDGES)]
    rows = [
        [
            f"{low:.0%} to {high:.0%}",
            str(int(at.sum())),
            f"{chance[at].mean():.0%}",
            f"{same[at].mean():.0%}",
        ]
        for low, high, at in ranges
        if at.any()
    ]
    header = ['chance of "same"', "questions", "mean chance told", 'answered "same"']
    write_table("auto_calibration", markdown(header, rows))
