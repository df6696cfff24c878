"""Links that cost more the farther apart (must) or the closer together (cannot) their items are.

The sums over all linked pairs are never written out: Σ ‖xᵢ − xⱼ‖²_A over i in one set and j in
another follows from three moments of each set, its size, Σ x and Σ ‖x‖²_A.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from likewise.clusterers.kmeans._icm import Table
from likewise.clusterers.kmeans._mahalanobis import Metrics, farthest_pair, outer
from likewise.clusterers.kmeans.centres import Points
from likewise.clusterers.links import Labels, LinkedGroups

Moments = npt.NDArray[np.float64]  # (..., 1 + d + m): size, Σ x, Σ ‖x‖² under each of m metrics


class FarthestPairs(NamedTuple):
    """The farthest two items under each metric: their difference and its squared length."""

    difference: Points  # (m, d)
    square: npt.NDArray[np.float64]  # (m,)

    @classmethod
    def of(cls, points: Points, metrics: Metrics, directions: Points) -> FarthestPairs:
        """Look for them among the extremes along `directions`."""
        pairs = [farthest_pair(metrics.mapped(points, m), directions) for m in range(len(metrics))]
        difference = np.array([points[i] - points[j] for i, j, _ in pairs])
        return cls(difference, np.array([square for _, _, square in pairs]))


class DistanceLinkCosts:
    """The link costs of MPCK-means (Bilenko, Basu, Mooney 2004), eq. 5 and 6.

    A violated must-link costs ½ ‖xᵢ − xⱼ‖² by the metric of i's cluster and as much by that of
    j's, a violated cannot-link the squared distance of the farthest two items less that of i and
    j, by the metric of the cluster they share; both times `weight`.
    """

    def __init__(
        self,
        links: LinkedGroups,
        labels: Labels,
        points: Points,
        metrics: Metrics,
        farthest: FarthestPairs,
        weight: float,
    ) -> None:
        self.links, self.labels, self.weight = links, labels, weight
        self.points, self.metrics, self.farthest = points, metrics, farthest
        self.n_clusters, self.dimension = len(metrics.of_label), points.shape[1]
        squares = [
            (metrics.times(points, metric) * points).sum(axis=1) for metric in range(len(metrics))
        ]
        self.moments = np.column_stack([np.ones(len(points)), points, *squares])  # of each item
        self.table = np.zeros((links.n_groups, self.n_clusters, self.moments.shape[1]))
        tied = np.flatnonzero(links.group >= 0)
        np.add.at(self.table, (links.group[tied], labels[tied]), self.moments[tied])
        self.of_groups = self.table.sum(axis=1)
        self.differ = links.differ
        flat = self.table.reshape(links.n_groups, self.n_clusters * self.moments.shape[1])
        self.rivals = np.asarray(self.differ @ flat).reshape(self.table.shape)

    @property
    def counts(self) -> Table:
        """How many items of a group have a label."""
        return np.asarray(self.table[:, :, 0])

    def of_items(self, items: Labels) -> Table:
        """Return each item's violated links under each label."""
        group, one = self.links.group[items], self.moments[items][:, None]
        theirs, rivals = self.table[group], self.rivals[group]
        own = self._by_label(one, theirs)
        by_all = np.stack(
            [self._between(one, theirs, m).sum(axis=1) for m in range(len(self.metrics))], axis=1
        )[:, self.metrics.of_label]
        parted = (by_all - own + own.sum(axis=1, keepdims=True) - own) / 2
        return np.asarray(self.weight * (parted + self._too_close(one, rivals)))

    def of_whole(self, groups: Labels) -> Table:
        """Return each group's violated links if all of it had each label."""
        return self.weight * self._too_close(self.of_groups[groups][:, None], self.rivals[groups])

    def of_now(self, groups: Labels) -> npt.NDArray[np.float64]:
        """Return each group's violated links now."""
        return self.weight * (self._parted(groups) + self._joined(groups))

    def total(self) -> float:
        """Return the cost of all violated links, each once."""
        groups = np.arange(self.links.n_groups)
        return float(self.weight * (self._parted(groups).sum() + self._joined(groups).sum() / 2))

    def move(self, items: Labels, label: int) -> Labels:
        """Give items of one group a label; which groups that concerns."""
        group = self.links.group[items[0]]
        change = np.zeros(self.table.shape[1:])
        np.subtract.at(change, self.labels[items], self.moments[items])
        change[label] += self.moments[items].sum(axis=0)
        self.table[group] += change
        self.labels[items] = label
        rivals = self.differ.indices[self.differ.indptr[group] : self.differ.indptr[group + 1]]
        self.rivals[rivals] += change
        return np.asarray(rivals)

    def brackets(self, full: bool) -> list[npt.NDArray[np.float64]]:
        """Return the links' part of what is inverted for each cluster's metric (eq. 8 and 9)."""
        tied = np.flatnonzero(self.links.group >= 0)
        group, labels, points = self.links.group[tied], self.labels[tied], self.points[tied]
        counts, sums = self.table[:, :, 0], self.table[:, :, 1 : 1 + self.dimension]
        totals = self.of_groups[:, 1 : 1 + self.dimension]
        sizes = self.of_groups[:, 0]
        found = []
        for label in range(self.n_clusters):
            inside = labels == label
            ours, rivals = counts[:, label], self.rivals[:, label]
            # How many must-links of an item run between this cluster and the others.
            crossing = np.where(inside, (sizes - ours)[group], ours[group])
            cross = outer(sums[:, label], totals - sums[:, label], full)
            parted = outer(points * crossing[:, None], points, full) - cross - cross.T
            close = np.where(inside, rivals[group, 0], 0.0)
            near = outer(points * close[:, None], points, full)
            near -= outer(sums[:, label], rivals[:, 1 : 1 + self.dimension], full)
            n_close = float(ours @ rivals[:, 0]) / 2
            apart = self.farthest.difference[[self.metrics.of_label[label]]]
            joined = n_close * outer(apart, apart, full) - near
            found.append(self.weight * (parted / 2 + joined))
        return found

    def _between(self, left: Moments, right: Moments, metric: int) -> npt.NDArray[np.float64]:
        """Return Σ ‖xᵢ − xⱼ‖² over i of one set and j of the other."""
        square = 1 + self.dimension + metric
        turned = self.metrics.times(left[..., 1 : 1 + self.dimension], metric)
        inner = (turned * right[..., 1 : 1 + self.dimension]).sum(axis=-1)
        return np.asarray(
            left[..., 0] * right[..., square] + left[..., square] * right[..., 0] - 2 * inner
        )

    def _by_label(self, left: Moments, right: Moments) -> Table:
        """Return the same for the last axis but one, clusters, each by its own metric."""
        if len(self.metrics) == 1:
            return self._between(left, right, 0)
        columns = [
            self._between(left[:, min(h, left.shape[1] - 1)], right[:, h], int(metric))
            for h, metric in enumerate(self.metrics.of_label)
        ]
        return np.stack(columns, axis=1)

    def _too_close(self, ours: Moments, rivals: Moments) -> Table:
        """Return what cannot-links between two sets cost in each cluster."""
        far = self.farthest.square[self.metrics.of_label]
        return np.asarray(far * ours[..., 0] * rivals[..., 0] - self._by_label(ours, rivals))

    def _parted(self, groups: Labels) -> npt.NDArray[np.float64]:
        table = self.table[groups]
        elsewhere = self.of_groups[groups][:, None] - table
        return np.asarray(self._by_label(table, elsewhere).sum(axis=1) / 2)

    def _joined(self, groups: Labels) -> npt.NDArray[np.float64]:
        return np.asarray(self._too_close(self.table[groups], self.rivals[groups]).sum(axis=1))
