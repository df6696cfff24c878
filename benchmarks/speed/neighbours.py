"""Graphs of neighbours at growing sizes: exact, approximate, and what representatives need instead.

Run with `python -m benchmarks neighbours`, or `python -m benchmarks.speed.neighbours 20000x32` for
one size, with the names of searches behind it for those alone; faiss-cpu, hnswlib, usearch and
pynndescent must be installed for it. Wanted are the fifteen nearest of every row. The rows are 50
Gaussian groups in 16 dimensions, put linearly into more and with a little noise there, since
features of texts and pictures fill few of their dimensions too. Every search runs in a program of
its own, on one thread. What is built is built for all rows; then 2,000 rows are searched for, and
that time is told for all of them. A search that needs more than two minutes for that is ended, and
its row says so. Times are processor seconds, recall is the share of the exact neighbours that are
found, and memory is what the search takes beside the rows.
"""

from __future__ import annotations

import json
import resource
import signal
import subprocess
import sys
from collections.abc import Callable
from time import process_time
from typing import Any

import numpy as np
import numpy.typing as npt
from threadpoolctl import threadpool_limits

from benchmarks.tables import keep_row
from likewise.bench.memory import peak_memory
from likewise.bench.provenance import commit

SIZES = (
    "20000x32", "20000x256", "20000x384", "100000x32", "100000x256", "100000x384", "1000000x32",
    "1000000x256", "1000000x384",
)  # fmt: skip
K, SEARCHED, SECONDS = 15, 2_000, 120
HEADER = [
    "rows", "dimensions", "search", "built, s", "searched, s", "in all / k-means pass", "recall",
    "memory, MiB", "commit",
]  # fmt: skip

Singles = npt.NDArray[np.float32]
Numbers = npt.NDArray[np.int64]
# Given all rows, returns how the nearest of some of them are found, themselves among them.
Search = Callable[[Singles], Callable[[Numbers], Numbers]]


def main(sizes: tuple[str, ...] = SIZES, names: tuple[str, ...] = ()) -> None:
    """Write a row per size and search."""
    for size in sizes:
        exact = _apart(EXACT, size)
        assert exact is not None, "nothing to compare with"
        for name in names or SEARCHES:
            found = exact if name == EXACT else _apart(name, size)
            n, d = map(int, size.split("x"))
            row = [f"{n:,}", str(d), name, *_cells(name, found, exact), commit()]
            keep_row("neighbours", HEADER, row, 3)


def _apart(name: str, size: str) -> dict[str, Any] | None:
    """Return what a search finds in a program of its own; None if that took too long."""
    words = [sys.executable, "-m", "benchmarks.speed.neighbours", "one", name, size]
    ended = subprocess.run(words, stdout=subprocess.PIPE, check=False, text=True)
    if ended.returncode == -signal.SIGXCPU:
        return None
    ended.check_returncode()
    found: dict[str, Any] = json.loads(ended.stdout)
    return found


def _cells(name: str, found: dict[str, Any] | None, exact: dict[str, Any]) -> list[str]:
    """Return times, recall and memory as they are told."""
    if found is None:
        return [f"more than {SECONDS}", "", "", "", ""]
    pairs = zip(found["nearest"], exact["nearest"], strict=True)
    recall = np.mean([len(set(a) & set(b)) / K for a, b in pairs])
    return [
        f"{found['built']:.1f}", f"{found['searched']:.1f}",
        f"{(found['built'] + found['searched']) / exact['unit']:.1f}",
        f"{recall:.3f}" if name in GRAPHS else "", f"{found['memory']:,.0f}",
    ]  # fmt: skip


def measure(name: str, size: str) -> dict[str, Any]:
    """Return times, memory and the neighbours that were found."""
    n, d = map(int, size.split("x"))
    X = rows(n, d)
    some = np.arange(n)
    if name in GRAPHS:
        some = np.random.default_rng(1).choice(n, min(SEARCHED, n), replace=False)
    warm = SEARCHES[name](X[:2_000])  # imports, compiled loops
    warm(np.arange(10))
    with threadpool_limits(1):
        from benchmarks.speed.sizes import bare_pass

        unit = bare_pass(X, np.random.default_rng(0)) if name == EXACT else 0.0
        with peak_memory() as before:
            pass
        used = int(process_time())
        resource.setrlimit(resource.RLIMIT_CPU, (used + SECONDS, resource.RLIM_INFINITY))
        with peak_memory() as peak:
            began = process_time()
            search = SEARCHES[name](X)
            built = process_time() - began
            began = process_time()
            found = search(some)
            searched = (process_time() - began) * n / len(some)
    if name == "pynndescent":
        searched = 0.0  # its graph is there when it is built
    both = zip(found[:SEARCHED].tolist(), some.tolist(), strict=False)
    nearest = [[k for k in line if k != own][:K] for line, own in both]
    return {
        "built": built, "searched": searched, "nearest": nearest, "unit": unit,
        "memory": peak[0] - before[0],
    }  # fmt: skip


def rows(n: int, d: int) -> Singles:
    """Return the rows."""
    rng = np.random.default_rng(0)
    group = rng.integers(50, size=n)
    few = rng.normal(0, 3, (50, 16))[group] + rng.normal(size=(n, 16))
    X: Singles = few.astype(np.float32) @ rng.normal(size=(16, d)).astype(np.float32)
    for start in range(0, n, 50_000):  # no second array of all
        part = X[start : start + 50_000]
        part += 0.1 * rng.normal(size=part.shape).astype(np.float32)
    return X


def by_sklearn(X: Singles) -> Callable[[Numbers], Numbers]:
    from sklearn.neighbors import NearestNeighbors

    search = NearestNeighbors(n_neighbors=K + 1, algorithm="brute", n_jobs=1).fit(X)
    return lambda some: search.kneighbors(X[some], return_distance=False)


def by_faiss(X: Singles) -> Callable[[Numbers], Numbers]:
    import faiss

    faiss.omp_set_num_threads(1)
    index = faiss.IndexFlatL2(X.shape[1])
    index.add(X)
    return lambda some: index.search(X[some], K + 1)[1]


def by_faiss_lists(X: Singles) -> Callable[[Numbers], Numbers]:
    import faiss

    faiss.omp_set_num_threads(1)
    n_lists = int(np.sqrt(len(X)))
    index = faiss.IndexIVFFlat(faiss.IndexFlatL2(X.shape[1]), X.shape[1], n_lists)
    index.train(X[:: max(1, len(X) // (40 * n_lists))])
    index.add(X)
    index.nprobe = 8
    return lambda some: index.search(X[some], K + 1)[1]


def by_hnswlib(X: Singles) -> Callable[[Numbers], Numbers]:
    import hnswlib

    index = hnswlib.Index(space="l2", dim=X.shape[1])
    index.init_index(max_elements=len(X), ef_construction=100, M=16, random_seed=0)
    index.add_items(X, num_threads=1)
    index.set_ef(64)
    return lambda some: index.knn_query(X[some], K + 1, num_threads=1)[0].astype(np.int64)


def by_usearch(X: Singles) -> Callable[[Numbers], Numbers]:
    from usearch.index import Index

    index = Index(ndim=X.shape[1], metric="l2sq", dtype="f32", connectivity=16, expansion_add=100)
    index.expansion_search = 64
    index.add(np.arange(len(X)), X, threads=1)
    return lambda some: index.search(X[some], K + 1, threads=1).keys.astype(np.int64)


def by_pynndescent(X: Singles) -> Callable[[Numbers], Numbers]:
    from pynndescent import NNDescent

    found = NNDescent(X, n_neighbors=K + 1, random_state=0, n_jobs=1).neighbor_graph[0]
    return lambda some: found[some].astype(np.int64)


def by_representatives(X: Singles) -> Callable[[Numbers], Numbers]:
    """Choose 5,000 representatives, and for each row the five nearest of them: no graph of all."""
    from likewise.clusterers.representative_votes import VOTERS, nearest
    from likewise.study.reduction.representatives import choose_representatives, coordinates

    points = coordinates(X, 20_000, 0)
    chosen = choose_representatives(points, min(5_000, len(X) // 4), 0)
    return lambda some: chosen[nearest(points[some], points[chosen], VOTERS).positions]


EXACT = "scikit-learn, exact"
GRAPHS: dict[str, Search] = {
    EXACT: by_sklearn,
    "faiss, exact": by_faiss,
    "faiss, lists": by_faiss_lists,
    "hnswlib": by_hnswlib,
    "usearch": by_usearch,
    "pynndescent": by_pynndescent,
}
SEARCHES: dict[str, Search] = {**GRAPHS, "likewise, to 5,000 representatives": by_representatives}


if __name__ == "__main__":
    if sys.argv[1:2] == ["one"]:
        sys.stdout.write(json.dumps(measure(*sys.argv[2:4])))
    else:
        main(tuple(sys.argv[1:2]) or SIZES, tuple(sys.argv[2:]))
