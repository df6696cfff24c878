"""Trees grown on the seeds: which features tell the groups apart, in any units and combination."""

from __future__ import annotations

import numpy as np
from sklearn.ensemble import ExtraTreesClassifier

from likewise.experts.base import Array, Opinion, Seeds

_FEWEST = 5  # seeds below which trees say nothing
_DOUBT = 0.05


class Forest:
    """Extremely randomised trees; a seed is judged by the trees that have not seen it."""

    def __init__(self, features: Array, random_state: int, *, n_trees: int = 30) -> None:
        self.features = features
        self.random_state = random_state
        self.n_trees = n_trees

    def opinion(self, seeds: Seeds) -> Opinion:
        """The share of trees that vote for each group."""
        nothing = Opinion.none(len(self.features), seeds)
        if len(seeds.items) < _FEWEST or len(np.unique(seeds.groups)) < 2:
            return nothing
        rng = np.random.default_rng(self.random_state)
        m = len(seeds.items)
        trees = ExtraTreesClassifier(
            self.n_trees,
            bootstrap=True,
            random_state=int(rng.integers(2**31)),
        ).fit(self.features[seeds.items], seeds.groups)
        everyone = np.zeros_like(nothing.everyone)
        everyone[:, trees.classes_] = trees.predict_proba(self.features)
        votes = np.zeros_like(nothing.held_out)
        for tree, seen in zip(trees.estimators_, trees.estimators_samples_, strict=True):
            unseen = np.setdiff1d(np.arange(m), seen)
            if len(unseen):
                judged = tree.predict_proba(self.features[seeds.items[unseen]].astype(np.float32))
                votes[np.ix_(unseen, trees.classes_)] += judged
        total = votes.sum(axis=1, keepdims=True)
        held_out = np.where(total > 0, votes / np.where(total > 0, total, 1.0), nothing.held_out)
        return Opinion(everyone, held_out).humble(_DOUBT)
