"""Single link with links: a spanning forest that keeps apart what is known to differ."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils.validation import validate_data

from likewise.affinities.base import Affinity, Links
from likewise.affinities.resolve import depends_on_links, resolve_affinity
from likewise.clusterers.base import check_n_clusters
from likewise.clusterers.links import Labels, LinkedGroups, answers_win, checked_links
from likewise.items import Matrix


class SingleLink(ClusterMixin, BaseEstimator):  # type: ignore[misc]
    """Hierarchical clustering with must- and cannot-links (the HACC of Biswas and Jacobs 2012).

    Must-linked items are joined first; then the most similar items of different clusters, again
    and again, unless a cannot-link keeps their clusters apart, until `n_clusters` are left. More
    are left where nothing more may be joined along the edges of the graph; `n_clusters_` says so.

    >>> X = [[0.0], [1.0], [2.5], [5.2], [6.2]]
    >>> SingleLink(n_clusters=2).fit(X).labels_
    array([0, 0, 0, 1, 1])
    >>> SingleLink(n_clusters=2).fit(X, cannot_link=[(0, 1)]).labels_
    array([0, 1, 1, 1, 1])
    """

    labels_: Labels
    n_clusters_: int
    edges_: npt.NDArray[np.int64]  # (m, 2), the most similar first
    tree_: npt.NDArray[np.int64]  # numbers of the edges that joined clusters, in that order
    _source: Any  # the very X of the last fit, by which another fit recognises the same items

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

    def fit(
        self,
        X: Any,
        y: Any = None,
        *,
        must_link: Links = None,
        cannot_link: Links = None,
        start: SingleLink | None = None,
    ) -> Self:
        """Join the rows of X, or of an affinity matrix when `affinity="precomputed"`."""
        from likewise.clusterers.linkage._kernels import spanning_forest

        source = X
        X = validate_data(self, X, accept_sparse="csr", ensure_min_samples=2, dtype=np.float64)
        n = X.shape[0]
        check_n_clusters(self.n_clusters, n)
        links = LinkedGroups.of(n, must_link, cannot_link)
        known = start is not None and start._source is source
        if start is not None and known and not depends_on_links(self.affinity):
            self.edges_ = start.edges_
        else:
            self.edges_ = _heaviest_first(
                resolve_affinity(self.affinity, X, must_link=must_link, cannot_link=cannot_link)
            )
        self._source = source
        component, self.tree_ = spanning_forest(
            n,
            self.edges_,
            checked_links(must_link, n, "must_link"),
            checked_links(cannot_link, n, "cannot_link"),
            self.n_clusters,
        )
        self.labels_ = answers_win(component, links)
        self.n_clusters_ = int(self.labels_.max()) + 1
        return self

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.pairwise = self.affinity == "precomputed"
        return tags


def _heaviest_first(affinity: Matrix) -> npt.NDArray[np.int64]:  # (m, 2)
    """All edges of the graph, the most similar first; of equal ones the first in the matrix."""
    graph = sp.triu(sp.csr_matrix(affinity), 1).tocoo()
    order = np.lexsort((graph.col, graph.row, -graph.data))
    return np.column_stack([graph.row, graph.col])[order].astype(np.int64)
