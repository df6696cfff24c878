"""Spectral clustering of representatives, whose labels flow back to the items they stand for."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils.validation import validate_data

from likewise.affinities.base import Affinity, Links
from likewise.clusterers._nodes import Nodes
from likewise.clusterers.base import check_n_clusters
from likewise.clusterers.links import Labels, LinkedGroups
from likewise.clusterers.representatives import Representatives, by_kmeans, by_random_trees
from likewise.clusterers.spectral.spectral_learning import SpectralLearning
from likewise.errors import MethodError
from likewise.items import Matrix

_FEWEST = 500  # items that are too few to be worth representing


class KASP(ClusterMixin, BaseEstimator):  # type: ignore[misc]
    """k-means-based approximate spectral clustering (Yan, Huang, Jordan 2009), with links.

    k-means finds `n_representatives` points that stand for the items (None: one for every
    hundred items, at least 500; as many as there are items: plain spectral clustering). These
    are clustered like `SpectralLearning` does, and every item goes where its representative goes.
    Linked items speak for themselves, so that the labels contradict no link.

    >>> import numpy as np
    >>> X = np.vstack([np.random.default_rng(0).normal(c, 1.0, (500, 2)) for c in (0, 20)])
    >>> model = KASP(n_clusters=2, n_representatives=40).fit(X)
    >>> model.representatives_.shape, np.bincount(model.labels_).tolist()
    ((40, 2), [500, 500])
    """

    labels_: Labels
    n_clusters_: int
    representatives_: Matrix  # (m, d)
    representative_of_: Labels  # (n,)
    _source: Any  # the very X of the last fit, by which another fit recognises the same items
    _representatives: Representatives
    _model: SpectralLearning

    def __init__(
        self,
        *,
        n_clusters: int = 2,
        n_representatives: int | None = None,
        affinity: Affinity | None = None,
        random_state: int = 0,
    ) -> None:
        self.n_clusters = n_clusters
        self.n_representatives = n_representatives
        self.affinity = affinity
        self.random_state = random_state

    def fit(
        self,
        X: Any,
        y: Any = None,
        *,
        must_link: Links = None,
        cannot_link: Links = None,
        start: KASP | None = None,
    ) -> Self:
        """Cluster the rows of X."""
        source = X
        X = validate_data(self, X, accept_sparse="csr", ensure_min_samples=2, dtype=np.float64)
        check_n_clusters(self.n_clusters, X.shape[0])
        links = LinkedGroups.of(X.shape[0], must_link, cannot_link)
        wanted = self._wanted(X.shape[0])
        if start is not None and start._source is source and start._wanted(X.shape[0]) == wanted:
            self._representatives = start._representatives
        else:
            rng = np.random.default_rng(self.random_state)
            self._representatives = self._represent(X, wanted, rng)
        self._source = source
        nodes = Nodes.of(X, self._representatives, links)
        self._model = SpectralLearning(
            n_clusters=self.n_clusters, affinity=self.affinity, random_state=self.random_state
        ).fit(nodes.points, must_link=nodes.must_link, cannot_link=nodes.cannot_link)
        self.labels_ = self._model.labels_[nodes.of_item]
        self.representatives_ = self._representatives.points
        self.representative_of_ = self._representatives.of_item
        self.n_clusters_ = int(self.labels_.max()) + 1
        return self

    def _wanted(self, n: int) -> int:
        wanted = self.n_representatives
        if wanted is None:
            wanted = max(n // 100, _FEWEST)
        if wanted < 1:
            raise MethodError(f"n_representatives must be at least 1 but got {wanted}")
        return min(max(wanted, self.n_clusters, 2), n)

    def _represent(self, X: Matrix, n_points: int, rng: np.random.Generator) -> Representatives:
        return by_kmeans(X, n_points, rng)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


class RASP(KASP):
    """The same with the leaves of a random projection tree: quicker than k-means, and coarser."""

    def _represent(self, X: Matrix, n_points: int, rng: np.random.Generator) -> Representatives:
        return by_random_trees(X, n_points, rng)
