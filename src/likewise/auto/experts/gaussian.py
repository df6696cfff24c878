"""Groups as clouds of one shape: the metric in which the seeds of a group lie close together."""

from __future__ import annotations

import numpy as np

from likewise.auto.experts.base import Array, Opinion, Seeds

_DOUBT = 0.05
_PRIOR = 0.5  # the share of the whole pile's variance that a group is thought to have before
_PRIOR_SEEDS = 4  # how many seeds that thought is worth, if features are taken one by one
_FOLDS = 3
_ROUNDS = 4
_SAMPLE = 1000  # unplaced items from which clouds are learned in a large pile
_FEWEST = 4  # seeds below which none can be held out


class SharedCovarianceGaussians:
    """Gaussian groups with a common covariance, shrunk towards the pile's own variances.

    Every item that is not placed counts as a `share` of a seed, in the groups it likely belongs
    to, and the clouds are fitted again (EM, a few rounds): so the metric is learned from the whole
    pile. With share 0 the seeds alone decide: shrinkage discriminant analysis. Seeds are judged by
    clouds fitted without them, a part of the seeds at a time.

    `upright` clouds have no correlations, only a variance for each feature: the features that mean
    something are found from fewer seeds, at the price of taking them one by one (naive Bayes).
    """

    def __init__(self, points: Array, *, upright: bool = False, share: float = 0.3) -> None:
        self.points = points
        self.upright = upright
        self.share = share
        self._variance = points.var(axis=0)
        n = len(points)
        self._some = np.linspace(0, n - 1, min(n, _SAMPLE)).astype(np.int64)

    def opinion(self, seeds: Seeds) -> Opinion:
        """Groups by distance in the learned metric."""
        nothing = Opinion.none(len(self.points), seeds)
        if len(np.unique(seeds.groups)) < 2:
            return nothing
        everyone = self.judge(seeds, self.points)
        held_out = nothing.held_out.copy()
        if len(seeds.items) >= _FEWEST:
            fold = np.arange(len(seeds.items)) % _FOLDS
            for number in range(_FOLDS):
                others = seeds.only(fold != number)
                asked = self.points[seeds.items[fold == number]]
                held_out[fold == number] = self.judge(others, asked)
        return Opinion(everyone, held_out).humble(_DOUBT)

    def judge(self, seeds: Seeds, asked: Array) -> Array:
        """The likely groups of the points asked about."""
        own, sure = self.points[seeds.items], seeds.one_hot
        fitted = self._fit(own, sure)
        rest = np.setdiff1d(self._some, seeds.items)
        if self.share > 0 and len(rest):
            points = np.vstack([own, self.points[rest]])
            for _ in range(_ROUNDS):
                likely = self.share * _likely(self.points[rest], *fitted)
                fitted = self._fit(points, np.vstack([sure, likely]))
        return _likely(asked, *fitted)

    def _fit(self, points: Array, weight: Array) -> tuple[Array, Array, Array]:
        """How much belongs to each group, the means, and what makes the covariance round."""
        amount = weight.sum(axis=0)
        means = (weight.T @ points) / np.maximum(amount, 1e-9)[:, None]
        total = weight.sum(axis=1)
        within = (points * total[:, None]).T @ points - (means * amount[:, None]).T @ means
        freedom = max(float(amount.sum()) - weight.shape[1], 0.0)
        worth = _PRIOR_SEEDS if self.upright else points.shape[1]
        covariance = (within + worth * _PRIOR * np.diag(self._variance)) / (freedom + worth)
        if self.upright:
            covariance = np.diag(np.diag(covariance))
        values, vectors = np.linalg.eigh(covariance)
        floor = 1e-9 * max(float(values[-1]), 1e-300)
        return amount, means, vectors / np.sqrt(np.maximum(values, floor))


def _likely(points: Array, amount: Array, means: Array, whiten: Array) -> Array:
    """Shares of the groups, with room for how little is known of the mean of a small one."""
    at, centres = points @ whiten, means @ whiten
    squares = (at**2).sum(axis=1)[:, None] - 2 * at @ centres.T + (centres**2).sum(axis=1)
    widened = squares / (1 + 1 / np.maximum(amount, 1e-3))
    score = np.log(amount + 1) - 0.5 * widened
    shares = np.exp(score - score.max(axis=1, keepdims=True))
    return np.asarray(shares / shares.sum(axis=1, keepdims=True))
