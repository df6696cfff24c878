"""The small pile on which contracts are tried."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.datasets import make_blobs

_CENTRES = [[0, 0], [4, 0], [0, 4]]


@dataclass(frozen=True)
class Blobs:
    """Thirty items of a few kinds that overlap a little."""

    X: npt.NDArray[np.float64]  # (30, 2)
    kinds: npt.NDArray[np.int64]  # (30,)

    def are_same(self, i: int, j: int) -> bool:
        """Return the truthful answer about two items."""
        return bool(self.kinds[i] == self.kinds[j])

    def links(self, n_items: int = 10) -> dict[str, Any]:
        """Return what two answers about each of the first items say."""
        pairs = np.array([(i, i + step) for i in range(n_items) for step in (7, 13)])
        same = self.kinds[pairs[:, 0]] == self.kinds[pairs[:, 1]]
        return {"must_link": pairs[same], "cannot_link": pairs[~same]}


@cache
def blobs(n_kinds: int = 3) -> Blobs:
    """Return the pile, the same every time; `n_kinds` is at most 3."""
    return Blobs(*make_blobs(30, centers=_CENTRES[:n_kinds], cluster_std=1.2, random_state=1))
