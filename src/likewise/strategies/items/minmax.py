"""MinMax: the item whose largest similarity to a placed item is smallest."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from likewise.strategies.base import View
from likewise.strategies.items.farthest_first import farthest


class MinMax:
    """The chooser that takes the item least similar to any placed one.

    The paper's similarity is a Gaussian of the distance, and as for any that falls with it the
    least similar is the farthest: the exploring of `FarthestFirst`, which here never ends. So
    there is no kernel width to be set.

    References
    ----------
    Mallapragada, Jin and Jain, "Active query selection for semi-supervised clustering", 2008.
    """

    def rank(
        self, view: View, candidates: npt.NDArray[np.int64], n: int, rng: np.random.Generator
    ) -> list[int]:
        """Return the candidates farthest from all placed items, and from one another."""
        return farthest(view, candidates, n)
