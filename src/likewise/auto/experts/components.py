"""Connected components of the cell graph as an expert."""

from __future__ import annotations

import numpy as np

from likewise.auto.experts.base import Positions, Prediction, Seeds, predict_by_similarity

_PSEUDO_COUNT = 0.1  # beside a seed of the same component, which counts as one


class GraphComponents:
    """Predicts that items of one component of the cell graph belong together.

    Takes part only where `Cells.components` finds a clear gap between components: rings, bands,
    anything separate whatever its shape.

    Parameters
    ----------
    labels : ndarray of shape (n,)
        The component of every item.
    """

    def __init__(self, labels: Positions) -> None:
        self.labels = labels

    def predict(self, seeds: Seeds) -> Prediction:
        """Share each item among the groups by the seeds in its component."""
        together = self.labels[seeds.items, None] == self.labels
        return predict_by_similarity(together.astype(np.float64), seeds, pseudo_count=_PSEUDO_COUNT)
