"""What the parts of COP-RF do: variants of the forest and its graph, with perfect answers.

Areas under the curve of ARI over shares of all pairs given as links, as in the COP-RF paper's table
II. Run with `python -m benchmarks coprf_variants`; LIKEWISE_DATA must name a folder with the
paper's data sets. The paper's glass has ten features, the first of which is the number of the row,
and rows are sorted by kind: `glass_with_id` is that file, `glass` the honest one.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.metrics import adjusted_rand_score

import likewise as lw
from benchmarks.experiments import markdown, write_table
from likewise.affinities import ConstraintForest
from likewise.clusterers import SpectralLearning

PAPER = {
    "iris": "3.385",
    "segmentation_train210": "2.239",
    "glass_with_id": "2.015",
    "glass": "",
    "parkinsons": "1.403",
    "ionosphere": "2.979",
}
SHARES = (0.001, 0.002, 0.003, 0.004, 0.005)
N_TREES, TRIALS = 200, 3
FORESTS: dict[str, dict[str, Any]] = {
    "coprf": {},
    "leaves when pure": {"to_single_rows": False},
    "links closed": {"close_links": True},
}


def areas(name: str, seed: int) -> dict[str, list[float]]:
    """One trial: ARI after each share of links, by variant; the last one knows no links."""
    X, truth = lw.datasets.load(name)
    n, n_clusters = len(X), len(np.unique(truth))
    pairs = np.random.default_rng(seed).permutation(np.array(np.triu_indices(n, 1)).T)
    model = SpectralLearning(n_clusters=n_clusters, affinity="precomputed", random_state=seed)
    curves: dict[str, list[float]] = {}

    def score(variant: str, forest: ConstraintForest) -> None:
        everyone = np.arange(n)
        shares = 1.0 - forest.distances(everyone, everyone)
        for graph, affinity in (("", forest.affinity_), (", all pairs", shares)):
            labels = model.fit(affinity).labels_
            curve = curves.setdefault(variant + graph, [])
            curve.append(float(adjusted_rand_score(truth, labels)))

    settings: dict[str, Any] = {"n_trees": N_TREES, "n_neighbours": n // 10, "random_state": seed}
    for share in SHARES:
        given = pairs[: round(share * len(pairs))]
        same = truth[given[:, 0]] == truth[given[:, 1]]
        for variant, more in FORESTS.items():
            forest = ConstraintForest(**settings, **more)
            score(variant, forest.fit(X, must_link=given[same], cannot_link=given[~same]))
    score("no links", ConstraintForest(**settings).fit(X))
    return curves


def main() -> None:
    """A row per data set: areas by the trapezoidal rule, points one apart, mean over trials."""
    rows, variants = [], []
    for name, published in PAPER.items():
        trials = [areas(name, seed) for seed in range(TRIALS)]
        variants = list(trials[0])
        # Without links the curve is flat.
        means = [np.mean([flat(trial[variant]) for trial in trials]) for variant in variants]
        rows.append([name, published, *(f"{mean:.2f}" for mean in means)])
    write_table("coprf_variants", markdown(["data", "the paper", *variants], rows))


def flat(curve: list[float]) -> float:
    """The area under a curve of five points, of which there may be but one."""
    return float(np.trapezoid(curve if len(curve) > 1 else curve * len(SHARES)))
