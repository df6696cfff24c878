"""CAC1: whether two large clusters near each other are one."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import scipy.sparse as sp

from likewise.clusterers.linkage.average_link import AverageLinkParts
from likewise.errors import MethodError
from likewise.strategies.base import View
from likewise.strategies.pairs.selection import OpenPairs, PairArray
from likewise.strategies.ranking import rounded


class LargeNearby:
    """The pair scorer of large clusters near each other.

    The clusters are the parts of `AverageLinkParts` as far as they are known to belong together.
    Two of them score the product of their sizes and the mean similarity of their items, which is
    the weight of all edges between them in the graph; where there is none, the nearer come first.
    The pair that is asked is that of the representatives of their largest parts.

    References
    ----------
    After Biswas and Jacobs, "Large scale image clustering with active pairwise constraints", 2011.
    """

    def pairs(self, view: View, rng: np.random.Generator) -> Iterator[PairArray]:
        """Yield all pairs of clusters, the best first."""
        fitted = view.clustering
        if not isinstance(fitted, AverageLinkParts):
            raise MethodError(
                f"the pair scorer LargeNearby needs the clusterer AverageLinkParts, not "
                f"{type(fitted).__name__}"
            )
        parts, part, part_size = np.unique(fitted.parts_, return_inverse=True, return_counts=True)
        cluster = np.unique(view.components[parts], return_inverse=True)[1]
        # Of each cluster the largest part, the first of those that are as large.
        by_size = np.lexsort((parts, -part_size, cluster))
        first = by_size[np.unique(cluster[by_size], return_index=True)[1]]
        representatives = parts[first]
        n, c = len(part), len(representatives)
        member = sp.csr_matrix((np.ones(n), (np.arange(n), cluster[part])), shape=(n, c))
        weight = (member.T @ sp.csr_matrix(view.affinity.affinity_) @ member).toarray()
        a, b = np.triu_indices(c, 1)
        pairs = np.column_stack([representatives[a], representatives[b]])
        nearness = -view.distances(representatives, representatives)[a, b]
        if len(pairs):
            pairs = pairs[np.lexsort((-rounded(nearness), -rounded(weight[a, b])))]
        yield pairs[OpenPairs(view).among(pairs)]
