"""Which features texts should have unless somebody says otherwise.

Run with `python -m benchmarks text_features`; LIKEWISE_DATA names the folder with the sets. Up to
2000 texts of each set, drawn at random. "neighbours": share of the ten nearest texts that have the
same label; "k-means": ARI of k-means that is told the number of groups.
"""

from __future__ import annotations

import os
from pathlib import Path
from time import perf_counter

import numpy as np
import numpy.typing as npt
import pandas as pd
from sklearn.cluster import KMeans
from sklearn.neighbors import NearestNeighbors

from benchmarks.quality.piles import empty_cache
from benchmarks.tables import markdown, write_table
from likewise.features import texts
from likewise.metrics import ari
from likewise.piles.pile import digest

DATA = ("banking77", "stackoverflow_titles", "newsgroups20_2000")
AT_MOST = 2000


def features(kind: str, content: list[str]) -> npt.NDArray[np.float64]:
    """Return the features by their name."""
    if kind == "tf-idf":
        return texts.tf_idf(content)
    embedded = texts.embed(content, [digest(text.encode()) for text in content])
    if kind == "wordllama":
        return embedded
    return np.hstack([embedded, texts.tf_idf(content)])


def main() -> None:
    """Write a row per set and kind of features."""
    rows = []
    for name in DATA:
        table = pd.read_csv(Path(os.environ["LIKEWISE_DATA"]) / f"{name}.csv")
        table = table.drop_duplicates("text")
        table = table.sample(min(AT_MOST, len(table)), random_state=0)
        truth = np.unique(table["label"], return_inverse=True)[1]
        for kind in ("wordllama", "tf-idf", "both"):
            with empty_cache():
                began = perf_counter()
                X = features(kind, list(table["text"]))
                seconds = perf_counter() - began
            near = NearestNeighbors(n_neighbors=11).fit(X).kneighbors(X)[1][:, 1:]
            means = KMeans(truth.max() + 1, n_init=3, random_state=0).fit_predict(X)
            share = (truth[near] == truth[:, None]).mean()
            figures = [share, ari(truth, means)]
            cells = [f"{figure:.2f}" for figure in figures]
            rows.append([name, kind, *cells, f"{len(X) / seconds:.0f}"])
    header = ["texts", "features", "neighbours", "k-means", "texts/s"]
    write_table("text_features", markdown(header, rows))
