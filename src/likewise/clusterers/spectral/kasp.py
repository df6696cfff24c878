"""Spectral clustering of representatives, whose labels flow back to the items they stand for."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.metrics import pairwise_distances_argmin
from sklearn.utils.validation import check_is_fitted, validate_data

from likewise._seeds import seed_from
from likewise.affinities.base import Affinity
from likewise.clusterers.base import FitContext, LinkedClusterer
from likewise.clusterers.links import Labels, LinkedGroups
from likewise.clusterers.representatives import (
    ReducedItems,
    Representatives,
    kmeans_representatives,
    random_tree_representatives,
)
from likewise.clusterers.spectral.spectral_learning import SpectralLearning
from likewise.errors import MethodError
from likewise.items import Matrix

_FEWEST = 500  # items that are too few to be worth representing


class KASP(LinkedClusterer):
    """k-means-based approximate spectral clustering, with links.

    k-means finds points that represent the items. These are clustered like `SpectralLearning` does,
    and every item goes where its representative goes. Linked items represent themselves, so that
    the labels contradict no link.

    Parameters
    ----------
    n_clusters : int, default=2
        How many clusters to find.
    n_representatives : int or None, default=None
        How many points represent the items. None is one for every hundred items, at least 500; as
        many as there are items is plain spectral clustering.
    affinity : affinity or None, default=None
        How alike representatives are; None is the self-tuning neighbour graph.
    random_state : int, default=0
        The seed; equal seeds give equal results.

    Attributes
    ----------
    labels_ : ndarray of shape (n,)
        The cluster of each item, 0 to `n_clusters_` - 1.
    n_clusters_ : int
        How many clusters there are; more than `n_clusters` where links demand it.
    representatives_ : ndarray of shape (m, d)
        The representatives.
    representative_of_ : ndarray of shape (n,)
        Which of them represents each item.

    References
    ----------
    Yan, Huang and Jordan: Fast approximate spectral clustering, 2009.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.vstack([np.random.default_rng(0).normal(c, 1.0, (500, 2)) for c in (0, 20)])
    >>> model = KASP(n_clusters=2, n_representatives=40).fit(X)
    >>> model.representatives_.shape, np.bincount(model.labels_).tolist()
    ((40, 2), [500, 500])
    """

    accepts_sparse = True

    representatives_: Matrix  # (m, d)
    representative_of_: Labels  # (n,)
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

    def _fit_linked(self, X: Any, links: LinkedGroups, context: FitContext) -> Labels:
        wanted, same = self._wanted(X.shape[0]), context.reusable
        if same is not None and same._wanted(X.shape[0]) == wanted:
            self._representatives = same._representatives
        else:
            rng = np.random.default_rng(seed_from(self.random_state))
            self._representatives = self._represent(X, wanted, rng)
        reduced = ReducedItems.of(X, self._representatives, links)
        self._model = SpectralLearning(
            n_clusters=self.n_clusters,
            affinity=self.affinity,
            random_state=seed_from(self.random_state),
        ).fit(reduced.points, must_link=reduced.must_link, cannot_link=reduced.cannot_link)
        self.representatives_ = self._representatives.points
        self.representative_of_ = self._representatives.of_item
        return np.asarray(self._model.labels_[reduced.of_item])

    def predict(self, X: Any) -> Labels:
        """Return for each row the cluster of the nearest representative."""
        check_is_fitted(self, "labels_")
        rows = validate_data(
            self, X, accept_sparse="csr" if self.accepts_sparse else False,
            dtype=np.float64, reset=False,
        )  # fmt: skip
        used, first_item = np.unique(self.representative_of_, return_index=True)
        nearest = pairwise_distances_argmin(rows, self.representatives_[used])
        return np.asarray(self.labels_[first_item[nearest]])

    def _wanted(self, n: int) -> int:
        wanted = self.n_representatives
        if wanted is None:
            wanted = max(n // 100, _FEWEST)
        if wanted < 1:
            raise MethodError(f"n_representatives must be at least 1 but got {wanted}")
        return min(max(wanted, self.n_clusters, 2), n)

    def _represent(self, X: Matrix, n_points: int, rng: np.random.Generator) -> Representatives:
        return kmeans_representatives(X, n_points, rng)


class RASP(KASP):
    """KASP with the leaves of a random projection tree: quicker than k-means, and coarser.

    Parameters
    ----------
    n_clusters : int, default=2
        How many clusters to find.
    n_representatives : int or None, default=None
        How many points represent the items. None is one for every hundred items, at least 500; as
        many as there are items is plain spectral clustering.
    affinity : affinity or None, default=None
        How alike representatives are; None is the self-tuning neighbour graph.
    random_state : int, default=0
        The seed; equal seeds give equal results.

    Attributes
    ----------
    labels_ : ndarray of shape (n,)
        The cluster of each item, 0 to `n_clusters_` - 1.
    n_clusters_ : int
        How many clusters there are; more than `n_clusters` where links demand it.
    representatives_ : ndarray of shape (m, d)
        The representatives.
    representative_of_ : ndarray of shape (n,)
        Which of them represents each item.

    References
    ----------
    Yan, Huang and Jordan: Fast approximate spectral clustering, 2009.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.vstack([np.random.default_rng(0).normal(c, 1.0, (500, 2)) for c in (0, 20)])
    >>> np.bincount(RASP(n_clusters=2, n_representatives=40).fit(X).labels_).tolist()
    [500, 500]
    """

    def _represent(self, X: Matrix, n_points: int, rng: np.random.Generator) -> Representatives:
        return random_tree_representatives(X, n_points, rng)
