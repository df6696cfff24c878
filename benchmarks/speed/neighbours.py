"""Contents neighbours: scikit-learn's exact search beside faiss, exact and by small worlds.

Run with `python -m benchmarks neighbours`; faiss-cpu must be installed for it. The rows are
`blobs` in 32 dimensions, as `million` has them; recall is the share of the exact
twenty neighbours that are found.
"""

from __future__ import annotations

from time import perf_counter
from typing import Any

import numpy as np

import likewise as lw
from benchmarks.tables import markdown, write_table

SIZES = (20_000, 50_000)
K = 20


def main() -> None:
    """Write a row per size and search."""
    rows = []
    for n in SIZES:
        X = lw.datasets.load("blobs", n=n, n_clusters=50, d=32)[0].astype(np.float32)
        exact, base = timed(by_sklearn, X)
        rows.append([f"{n:,}", "scikit-learn, brute", f"{base:.1f}", "1.0", "1.000"])
        for name, search in (("faiss, exact", by_faiss), ("faiss, HNSW", by_small_worlds)):
            found, seconds = timed(search, X)
            some = range(0, n, max(1, n // 2000))
            recall = np.mean([len(np.intersect1d(found[i], exact[i])) / K for i in some])
            row = [f"{n:,}", name, f"{seconds:.1f}", f"{base / seconds:.1f}", f"{recall:.3f}"]
            rows.append(row)
    header = ["rows", "search", "s", "times as fast", "recall"]
    write_table("neighbours", markdown(header, rows))


def timed(search: Any, X: Any) -> tuple[Any, float]:
    began = perf_counter()
    found = search(X)
    return found, perf_counter() - began


def by_sklearn(X: Any) -> Any:
    from sklearn.neighbors import NearestNeighbors

    search = NearestNeighbors(n_neighbors=K, algorithm="brute", n_jobs=-1).fit(X)
    return search.kneighbors(return_distance=False)


def by_faiss(X: Any) -> Any:
    import faiss

    index = faiss.IndexFlatL2(X.shape[1])
    index.add(X)
    return index.search(X, K + 1)[1][:, 1:]


def by_small_worlds(X: Any) -> Any:
    import faiss

    index = faiss.IndexHNSWFlat(X.shape[1], 32)
    index.hnsw.efSearch = 64
    index.add(X)
    return index.search(X, K + 1)[1][:, 1:]
