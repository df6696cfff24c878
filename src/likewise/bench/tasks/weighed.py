"""A clusterer told which share of its links is wrong: if none is they win, else are weighed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from likewise.affinities.base import Links
from likewise.bench.tasks.composed import OnForest
from likewise.clusterers.likely_labels import likely_labels


@dataclass
class Weighed:
    """What `COPRF` does with answers of which some are wrong, for a clusterer that does not."""

    model: Any  # an `E2CP`, or one on the affinity of a forest
    error_rate: float = 0.0

    def fit(self, X: Any, *, must_link: Links, cannot_link: Links) -> Self:
        """Find `labels_`."""
        clusterer = self.model.model if isinstance(self.model, OnForest) else self.model
        clusterer.set_params(answers_win=self.error_rate == 0)
        self.model.fit(X, must_link=must_link, cannot_link=cannot_link)
        self.labels_ = self.model.labels_
        if self.error_rate > 0:
            must, cannot = (np.asarray(pairs).reshape(-1, 2) for pairs in (must_link, cannot_link))
            pairs, same = np.vstack([must, cannot]), np.arange(len(must) + len(cannot)) < len(must)
            self.labels_ = likely_labels(
                clusterer.affinity_matrix_, self.labels_, pairs, same, self.error_rate
            )
        return self
