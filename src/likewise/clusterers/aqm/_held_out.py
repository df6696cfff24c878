"""Whether a metric learned from some of the answers serves the items of the others.

Few answers say little about many features, and a metric that fits them may be worse than none. So
the plain metric is a candidate, too, and the answers choose: linked items are left out in turn, the
metric is learned from the others, and every item left out is to be nearer to its own group than to
those that it is known to differ from.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

from likewise.clusterers.kmeans.centres import square_distances
from likewise.clusterers.links import LinkedGroups

Array = npt.NDArray[np.float64]
Learn = Callable[[LinkedGroups], Array]  # weights (p,) or a matrix (p, p)

SHARES = (0.0, 0.5, 1.0)  # of the learned metric in the one that is used
_FOLDS = 5
_STANDARD_ERRORS = 1.0  # by how many a metric must be better than the plain one
_FEWEST = 10  # items that were told: with fewer, all may be told better by chance


def blended(learned: Array, variance: Array, share: float) -> Array:  # as `learned`
    """Return the mean of the plain and a learned metric, both at the same spread of the items.

    Parameters
    ----------
    learned : array (p,) or (p, p)
        The weights of features, or a full metric.
    variance : array (p,) or (p, p)
        The variances of the features, or their covariances.
    share : float
        How much of it is the learned one, from 0 to 1.
    """
    plain = np.ones(len(learned)) if learned.ndim == 1 else np.eye(len(learned))

    def even(metric: Array) -> Array:
        return np.asarray(metric / max(float((metric * variance).sum()), 1e-300))

    return (1 - share) * even(plain) + share * even(learned)


def chosen_share(X: Array, links: LinkedGroups, learn: Learn, rng: np.random.Generator) -> float:
    """Return how much of the learned metric is to be used: 0, a half or all of it.

    The one that tells the groups of items best that were left out (see `scores`); but it must be
    better than the plain metric by a standard error, so that a handful of answers changes nothing.
    """
    tied = np.flatnonzero(links.group >= 0)
    fold = rng.permutation(np.arange(len(tied)) % _FOLDS)
    score: dict[float, list[float]] = {share: [] for share in SHARES}
    for number in range(_FOLDS):
        out = tied[fold == number]
        group = links.group.copy()
        group[out] = -1
        if not _to_be_found(group, links, out).any():
            continue
        learned = learn(_numbered(group, links))
        variance = X.var(axis=0) if learned.ndim == 1 else np.cov(X.T, bias=True)
        for share in SHARES:
            metric = blended(learned, variance, share)
            score[share] += scores(X, group, links, out, metric)
    plain = np.array(score[0.0])
    best, ahead = 0.0, 0.0
    for share in SHARES[1:]:
        if len(plain) < _FEWEST:
            break
        better = np.array(score[share]) - plain
        surely = float(better.mean() - _STANDARD_ERRORS * better.std(ddof=1) / np.sqrt(len(plain)))
        if surely > ahead:
            best, ahead = share, surely
    return best


def scores(
    X: Array, group: npt.NDArray[np.int64], links: LinkedGroups, out: npt.NDArray[np.int64],
    metric: Array,
) -> list[float]:  # fmt: skip
    """Return how well each item left out is told, from 0 to 1; those without groups are skipped.

    Half for the mean of its own group being nearer than that of any group known to be another, half
    for the share of items of its own group being nearer than items of those others.

    Parameters
    ----------
    X : array (n, p)
        The items.
    group : array (n,)
        The groups of the items that were not left out, -1 elsewhere.
    links : LinkedGroups
        All groups, and which of them differ.
    out : array of int
        The items left out.
    metric : array (p,) or (p, p)
        By which to measure.
    """
    there = np.flatnonzero(group >= 0)
    out = out[_to_be_found(group, links, out)]
    root = root_of(metric)
    points = X * root if metric.ndim == 1 else X @ root
    size = np.bincount(group[there], minlength=links.n_groups)
    of_group = csr_array(
        (np.ones(len(there)), (group[there], np.arange(len(there)))),
        shape=(links.n_groups, len(there)),
    )
    sums = of_group @ points[there]
    to_mean = square_distances(points[out], sums / np.maximum(size, 1)[:, None])
    to_item = square_distances(points[out], points[there])
    own = links.group[out]
    others = (links.differ[own].toarray() > 0) & (size > 0)  # (out, groups)
    mine = to_mean[np.arange(len(out)), own]
    nearest = np.asarray((np.where(others, to_mean, np.inf) > mine[:, None]).all(axis=1))
    of_item = group[there]
    found = []
    for k in range(len(out)):
        near = np.sort(to_item[k, of_item == own[k]])
        farther = np.searchsorted(near, to_item[k, others[k, of_item]]) / len(near)
        found.append((float(nearest[k]) + float(farther.mean())) / 2)
    return found


def root_of(metric: Array) -> Array:  # as `metric`
    """Return a map L of the metric L Lᵀ; of weights a row."""
    if metric.ndim == 1:
        return np.sqrt(metric)
    value, vectors = np.linalg.eigh(metric)
    return np.asarray(vectors * np.sqrt(np.maximum(value, 0.0)))


def _numbered(group: npt.NDArray[np.int64], links: LinkedGroups) -> LinkedGroups:
    """Return the groups of which items are left, and which of them differ."""
    kept, numbers = np.unique(group[group >= 0], return_inverse=True)
    number = np.full(links.n_groups, -1, dtype=np.int64)
    number[kept] = np.arange(len(kept))
    left = np.full(len(group), -1, dtype=np.int64)
    left[group >= 0] = numbers
    differing = number[links.differing]
    return LinkedGroups(left, differing[(differing >= 0).all(axis=1)])


def _to_be_found(
    group: npt.NDArray[np.int64], links: LinkedGroups, out: npt.NDArray[np.int64]
) -> npt.NDArray[np.bool_]:
    """Return of which items left out others of their group are there, and some of another group."""
    there = np.bincount(group[group >= 0], minlength=links.n_groups) > 0
    own = links.group[out]
    return np.asarray(there[own] & (links.differ @ there.astype(float) > 0)[own])
