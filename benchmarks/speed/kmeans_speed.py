"""PCK-means and MPCK-means beside active-semi-supervised-clustering: time and objective.

Run with `python -m benchmarks kmeans_speed`. Both are given the same items and the same 500 random
links, the same weight of a link, and take turns in the same run. Times are processor seconds
around `fit` in each process. J of both labellings is computed here, by the same function, with the
best centres (and metric) for the labels; ours are those before answers win.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
import numpy.typing as npt

import likewise as lw
from benchmarks.tables import markdown, write_table
from likewise.bench.peers import PEERS
from likewise.bench.peers.environments import ensure_environment
from likewise.clusterers import LinkedGroups, MPCKMeans, PCKMeans
from likewise.clusterers.kmeans._metric_descent import MetricDescent
from likewise.clusterers.kmeans.pckmeans import link_weight, pckmeans_objective

N, D, N_CLUSTERS, N_LINKS = 1_000, 10, 5, 500
SPREADS = (3.0, 5.0)  # groups that k-means finds alone, and groups that overlap
SEEDS = {"PCKMeans": range(3), "MPCKMeans": range(1)}  # the peer's MPCK-means takes minutes
TRIES = 5  # of our fits, of which the median counts

Points = npt.NDArray[np.float64]
Labels = npt.NDArray[np.int64]


def problem(spread: float, seed: int) -> tuple[Points, Labels, Labels, Labels]:
    """Return items, their groups, must-links and cannot-links."""
    X, y = lw.datasets.load(
        "blobs", n=N, n_clusters=N_CLUSTERS, d=D, spread=spread, random_state=seed
    )
    pairs = np.random.default_rng(seed).integers(N, size=(2 * N_LINKS, 2))
    pairs = pairs[pairs[:, 0] != pairs[:, 1]][:N_LINKS]
    same = y[pairs[:, 0]] == y[pairs[:, 1]]
    return X, y, pairs[same], pairs[~same]


def metric_objective(X: Points, labels: Labels, links: LinkedGroups, weight: float) -> float:
    """Return J of MPCK-means with one diagonal metric, that which fits the labels."""
    directions = np.random.default_rng(0).normal(size=(X.shape[1], 32))
    learner = MetricDescent(
        X - X.mean(axis=0), links, full=False, per_cluster=False, weight=weight,
        directions=directions,
    )  # fmt: skip
    metrics = learner.first_metrics(int(labels.max()) + 1)
    for _ in range(20):  # the farthest pair depends on the metric, and it on the pair
        centres, metrics = learner.best_for(labels, metrics)
    return learner.objective(labels, centres, metrics)


def peers_fit(kind: str, told: dict[str, Any]) -> tuple[Labels, float]:
    """Return labels and seconds of the public tool."""
    peer = PEERS["asc:npu-pckmeans"]
    python = ensure_environment(peer.group, peer.requirements)
    done = subprocess.run(
        [str(python), str(Path(__file__).parent / "kmeans_peer.py")],
        input=json.dumps({**told, "kind": kind}), capture_output=True, text=True, check=True,
    )  # fmt: skip
    answer = json.loads(done.stdout)
    return np.array(answer["labels"]), float(answer["seconds"])


def measure(kind: str, spread: float, seed: int) -> list[str]:
    """Return a row of the table."""
    X, y, must, cannot = problem(spread, seed)
    links = LinkedGroups.of(N, must, cannot)
    weight = link_weight(X - X.mean(axis=0), None) if kind == "PCKMeans" else 1.0
    told = {
        "X": X.tolist(), "ml": must.tolist(), "cl": cannot.tolist(), "weight": weight,
        "n_clusters": N_CLUSTERS, "seed": seed,
    }  # fmt: skip
    clusterer = PCKMeans if kind == "PCKMeans" else MPCKMeans
    model = clusterer(n_clusters=N_CLUSTERS, weight=weight, answers_win=False, random_state=seed)
    seconds = []
    for _ in range(TRIES):
        began = process_time()
        model.fit(X, must_link=must, cannot_link=cannot)
        seconds.append(process_time() - began)
    labels, slow = peers_fit(kind, told)
    objective = pckmeans_objective if kind == "PCKMeans" else metric_objective
    ours, theirs = (objective(X, found, links, weight) for found in (model.labels_, labels))
    quick = float(np.median(seconds))
    ari = [lw.metrics.all_metrics(y, found)["ari"] for found in (model.labels_, labels)]
    return [
        kind, f"{spread:g}", str(seed), f"{quick * 1000:.0f}", f"{slow * 1000:,.0f}",
        f"{slow / quick:.0f}×", f"{ours:,.0f}", f"{theirs:,.0f}", f"{ours / theirs:.3f}",
        f"{ari[0]:.3f}", f"{ari[1]:.3f}",
    ]  # fmt: skip


def main() -> None:
    """Measure both, on several piles."""
    measure("PCKMeans", 3.0, 99)  # warm up
    rows = [
        measure(kind, spread, seed)
        for kind, seeds in SEEDS.items()
        for spread in SPREADS
        for seed in seeds
    ]
    header = [
        "", "spread", "seed", "ours, ms", "peer, ms", "peer / ours", "J ours", "J peer",
        "ours / peer", "ARI ours", "ARI peer",
    ]  # fmt: skip
    write_table("kmeans_speed", markdown(header, rows))
