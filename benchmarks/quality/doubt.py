"""How well wrong answers are found among right ones, by each measure of doubt.

Run with `python -m benchmarks doubt`; LIKEWISE_DATA must name a folder with ionosphere, glass and
segmentation_train210. Answers are about random pairs, a share of them turned round. "affinity" is
the simplest measure there is: how alike the two items are in a forest that knows no answers,
against what was said. The picture is the COP-RF paper's figure 14: the scores one by one.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from matplotlib.figure import Figure
from scipy.stats import rankdata
from sklearn.metrics import roc_auc_score

import likewise as lw
from benchmarks.tables import markdown, write_figure, write_table
from likewise.affinities import ConstraintForest
from likewise.affinities.forest.inconsistency import MEASURES, doubts

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


def trial(
    X: Scores, affinity: Scores, truth: npt.NDArray[np.int64], m: int, noise: float, seed: int
) -> dict[str, tuple[float, float]]:
    """Return area under the ROC curve and precision of each measure, on m answers."""
    must, cannot, wrong = answered(truth, m, noise, seed)
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
    alike = affinity[tuple(np.vstack([must, cannot]).T)]
    rank = rankdata(alike) / m
    scores["affinity"] = np.where(np.arange(m) < len(must), 1 - rank, rank)
    return {
        name: (float(roc_auc_score(wrong, score)), precision(wrong, score))
        for name, score in scores.items()
    }


def main() -> None:
    """Write a row per data set, number of answers and share of wrong ones."""
    measures = (*MEASURES, "affinity")
    rows, every = [], []
    for name in DATA:
        X, truth = lw.datasets.load(name)
        n = len(X)
        affinity = ConstraintForest(n_trees=N_TREES).fit(X).affinity_
        for m in (round(0.003 * n * (n - 1) / 2), 200):
            for noise in NOISE:
                found = [trial(X, affinity, truth, m, noise, seed) for seed in range(TRIALS)]
                means = np.array([[one[measure] for measure in measures] for one in found]).mean(0)
                every.append(means)
                rows.append([name, str(m), f"{noise:.0%}", *cells(means)])
    rows.append(["mean", "", "", *cells(np.mean(every, axis=0))])
    header = ["data", "answers", "wrong", *(f"{m}: AUC" for m in measures)]
    header += [f"{m}: precision" for m in measures]
    write_table("doubt", markdown(header, rows))
    draw()


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


def cells(means: Scores) -> list[str]:
    """Return areas, then precisions."""
    return [f"{value:.2f}" for value in means.T.ravel()]
