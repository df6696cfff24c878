"""MinMax: always the item that the placed ones explain least."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from likewise.strategies.base import View
from likewise.strategies.items.farthest_first import farthest


class MinMax:
    """The chooser of Mallapragada, Jin and Jain (2008).

    Takes the item whose largest similarity to a placed item is smallest. The paper's similarity is
    a Gaussian of the distance, and as for any that falls with it the least similar is the farthest:
    the exploring of `FarthestFirst`, which here never ends. So there is no width to be set.
    """

    def rank(
        self, view: View, candidates: npt.NDArray[np.int64], n: int, rng: np.random.Generator
    ) -> list[int]:
        """The candidates farthest from everything placed, and from one another."""
        return farthest(view, candidates, n)
