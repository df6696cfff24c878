"""One view of the items as an expert: neighbours in it alone."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from likewise.affinities import Gaussian
from likewise.auto.experts.base import Array, Prediction, Seeds
from likewise.auto.experts.pagerank import PersonalisedPageRank

_NEIGHBOURS = 15
_DAMPING = 0.95


class OneView:
    """Predicts by PageRank on the neighbour graph of one view, as if there were no other.

    The graph is made when it is first asked, since there is nothing to say without seeds.

    Parameters
    ----------
    features : ndarray of shape (n, any)
        The view.
    random_state : int
        Seed of the hair by which items are moved that are equal in the view.
    """

    def __init__(self, features: Array, random_state: int) -> None:
        self.features = features
        self.random_state = random_state

    def predict(self, seeds: Seeds) -> Prediction:
        """Share each item among the groups by where its walks stop."""
        return self._pagerank.predict(seeds)

    @cached_property
    def _pagerank(self) -> PersonalisedPageRank:
        """The walks; items that are equal, of one camera say, are neighbours by chance."""
        points = np.asarray(self.features, dtype=np.float64)
        spread = float(np.sqrt(points.var(axis=0).sum())) or 1.0
        hair = np.random.default_rng(self.random_state).normal(size=points.shape)
        moved = points + 1e-6 * spread * hair
        return PersonalisedPageRank(
            Gaussian(n_neighbours=_NEIGHBOURS).fit(moved).affinity_, damping=_DAMPING
        )
