"""How well wrong answers are found among right ones, by each measure of doubt.

Run with `python -m benchmarks doubt`; LIKEWISE_DATA must name a folder with ionosphere, glass and
segmentation_train210. Answers are about random pairs, a share of them turned round. "affinity" is
the simplest measure there is: how alike the two items are in a forest that knows no answers,
against what was said. The picture is the COP-RF paper's figure 14: the scores one by one.
"""

from __future__ import annotations

from functools import cache
from itertools import product

import numpy as np
import numpy.typing as npt
import pandas as pd
from matplotlib.figure import Figure
from scipy.stats import rankdata
from sklearn.metrics import roc_auc_score

import likewise as lw
from benchmarks.rows import kept_rows
from benchmarks.tables import markdown, mean_and_error, write_figure, write_table
from likewise.affinities import ConstraintForest
from likewise.affinities.forest.inconsistency import MEASURES, doubts
from likewise.bench.experiment import Task

DATA = ("iris", "wine", "ionosphere", "segmentation_train210", "breast_cancer")
NOISE = (0.05, 0.1, 0.2, 0.3)
N_TREES, TRIALS = 200, 5
PICTURED, PICTURED_NOISE = ("ionosphere", "glass"), 0.15
Scores = npt.NDArray[np.float64]


def precision(wrong: npt.NDArray[np.bool_], scores: Scores) -> float:
    """Return the share of wrong answers among the most doubtful, as many as are wrong."""
    return float(wrong[np.argsort(-scores, kind="stable")[: wrong.sum()]].mean())


def answered(
    truth: npt.NDArray[np.int64], m: int, noise: float, seed: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
    """Return must-links, cannot-links, and which of them, in this order, are wrong."""
    rng = np.random.default_rng(seed)
    pairs = rng.permutation(np.array(np.triu_indices(len(truth), 1)).T)[:m]
    # Anywhere among the answers: were they the first, every tie would be decided in their favour.
    turned = rng.permutation(np.arange(m) < max(1, round(noise * m)))
    said = (truth[pairs[:, 0]] == truth[pairs[:, 1]]) ^ turned
    return pairs[said], pairs[~said], np.concatenate([turned[said], turned[~said]])


@cache
def unlinked_affinity(data: str) -> Scores:  # (n, n)
    """Return how alike items are in a forest that knows no answers."""
    X, _ = lw.datasets.load(data)
    return np.asarray(ConstraintForest(n_trees=N_TREES).fit(X).affinity_)


def trial(data: str, answers: int, noise: float, seed: int) -> dict[str, float]:
    """Return area under the ROC curve and precision of each measure."""
    X, truth = lw.datasets.load(data)
    must, cannot, wrong = answered(truth, answers, noise, seed)
    scores = {
        measure: doubts(
            X,
            must_link=must,
            cannot_link=cannot,
            measure=measure,
            n_trees=N_TREES,
            random_state=seed,
        )
        for measure in MEASURES
    }
    alike = unlinked_affinity(data)[tuple(np.vstack([must, cannot]).T)]
    rank = rankdata(alike) / answers
    scores["affinity"] = np.where(np.arange(answers) < len(must), 1 - rank, rank)
    found = {f"{name}: AUC": float(roc_auc_score(wrong, one)) for name, one in scores.items()}
    return found | {f"{name}: precision": precision(wrong, one) for name, one in scores.items()}


def task_of(data: str, answers: int, noise: float, seed: int) -> Task:
    """Return a task of the method that leaves doubtful answers out, on the same data."""
    return Task("coprf", data, seed, (answers,), kind="links", noise=noise)


def main() -> None:
    """Write a row per data set, number of answers and share of wrong ones; then the picture."""
    keys = []
    for seed, data, noise in product(range(TRIALS), DATA, NOISE):
        n = len(lw.datasets.load(data)[1])
        for answers in (round(0.003 * n * (n - 1) / 2), 200):
            keys.append({"data": data, "answers": answers, "noise": noise, "seed": seed})
    write_table("doubt", table(kept_rows("doubt", keys, trial, task_of)))
    draw()


def table(rows: pd.DataFrame) -> str:
    """Return means over the trials with their standard errors; the last line is of all together."""
    measures = (*MEASURES, "affinity")
    names = [f"{one}: {figure}" for figure in ("AUC", "precision") for one in measures]
    cases = ["data", "answers", "noise"]
    lines = []
    for data in DATA:
        for key, found in rows[rows["data"] == data].groupby(cases):
            _, answers, noise = np.asarray(key, dtype=object)
            cells = [mean_and_error(found[name], digits=2) for name in names]
            lines.append([data, str(answers), f"{noise:.0%}", *cells])
    n_cases = rows.groupby("seed").size()
    whole = rows[rows["seed"].isin(n_cases.index[n_cases == n_cases.max()])]
    means = whole.groupby("seed")[names].mean()
    lines.append(["mean", "", "", *(mean_and_error(means[name], digits=2) for name in names)])
    return markdown(["data", "answers", "wrong", *names], lines)


def draw() -> None:
    """Draw the scores of right and of wrong answers about 0.5 % of all pairs."""
    figure = Figure(figsize=(7.2, 5.6), layout="constrained")
    panels = figure.subplots(len(MEASURES), len(PICTURED), squeeze=False)
    for column, name in enumerate(PICTURED):
        X, truth = lw.datasets.load(name)
        m = round(0.005 * len(X) * (len(X) - 1) / 2)
        must, cannot, wrong = answered(truth, m, PICTURED_NOISE, 0)
        for row, measure in enumerate(MEASURES):
            scores = doubts(X, must_link=must, cannot_link=cannot, measure=measure, n_trees=N_TREES)
            axes = panels[row, column]
            aside = np.random.default_rng(0).uniform(-0.25, 0.25, len(scores))
            for at, colour in enumerate(("#2a6f97", "#c1121f")):
                mine = scores[wrong == bool(at)]
                spot = at + aside[wrong == bool(at)]
                axes.scatter(spot, mine, s=9, alpha=0.5, color=colour, linewidths=0)
                axes.hlines(np.median(mine), at - 0.35, at + 0.35, color="black")
            axes.set_xticks([0, 1], [f"right ({(~wrong).sum()})", f"wrong ({wrong.sum()})"])
            axes.set_title(f"{name}, {measure}")
            axes.set_ylabel("doubt")
    write_figure(figure, "doubt-scores")
