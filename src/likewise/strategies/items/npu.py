"""NPU: the item whose group is most uncertain, per question that placing it will cost."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from likewise.strategies.base import View
from likewise.strategies.group_membership import (
    Similarity,
    entropy,
    expected_questions,
    membership,
)
from likewise.strategies.items.farthest_first import farthest
from likewise.strategies.items.forest_leaves import ForestLeaves
from likewise.strategies.ranking import unlike_each_other


class NormalisedUncertainty:
    """The chooser of largest entropy of the group over expected questions.

    Works with any clusterer. While one group is known nothing is uncertain: then the item farthest
    from it is taken, where the paper takes any.

    Parameters
    ----------
    similarity : Similarity, optional
        How alike items are; by default `ForestLeaves()`.

    References
    ----------
    Xiong, Azimi and Fern, "Active learning of constraints for semi-supervised clustering", 2014
    (normalised point-based uncertainty).
    """

    def __init__(self, *, similarity: Similarity | None = None) -> None:
        self.similarity = similarity if similarity is not None else ForestLeaves()

    def rank(
        self, view: View, candidates: npt.NDArray[np.int64], n: int, rng: np.random.Generator
    ) -> list[int]:
        """Return the candidates of most uncertainty per question, unlike one another."""
        if len(view.representatives) == 1:
            return farthest(view, candidates, n)
        member = membership(view, self.similarity, rng)[candidates]
        all_found = len(view.representatives) == view.n_clusters
        score = entropy(member) / expected_questions(member, all_found=all_found)
        return unlike_each_other(view, candidates, score, n)
