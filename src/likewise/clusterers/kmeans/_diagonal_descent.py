"""The descent of MPCK-means for one diagonal metric, which is the usual case: compiled."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from likewise.clusterers.kmeans._icm import LEAST_GAIN, nearest
from likewise.clusterers.kmeans._mahalanobis import Metrics, farthest_pair, metric_of
from likewise.clusterers.kmeans._metric_descent import MetricDescent, Start
from likewise.clusterers.kmeans._restarts import Descent
from likewise.clusterers.kmeans.centres import Points
from likewise.clusterers.links import Labels


@dataclass(frozen=True)
class DiagonalDescent(MetricDescent):
    """The same steps as in `MetricDescent`, for `full` and `per_cluster` both False."""

    def descend(self, start: Start, max_iter: int) -> Descent[Start]:
        """Move items, average, fit the metric, until nothing moves."""
        from likewise.clusterers.kmeans import _mpckmeans_kernels as kernels

        centres, metrics = start
        n, n_clusters = len(self.points), len(centres)
        links, linked = self.links, (*self.links.by_group, *self._differ)
        labels = nearest(metrics.square_distances(self.points, centres), links)
        n_iter, moved = 0, True
        while moved and n_iter < max_iter:
            form = metrics.forms[0]
            mapped = metrics.mapped(self.points, 0)
            squares = metrics.square_distances(self.points, centres)
            cost = squares - metrics.log_determinants()[0]
            apart, far = self._farthest(mapped)
            tables = kernels.tables_of(mapped, labels, n_clusters, linked)
            moved = kernels.sweep(
                cost, squares, links.group, labels, linked, tables, far, self.weight, LEAST_GAIN
            ) or n_iter == 0  # fmt: skip
            centres = kernels.average(self.points, labels, centres)
            scatter = ((self.points - centres[labels]) ** 2).sum(axis=0) + n * self.floor
            # The links' part was summed up in the coordinates of the metric before.
            bracket = kernels.bracket(labels, linked, tables, apart, self.weight) / form
            fitted = metric_of(scatter + bracket, scatter, n)
            metrics = Metrics(fitted[None], metrics.of_label)
            n_iter += 1
        objective = self._total(labels, centres, metrics)
        return Descent(labels, (centres, metrics), objective, n_iter)

    @property
    def _differ(self) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
        return self.links.differ.indptr, self.links.differ.indices

    def _farthest(self, mapped: Points) -> tuple[Points, float]:
        """Return the difference of the farthest two items, and its squared length."""
        if not len(self.links.differing):
            return np.zeros(mapped.shape[1]), 0.0
        i, j, square = farthest_pair(mapped, self.directions)
        return mapped[i] - mapped[j], square

    def _total(self, labels: Labels, centres: Points, metrics: Metrics) -> float:
        from likewise.clusterers.kmeans import _mpckmeans_kernels as kernels

        mapped = metrics.mapped(self.points, 0)
        away = mapped - metrics.mapped(centres, 0)[labels]
        own = float((away**2).sum()) - len(labels) * float(metrics.log_determinants()[0])
        linked = (*self.links.by_group, *self._differ)
        tables = kernels.tables_of(mapped, labels, len(centres), linked)
        return own + float(kernels.link_total(tables, self._farthest(mapped)[1], self.weight))
