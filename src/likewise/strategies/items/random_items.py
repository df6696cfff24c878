"""Random items: the baseline of all choosers."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from likewise.strategies.base import View


class RandomItems:
    """The chooser that places items in random order: much stronger than random pairs."""

    def rank(
        self, view: View, candidates: npt.NDArray[np.int64], n: int, rng: np.random.Generator
    ) -> list[int]:
        """Return `n` random candidates."""
        return [int(i) for i in rng.permutation(candidates)[:n]]
