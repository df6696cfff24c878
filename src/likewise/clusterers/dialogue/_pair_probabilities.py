"""How likely two items are the same, from their distance: calibrated on neighbours."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from scipy.spatial.distance import cdist
from sklearn.isotonic import IsotonicRegression
from sklearn.neighbors import NearestNeighbors

from likewise.affinities.base import Positions
from likewise.clusterers.links import Labels

Array = npt.NDArray[np.float64]

LEAST = 1e-4  # no pair is surer than this, either way
_MOST_COMPARED = 200  # members of a cluster that its compactness is measured by
POOLED = 4  # likeliest members of another cluster that speak for an item


class Calibration:
    """P(same) as the falling function of the distance that fits some pairs best.

    Parameters
    ----------
    distance : ndarray of shape (m,)
        Of pairs.
    same : ndarray of bool, of shape (m,)
        Whether they count as the same.

    Examples
    --------
    >>> chance = Calibration(np.array([5.0, 4, 3, 2, 1]), np.array([0, 1, 0, 1, 1]) > 0)
    >>> chance(np.array([5.0, 4, 3, 2, 1])).round(1)
    array([0. , 0.5, 0.5, 1. , 1. ])
    """

    def __init__(self, distance: Array, same: npt.NDArray[np.bool_]) -> None:
        falling = IsotonicRegression(y_min=LEAST, y_max=1 - LEAST, increasing=False)
        falling.fit(distance.astype(np.float32), same)
        self._at, self._chance = falling.X_thresholds_, falling.y_thresholds_

    def __call__(self, distance: Array) -> Array:
        """Return P(same) of pairs at these distances; beyond all pairs as at the last."""
        # In single precision: distances that differ by rounding are the same.
        rounded = distance.astype(np.float32).astype(np.float64)
        return np.asarray(np.interp(rounded, self._at, self._chance))


class PairProbabilities:
    """P(same) of any two items, and of all neighbours as a graph.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        The features.
    groups : ndarray of shape (n,)
        A rough grouping: neighbours in the same group count as the same when distances are
        calibrated.
    n_neighbours : int
        How many neighbours of each item are looked at.

    Attributes
    ----------
    chances : sparse matrix of shape (n, n)
        P(same) of neighbours; two items are neighbours when either is one of the other.
    log_odds : sparse matrix of shape (n, n)
        log(p / (1 - p)) of the same pairs.
    """

    def __init__(self, X: Array, groups: Labels, n_neighbours: int) -> None:
        self.X = X
        n = len(X)
        k = min(n_neighbours, n - 1)
        distance, neighbours = NearestNeighbors(n_neighbors=k).fit(X).kneighbors()
        same = groups[neighbours] == groups[:, None]
        self._chance = Calibration(distance.ravel(), same.ravel())
        shape, bounds = (n, n), np.arange(0, n * k + 1, k)
        chances = self._chance(distance).ravel()
        directed = sp.csr_matrix((chances, neighbours.ravel(), bounds), shape=shape)
        self.chances = sp.csr_matrix(directed.maximum(directed.T))
        self.chances.sort_indices()
        self.log_odds = self.chances.copy()
        self.log_odds.data = np.log(self.chances.data / (1 - self.chances.data))

    def __len__(self) -> int:
        return len(self.X)

    def between(self, items: Positions, others: Positions) -> Array:
        """Return P(same) of every item with every other, (len(items), len(others))."""
        return self._chance(cdist(self.X[items], self.X[others]))

    def odds_between(self, items: Positions, others: Positions) -> Array:
        """Return the mean log odds of every item with the others, (len(items),)."""
        chance = self.between(items, others)
        return np.asarray(np.log(chance / (1 - chance)).mean(axis=1))

    def compactness(self, members: Labels) -> float:
        """Return how likely middling pairs of a cluster are the same; 1 of a single item.

        That is the mean P(same) of every member with those of the others that are about the median
        by likeness, √size of them. Of a large cluster only some members are looked at.
        """
        if len(members) < 2:
            return 1.0
        some = np.linspace(0, len(members) - 1, min(len(members), _MOST_COMPARED))
        members = members[some.astype(np.int64)]
        chance = self.between(members, members)
        np.fill_diagonal(chance, np.inf)
        others = np.sort(chance, axis=1)[:, :-1]
        width = min(round(np.sqrt(len(members))), others.shape[1])
        begin = (others.shape[1] - width) // 2
        return float(others[:, begin : begin + width].mean())

    def likeliest(self, item: int, leader_of: Labels) -> Labels:
        """Return the leaders of the clusters that an item has neighbours in, likeliest first."""
        row = slice(self.chances.indptr[item], self.chances.indptr[item + 1])
        order = np.argsort(-self.chances.data[row], kind="stable")
        leaders = leader_of[self.chances.indices[row]][order]
        chance = self.chances.data[row][order]
        found = {int(leader): chance[leaders == leader][:POOLED].sum() for leader in leaders}
        return np.array(sorted(found, key=lambda leader: -round(found[leader], 6)), dtype=np.int64)

    def pooled(self, labels: Labels) -> sp.csr_matrix:
        """Return the sum of each item's four largest chances in each cluster, (n, clusters)."""
        n, n_labels = len(labels), int(labels.max()) + 1
        row = np.repeat(np.arange(n), np.diff(self.chances.indptr))
        key = row * n_labels + labels[self.chances.indices]
        order = np.lexsort((-self.chances.data, key))
        key, chance = key[order], self.chances.data[order]
        firsts = np.flatnonzero(np.diff(key, prepend=-1))
        rank = np.arange(len(key)) - np.repeat(firsts, np.diff(firsts, append=len(key)))
        kept = rank < POOLED
        cells = np.divmod(key[kept], n_labels)
        return sp.csr_matrix((chance[kept], cells), shape=(n, n_labels))


def pooled_between(pairs: PairProbabilities, labels: Labels) -> tuple[Labels, Array]:
    """Return the clusters that have neighbours in each other, and the chances pooled between them.

    Pairs of clusters come the smaller first, (m, 2), each once. The likeliest four pairs of every
    member of the smaller one count; pairs that are no neighbours have no chance.
    """
    sizes, n = np.bincount(labels), len(labels)
    members = sp.csr_matrix((np.ones(n), (labels, np.arange(n))), shape=(len(sizes), n))
    sums = (members @ pairs.pooled(labels)).tocoo()
    a, b = sums.row.astype(np.int64), sums.col.astype(np.int64)
    smaller = (sizes[a] < sizes[b]) | ((sizes[a] == sizes[b]) & (a < b))
    return np.column_stack([a, b])[smaller], np.asarray(sums.data[smaller])


def merge_chance(total: Array, n_pooled: Labels) -> Array:
    """Return P(same) of two clusters whose pooled pairs have chances of this sum.

    It is their mean, with one success and one failure added.

    >>> float(merge_chance(np.array(3 * 0.9), np.array(3)).round(6))
    0.74
    """
    return np.asarray((1 + total) / (2 + n_pooled))


def entropy_drop(a: Labels, b: Labels, n_items: int) -> Array:
    """Return by how much the entropy of the clustering falls when clusters of sizes a, b merge.

    >>> float(entropy_drop(np.array(3), np.array(2), 10).round(6))
    0.336506
    """
    merged = a + b
    return np.asarray((merged * np.log(merged) - a * np.log(a) - b * np.log(b)) / n_items)
