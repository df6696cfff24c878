"""Affinity propagation of faces with links: the COP-RF paper's figure 13.

Run with `python -m benchmarks coprf_faces`; LIKEWISE_DATA must hold olivetti_faces. The paper's 900
pictures are made as Frey and Dueck describe it: ten pictures of ten people, smoothed, turned by
-10, 0 and 10 degrees, scaled by 0.9, 1 and 1.1, cut to 50 x 50 and brought to mean 0 and variance
0.1. Which people is not said; here the first ten. The number of people is given.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pandas as pd
from matplotlib.figure import Figure
from scipy import ndimage

import likewise as lw
from benchmarks.experiments import IMAGES, RESULTS, markdown, write_table
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


def pictures() -> tuple[Array, npt.NDArray[np.int64]]:
    """The 900 pictures as rows, and whose they are."""
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
    """A face smoothed, turned about its middle and scaled, its middle cut out and normalised."""
    smooth = ndimage.gaussian_filter(face, SMOOTHING)
    angle = np.deg2rad(turn)
    matrix = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]) / scale
    middle, centre = (np.array(face.shape) - 1) / 2, (SIDE - 1) / 2
    offset = middle - matrix @ np.array([centre, centre])
    cut = ndimage.affine_transform(
        smooth, matrix, offset, output_shape=(SIDE, SIDE), order=1, mode="nearest"
    )
    return np.asarray((cut - cut.mean()) / cut.std() * np.sqrt(0.1)).ravel()


def main() -> None:
    """ARI of each method at each share; what is in the file already is not computed again."""
    X, truth = pictures()
    n, path = len(X), RESULTS / "coprf_faces.csv"
    rows = pd.read_csv(path).to_dict("records") if path.exists() else []
    done = {(row["method"], row["share"], row["seed"]) for row in rows}
    for seed in range(SEEDS):
        rng = np.random.default_rng(seed)
        pairs = np.array(np.triu_indices(n, 1)).T
        pairs = rng.permutation(pairs)[: round(SHARES[-1] * len(pairs))]
        same = truth[pairs[:, 0]] == truth[pairs[:, 1]]
        for name, method in METHODS.items():
            for share in SHARES[:1] if name in UNLINKED else SHARES:
                if (name, share, seed) in done:
                    continue
                given = slice(round(share * n * (n - 1) / 2))
                links = {
                    "must_link": pairs[given][same[given]],
                    "cannot_link": pairs[given][~same[given]],
                }
                labels = LINKED[method](PEOPLE, seed).fit(X, **links).labels_
                found = lw.metrics.ari(truth, labels)
                rows.append({"method": name, "share": share, "seed": seed, "ari": found})
                pd.DataFrame(rows).to_csv(path, index=False)
    means = pd.DataFrame(rows).pivot_table("ari", "method", "share").loc[list(METHODS)]
    # Without links one fit speaks for all shares.
    means.loc[list(UNLINKED)] = means.loc[list(UNLINKED)].ffill(axis=1)
    header = ["links", *(f"{share:.1%}" for share in SHARES)]
    lines = [[str(name), *(f"{ari:.2f}" for ari in row)] for name, row in means.iterrows()]
    write_table("coprf_faces", markdown(header, lines))
    draw(means)


def draw(means: pd.DataFrame) -> None:
    """Figure 13."""
    figure = Figure(figsize=(6.4, 4.0), layout="constrained")
    axes = figure.add_subplot()
    for name, row in means.iterrows():
        axes.plot([100 * share for share in SHARES], row, marker="o", label=str(name))
    axes.set_xlabel("links, per cent of all pairs")
    axes.set_ylabel("agreement with the truth (ARI)")
    axes.set_title("Affinity propagation of 900 faces")
    axes.legend()
    figure.savefig(IMAGES / "coprf-faces.png", dpi=130, metadata={"Software": None})
