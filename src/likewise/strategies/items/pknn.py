"""pKNN: the item whose placed neighbours disagree most."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from scipy.special import entr

from likewise.affinities.neighbour_votes import strongest_edges
from likewise.strategies.base import View
from likewise.strategies.membership import Membership
from likewise.strategies.ranking import unlike_each_other


class NeighbourEntropy:
    """The chooser after Jain and Kapoor (2009): a probabilistic k-nearest-neighbour classifier.

    An item belongs to a group with the share that the group's members have of its similarities to
    the `n_neighbours` placed items most like it in the graph; the item of largest entropy is
    placed next. Where no neighbour is placed nothing is known, and every group is as likely: of
    these, the items with most neighbours to speak for are taken first. The similarity stays as it
    is; the kernel that the paper learns beside it is not part of this.
    """

    def __init__(self, *, n_neighbours: int = 10) -> None:
        self.n_neighbours = n_neighbours

    def rank(
        self, view: View, candidates: npt.NDArray[np.int64], n: int, rng: np.random.Generator
    ) -> list[int]:
        """The candidates whose group is most open, unlike one another."""
        graph = sp.csr_matrix(view.affinity.affinity_)
        chances = group_chances(view, graph, self.n_neighbours)[candidates]
        entropy = entr(chances).sum(axis=1)
        mass = np.asarray(graph.sum(axis=1)).ravel()[candidates]
        # The second rule only where the first sees no difference.
        score = entropy + 1e-3 * mass / max(float(mass.max()), 1e-300)
        return unlike_each_other(view, candidates, score, n)


def group_chances(view: View, graph: sp.csr_matrix, n_neighbours: int) -> Membership:
    """P(group | item) by the placed neighbours, (n, groups) in the order of `view.representatives`.

    No neighbour of an item is placed, or it is known to differ from the groups of all that are:
    then any group is as likely that it may still belong to.
    """
    placed = np.flatnonzero(view.placed)
    components = np.array(
        [view.constraints.component(representative) for representative in view.representatives]
    )
    member = (view.components[placed][:, None] == components).astype(np.float64)
    votes = np.asarray(strongest_edges(graph[:, placed], n_neighbours) @ member)
    total = votes.sum(axis=1, keepdims=True)
    return np.where(total > 0, votes / np.where(total > 0, total, 1.0), 1.0 / len(components))
