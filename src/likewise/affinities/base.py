"""The contract of an affinity: how alike any two items are, and which of them are neighbours."""

from __future__ import annotations

from typing import Any, Protocol, Self

import numpy as np
import numpy.typing as npt

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
        """How far apart items are, (len(items), len(others)), also where the graph has no edge."""
