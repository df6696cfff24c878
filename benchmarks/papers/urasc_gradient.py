"""URASC's gradient: that of D - W, as printed, or of the Laplacian in use; all eigenvectors or few.

Run with `python -m benchmarks urasc_gradient`. LIKEWISE_DATA must hold the UCI sets. Agreement is
taken at three moments of a run, over all items that may be asked about; areas are of ARI to 100
questions with the number of groups given.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.stats import spearmanr

import likewise as lw
from benchmarks.rows import kept_rows
from benchmarks.tables import markdown, mean_and_error, write_table
from likewise.bench.experiment import Task
from likewise.bench.statistics import area
from likewise.clusterers import Clusterer, SpectralLearning
from likewise.methods import Recipe
from likewise.strategies import Placing, UncertaintyReduction, eigenvector_gradient

SETS = ("wine", "sonar", "glass", "parkinsons", "segmentation_train210")
SEEDS = 2
MOMENTS = (5, 25, 50)
BUDGET = 100
ALL = 100_000
# Which derivative, and how many eigenvectors beyond the number of groups.
FORMS: dict[str, tuple[str, int]] = {
    "printed, 10 more": ("unnormalised", 10),
    "printed, all": ("unnormalised", ALL),
    "own, 10 more": ("own", 10),
    "own, all": ("own", ALL),
}


def recipe_of(form: str) -> Recipe:
    """Return URASC with one of the forms of the gradient."""
    derivative, extra = FORMS[form]

    def clusterer(**settings: Any) -> Clusterer:
        return SpectralLearning(affinity="precomputed", n_extra=extra, **settings)

    return Recipe(
        form,
        lambda: Placing(UncertaintyReduction(derivative=derivative)),
        clusterer,
        name="urasc: " + form,
    )


RECIPES = {"urasc: " + form: recipe_of(form) for form in FORMS}


def compute(*, form: str, data: str, seed: int) -> dict[str, float]:
    """Return the area of a run with this form, and how its gradient agrees with the true one."""
    X, truth = lw.datasets.load(data)
    oracle, k = lw.oracles.FromLabels(truth), len(set(truth.tolist()))
    run = lw.run(
        X, oracle, method=recipe_of(form), n_clusters=k, budget=BUDGET, random_state=seed,
        checkpoints=range(0, BUDGET + 1, 5),
    )  # fmt: skip
    agreement = [agrees(X, oracle, k, form, seed, moment) for moment in MOMENTS]
    correlation, first = np.mean(agreement, axis=0)
    return {"area": area(run.curve, budget=BUDGET), "correlation": correlation, "first": first}


def agrees(X: Any, oracle: Any, k: int, form: str, seed: int, moment: int) -> tuple[float, float]:
    """Return rank correlation with the derivative that is true, and whether its first is first."""
    study = lw.run(X, oracle, method=recipe_of("own, all"), n_clusters=k, budget=moment,
                   random_state=seed, checkpoints=(moment,)).study  # fmt: skip
    fitted: Any = study.clustering_
    open_ = np.flatnonzero(~study.view.placed)

    def gradient(derivative: str, extra: int) -> npt.NDArray[np.float64]:
        m = min(k + extra, len(fitted.eigenvalues_))
        return eigenvector_gradient(
            fitted.eigenvectors_[:, :m],
            fitted.eigenvalues_[:m],
            n_leading=k,
            candidates=open_,
            representatives=np.array(study.view.representatives),
            degrees=fitted.degrees_ if derivative == "own" else None,
        )

    true, ours = gradient("own", ALL), gradient(*FORMS[form])
    return float(spearmanr(true, ours).statistic), float(true.argmax() == ours.argmax())


def task_of(*, form: str, data: str, seed: int) -> Task:
    """Return a task of the same form on the same data."""
    return Task("urasc: " + form, data, seed, (BUDGET,))


def main() -> None:
    """Write a line per data set and form."""
    keys = [
        {"form": form, "data": data, "seed": seed}
        for data in SETS
        for form in FORMS
        for seed in range(SEEDS)
    ]
    rows = kept_rows("urasc_gradient", keys, compute, task_of, RECIPES)
    lines = []
    for data in SETS:
        for form in FORMS:
            here = rows[(rows["data"] == data) & (rows["form"] == form)]
            shown = mean_and_error(here["area"])
            agreed = [f"{here['correlation'].mean():.2f}", f"{here['first'].mean():.0%}"]
            lines.append([data, form, *agreed, shown])
    header = ["data", "derivative, eigenvectors", "rank correlation with the true one"]
    write_table("urasc_gradient", markdown([*header, "same first item", "area"], lines))
