"""pKNN: the item whose placed neighbours disagree most."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from scipy.special import entr

from likewise.affinities.neighbour_votes import strongest_edges
from likewise.strategies.base import View
from likewise.strategies.group_membership import Membership
from likewise.strategies.ranking import unlike_each_other


class NeighbourEntropy:
    """The chooser of largest entropy under a probabilistic k-nearest-neighbour classifier.

    An item belongs to a group with the share that the group's members have of its similarities to
    the placed items most like it in the graph. Where no neighbour is placed every group is as
    likely: of these, the items of largest degree are taken first. The similarity stays as it is;
    the kernel that the paper learns beside it is not part of this.

    Parameters
    ----------
    n_neighbours : int
        How many placed items vote on an item.

    References
    ----------
    Jain and Kapoor, "Active learning for large multi-class problems", 2009.
    """

    def __init__(self, *, n_neighbours: int = 10) -> None:
        self.n_neighbours = n_neighbours

    def rank(
        self, view: View, candidates: npt.NDArray[np.int64], n: int, rng: np.random.Generator
    ) -> list[int]:
        """Return the candidates of largest entropy, unlike one another."""
        graph = sp.csr_matrix(view.affinity.affinity_)
        probabilities = group_probabilities(view, graph, self.n_neighbours)[candidates]
        entropy = entr(probabilities).sum(axis=1)
        degree = np.asarray(graph.sum(axis=1)).ravel()[candidates]
        # The degree decides only between equal entropies.
        score = entropy + 1e-3 * degree / max(float(degree.max()), 1e-300)
        return unlike_each_other(view, candidates, score, n)


def group_probabilities(view: View, graph: sp.csr_matrix, n_neighbours: int) -> Membership:
    """Compute P(group | item) by the placed neighbours, in the order of `view.representatives`.

    Rows are uniform where no neighbour is placed.
    """
    placed = np.flatnonzero(view.placed)
    member = (view.components[placed][:, None] == view.group_components).astype(np.float64)
    votes = np.asarray(strongest_edges(graph[:, placed], n_neighbours) @ member)
    total = votes.sum(axis=1, keepdims=True)
    return np.where(total > 0, votes / np.where(total > 0, total, 1.0), 1.0 / member.shape[1])
