"""Metrics from weighted pairs of items: similar ones close together, dissimilar ones far apart.

Deng, Yuan, Fu and Qu, "Query-Augmented Active Metric Learning", eqs. 4, 7 and 10. In the form (10),
which has the solutions of (4) up to scale, the mean distance of dissimilar pairs is maximised while
the mean squared distance of similar ones is bounded by one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from likewise.clusterers.augmentation import Memberships
from likewise.clusterers.base import LinkedGroups

Array = npt.NDArray[np.float64]

_MOST_PAIRS = 4096  # dissimilar pairs; of more, so many are drawn
_MOST_GROUPS = 1000  # linked groups that take part, the largest first
_ROUNDS = 500
_TOLERANCE = 1e-3  # of the objective, by the bound that concavity gives


@dataclass(frozen=True)
class WeightedPairs:
    """All that eq. 4 needs to know of the items."""

    similar: Array  # (p, p), the mean of (x_i - x_j)(x_i - x_j)ᵀ over similar pairs
    differences: Array  # (pairs, p), x_i - x_j of dissimilar pairs
    weight: Array  # (pairs,), sums to one for each kind of dissimilar pair there is

    def turned(self, basis: Array) -> WeightedPairs:  # (p, r) orthonormal columns
        """The same pairs in other coordinates."""
        return replace(
            self, similar=basis.T @ self.similar @ basis, differences=self.differences @ basis
        )


def pair_weights(links: LinkedGroups, H: Memberships | None) -> tuple[Array, Array]:
    """The weight of similar and of dissimilar pairs in eq. 4, by linked groups, (groups, groups).

    A pair of items counts 1 / |S| if it is known to be similar, and w / |S̃| if the memberships H
    of its groups make it so; likewise for dissimilar pairs. Without H only what is known counts.
    """
    n = links.n_groups
    size = np.bincount(links.group[links.group >= 0], minlength=n).astype(float)
    pairs = np.outer(size, size)
    pairs[np.diag_indices(n)] = size * (size - 1)
    known = [np.eye(n), links.differ().toarray()]
    inferred = []
    if H is not None and H.shape[1] > 1:
        k = H.shape[1]
        excess = H @ H.T - 1 / k
        excess[np.abs(excess) < 1e-9] = 0.0
        inferred = [k / (k - 1) * np.maximum(excess, 0), k * np.maximum(-excess, 0)]
    similar, dissimilar = (
        sum(w / max(pairs[w > 0].sum() / 2, 1.0) for w in kinds)
        for kinds in zip(known, *([inferred] if inferred else []), strict=True)
    )
    return np.asarray(similar), np.asarray(dissimilar)
