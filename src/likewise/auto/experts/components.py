"""Components: parts of the pile, of whatever shape, that hardly anything leads out of."""

from __future__ import annotations

import numpy as np

from likewise.auto.experts.base import Opinion, Positions, Seeds, by_likeness

_FLOOR = 0.1  # what a seed of one's own island counts as one against


class Components:
    """Items on one island are alike, others are not."""

    def __init__(self, of_item: Positions) -> None:
        self.of_item = of_item

    def opinion(self, seeds: Seeds) -> Opinion:
        """Groups by the seeds on the same island."""
        together = self.of_item[:, None] == self.of_item[seeds.items]
        return by_likeness(together.astype(np.float64), seeds, floor=_FLOOR)
