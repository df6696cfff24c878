"""MEE: the item whose placing leaves the least uncertainty about all pairs of items."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy.special import entr

from likewise.strategies.base import View
from likewise.strategies.group_membership import Membership, Similarity, membership
from likewise.strategies.items.farthest_first import farthest
from likewise.strategies.items.forest_leaves import ForestLeaves
from likewise.strategies.ranking import unlike_each_other

_BLOCK = 500_000  # pairs of items whose entropy is computed together


class ExpectedEntropy:
    """The chooser of minimum expected entropy (MEE) of all pairs of items.

    Works with any clusterer. While one group is known nothing is uncertain: then the item farthest
    from it is taken.

    Parameters
    ----------
    similarity : Similarity, optional
        How alike items are; by default `ForestLeaves()`.
    n_others : int
        In large piles the entropy is summed over so many of the uncertain items, drawn anew for
        every question; more are slower and choose hardly better.

    References
    ----------
    Deng, Yuan, Fu and Qu, "Query-augmented active metric learning", 2023, eq. 9.
    """

    def __init__(self, *, similarity: Similarity | None = None, n_others: int = 1000) -> None:
        self.similarity = similarity if similarity is not None else ForestLeaves()
        self.n_others = n_others

    def rank(
        self, view: View, candidates: npt.NDArray[np.int64], n: int, rng: np.random.Generator
    ) -> list[int]:
        """Return the candidates of largest expected reduction of entropy, unlike one another."""
        if len(view.representatives) == 1:
            return farthest(view, candidates, n)
        member = membership(view, self.similarity, rng)
        others = np.flatnonzero((member < 1).all(axis=1))
        if len(others) > self.n_others:
            others = np.sort(rng.choice(others, self.n_others, replace=False))
        score = expected_reduction(member, candidates, others)
        return unlike_each_other(view, candidates, score, n)


def expected_reduction(
    member: Membership, candidates: npt.NDArray[np.int64], others: npt.NDArray[np.int64]
) -> npt.NDArray[np.float64]:  # (candidates,)
    """Compute by how much placing each candidate lowers the entropy of pairs: Q(R) − u(i), eq. 9.

    With h the binary entropy and pᵢⱼ = rᵢ·rⱼ, placing i changes only the pairs it is in:

        Σ_{j≠i} h(rᵢ·rⱼ) − Σₘ rᵢₘ Σ_{j≠i} h(rⱼₘ).

    Items that belong to one group for certain are counted, not summed. `others` are all remaining
    ones, or a sample of them whose sum is scaled up.
    """
    certain = (member == 1).any(axis=1)
    row, column = member[candidates], member[others]
    n_open = np.count_nonzero(~certain)
    size = max(1, _BLOCK // max(1, len(others)))
    total = np.concatenate(
        [
            _binary_entropy(row[start : start + size] @ column.T).sum(axis=1)
            for start in range(0, len(row), size)
        ]
    )
    total -= row @ _binary_entropy(column).sum(axis=0)
    # Neither in the sample nor in the pile is an item to be paired with itself.
    sampled = np.isin(candidates, others)
    itself = _binary_entropy((row**2).sum(axis=1)) - (row * _binary_entropy(row)).sum(axis=1)
    total -= np.where(sampled, itself, 0.0)
    scale = (n_open - ~certain[candidates]) / np.maximum(1, len(others) - sampled)
    return np.asarray(_binary_entropy(row) @ member[certain].sum(axis=0) + scale * total)


def _binary_entropy(p: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Compute h(p) = −p log p − (1−p) log(1−p) of each element."""
    p = np.clip(p, 0.0, 1.0)  # a product of rows that sum to one may exceed it by a rounding error
    return np.asarray(entr(p) + entr(1 - p))
