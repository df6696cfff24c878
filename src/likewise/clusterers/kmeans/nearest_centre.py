"""Clusters of rows that come later: by the nearest centre, in the metric that was learned."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_is_fitted, validate_data

from likewise.clusterers.kmeans._mahalanobis import Metrics
from likewise.clusterers.kmeans.centres import Points
from likewise.clusterers.links import Labels


class NearestCentre:
    """Gives a k-means `predict`: what is fitted are `cluster_centers_`, and `metric_` if any."""

    cluster_centers_: Points  # (n_clusters_, d)

    def predict(self, X: Any) -> Labels:
        """Return the cluster whose centre is nearest to each row, by the learned metric if any.

        Links speak of the items of the fit alone: of these the clusters are `labels_`.
        """
        check_is_fitted(self, "cluster_centers_")
        rows = validate_data(self, X, dtype=np.float64, reset=False)
        # Around the mean: distances are differences of squares, and small ones lose least.
        origin = self.cluster_centers_.mean(axis=0)
        metrics = self._metrics()
        squares = metrics.square_distances(rows - origin, self.cluster_centers_ - origin)
        if len(metrics) > 1:
            squares = squares - metrics.log_determinants()[metrics.of_label]
        nearest: Labels = squares.argmin(axis=1).astype(np.int64)
        return nearest

    def _metrics(self) -> Metrics:
        """Return the metric of every cluster; without one that was learned, the identity."""
        k, d = self.cluster_centers_.shape
        forms: npt.NDArray[np.float64] = getattr(self, "metric_", np.ones(d))
        if getattr(self, "per_cluster", False):
            return Metrics(forms, np.arange(k))
        return Metrics(forms[None], np.zeros(k, dtype=np.int64))
