"""MPCK-means: PCK-means that also learns which features matter."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.spatial.distance import cdist

from likewise._seeds import seed_from
from likewise.affinities.base import Positions
from likewise.clusterers.base import FitContext, LinkedClusterer, check_at_least_one
from likewise.clusterers.kmeans._diagonal_descent import DiagonalDescent
from likewise.clusterers.kmeans._mahalanobis import Metrics, check_metric, mapped
from likewise.clusterers.kmeans._metric_descent import MetricDescent
from likewise.clusterers.kmeans._restarts import best_descent
from likewise.clusterers.kmeans.centres import Points, complete_centres
from likewise.clusterers.kmeans.nearest_centre import NearestCentre
from likewise.clusterers.kmeans.pckmeans import first_centres, link_weight
from likewise.clusterers.links import Labels, LinkedGroups

_DIRECTIONS = 32  # along which the farthest pair is looked for


class MPCKMeans(NearestCentre, LinkedClusterer):
    """Metric pairwise constrained k-means: PCK-means that also learns which features matter.

    Lowers J = Σ (‖xᵢ − μ‖²_A − log det A) + `weight` · Σ over violated links of what they cost by
    the metric A (see `DistanceLinkCosts`) over labels, centres and A in turn. The first A is the
    identity over the mean variance. The farthest pair of items, the measure of how bad a violated
    cannot-link is, is looked for among the extremes of random projections. No direction weighs more
    than ten times what the scatter within clusters gives it, and a cluster of no more items than
    features borrows from the metric of all.

    Parameters
    ----------
    n_clusters : int, default=2
        How many clusters to find.
    metric : {"diagonal", "full"}, default="diagonal"
        Whether A weighs every feature, or every direction.
    per_cluster : bool, default=False
        Whether every cluster has a metric of its own.
    weight : float, default=1.0
        The price of violated links; 0 leaves them out of J.
    answers_win : bool, default=True
        Whether the labels give way to the links in the end.
    max_iter : int, default=50
        The most rounds of one descent.
    n_init : int, default=3
        How many starts are tried, as in `PCKMeans`.
    random_state : int, default=0
        The seed; equal seeds give equal results.

    Attributes
    ----------
    labels_ : ndarray of shape (n,)
        The cluster of each item, 0 to `n_clusters_` - 1.
    n_clusters_ : int
        How many clusters there are; more than `n_clusters` where links demand it.
    cluster_centers_ : ndarray of shape (n_clusters_, d)
        The centres that belong to `labels_`.
    metric_ : ndarray of shape (d,) or (d, d)
        A, as it belongs to `labels_`; with `per_cluster` one for each cluster.
    feature_weights_ : ndarray of shape (d,)
        The diagonal of A, averaged over clusters.
    objective_ : float
        J, before any label gave way to a link.
    n_iter_ : int
        Rounds of the best descent.

    References
    ----------
    Bilenko, Basu and Mooney: Integrating constraints and metric learning in semi-supervised
    clustering, 2004, eq. 4 to 9.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X = np.column_stack([np.repeat([0.0, 1.0], 20), 5 * rng.normal(size=40)])
    >>> must = [(i, i + 1) for i in range(9)] + [(i, i + 1) for i in range(20, 29)]
    >>> model = MPCKMeans(n_clusters=2).fit(X, must_link=must, cannot_link=[(0, 20)])
    >>> bool((model.labels_ == np.repeat(model.labels_[[0, 20]], 20)).all())
    True
    """

    cluster_centers_: Points  # (n_clusters_, d)
    metric_: npt.NDArray[np.float64]  # (d,) or (d, d); with per_cluster, one for each cluster
    feature_weights_: npt.NDArray[np.float64]  # (d,), the diagonal of A, averaged over clusters
    objective_: float
    n_iter_: int
    _points: Points

    def __init__(
        self,
        *,
        n_clusters: int = 2,
        metric: str = "diagonal",
        per_cluster: bool = False,
        weight: float = 1.0,
        answers_win: bool = True,
        max_iter: int = 50,
        n_init: int = 3,
        random_state: int = 0,
    ) -> None:
        self.n_clusters = n_clusters
        self.metric = metric
        self.per_cluster = per_cluster
        self.weight = weight
        self.answers_win = answers_win
        self.max_iter = max_iter
        self.n_init = n_init
        self.random_state = random_state

    def _fit_linked(self, X: Any, links: LinkedGroups, context: FitContext) -> Labels:
        origin = X.mean(axis=0)
        points = X - origin
        rng = np.random.default_rng(seed_from(self.random_state))
        full = self.metric == "full"
        learner = (MetricDescent if full or self.per_cluster else DiagonalDescent)(
            points,
            links,
            full=full,
            per_cluster=self.per_cluster,
            weight=link_weight(points, self.weight),
            directions=rng.normal(size=(X.shape[1], _DIRECTIONS)),
        )
        first = learner.first_metrics(self.n_clusters)
        starts = [
            (centres, first)
            for centres in first_centres(points, self.n_clusters, links, self.n_init, rng)
        ]
        start = context.start
        if start is not None and len(start.cluster_centers_) <= self.n_clusters:
            earlier = list(start.cluster_centers_ - origin)
            centres = complete_centres(points, self.n_clusters, earlier, rng)
            known = first
            if not self.per_cluster and start.metric_.shape == first.forms.shape[1:]:
                known = Metrics(start.metric_[None], first.of_label)
            starts.append((centres, known))
        best = best_descent(lambda where: learner.descend(where, self.max_iter), starts)
        self.objective_, self.n_iter_ = best.objective, best.n_iter
        labels = self._without_contradictions(best.labels, links)
        centres, metrics = learner.belonging_to(labels, best)
        self.cluster_centers_ = centres + origin
        self.metric_ = metrics.forms if self.per_cluster else metrics.forms[0]
        by_feature = metrics.forms
        if full:
            by_feature = np.diagonal(by_feature, axis1=1, axis2=2)
        self.feature_weights_ = by_feature.mean(axis=0)
        self._points = points
        return labels

    def _check_parameters(self, n_features: int) -> None:
        check_at_least_one(max_iter=self.max_iter, n_init=self.n_init)
        check_metric(self.metric)

    def distances(self, items: Positions, others: Positions) -> npt.NDArray[np.float64]:
        """Return distances by the learned metric, (len(items), len(others)).

        With a metric for each cluster, squares by the metrics of both items' clusters are
        averaged, as for a must-link between them.
        """
        forms = self.metric_ if self.per_cluster else self.metric_[None]
        squares = np.zeros((len(items), len(others)))
        for number, form in enumerate(forms):
            share: Any = 1.0
            if self.per_cluster:
                left, right = self.labels_[items] == number, self.labels_[others] == number
                share = (left[:, None].astype(float) + right) / 2
            points = mapped(self._points, form)
            squares += share * cdist(points[items], points[others], "sqeuclidean")
        return np.asarray(np.sqrt(squares))
