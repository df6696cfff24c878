"""Spectral grouping of a similarity graph: one cut in two, recursive cuts, or k-means."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from likewise.errors import DataError
from likewise.similarity.graph import MIN_WEIGHT, Floats, Ints, SimilarityGraph
from likewise.similarity.laplacian import Laplacian, LaplacianSpectrum, lowest_eigenpairs

Labels = npt.NDArray[np.int64]

_ROUNDS = 100  # of k-means at most
_STARTS = 10
_ZERO = 1e-9  # entries of an eigenvector below this are on the boundary


@dataclass(frozen=True, eq=False)
class CutSettings:
    """How groups are made.

    Parameters
    ----------
    n_clusters : int
        How many groups.
    laplacian : {"unnormalised", "normalised"}
        Normalised, single outliers are not cut off.
    splitting : {"vectors", "recursive"}
        For more than two groups: k-means on several eigenvectors at once, or cuts in two, again
        and again, of the group that is easiest to cut.
    """

    n_clusters: int = 2
    laplacian: str = "unnormalised"
    splitting: str = "vectors"  # or "recursive"; matters for more than two groups


@dataclass(frozen=True, eq=False)
class Cut:
    """A spectral cut of some items.

    Parameters
    ----------
    items : ndarray of shape (m,)
        Which items are cut, ascending.
    laplacian : Laplacian
        Of these items, their components chained.
    spectrum : LaplacianSpectrum
        Its leading eigenvectors.
    labels : ndarray of shape (m,)
        The part of each item.
    margin : ndarray of shape (m,)
        How far each item is from the boundary: 0 on it, 1 where a clean and even cut would have
        it.
    direction : ndarray of shape (m, n_vectors)
        The combination of eigenvectors that leads away from the boundary.
    """

    items: Ints  # (m,), ascending
    laplacian: Laplacian
    spectrum: LaplacianSpectrum
    labels: Labels  # (m,)
    margin: Floats  # (m,)
    direction: Floats  # (m, n_vectors)


@dataclass(frozen=True, eq=False)
class Grouping:
    """Groups, numbered by their first items, and the cuts that made them."""

    cuts: tuple[Cut, ...]
    labels: Labels  # (n,)

    @property
    def margin(self) -> Floats:
        """Every item's smallest margin over the cuts it is in."""
        margin = np.ones(len(self.labels))
        for cut in self.cuts:
            margin[cut.items] = np.minimum(margin[cut.items], cut.margin)
        return margin

    @property
    def embedding(self) -> Floats:
        """The eigenvectors of all cuts as columns, 0 for items that are not in a cut."""
        columns = []
        for cut in self.cuts:
            block = np.zeros((len(self.labels), cut.spectrum.vectors.shape[1]))
            block[cut.items] = cut.spectrum.vectors
            columns.append(block)
        return np.hstack(columns)


def group(graph: SimilarityGraph, settings: CutSettings, start: Grouping | None = None) -> Grouping:
    """Group the items of a graph; `start`, the grouping of a similar graph, saves time."""
    k = settings.n_clusters
    everything = np.arange(graph.n)
    starts = {} if start is None else {cut.items.tobytes(): cut.spectrum for cut in start.cuts}
    normalised = settings.laplacian == "normalised"

    def cut(items: Ints, n_groups: int) -> Cut:
        laplacian = Laplacian.of(graph.restricted(items).chained(), normalised=normalised)
        spectrum = lowest_eigenpairs(laplacian, n_groups - 1, start=starts.get(items.tobytes()))
        labels, margin, direction = _divide(spectrum.vectors, n_groups)
        return Cut(items, laplacian, spectrum, labels, margin, direction)

    if k == 2 or settings.splitting == "vectors":
        only = cut(everything, k)
        return Grouping((only,), _by_first_item(only.labels))
    # The group that is easiest to cut is cut, until there are enough; cuts that turn out not to
    # be needed are left out.
    groups = [everything]
    possible = {0: cut(everything, 2)}
    made: list[Cut] = []
    while len(groups) < k:
        at = min(possible, key=lambda one: (_tightness(possible[one]), one))
        done = possible.pop(at)
        made.append(done)
        halves = [done.items[done.labels == side] for side in (0, 1)]
        groups[at] = halves[0]
        groups.append(halves[1])
        if len(groups) < k:
            for place in (at, len(groups) - 1):
                if len(groups[place]) > 1:
                    possible[place] = cut(groups[place], 2)
        if not possible:
            break
    labels = np.empty(graph.n, dtype=np.int64)
    for name, members in enumerate(groups):
        labels[members] = name
    return Grouping(tuple(made), _by_first_item(labels))


def complete_labels(
    similarities: npt.ArrayLike,
    n_clusters: int = 2,
    *,
    laplacian: str = "unnormalised",
    splitting: str = "vectors",
) -> Labels:
    """Group items by all their similarities: what a study tries to find with fewer.

    Parameters
    ----------
    similarities : array of shape (n, n)
        Symmetric, from 0 to 1. Entries that are NaN are unavailable.
    n_clusters : int
        How many groups.
    laplacian, splitting : str
        As for `SimilarityStudy`.

    Returns
    -------
    ndarray of shape (n,)
        Groups, numbered by their first items.

    References
    ----------
    Wauthier, Jojic and Jordan, "Active spectral clustering via iterative uncertainty reduction",
    2012, eq. 1 and 2.

    Examples
    --------
    >>> W = [[1, 0.9, 0.2, 0.1], [0.9, 1, 0.1, 0.3], [0.2, 0.1, 1, 0.8], [0.1, 0.3, 0.8, 1]]
    >>> complete_labels(W)
    array([0, 0, 1, 1])
    """
    W = np.asarray(similarities, dtype=np.float64)
    if W.ndim != 2 or W.shape[0] != W.shape[1] or len(W) < 2:
        raise DataError(f"similarities must be a square matrix but have shape {W.shape}")
    i, j = np.triu_indices(len(W), 1)
    known = ~np.isnan(W[i, j])
    i, j = i[known], j[known]
    weights = np.maximum(W[i, j], MIN_WEIGHT)
    graph = SimilarityGraph.of(len(W), i, j, weights, np.ones(len(i), dtype=np.int64))
    return group(graph, CutSettings(n_clusters, laplacian, splitting)).labels


def _divide(vectors: Floats, k: int) -> tuple[Labels, Floats, Floats]:
    """Group items in the space of the eigenvectors; return labels, margins and directions."""
    n = len(vectors)
    if k == 2:
        v = vectors[:, 0]
        labels = (v > _ZERO).astype(np.int64)
        if labels.all() or not labels.any():  # one item against itself, or nothing but zeros
            labels = (np.arange(n) == np.argmax(v)).astype(np.int64)
        return labels, np.minimum(np.abs(v) * np.sqrt(n), 1.0), np.ones((n, 1))
    labels, centres = _k_means(vectors, k)
    squares = ((vectors[:, None, :] - centres[None, :, :]) ** 2).sum(axis=2)
    nearest = np.argsort(squares, axis=1, kind="stable")[:, :2]
    rows = np.arange(n)
    first, second = nearest[:, 0], nearest[:, 1]
    one, other = np.sqrt(squares[rows, first]), np.sqrt(squares[rows, second])
    margin = (other - one) / np.maximum(other + one, 1e-300)
    return labels, margin, centres[first] - centres[second]


def _k_means(points: Floats, k: int) -> tuple[Labels, Floats]:
    """Run k-means from ten starts and return the best; equal points give equal groups."""
    rng = np.random.default_rng(0)
    best: tuple[float, Labels, Floats] | None = None
    for turn in range(_STARTS):
        # First points that are far from each other, then any: one outlier misleads the former.
        begin = (
            _farthest_first(points, k) if turn == 0 else rng.choice(len(points), k, replace=False)
        )
        labels, centres = _lloyd(points, points[begin])
        inertia = float(((points - centres[labels]) ** 2).sum())
        if best is None or inertia < best[0] * (1 - 1e-6):
            best = inertia, labels, centres
    assert best is not None
    return best[1:]


def _farthest_first(points: Floats, k: int) -> list[int]:
    """Choose k points, each farthest from those before it."""
    size = (points**2).sum(axis=1)
    chosen = [int(np.argmax(size >= size.max() * (1 - 1e-9)))]
    far = np.full(len(points), np.inf)
    for _ in range(k - 1):
        far = np.minimum(far, ((points - points[chosen[-1]]) ** 2).sum(axis=1))
        chosen.append(int(np.argmax(far >= far.max() * (1 - 1e-9))))
    return chosen


def _lloyd(points: Floats, centres: Floats) -> tuple[Labels, Floats]:
    """Iterate k-means from given centres until no label changes."""
    labels = np.full(len(points), -1)
    for _ in range(_ROUNDS):
        squares = ((points[:, None, :] - centres[None, :, :]) ** 2).sum(axis=2)
        new = np.argmin(squares, axis=1)
        if np.array_equal(new, labels):
            break
        labels = new
        for name in range(len(centres)):
            if (labels == name).any():
                centres[name] = points[labels == name].mean(axis=0)
    return labels.astype(np.int64), centres


def _tightness(cut: Cut) -> float:
    """Return the second eigenvalue over the mean degree: 0 if the graph is disconnected."""
    return float(cut.spectrum.values[0] / max(cut.laplacian.diagonal.mean(), 1e-300))


def _by_first_item(labels: npt.NDArray[Any]) -> Labels:
    """Renumber the groups in the order of their first items."""
    _, first, place = np.unique(labels, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[place].astype(np.int64)
