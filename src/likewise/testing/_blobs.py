"""The small pile on which contracts are tried: items of three kinds that overlap a little."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.datasets import make_blobs

BLOBS: npt.NDArray[np.float64]  # (30, 2)
KINDS: npt.NDArray[np.int64]  # (30,), 0 to 2
BLOBS, KINDS = make_blobs(30, centers=[[0, 0], [4, 0], [0, 4]], cluster_std=1.2, random_state=1)


def _true_links() -> dict[str, Any]:
    """Return what two answers about each of the first ten items say."""
    pairs = np.array([(i, i + step) for i in range(10) for step in (7, 13)])
    same = KINDS[pairs[:, 0]] == KINDS[pairs[:, 1]]
    return {"must_link": pairs[same], "cannot_link": pairs[~same]}


LINKS = _true_links()
