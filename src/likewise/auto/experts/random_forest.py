"""Trees grown on the seeds: which features tell the groups apart, in any units and combination."""

from __future__ import annotations

import numpy as np

from likewise.auto.experts.base import Array, Opinion, Seeds

_FEWEST = 5  # seeds below which trees say nothing
_DOUBT = 0.05


class Forest:
    """Extremely randomised trees; a seed is judged by the trees that have not seen it.

    Each of `n_trees` sees as many seeds as there are, drawn with repetition, and tries √d features
    at each node.
    """

    def __init__(self, features: Array, random_state: int, *, n_trees: int = 40) -> None:
        self.features = np.ascontiguousarray(features, dtype=np.float64)
        self.random_state = random_state
        self.n_trees = n_trees

    def opinion(self, seeds: Seeds) -> Opinion:
        """The mean share of each group in the leaves that an item falls into."""
        from likewise.auto.experts._kernels import add_votes, grow

        n, m = len(self.features), len(seeds.items)
        nothing = Opinion.none(n, seeds)
        if m < _FEWEST or len(np.unique(seeds.groups)) < 2:
            return nothing
        rng = np.random.default_rng(self.random_state)
        X = self.features[seeds.items]
        n_tried = max(int(np.sqrt(X.shape[1])), 1)
        votes, unseen_votes = np.zeros_like(nothing.everyone), np.zeros_like(nothing.held_out)
        for _ in range(self.n_trees):
            drawn = rng.integers(m, size=m)
            state = rng.integers(1, 2**63, size=1).astype(np.uint64)
            tree = grow(X, seeds.groups, drawn, seeds.n_groups, n_tried, state)
            add_votes(self.features, np.arange(n), *tree, votes)
            unseen = np.setdiff1d(np.arange(m), drawn)
            judged = np.zeros((len(unseen), seeds.n_groups))
            add_votes(X, unseen, *tree, judged)
            unseen_votes[unseen] += judged
        total = unseen_votes.sum(axis=1, keepdims=True)
        held_out = np.where(total > 0, unseen_votes / np.maximum(total, 1.0), nothing.held_out)
        return Opinion(votes / self.n_trees, held_out).humble(_DOUBT)
