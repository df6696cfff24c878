"""The contract of an affinity: how alike any two items are, and which of them are neighbours."""

from __future__ import annotations

from typing import Any, Protocol, Self, runtime_checkable

import numpy as np
import numpy.typing as npt

from likewise.errors import DataError
from likewise.items import Matrix

Links = npt.NDArray[np.int64] | list[tuple[int, int]] | None  # (m, 2) positions of items
Positions = npt.NDArray[np.int64]


class Affinity(Protocol):
    """An estimator of likeness, scikit-learn style: a constructor that stores, a `fit` that works.

    `learns` says whether the answers change it; one that does not is fitted once per study.
    """

    learns: bool
    affinity_: Matrix  # (n, n) symmetric, not negative, zero diagonal, sparse or dense

    def fit(
        self, X: Any, y: Any = None, *, must_link: Links = None, cannot_link: Links = None
    ) -> Self:
        """Compute `affinity_` for the rows of X."""

    def distances(self, items: Positions, others: Positions) -> npt.NDArray[np.float64]:
        """Return distances, (len(items), len(others)), also where the graph has no edge."""


@runtime_checkable
class LearnsAhead(Protocol):
    """An affinity that says itself when it learns: seldom, and some answers before that counts.

    So what takes long is begun before anybody waits for it. One that does not say learns with every
    sixteenth answer, from all there are.
    """

    def learned_from(self, n_answers: int) -> int:
        """Return from how many of the first of so many answers it learns; never falls."""


def checked_links(links: Links, n_items: int, name: str) -> npt.NDArray[np.int64]:  # (m, 2)
    """Return links as an array of positions, or a sentence about what is wrong with them."""
    if links is None or len(links) == 0:
        return np.empty((0, 2), dtype=np.int64)
    array = np.asarray(links)
    if array.ndim != 2 or array.shape[1] != 2 or not np.issubdtype(array.dtype, np.integer):
        raise DataError(f"{name} must be pairs of item positions, like [(0, 1), (4, 2)]")
    if array.min() < 0 or array.max() >= n_items:
        raise DataError(f"{name} must name items between 0 and {n_items - 1}")
    if (array[:, 0] == array[:, 1]).any():
        raise DataError(f"{name} links an item to itself; leave that pair out")
    return array.astype(np.int64)
