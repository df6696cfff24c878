"""Active-HACC: the pair whose answer is expected to change the clustering most."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product
from typing import Any, NamedTuple

import numpy as np

from likewise.clusterers.base import Labels, LinkedGroups
from likewise.clusterers.centres import complete_centres, means, square_distances
from likewise.clusterers.eigenvectors import LinkedGraph, laplacian_spectrum, unit_rows
from likewise.clusterers.merges import Merges
from likewise.clusterers.single_link import SingleLink
from likewise.errors import MethodError
from likewise.metrics import jaccard
from likewise.strategies.base import View
from likewise.strategies.loose import OpenPairs, PairArray
from likewise.strategies.ranking import rounded

_ROUNDS = 10  # of k-means; consensus wants many rough clusterings, not a good one


class ExpectedChange:
    """The pair chooser of Biswas and Jacobs (2012), for a `SingleLink` clustering.

    Of a pair the opposite of what the clustering says is supposed, and all is clustered again. The
    pair is worth the probability of that opposite times the change, 1 − the Jaccard index of the
    two clusterings. How likely two items are the same is the share of `n_clusterings` random
    k-means clusterings of the graph's embedding in which they are together.

    Not every pair needs a clustering of its own. Supposing "different" of any two items that were
    first joined by the same edge of the spanning forest has one and the same consequence, and so
    has supposing "same" of any two items of two clusters, unless links keep parts of these apart.
    Of each such family only the likeliest pair counts, looked for among `n_members` of either side.
    Families are clustered again in the order of what the change would be if nothing else followed,
    `n_simulated` of them. With None all are, and clusters that links keep apart in part are taken
    tied group by tied group, which is exact; else their likeliest pair speaks for the whole.
    """

    def __init__(
        self, *, n_simulated: int | None = 50, n_clusterings: int = 20, n_members: int = 50
    ) -> None:
        self.n_simulated = n_simulated
        self.n_clusterings = n_clusterings
        self.n_members = n_members
        self._consensus: tuple[Any, int, Labels | None] = (None, 0, None)

    def pairs(self, view: View, rng: np.random.Generator) -> Iterator[PairArray]:
        """One pair of every family that was simulated, the best first; then of the others."""
        fitted = view.clustering
        if not isinstance(fitted, SingleLink):
            raise MethodError(
                f"the chooser ExpectedChange needs the clusterer SingleLink, not "
                f"{type(fitted).__name__}"
            )
        together = self._together(view, fitted.n_clusters)
        exact = self.n_simulated is None
        families = [*_within(fitted, view), *_between(fitted.labels_, view, exact)]
        likeliest = self._likeliest(view, families, together)
        likeliest.sort(key=lambda one: -one.roughly)
        tried = likeliest[: self.n_simulated]
        worth = np.array([one.chance * _change(view, fitted, one) for one in tried])
        order = np.argsort(-rounded(worth), kind="stable").tolist() if tried else []
        ranked = [tried[k] for k in order] + likeliest[len(tried) :]
        yield np.array([one.pair for one in ranked], dtype=np.int64).reshape(-1, 2)

    def _together(self, view: View, n_clusters: int) -> Labels:
        """The random clusterings, (n, n_clusterings), for as long as the graph stays the same."""
        affinity = view.affinity.affinity_
        kept, of, found = self._consensus
        if kept is not affinity or of != n_clusters or found is None:
            found = random_clusterings(affinity, n_clusters, self.n_clusterings)
            self._consensus = (affinity, n_clusters, found)
        return found

    def _likeliest(self, view: View, families: list[_Family], together: Labels) -> list[_Likeliest]:
        """Of each family, largest first, the pair whose opposite is likeliest."""
        open_pairs = OpenPairs(view)
        limit = None if self.n_simulated is None else 4 * self.n_simulated
        families.sort(key=lambda family: -family.size)
        found = []
        for family in families[:limit]:
            one, other = family.sides(self.n_members)
            same = (together[one][:, None] == together[other][None]).mean(axis=2)
            chance = same if family.suppose_same else 1.0 - same
            if family.suppose_same:  # pairs across clusters may be known to differ
                chance = np.where(open_pairs.with_everyone(one)[:, other], chance, -1.0)
            row, column = np.unravel_index(int(rounded(chance).argmax()), chance.shape)
            best = float(chance[row, column])
            if best >= 0:
                pair = int(one[row]), int(other[column])
                found.append(_Likeliest(pair, family.suppose_same, best, best * family.size))
        return found


class _Family(NamedTuple):
    """Pairs of an item of one side and one of the other: the opposite of each has equal effect."""

    merges: Merges
    one: int  # both are clusters of the merges
    other: int
    suppose_same: bool

    @property
    def size(self) -> int:
        return int(self.merges.sizes[self.one] * self.merges.sizes[self.other])

    def sides(self, most: int) -> tuple[Labels, Labels]:
        """So many items of either side at most, evenly spread."""
        one, other = (self.merges.members(cluster) for cluster in (self.one, self.other))
        return _some(one, most), _some(other, most)


class _Likeliest(NamedTuple):
    pair: tuple[int, int]
    suppose_same: bool
    chance: float
    roughly: float  # chance times the pairs of items that change for certain


def _within(fitted: SingleLink, view: View) -> list[_Family]:
    """What each edge of the spanning forest joined: together now, supposed to be different."""
    tied = view.constraints.must_link.tolist()
    joined = fitted.edges_[fitted.tree_].tolist()
    merges = Merges.along(len(view.marks), [*tied, *joined])
    by_edges = merges.pairs[len(merges.pairs) - len(joined) :]
    return [_Family(merges, a, b, suppose_same=False) for a, b in by_edges]


def _between(labels: Labels, view: View, exact: bool) -> Iterator[_Family]:
    """Each pair of clusters: apart now, supposed to be the same.

    Where links keep parts of two clusters apart, what follows depends on which parts are tied: when
    it is to be `exact`, every pair of them is a family.
    """
    by_label = np.argsort(labels, kind="stable")
    chains = np.column_stack([by_label[:-1], by_label[1:]])
    chains = chains[labels[chains[:, 0]] == labels[chains[:, 1]]]
    clusters = Merges.along(len(labels), chains.tolist())
    kept_apart: set[frozenset[int]] = set()
    if exact:
        tied = Merges.along(len(labels), view.constraints.must_link.tolist())
        of_label = _by_label(tied, labels)
        kept_apart = {frozenset(labels[link].tolist()) for link in view.constraints.cannot_link}
    for a, b in combinations(_whole(clusters), 2):
        one, other = (int(labels[clusters.members(cluster)[0]]) for cluster in (a, b))
        if frozenset((one, other)) in kept_apart:
            for part, counterpart in product(of_label[one], of_label[other]):
                yield _Family(tied, part, counterpart, suppose_same=True)
        else:
            yield _Family(clusters, a, b, suppose_same=True)


def _by_label(merges: Merges, labels: Labels) -> dict[int, list[int]]:
    """The clusters of the merges by the label of their members."""
    found: dict[int, list[int]] = {}
    for cluster in _whole(merges):
        found.setdefault(int(labels[merges.members(cluster)[0]]), []).append(cluster)
    return found


def _whole(merges: Merges) -> list[int]:
    """The clusters that are no part of a larger one."""
    parts = np.ravel(np.array(merges.pairs, dtype=np.int64))
    return [int(k) for k in np.setdiff1d(np.arange(len(merges.sizes)), parts)]


def _some(side: Labels, most: int) -> Labels:
    """So many of the items, evenly spread over the list."""
    if len(side) <= most:
        return side
    return np.asarray(side[np.linspace(0, len(side) - 1, most).astype(np.int64)])


def _change(view: View, fitted: SingleLink, supposed: _Likeliest) -> float:
    """1 − the Jaccard index of the clustering before and after the opposite is supposed."""
    from likewise.clusterers._kernels import spanning_forest

    more = np.array([supposed.pair], dtype=np.int64)
    must, cannot = view.constraints.must_link, view.constraints.cannot_link
    if supposed.suppose_same:
        must = np.concatenate([must, more])
    else:
        cannot = np.concatenate([cannot, more])
    n = len(view.marks)
    after = spanning_forest(n, fitted.edges_, must, cannot, fitted.n_clusters)[0]
    return 1.0 - jaccard(fitted.labels_, after)


def random_clusterings(affinity: Any, n_clusters: int, n_clusterings: int) -> Labels:
    """Rough k-means clusterings of the graph's spectral embedding, (n, n_clusterings)."""
    n = affinity.shape[0]
    graph = LinkedGraph.of(affinity, LinkedGroups.of(n, None, None), together=1.0, apart=0.0)
    points = unit_rows(laplacian_spectrum(graph, n_clusters, normalisation="symmetric").vectors)
    labels = np.empty((n, n_clusterings), dtype=np.int64)
    for number in range(n_clusterings):
        rng = np.random.default_rng(number)
        # More clusters than wanted, each time another number: then near items tend to stay
        # together where far ones of one cluster do not.
        k = min(n, int(rng.integers(n_clusters, 2 * n_clusters + 1)))
        centres = complete_centres(points, k, [], rng)
        for _ in range(_ROUNDS):
            labels[:, number] = square_distances(points, centres).argmin(axis=1)
            centres = means(points, labels[:, number], centres)
    return labels
