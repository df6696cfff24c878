"""Extremely randomised trees on the features as an expert."""

from __future__ import annotations

import numpy as np

from likewise.auto.experts.base import Array, Prediction, Seeds

_MIN_SEEDS = 5  # with fewer the prediction is uniform
_SMOOTHING = 0.05


class ExtraTrees:
    """Predicts by extremely randomised trees, grown on bootstrap samples of the seeds.

    Needs no scaling of the features, and copes with features of different kinds and units. Each
    tree tries √d features at each node. A seed is held out by asking only the trees whose sample
    lacks it (out-of-bag).

    Parameters
    ----------
    features : ndarray of shape (n, d)
        Of all items.
    random_state : int
        Seed of the samples and of the cuts.
    n_trees : int
        More give smoother probabilities and take proportionally longer.

    References
    ----------
    Geurts, Ernst and Wehenkel, "Extremely randomized trees", 2006.
    """

    def __init__(self, features: Array, random_state: int, *, n_trees: int = 40) -> None:
        # By columns: a tree looks at few of them, of which the same ones of all items.
        self.features = np.asfortranarray(features, dtype=np.float64)
        self.random_state = random_state
        self.n_trees = n_trees

    def predict(self, seeds: Seeds) -> Prediction:
        """Average the shares of the groups in the leaves that an item falls into."""
        from likewise.auto.experts._kernels import add_votes, grow

        n, m = len(self.features), len(seeds.items)
        if m < _MIN_SEEDS or len(np.unique(seeds.groups)) < 2:
            return Prediction.uniform(n, seeds)
        rng = np.random.default_rng(self.random_state)
        X = np.asfortranarray(self.features[seeds.items])
        n_tried = max(int(np.sqrt(X.shape[1])), 1)
        votes, oob_votes = np.zeros((n, seeds.n_groups)), np.zeros((m, seeds.n_groups))
        for _ in range(self.n_trees):
            drawn = rng.integers(m, size=m)
            state = rng.integers(1, 2**63, size=1).astype(np.uint64)
            tree = grow(X, seeds.groups, drawn, seeds.n_groups, n_tried, state)
            add_votes(self.features, np.arange(n), *tree, votes)
            out_of_bag = np.setdiff1d(np.arange(m), drawn)
            of_tree = np.zeros((len(out_of_bag), seeds.n_groups))
            add_votes(X, out_of_bag, *tree, of_tree)
            oob_votes[out_of_bag] += of_tree
        total = oob_votes.sum(axis=1, keepdims=True)
        held_out = np.where(total > 0, oob_votes / np.maximum(total, 1.0), 1.0 / seeds.n_groups)
        votes /= self.n_trees
        return Prediction(votes, held_out).smoothed(_SMOOTHING)
