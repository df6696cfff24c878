"""Active-HACC: the pair whose answer is expected to change the clustering most."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from heapq import heappop, heappush
from itertools import combinations, product
from typing import Any, NamedTuple

import numpy as np

from likewise.clusterers.kmeans.centres import complete_centres, means, square_distances
from likewise.clusterers.linkage.dendrogram import ContiguousClusters, Dendrogram
from likewise.clusterers.linkage.single_link import SingleLink
from likewise.clusterers.links import Labels, LinkedGroups
from likewise.clusterers.spectral.eigenvectors import LinkedGraph, laplacian_eigenpairs, unit_rows
from likewise.errors import MethodError
from likewise.strategies.base import View
from likewise.strategies.pairs._hypothetical_links import HypotheticalLinks, joined
from likewise.strategies.pairs.selection import OpenPairs, PairArray
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
    has supposing "same" of any two items of two clusters as they were before the last edge (which
    is then one too many), unless links keep parts of these apart.
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
        families = [*_within(fitted, view), *_between(fitted, view, exact)]
        families.sort(key=lambda family: -family.size)
        if self.n_simulated is not None:
            del families[4 * self.n_simulated :]
        likeliest = self._likeliest(view, families, together)
        tried, others = _first(likeliest, families, self.n_simulated)
        links = view.constraints.must_link, view.constraints.cannot_link
        supposed = HypotheticalLinks(fitted, *links)
        worth = [one.chance * supposed.change(*one.pair, same=one.suppose_same) for one in tried]
        order = np.argsort(-rounded(np.array(worth)), kind="stable").tolist() if tried else []
        yield _pairs_of(tried[k] for k in order)
        others += [one for one in likeliest if one is not None]
        yield _pairs_of(sorted(others, key=lambda one: -one.roughly))

    def _together(self, view: View, n_clusters: int) -> Labels:
        """The random clusterings, (n_clusterings, n), for as long as the graph stays the same."""
        affinity = view.affinity.affinity_
        kept, of, found = self._consensus
        if kept is not affinity or of != n_clusters or found is None:
            labels = random_clusterings(affinity, n_clusters, self.n_clusterings)
            found = np.ascontiguousarray(labels.T.astype(np.min_scalar_type(int(labels.max()))))
            self._consensus = (affinity, n_clusters, found)
        return found

    def _likeliest(
        self, view: View, families: list[_Family], together: Labels
    ) -> Iterator[_Likeliest | None]:
        """Of each family the pair whose opposite is likeliest; None if all its pairs are known."""
        open_pairs = OpenPairs(view)
        for family in families:
            one, other = family.sides(self.n_members)
            agree = together[:, one][:, :, None] == together[:, other][:, None]
            same = agree.view(np.uint8).sum(axis=0, dtype=np.int32) / len(together)
            chance = same if family.suppose_same else 1.0 - same
            if family.suppose_same:  # pairs across clusters may be known to differ
                chance = np.where(open_pairs.between(one, other), chance, -1.0)
            row, column = divmod(int(rounded(chance).argmax()), len(other))
            best = float(chance[row, column])
            pair = int(one[row]), int(other[column])
            yield (
                _Likeliest(pair, family.suppose_same, best, best * family.size)
                if (best >= 0)
                else None
            )


class _Family(NamedTuple):
    """Pairs of an item of one side and one of the other: the opposite of each has equal effect."""

    clusters: ContiguousClusters
    one: int  # both are numbers of clusters
    other: int
    suppose_same: bool
    size: int  # how many pairs

    def sides(self, most: int) -> tuple[Labels, Labels]:
        """So many items of either side at most, evenly spread."""
        one, other = (self.clusters.members(cluster) for cluster in (self.one, self.other))
        return _some(one, most), _some(other, most)


class _Likeliest(NamedTuple):
    pair: tuple[int, int]
    suppose_same: bool
    chance: float
    roughly: float  # chance times the pairs of items that change for certain


def _first(
    likeliest: Iterator[_Likeliest | None], families: list[_Family], most: int | None
) -> tuple[list[_Likeliest], list[_Likeliest]]:
    """The `most` that would change most if nothing else followed, and others looked at for it.

    Families come largest first, and none changes more than it has pairs: the search ends when no
    later one can be among those.
    """
    if most is None:
        most = len(families)
    found: list[_Likeliest] = []
    least: list[float] = []  # a heap of the `most` largest changes
    for family in families:
        if len(least) >= most and (not least or least[0] >= family.size):
            break
        one = next(likeliest)
        if one is not None:
            found.append(one)
            heappush(least, one.roughly)
            if len(least) > most:
                heappop(least)
    found.sort(key=lambda one: -one.roughly)
    return found[:most], found[most:]


def _pairs_of(some: Iterable[_Likeliest]) -> PairArray:
    return np.array([one.pair for one in some], dtype=np.int64).reshape(-1, 2)


def _families(
    clusters: ContiguousClusters, pairs: Sequence[tuple[int, int]], *, suppose_same: bool
) -> Iterator[_Family]:
    size = clusters.sizes.tolist()
    return (_Family(clusters, a, b, suppose_same, size[a] * size[b]) for a, b in pairs)


def _within(fitted: SingleLink, view: View) -> Iterator[_Family]:
    """What each edge of the spanning forest joined: together now, supposed to be different."""
    tied = view.constraints.must_link.tolist()
    joined = fitted.edges_[fitted.tree_].tolist()
    merges = Dendrogram.from_edges(len(view.components), [*tied, *joined])
    by_edges = merges.pairs[len(merges.pairs) - len(joined) :]
    return _families(merges, by_edges, suppose_same=False)


def _between(fitted: SingleLink, view: View, exact: bool) -> Iterator[_Family]:
    """Each pair of clusters: apart now, supposed to be the same.

    Where links keep parts of two clusters apart, what follows depends on which parts are tied: when
    it is to be `exact`, every pair of them is a family.
    """
    labels = _before_the_last_edge(fitted, view)
    clusters = ContiguousClusters.by_label(labels)
    # Single items first, then the others by label.
    is_large = clusters.sizes > 1
    order = np.lexsort((np.where(is_large, 0, clusters.order[clusters.begin]), is_large)).tolist()
    final = fitted.labels_[clusters.order[clusters.begin]].tolist()
    pairs = [(a, b) for a, b in combinations(order, 2) if final[a] != final[b]]
    if not exact:
        yield from _families(clusters, pairs, suppose_same=True)
        return
    tied = Dendrogram.from_edges(len(labels), view.constraints.must_link.tolist())
    parts: dict[int, list[int]] = {}
    for cluster in tied.roots():
        parts.setdefault(int(labels[tied.members(cluster)[0]]), []).append(cluster)
    kept_apart = {frozenset(labels[link].tolist()) for link in view.constraints.cannot_link}
    for pair in pairs:
        if frozenset(pair) in kept_apart:
            one, other = (parts[label] for label in pair)
            yield from _families(tied, list(product(one, other)), suppose_same=True)
        else:
            yield from _families(clusters, [pair], suppose_same=True)


def _before_the_last_edge(fitted: SingleLink, view: View) -> Labels:  # (n,)
    """The clusters when one more was left than is wanted; as they are if more are left anyway."""
    tree = fitted.edges_[fitted.tree_]
    if not len(tree) or fitted.n_clusters_ != fitted.n_clusters:
        return fitted.labels_
    return joined(len(view.components), np.concatenate([view.constraints.must_link, tree[:-1]]))


def _some(side: Labels, most: int) -> Labels:
    """So many of the items, evenly spread over the list."""
    if len(side) <= most:
        return side
    return np.asarray(side[np.linspace(0, len(side) - 1, most).astype(np.int64)])


def random_clusterings(affinity: Any, n_clusters: int, n_clusterings: int) -> Labels:
    """Rough k-means clusterings of the graph's spectral embedding, (n, n_clusterings)."""
    n = affinity.shape[0]
    graph = LinkedGraph.of(affinity, LinkedGroups.of(n, None, None), together=1.0, apart=0.0)
    points = unit_rows(laplacian_eigenpairs(graph, n_clusters, normalisation="symmetric").vectors)
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
