"""Affinity propagation of faces with links: the COP-RF paper's figure 13.

Run with `python -m benchmarks coprf_faces`; LIKEWISE_DATA must hold olivetti_faces. The paper's 900
pictures are made as Frey and Dueck describe it: ten pictures of ten people, smoothed, turned by
-10, 0 and 10 degrees, scaled by 0.9, 1 and 1.1, cut to 50 x 50 and brought to mean 0 and variance
0.1. Which people is not said; here the first ten. The number of people is given.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt
import pandas as pd
from matplotlib.figure import Figure
from scipy import ndimage

import likewise as lw
from benchmarks.rows import kept_rows
from benchmarks.tables import markdown, mean_and_error, write_figure, write_table
from likewise.bench.experiment import Task
from likewise.bench.tasks.linked_clusterers import LINKED

SHARES = (0.001, 0.002, 0.003, 0.004, 0.005)
METHODS = {
    "Eucl": "affinity-propagation-eucl",
    "Eucl + Links": "affinity-propagation-eucl+links",
    "RF": "affinity-propagation-rf",
    "RF + Links": "affinity-propagation-rf+links",
    "COP-RF": "affinity-propagation-coprf",
}
UNLINKED = ("Eucl", "RF")
PEOPLE, SIDE, SEEDS = 10, 50, 3
TURNS, SCALES, SMOOTHING = (-10.0, 0.0, 10.0), (0.9, 1.0, 1.1), 0.5
Array = npt.NDArray[np.float64]


@cache
def pictures() -> tuple[Array, npt.NDArray[np.int64]]:
    """Return the 900 pictures as rows, and whose they are."""
    X, people = lw.datasets.load("olivetti_faces")
    kept = people < PEOPLE
    rows = [
        variant(face.reshape(64, 64), turn, scale)
        for face in X[kept]
        for turn in TURNS
        for scale in SCALES
    ]
    return np.array(rows), np.repeat(people[kept], len(TURNS) * len(SCALES))


def variant(face: Array, turn: float, scale: float) -> Array:  # (64, 64) -> (2500,)
    """Return a face smoothed, turned about its middle, scaled, cut to its middle, normalised."""
    smooth = ndimage.gaussian_filter(face, SMOOTHING)
    angle = np.deg2rad(turn)
    matrix = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]) / scale
    middle, centre = (np.array(face.shape) - 1) / 2, (SIDE - 1) / 2
    offset = middle - matrix @ np.array([centre, centre])
    cut = ndimage.affine_transform(
        smooth, matrix, offset, output_shape=(SIDE, SIDE), order=1, mode="nearest"
    )
    return np.asarray((cut - cut.mean()) / cut.std() * np.sqrt(0.1)).ravel()


def agreement(method: str, share: float, seed: int) -> dict[str, float]:
    """Return the ARI of a method that is given a share of all pairs as links."""
    X, truth = pictures()
    n = len(X)
    pairs = np.array(np.triu_indices(n, 1)).T
    pairs = np.random.default_rng(seed).permutation(pairs)[: round(SHARES[-1] * len(pairs))]
    pairs = pairs[: round(share * n * (n - 1) / 2)]
    same = truth[pairs[:, 0]] == truth[pairs[:, 1]]
    model = LINKED[METHODS[method]](PEOPLE, seed)
    labels = model.fit(X, must_link=pairs[same], cannot_link=pairs[~same]).labels_
    return {"ari": lw.metrics.ari(truth, labels)}


def task_of(method: str, share: float, seed: int) -> Task:
    """Return the run as a task of the bench, on the faces that the pictures are made of."""
    return Task(METHODS[method], "olivetti_faces", seed, (), kind="links", shares=(share,))


def main() -> None:
    """Write the ARI of each method at each share, as a table and as a figure."""
    keys = [
        {"method": name, "share": share, "seed": seed}
        for seed in range(SEEDS)
        for name in METHODS
        for share in (SHARES[:1] if name in UNLINKED else SHARES)
    ]
    rows = kept_rows("coprf_faces", keys, agreement, task_of)
    means = rows.pivot_table("ari", "method", "share")
    means = means.reindex(index=list(METHODS), columns=list(SHARES))  # empty where not run yet
    # Without links one fit speaks for all shares.
    means.loc[list(UNLINKED)] = means.loc[list(UNLINKED)].ffill(axis=1)
    header = ["links", *(f"{share:.1%}" for share in SHARES)]
    lines = []
    for name in METHODS:
        cells = [cell(rows, name, SHARES[0] if name in UNLINKED else share) for share in SHARES]
        lines.append([name, *cells])
    write_table("coprf_faces", markdown(header, lines))
    draw(means)


def cell(rows: pd.DataFrame, method: str, share: float) -> str:
    """Return the mean ARI over trials with its standard error; nothing where there is none yet."""
    return mean_and_error(rows[(rows.method == method) & (rows.share == share)].ari, digits=2)


def draw(means: pd.DataFrame) -> None:
    """Draw figure 13."""
    figure = Figure(figsize=(6.4, 4.0), layout="constrained")
    axes = figure.add_subplot()
    for name, row in means.iterrows():
        axes.plot([100 * share for share in SHARES], row, marker="o", label=str(name))
    axes.set_xlabel("links, per cent of all pairs")
    axes.set_ylabel("agreement with the truth (ARI)")
    axes.set_title("Affinity propagation of 900 faces")
    axes.legend()
    write_figure(figure, "coprf-faces")
