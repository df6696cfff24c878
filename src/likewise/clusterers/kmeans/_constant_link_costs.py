"""Links that cost the same wherever they are violated, counted without writing them out."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from likewise.clusterers.kmeans._icm import Table
from likewise.clusterers.links import Labels, LinkedGroups


class ConstantLinkCosts:
    """The link costs of PCK-means: `weight` for every violated pair of the closed links.

    With N the table of how many items of each group have each label, an item of group g with
    label h violates |g| − N[g, h] must-links and (C N)[g, h] cannot-links, where C says which
    groups differ: no clique of linked items is ever written out.
    """

    def __init__(self, links: LinkedGroups, labels: Labels, n_clusters: int, weight: float) -> None:
        self.links, self.labels, self.weight = links, labels, weight
        tied = links.group >= 0
        self.counts = np.zeros((links.n_groups, n_clusters))
        np.add.at(self.counts, (links.group[tied], labels[tied]), 1.0)
        self.differ = links.differ
        self.rivals = np.asarray(self.differ @ self.counts)
        self.sizes = self.counts.sum(axis=1)

    def of_items(self, items: Labels) -> Table:
        """Return each item's violated links under each label."""
        group, labels = self.links.group[items], self.labels[items]
        together = self.counts[group]
        together[np.arange(len(items)), labels] -= 1.0
        parted = self.sizes[group, None] - 1.0 - together
        return np.asarray(self.weight * (parted + self.rivals[group]))

    def of_whole(self, groups: Labels) -> Table:
        """Return each group's violated links if all of it had each label."""
        return np.asarray(self.weight * self.sizes[groups, None] * self.rivals[groups])

    def of_now(self, groups: Labels) -> npt.NDArray[np.float64]:
        """Return each group's violated links now."""
        counts = self.counts[groups]
        parted = (self.sizes[groups] ** 2 - (counts**2).sum(axis=1)) / 2
        return np.asarray(self.weight * (parted + (counts * self.rivals[groups]).sum(axis=1)))

    def move(self, items: Labels, label: int) -> Labels:
        """Give items of one group a label; which groups that concerns."""
        group = self.links.group[items[0]]
        change = -np.bincount(self.labels[items], minlength=self.counts.shape[1]).astype(np.float64)
        change[label] += len(items)
        self.counts[group] += change
        self.labels[items] = label
        rivals = self.differ.indices[self.differ.indptr[group] : self.differ.indptr[group + 1]]
        self.rivals[rivals] += change
        return np.asarray(rivals)

    def total(self) -> float:
        """Return the cost of all violated links, each once."""
        parted = (self.sizes**2).sum() - (self.counts**2).sum()
        return float(self.weight * (parted + (self.counts * self.rivals).sum()) / 2)
