"""What pictures should be compared by unless somebody says otherwise.

Run with `python -m benchmarks picture_features`; every folder `images/<pile>/<kind>/` in
LIKEWISE_DATA is a pile. "neighbours": share of pictures whose ten nearest vote for their kind;
"k-means": ARI of k-means that is told the number of groups; "area": under the curve of `auto`'s ARI
over 200 right answers, the number of groups unknown. The weights of the mixture were chosen by the
first two on CHOSEN_ON; the other piles only show what it is worth.
"""

from __future__ import annotations

import os
from itertools import product
from pathlib import Path
from time import process_time

import numpy as np
import numpy.typing as npt
import pandas as pd
from sklearn.cluster import KMeans
from sklearn.neighbors import NearestNeighbors

import likewise as lw
from benchmarks.quality.piles import empty_cache
from benchmarks.rows import kept_rows
from benchmarks.tables import markdown, write_figures, write_table
from likewise.bench.experiment import Task
from likewise.features.pictures import mobilenet
from likewise.metrics import ari

FEATURES = ("edges-texture-colour", "mobilenet", "photographs")
CHOSEN_ON = ("flowers12", "olivetti_faces", "trashnet")
CHECKPOINTS = (0, 10, 25, 50, 100, 150, 200)
SEEDS = 1
Labels = npt.NDArray[np.int64]


def measure(pile: str, features: str, seed: int) -> dict[str, float]:
    """Return how good features are on a pile, and what they cost."""
    folder = Path(os.environ["LIKEWISE_DATA"]) / "images" / pile
    with empty_cache():
        began = process_time()
        items = lw.load_items(folder, model=features)
        seconds = process_time() - began
    truth = np.unique([Path(name).parts[0] for name in items.ids], return_inverse=True)[1]
    X = np.asarray(items.data)
    curve = lw.run(
        items,
        lw.oracles.FromLabels(truth),
        budget=CHECKPOINTS[-1],
        checkpoints=CHECKPOINTS,
        random_state=seed,
    ).curve
    return {
        "items": len(items),
        "neighbours": vote(X, truth),
        "k-means": told_groups(X, truth),
        "area": float(np.trapezoid(curve.ari, curve.questions) / CHECKPOINTS[-1]),
        "start": float(curve.ari.iloc[0]),
        "end": float(curve.ari.iloc[-1]),
        "ms": 1000 * seconds / len(items),
    }


def vote(X: npt.NDArray[np.float64], truth: Labels) -> float:
    """Return the share of items whose ten nearest vote for their kind; the nearer breaks ties."""
    near = NearestNeighbors(n_neighbors=11).fit(X).kneighbors(X)[1][:, 1:]
    kinds = np.arange(truth.max() + 1)
    votes = (truth[near][:, :, None] == kinds) * np.linspace(1.001, 1.0, 10)[:, None]
    return float((votes.sum(axis=1).argmax(axis=1) == truth).mean())


def told_groups(X: npt.NDArray[np.float64], truth: Labels) -> float:
    """Return the mean ARI of four runs of k-means that know how many groups there are."""
    k = int(truth.max()) + 1
    runs = (KMeans(k, n_init=1, random_state=seed).fit_predict(X) for seed in range(4))
    return float(np.mean([ari(truth, labels) for labels in runs]))


def task_of(pile: str, features: str, seed: int) -> Task:
    """Return the run as a task of the bench."""
    return Task("auto", pile, seed, CHECKPOINTS)


def main() -> None:
    """Write a line per pile and kind of features, means, and the figures of `likewise models`."""
    folder = Path(os.environ["LIKEWISE_DATA"]) / "images"
    piles = sorted(path.name for path in folder.iterdir() if path.is_dir())
    keys = [
        {"pile": pile, "features": features, "seed": seed}
        for seed, pile, features in product(range(SEEDS), piles, FEATURES)
    ]
    write(kept_rows("picture_features", keys, measure, task_of))


def write(found: pd.DataFrame) -> None:
    """Write the table, and the figures that `likewise models` shows."""
    write_table("picture_features", table(found))
    named = found.rename(columns={"neighbours": "vote", "k-means": "kmeans"})
    named["mb"] = [megabytes(features) for features in named["features"]]
    write_figures("pictures", "picture_features", int(found["items"].max()), named)


def megabytes(features: str) -> float:
    """Return how large the weights are that features need."""
    return 0.0 if features == FEATURES[0] else mobilenet.WEIGHTS.stat().st_size / 1e6


def table(found: pd.DataFrame) -> str:
    """Return the lines of piles chosen on, of the others, and the means of either."""
    columns = ["neighbours", "k-means", "start", "area", "end", "ms"]
    means = found.groupby(["pile", "features"])[columns].mean().reset_index()
    lines = []
    for chosen_on, name in ((True, "mean, chosen on"), (False, "mean, kept aside")):
        part = means[means.pile.isin(CHOSEN_ON) == chosen_on]
        overall = part.groupby("features")[columns].mean().reset_index().assign(pile=name)
        for row in pd.concat([part, overall]).to_dict("records"):
            cells = [f"{row[column]:.3f}" for column in columns[:-1]]
            cells += [f"{row['ms']:.0f}", f"{megabytes(row['features']):.1f}"]
            lines.append([row["pile"], row["features"], *cells])
    header = ["pile", "features", "neighbours", "k-means", "0 questions", "area", "200 questions"]
    return markdown([*header, "CPU ms per picture", "MB"], lines)
