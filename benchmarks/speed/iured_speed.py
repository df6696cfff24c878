"""What one step of IU-RED costs as the pile grows, beside the step written out.

Run with `python -m benchmarks iured_speed`. A twentieth of all pairs has been measured. A step is
`tell` and the next `ask`; written out it is a full `eigh` of the Laplacian and the sensitivity of
all pairs. Both take turns on one thread, so that a busy machine slows both; medians of processor
time.
"""

from __future__ import annotations

from itertools import pairwise
from time import thread_time

import numpy as np
import numpy.typing as npt

import likewise as lw
from benchmarks.tables import markdown, write_table
from likewise.journal import Measured
from likewise.journal.pairs import Measurement, Pair
from likewise.stores import MemoryStore

SIZES = (200, 1_000, 5_000)
STEPS = {200: 200, 1_000: 100, 5_000: 40}
NAIVE = {200: 20, 1_000: 6, 5_000: 1}  # at 5 000 items one takes a minute
FRACTION = 0.05


class World:
    """Two Gaussians eight apart in the unit square; similarities are computed when asked for."""

    def __init__(self, n: int) -> None:
        X, _ = lw.datasets.load("two-gaussians", n=n, separation=8.0)
        self.X = (X - X.min(axis=0)) / np.ptp(X, axis=0)

    def __call__(self, i: npt.ArrayLike, j: npt.ArrayLike) -> npt.NDArray[np.float64]:
        squares = ((self.X[i] - self.X[j]) ** 2).sum(axis=-1)
        return np.asarray(np.exp(-squares / (2 * 0.2**2)))


def measured_study(world: World, n: int) -> lw.SimilarityStudy:
    """Return a study with a random twentieth of all pairs measured."""
    rng = np.random.default_rng(0)
    i, j = rng.integers(n, size=(2, int(FRACTION * n * n * 1.3)))
    pairs = np.unique(np.column_stack([np.minimum(i, j), np.maximum(i, j)])[i != j], axis=0)
    pairs = rng.permutation(pairs)[: int(FRACTION * n * (n - 1) / 2)]
    store = MemoryStore()
    lw.SimilarityStudy(n, store=store)
    values = world(pairs[:, 0], pairs[:, 1])
    store.append(
        [
            Measured(Measurement(at, Pair(int(a), int(b)), float(value)))
            for at, ((a, b), value) in enumerate(zip(pairs, values, strict=True))
        ]
    )
    return lw.SimilarityStudy.open(store)


def naive_step(study: lw.SimilarityStudy) -> tuple[int, int]:
    """Return the pair by the paper's formulas: all eigenvectors, all pairs."""
    graph = study.graph
    n = graph.n
    W = np.zeros((n, n))
    W[np.repeat(np.arange(n), np.diff(graph.starts)), graph.columns] = graph.weights
    values, vectors = np.linalg.eigh(np.diag(W.sum(axis=1)) - W)
    v, rest = vectors[:, 1], vectors[:, 2:]
    k = np.argmin(np.abs(v))
    g = rest @ (rest[k] / (values[1] - values[2:]))
    scores = np.abs((v[:, None] - v) * (g[:, None] - g))
    scores[W > 0] = -1.0
    i, j = np.unravel_index(np.argmax(scores), scores.shape)
    return int(i), int(j)


def measure(n: int) -> tuple[float, float]:
    """Return median seconds of a step, and of one written out."""
    world = World(n)
    study = measured_study(world, n)
    pair = study.ask()
    fast, slow = [], []
    for step in range(STEPS[n]):
        assert pair is not None
        began = thread_time()
        study.tell(pair, float(world(*pair)))
        pair = study.ask()
        fast.append(thread_time() - began)
        if step < NAIVE[n]:
            began = thread_time()
            written_out = naive_step(study)
            slow.append(thread_time() - began)
            assert tuple(sorted(written_out)) == pair
    return float(np.median(fast)), float(np.median(slow)) if slow else float("nan")


def main() -> None:
    """Write a row per size, and how the time grows."""
    from threadpoolctl import threadpool_limits

    with threadpool_limits(1):
        measure(200)  # compiles
        times = {n: measure(n) for n in SIZES}
    rows = [
        [
            f"{n:,}",
            f"{int(FRACTION * n * (n - 1) / 2):,}",
            f"{fast * 1000:.1f}",
            "" if np.isnan(slow) else f"{slow * 1000:.0f}",
            "" if np.isnan(slow) else f"{slow / fast:.0f}",
        ]
        for n, (fast, slow) in times.items()
    ]
    exponents = [np.log(times[b][0] / times[a][0]) / np.log(b / a) for a, b in pairwise(SIZES)]
    text = markdown(["items", "measured", "a step, ms", "written out, ms", "ratio"], rows)
    text += (
        f"\nA step grows as n^{exponents[0]:.2f} from 200 to 1 000 items and as "
        f"n^{exponents[1]:.2f} from 1 000 to 5 000; the measured pairs grow as n².\n"
    )
    write_table("iured_speed", text)
