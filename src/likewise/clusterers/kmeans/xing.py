"""A metric learned from links first, then PCK-means in it."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.spatial.distance import cdist

from likewise._seeds import seed_from
from likewise.affinities.base import Positions
from likewise.clusterers.base import FitContext, LinkedClusterer, check_at_least_one
from likewise.clusterers.kmeans._mahalanobis import check_metric, mapped
from likewise.clusterers.kmeans._xing_metric import (
    diagonal_metric,
    dissimilar_pairs,
    full_metric,
    similar_scatter,
)
from likewise.clusterers.kmeans.centres import Points, centres_of
from likewise.clusterers.kmeans.nearest_centre import NearestCentre
from likewise.clusterers.kmeans.pckmeans import lowest_descent
from likewise.clusterers.links import Labels, LinkedGroups
from likewise.errors import MethodError

_PAIRS = 5000  # dissimilar pairs that are looked at, at most


class Xing(NearestCentre, LinkedClusterer):
    """Distance metric learning with side information, then PCK-means in the metric.

    The metric keeps must-linked items close while cannot-linked ones are as far apart as can be.
    Few must-links say nothing about most directions, in which any weight would be allowed, so the
    scatter of all items is added to that of the must-linked pairs. Without must-links the metric is
    the Euclidean one; without cannot-links it is the inverse of the scatter.

    Parameters
    ----------
    n_clusters : int, default=2
        How many clusters to find.
    metric : {"diagonal", "full"}, default="diagonal"
        Whether the metric weighs every feature, or every direction.
    ridge : float, default=0.1
        How much the scatter of all items weighs, as a multiple of that of the must-linked pairs.
        Near 0 the must-links alone decide; large values give a metric that whitens the items.
    weight : float or None, default=None
        The price of a violated link, as in `PCKMeans`.
    answers_win : bool, default=True
        Whether the labels give way to the links in the end.
    max_iter : int, default=100
        The most rounds of one descent.
    n_init : int, default=3
        How many starts are tried.
    random_state : int, default=0
        The seed; equal seeds give equal results.

    Attributes
    ----------
    labels_ : ndarray of shape (n,)
        The cluster of each item, 0 to `n_clusters_` - 1.
    n_clusters_ : int
        How many clusters there are; more than `n_clusters` where links demand it.
    cluster_centers_ : ndarray of shape (n_clusters_, d)
        The mean of each cluster of `labels_`.
    metric_ : ndarray of shape (d,) or (d, d)
        The learned metric.
    feature_weights_ : ndarray of shape (d,)
        The diagonal of the metric.
    objective_ : float
        That of PCK-means in the metric, before any label gave way to a link.
    n_iter_ : int
        Rounds of the best descent.

    References
    ----------
    Xing, Ng, Jordan and Russell: Distance metric learning, with application to clustering with
    side-information, 2003.

    Examples
    --------
    >>> X = np.array([[0.0, 0.0], [0.1, 9.0], [1.0, 0.5], [1.1, 9.5]])
    >>> model = Xing(n_clusters=2).fit(X, must_link=[(0, 1)], cannot_link=[(0, 2)])
    >>> bool(model.labels_[2] == model.labels_[3] != model.labels_[0])
    True
    """

    cluster_centers_: Points  # (n_clusters_, d)
    metric_: npt.NDArray[np.float64]  # (d,) or (d, d)
    feature_weights_: npt.NDArray[np.float64]  # (d,), the diagonal of the metric
    objective_: float
    n_iter_: int
    _points: Points

    def __init__(
        self,
        *,
        n_clusters: int = 2,
        metric: str = "diagonal",
        ridge: float = 0.1,
        weight: float | None = None,
        answers_win: bool = True,
        max_iter: int = 100,
        n_init: int = 3,
        random_state: int = 0,
    ) -> None:
        self.n_clusters = n_clusters
        self.metric = metric
        self.ridge = ridge
        self.weight = weight
        self.answers_win = answers_win
        self.max_iter = max_iter
        self.n_init = n_init
        self.random_state = random_state

    def _fit_linked(self, X: Any, links: LinkedGroups, context: FitContext) -> Labels:
        origin = X.mean(axis=0)
        points = X - origin
        self.metric_ = self._learned(points, links)
        self.feature_weights_ = np.diag(self.metric_) if self.metric == "full" else self.metric_
        self._points = mapped(points, self.metric_)
        middle = self._points.mean(axis=0)
        earlier, start = None, context.start
        if start is not None and len(start.cluster_centers_) <= self.n_clusters:
            earlier = mapped(start.cluster_centers_ - origin, self.metric_) - middle
        best = lowest_descent(
            self._points - middle, links, self.n_clusters,
            weight=self.weight, max_iter=self.max_iter, n_init=self.n_init,
            random_state=seed_from(self.random_state), earlier=earlier,
        )  # fmt: skip
        self.objective_, self.n_iter_ = best.objective, best.n_iter
        labels = self._without_contradictions(best.labels, links)
        self.cluster_centers_ = centres_of(X, labels)
        return labels

    def _check_parameters(self, n_features: int) -> None:
        check_at_least_one(max_iter=self.max_iter, n_init=self.n_init)
        check_metric(self.metric)
        if not 0 < self.ridge < np.inf:
            raise MethodError(f"ridge must be above 0 but got {self.ridge}")

    def distances(self, items: Positions, others: Positions) -> npt.NDArray[np.float64]:
        """Return distances by the learned metric, (len(items), len(others))."""
        return np.asarray(cdist(self._points[items], self._points[others]))

    def _learned(self, points: Points, links: LinkedGroups) -> npt.NDArray[np.float64]:
        full = self.metric == "full"
        dimension = points.shape[1]
        variance = (points**2).mean(axis=0)
        # Constant features would make the scatter singular, and do not matter.
        variance = np.where(variance > 0, variance, float(variance.mean()) or 1.0)
        similar = similar_scatter(points, links, full)
        amount = float(np.trace(similar) if full else similar.sum())
        if amount <= 1e-12 * variance.sum():
            return np.eye(dimension) if full else np.ones(dimension)
        everything = points.T @ points / len(points) if full else variance
        if full:
            everything = everything + 1e-6 * np.diag(variance)
        similar = similar + self.ridge * amount / variance.sum() * everything
        rng = np.random.default_rng(seed_from(self.random_state))
        dissimilar = dissimilar_pairs(points, links, _PAIRS, rng)
        if not len(dissimilar):
            return np.linalg.inv(similar) if full else 1.0 / similar
        return full_metric(similar, dissimilar) if full else diagonal_metric(similar, dissimilar)
