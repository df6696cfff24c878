"""The descent of MPCK-means: labels, centres and metrics in turn."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from likewise.clusterers.kmeans._distance_link_costs import DistanceLinkCosts, FarthestPairs
from likewise.clusterers.kmeans._icm import fill_empty, improve, nearest
from likewise.clusterers.kmeans._mahalanobis import Metrics, metric_of, outer
from likewise.clusterers.kmeans._restarts import Descent
from likewise.clusterers.kmeans.centres import Points, means
from likewise.clusterers.kmeans.pckmeans import group_spread
from likewise.clusterers.links import Labels, LinkedGroups

# The least scatter of a feature, as a share of its variance over all items.
_LEAST_SCATTER = 1e-6


Start = tuple[Points, Metrics]


@dataclass(frozen=True)
class MetricDescent:
    """What stays the same from one descent to the next; `points` have mean 0."""

    points: Points
    links: LinkedGroups
    full: bool
    per_cluster: bool
    weight: float
    directions: Points  # (d, m), along which the farthest pair is looked for

    @cached_property
    def floor(self) -> npt.NDArray[np.float64]:  # (d,) or (d, d)
        """What is added to the scatter for each item, so that it can be inverted."""
        variance = (self.points**2).mean(axis=0)
        mean = float(variance.mean()) or 1.0
        # Constant features do not matter; they are spared an absurd weight.
        floor = np.where(variance > 1e-12 * mean, _LEAST_SCATTER * variance, mean)
        return np.diag(floor) if self.full else floor

    def first_metrics(self, n_clusters: int) -> Metrics:
        """Return the identity, in the units of the items."""
        dimension = self.points.shape[1]
        unit = 1.0 / (float((self.points**2).mean()) or 1.0)
        form = np.eye(dimension) * unit if self.full else np.full(dimension, unit)
        n_metrics = n_clusters if self.per_cluster else 1
        of_label = np.arange(n_clusters) if self.per_cluster else np.zeros(n_clusters, np.int64)
        return Metrics(np.stack([form] * n_metrics), of_label)

    def descend(self, start: Start, max_iter: int) -> Descent[Start]:
        """Move items, average, fit the metrics, until nothing moves."""
        centres, metrics = start
        labels = nearest(metrics.square_distances(self.points, centres), self.links)
        n_iter, moved = 0, True
        while moved and n_iter < max_iter:
            costs = self.link_costs(labels, metrics)
            squares = metrics.square_distances(self.points, centres)
            cost = squares - metrics.log_determinants()[metrics.of_label]
            moved = improve(cost, costs) or n_iter == 0
            fill_empty(squares, group_spread(metrics.mapped(self.points, 0), self.links), costs)
            centres = means(self.points, labels, centres)
            metrics = self.best_metrics(centres, costs)
            n_iter += 1
        objective = self.objective(labels, centres, metrics)
        return Descent(labels, (centres, metrics), objective, n_iter)

    def objective(self, labels: Labels, centres: Points, metrics: Metrics) -> float:
        """Compute J of labels, centres and metrics."""
        squares = metrics.square_distances(self.points, centres)
        cost = squares - metrics.log_determinants()[metrics.of_label]
        own = cost[np.arange(len(labels)), labels].sum()
        return float(own + self.link_costs(labels, metrics).total())

    def link_costs(self, labels: Labels, metrics: Metrics) -> DistanceLinkCosts:
        """Return what violated links cost under these metrics."""
        dimension = self.points.shape[1]
        farthest = FarthestPairs(np.zeros((len(metrics), dimension)), np.zeros(len(metrics)))
        if len(self.links.differing):
            farthest = FarthestPairs.of(self.points, metrics, self.directions)
        return DistanceLinkCosts(self.links, labels, self.points, metrics, farthest, self.weight)

    def best_metrics(self, centres: Points, costs: DistanceLinkCosts) -> Metrics:
        """Return the metrics of least J for the labels and centres (eq. 8 and 9)."""
        n, dimension = self.points.shape
        from_centre = self.points - centres[costs.labels]
        scatters = []
        for label in range(len(centres)):
            rows = from_centre[costs.labels == label]
            scatters.append(outer(rows, rows, self.full) + len(rows) * self.floor)
        brackets = [s + b for s, b in zip(scatters, costs.brackets(self.full), strict=True)]
        scatter, bracket = np.sum(scatters, axis=0), np.sum(brackets, axis=0)
        if not self.per_cluster:
            return Metrics(metric_of(bracket, scatter, n)[None], costs.metrics.of_label)
        forms = []
        for size, own, with_links in zip(
            np.bincount(costs.labels, minlength=len(centres)), scatters, brackets, strict=True
        ):
            # Too few items to tell their scatter: as many more as features, scattered like all.
            lent = dimension if size <= dimension else 0
            share = lent / n
            forms.append(
                metric_of(with_links + share * bracket, own + share * scatter, size + lent)
            )
        return Metrics(np.stack(forms), np.arange(len(centres)))

    def belonging_to(self, labels: Labels, found: Descent[Start]) -> tuple[Points, Metrics]:
        """Return the centres and metrics of least J for labels made from those of a descent."""
        n_clusters = int(labels.max()) + 1
        metrics = found.end[1]
        forms, of_label = metrics.forms[:1], np.zeros(n_clusters, dtype=np.int64)
        kept = np.unique(found.labels)
        unchanged = len(kept) == n_clusters and np.array_equal(kept[labels], found.labels)
        if self.per_cluster and unchanged:
            forms, of_label = metrics.forms[kept], np.arange(n_clusters)
        return self.best_for(labels, Metrics(forms, of_label))

    def best_for(self, labels: Labels, metrics: Metrics) -> tuple[Points, Metrics]:
        """Return the same, given the metrics by which the farthest pair is to be found."""
        centres = np.zeros((len(metrics.of_label), self.points.shape[1]))
        centres = means(self.points, labels, centres)
        return centres, self.best_metrics(centres, self.link_costs(labels, metrics))
