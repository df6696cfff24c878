"""Single link with links: a spanning forest that keeps apart what is known to differ."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from likewise.affinities.base import Affinity
from likewise.clusterers.base import AffinityClusterer, FitContext
from likewise.clusterers.links import Labels, LinkedGroups
from likewise.items import Matrix


class SingleLink(AffinityClusterer):
    """Hierarchical clustering with must- and cannot-links.

    Must-linked items are joined first; then the most similar items of different clusters, again and
    again, unless a cannot-link keeps their clusters apart, until `n_clusters` are left. More are
    left where nothing more may be joined along the edges of the graph.

    Parameters
    ----------
    n_clusters : int, default=2
        At how many clusters joining stops.
    affinity : affinity, "precomputed" or None, default=None
        How alike items are: an affinity to be fitted, "precomputed" for X as the matrix itself, or
        None for the self-tuning neighbour graph.
    random_state : int, default=0
        Not used: nothing is drawn.

    Attributes
    ----------
    labels_ : ndarray of shape (n,)
        The cluster of each item, 0 to `n_clusters_` - 1.
    n_clusters_ : int
        How many clusters there are; more than `n_clusters` where links demand it.
    edges_ : ndarray of shape (m, 2)
        The edges of the graph, the most similar first.
    tree_ : ndarray
        The numbers of the edges that joined clusters, in that order: a spanning forest.

    References
    ----------
    Biswas and Jacobs: Active image clustering, 2012: their HACC.

    Examples
    --------
    >>> X = [[0.0], [1.0], [2.5], [5.2], [6.2]]
    >>> SingleLink(n_clusters=2).fit(X).labels_
    array([0, 0, 0, 1, 1])
    >>> SingleLink(n_clusters=2).fit(X, cannot_link=[(0, 1)]).labels_
    array([0, 1, 1, 1, 1])
    """

    edges_: npt.NDArray[np.int64]  # (m, 2), the most similar first
    tree_: npt.NDArray[np.int64]  # numbers of the edges that joined clusters, in that order

    def __init__(
        self,
        *,
        n_clusters: int = 2,
        affinity: Affinity | str | None = None,
        random_state: int = 0,
    ) -> None:
        self.n_clusters = n_clusters
        self.affinity = affinity
        self.random_state = random_state

    def _fit_linked(self, X: Any, links: LinkedGroups, context: FitContext) -> Labels:
        from likewise.clusterers.linkage._kernels import spanning_forest

        same = self._with_same_affinity(context)
        self.edges_ = (
            same.edges_ if same is not None else _heaviest_first(self._affinity_matrix(X, context))
        )
        component, self.tree_ = spanning_forest(
            X.shape[0], self.edges_, context.must_link, context.cannot_link, self.n_clusters
        )
        return component


def _heaviest_first(affinity: Matrix) -> npt.NDArray[np.int64]:  # (m, 2)
    """Return all edges, the most similar first; of equal ones the first in the matrix."""
    graph = sp.triu(sp.csr_matrix(affinity), 1).tocoo()
    order = np.lexsort((graph.col, graph.row, -graph.data))
    return np.column_stack([graph.row, graph.col])[order].astype(np.int64)
