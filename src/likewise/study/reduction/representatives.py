"""Which items of a large pile stand for all; time grows in proportion to the number of items."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from sklearn.decomposition import PCA, TruncatedSVD
from threadpoolctl import threadpool_limits

from likewise.clusterers.representative_votes import Singles, nearest
from likewise.clusterers.representatives import kmeans_representatives
from likewise.items import Matrix, doubles

Positions = npt.NDArray[np.int64]

_DIMENSIONS = 50  # as many as `auto` looks at
_SAMPLED = 4  # items for each representative among which k-means looks for them
_ROUNDS = 4  # of k-means: later ones move little
_PROJECTED = 10_000  # items made points at a time


def coordinates(features: Matrix, n_sampled: int, seed: int) -> Singles:  # (n, at most 50)
    """Return the items as points of few dimensions, found from a sample of them."""
    n, d = features.shape
    rng = np.random.default_rng([seed, n])
    some = np.sort(rng.choice(n, min(n, n_sampled), replace=False))
    if sp.issparse(features):
        most = max(1, min(_DIMENSIONS, d - 1, len(some) - 1))
        found = TruncatedSVD(most, random_state=seed).fit(features[some])
        points = found.transform(features)
        # By direction, as sparse rows are compared.
        points /= np.maximum(np.linalg.norm(points, axis=1, keepdims=True), 1e-12)
        return np.asarray(points, dtype=np.float32)
    sample = doubles(features[some])
    mean, axes = sample.mean(axis=0), None
    if d > _DIMENSIONS:
        axes = PCA(_DIMENSIONS, random_state=seed).fit(sample).components_
    points = np.empty((n, min(d, _DIMENSIONS)), dtype=np.float32)
    for begin in range(0, n, _PROJECTED):
        block = doubles(features[begin : begin + _PROJECTED]) - mean
        points[begin : begin + _PROJECTED] = block if axes is None else block @ axes.T
    return points


def choose_representatives(points: Singles, wanted: int, seed: int) -> Positions:
    """Return the items nearest to the centres of k-means on a sample, ascending."""
    n = len(points)
    rng = np.random.default_rng([seed, n, wanted])
    some = points[np.sort(rng.choice(n, min(n, _SAMPLED * wanted), replace=False))]
    # One thread: sums in another order would be other sums, and other representatives.
    with threadpool_limits(1):
        centres = kmeans_representatives(some, wanted, rng, rounds=_ROUNDS).points
    found = nearest(points, np.asarray(centres, dtype=np.float32), 1)
    order = np.lexsort((found.distances[:, 0], found.positions[:, 0]))
    _, first = np.unique(found.positions[order, 0], return_index=True)
    return np.sort(order[first]).astype(np.int64)
