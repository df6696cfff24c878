"""NPU: the item whose group is most uncertain, per question that placing it will cost."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy.special import entr

from likewise.strategies.base import View
from likewise.strategies.items.farthest_first import farthest
from likewise.strategies.items.forest_similarity import ForestLeaves
from likewise.strategies.membership import Membership, Similarity, membership
from likewise.strategies.ranking import unlike_each_other


class NormalisedUncertainty:
    """The chooser of Xiong, Azimi and Fern (2014): entropy of the group over expected questions.

    Works with any clusterer. `similarity` says how alike items are, by default
    `ForestLeaves()`. While one group is known nothing is uncertain: then the item farthest from it
    is taken, where the paper takes any.
    """

    def __init__(self, *, similarity: Similarity | None = None) -> None:
        self.similarity = similarity if similarity is not None else ForestLeaves()

    def rank(
        self, view: View, candidates: npt.NDArray[np.int64], n: int, rng: np.random.Generator
    ) -> list[int]:
        """The candidates of most uncertainty per question, unlike one another."""
        if len(view.representatives) == 1:
            return farthest(view, candidates, n)
        member = membership(view, self.similarity, rng)[candidates]
        all_found = len(view.representatives) == view.n_clusters
        score = entropy(member) / expected_questions(member, all_found=all_found)
        return unlike_each_other(view, candidates, score, n)


def entropy(member: Membership) -> npt.NDArray[np.float64]:  # (n, groups) -> (n,), bits
    """How open it is which group an item belongs to.

    >>> entropy(np.array([[0.5, 0.3, 0.2]])).round(6)
    array([1.485475])
    """
    return np.asarray(entr(member).sum(axis=1) / np.log(2))


def expected_questions(
    member: Membership, *, all_found: bool
) -> npt.NDArray[np.float64]:  # (n, groups) -> (n,)
    """How many questions placing takes when the likeliest group is asked first.

    When all groups are found the last need not be asked: it is what remains.

    >>> expected_questions(np.array([[0.3, 0.2, 0.5]]), all_found=False)
    array([1.7])
    >>> expected_questions(np.array([[0.3, 0.2, 0.5]]), all_found=True)
    array([1.5])
    """
    n_questions = np.arange(1.0, member.shape[1] + 1)
    if all_found and len(n_questions) > 1:
        n_questions[-1] -= 1
    return np.asarray(-np.sort(-member, axis=1) @ n_questions)
