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
from likewise.clusterers.links import Labels
from likewise.clusterers.spectral.eigenvectors import LinkedGraph, laplacian_eigenpairs, unit_rows
from likewise.errors import MethodError
from likewise.strategies.base import View
from likewise.strategies.pairs._hypothetical_links import HypotheticalLinks, joined
from likewise.strategies.pairs.selection import OpenPairs, PairArray
from likewise.strategies.ranking import rounded

_ROUNDS = 10  # of k-means; consensus wants many rough clusterings, not a good one


class ExpectedChange:
    """The pair scorer of largest expected change of a `SingleLink` clustering.

    For each pair the opposite of what the clustering predicts is assumed, and all is clustered
    again. The pair's score is the probability of that opposite times the change, 1 − the Jaccard
    index of the two clusterings. The probability that two items are the same is the share of
    random k-means clusterings of the graph's embedding in which they are together.

    Not every pair needs a clustering of its own. Assuming "different" of any two items that were
    first joined by the same edge of the spanning forest has one and the same consequence, and so
    has assuming "same" of any two items of two clusters as they were before the last edge (which
    is then one too many), unless cannot-links are between parts of these. Of each such set of
    equivalent pairs only the likeliest counts.

    Parameters
    ----------
    n_simulated : int or None
        So many sets of equivalent pairs are clustered again, in the order of the change if nothing
        else followed. None takes all, and takes clusters with cannot-links between parts of them
        must-link component by component, which is exact; else their likeliest pair counts for all.
    n_clusterings : int
        How many random clusterings vote on "same".
    n_members : int
        The likeliest pair is looked for among so many items of either side.

    References
    ----------
    Biswas and Jacobs, "Active image clustering with pairwise constraints from humans", 2014
    (Active-HACC); an earlier version appeared in 2012.
    """

    def __init__(
        self, *, n_simulated: int | None = 50, n_clusterings: int = 20, n_members: int = 50
    ) -> None:
        self.n_simulated = n_simulated
        self.n_clusterings = n_clusterings
        self.n_members = n_members
        self._consensus: tuple[Any, int, Labels | None] = (None, 0, None)

    def pairs(self, view: View, rng: np.random.Generator) -> Iterator[PairArray]:
        """Yield one pair of every set that was simulated, the best first; then of the others."""
        fitted = view.clustering
        if not isinstance(fitted, SingleLink):
            raise MethodError(
                f"the pair scorer ExpectedChange needs the clusterer SingleLink, not "
                f"{type(fitted).__name__}"
            )
        votes = self._votes(view, fitted.n_clusters)
        exact = self.n_simulated is None
        sets = [*_within(fitted, view), *_between(fitted, view, exact)]
        sets.sort(key=lambda equivalent: -equivalent.size)
        if self.n_simulated is not None:
            del sets[4 * self.n_simulated :]
        likeliest = self._likeliest(view, sets, votes)
        tried, others = _most_promising(likeliest, sets, self.n_simulated)
        links = view.constraints.must_link, view.constraints.cannot_link
        hypothetical = HypotheticalLinks(fitted, *links)
        score = [
            one.probability * hypothetical.change(*one.pair, same=one.assume_same) for one in tried
        ]
        order = np.argsort(-rounded(np.array(score)), kind="stable").tolist() if tried else []
        yield _pairs_of(tried[k] for k in order)
        others += [one for one in likeliest if one is not None]
        yield _pairs_of(sorted(others, key=lambda one: -one.estimate))

    def _votes(self, view: View, n_clusters: int) -> Labels:
        """Return the random clusterings, (n_clusterings, n), kept while the graph is the same."""
        affinity = view.affinity.affinity_
        kept, of, found = self._consensus
        if kept is not affinity or of != n_clusters or found is None:
            labels = random_clusterings(affinity, n_clusters, self.n_clusterings)
            found = np.ascontiguousarray(labels.T.astype(np.min_scalar_type(int(labels.max()))))
            self._consensus = (affinity, n_clusters, found)
        return found

    def _likeliest(
        self, view: View, sets: list[_EquivalentPairs], votes: Labels
    ) -> Iterator[_Candidate | None]:
        """Yield of each set the pair whose opposite is likeliest; None if all are known."""
        open_pairs = OpenPairs(view)
        for equivalent in sets:
            one, other = equivalent.sides(self.n_members)
            agree = votes[:, one][:, :, None] == votes[:, other][:, None]
            same = agree.view(np.uint8).sum(axis=0, dtype=np.int32) / len(votes)
            probability = same if equivalent.assume_same else 1.0 - same
            if equivalent.assume_same:  # pairs across clusters may be known to differ
                probability = np.where(open_pairs.between(one, other), probability, -1.0)
            row, column = divmod(int(rounded(probability).argmax()), len(other))
            best = float(probability[row, column])
            pair = int(one[row]), int(other[column])
            found = _Candidate(pair, equivalent.assume_same, best, best * equivalent.size)
            yield found if best >= 0 else None


class _EquivalentPairs(NamedTuple):
    """Pairs of an item of one side and one of the other: the opposite of each has equal effect."""

    clusters: ContiguousClusters
    one: int  # both are numbers of clusters
    other: int
    assume_same: bool
    size: int  # how many pairs

    def sides(self, most: int) -> tuple[Labels, Labels]:
        """Return at most so many items of either side, evenly spread."""
        one, other = (self.clusters.members(cluster) for cluster in (self.one, self.other))
        return _some(one, most), _some(other, most)


class _Candidate(NamedTuple):
    """The likeliest of equivalent pairs."""

    pair: tuple[int, int]
    assume_same: bool
    probability: float
    estimate: float  # probability times the pairs of items that change for certain


def _most_promising(
    likeliest: Iterator[_Candidate | None], sets: list[_EquivalentPairs], most: int | None
) -> tuple[list[_Candidate], list[_Candidate]]:
    """Return the `most` of largest change if nothing else followed, and others looked at for it.

    Sets come largest first, and none changes more than it has pairs: the search ends when no later
    one can be among those.
    """
    if most is None:
        most = len(sets)
    found: list[_Candidate] = []
    least: list[float] = []  # a heap of the `most` largest changes
    for equivalent in sets:
        if len(least) >= most and (not least or least[0] >= equivalent.size):
            break
        one = next(likeliest)
        if one is not None:
            found.append(one)
            heappush(least, one.estimate)
            if len(least) > most:
                heappop(least)
    found.sort(key=lambda one: -one.estimate)
    return found[:most], found[most:]


def _pairs_of(some: Iterable[_Candidate]) -> PairArray:
    """Return the pairs of some candidates as an array."""
    return np.array([one.pair for one in some], dtype=np.int64).reshape(-1, 2)


def _equivalent(
    clusters: ContiguousClusters, pairs: Sequence[tuple[int, int]], *, assume_same: bool
) -> Iterator[_EquivalentPairs]:
    """Return the set of item pairs of every given pair of clusters."""
    size = clusters.sizes.tolist()
    return (_EquivalentPairs(clusters, a, b, assume_same, size[a] * size[b]) for a, b in pairs)


def _within(fitted: SingleLink, view: View) -> Iterator[_EquivalentPairs]:
    """Yield what each edge of the spanning forest joined: same now, assumed to be different."""
    tied = view.constraints.must_link.tolist()
    joined = fitted.edges_[fitted.tree_].tolist()
    merges = Dendrogram.from_edges(len(view.components), [*tied, *joined])
    by_edges = merges.pairs[len(merges.pairs) - len(joined) :]
    return _equivalent(merges, by_edges, assume_same=False)


def _between(fitted: SingleLink, view: View, exact: bool) -> Iterator[_EquivalentPairs]:
    """Yield each pair of clusters: different now, assumed to be the same.

    Where cannot-links are between parts of two clusters, what follows depends on which parts are
    joined: when it is to be `exact`, every pair of must-link components is a set.
    """
    labels = _before_the_last_edge(fitted, view)
    clusters = ContiguousClusters.by_label(labels)
    # Single items first, then the others by label.
    is_large = clusters.sizes > 1
    order = np.lexsort((np.where(is_large, 0, clusters.order[clusters.begin]), is_large)).tolist()
    final = fitted.labels_[clusters.order[clusters.begin]].tolist()
    pairs = [(a, b) for a, b in combinations(order, 2) if final[a] != final[b]]
    if not exact:
        yield from _equivalent(clusters, pairs, assume_same=True)
        return
    tied = Dendrogram.from_edges(len(labels), view.constraints.must_link.tolist())
    parts: dict[int, list[int]] = {}
    for cluster in tied.roots():
        parts.setdefault(int(labels[tied.members(cluster)[0]]), []).append(cluster)
    differing = {frozenset(labels[link].tolist()) for link in view.constraints.cannot_link}
    for pair in pairs:
        if frozenset(pair) in differing:
            one, other = (parts[label] for label in pair)
            yield from _equivalent(tied, list(product(one, other)), assume_same=True)
        else:
            yield from _equivalent(clusters, [pair], assume_same=True)


def _before_the_last_edge(fitted: SingleLink, view: View) -> Labels:  # (n,)
    """Return the clusters when one more was left; as they are if too many are left anyway."""
    tree = fitted.edges_[fitted.tree_]
    if not len(tree) or fitted.n_clusters_ != fitted.n_clusters:
        return fitted.labels_
    return joined(len(view.components), np.concatenate([view.constraints.must_link, tree[:-1]]))


def _some(side: Labels, most: int) -> Labels:
    """Return at most so many of the items, evenly spread over the list."""
    if len(side) <= most:
        return side
    return np.asarray(side[np.linspace(0, len(side) - 1, most).astype(np.int64)])


def random_clusterings(affinity: Any, n_clusters: int, n_clusterings: int) -> Labels:
    """Compute rough k-means clusterings of the graph's embedding, (n, n_clusterings)."""
    n = affinity.shape[0]
    graph = LinkedGraph.unlinked(affinity)
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
