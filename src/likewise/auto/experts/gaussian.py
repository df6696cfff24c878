"""Shared-covariance Gaussians as an expert: a semi-supervised linear discriminant."""

from __future__ import annotations

import numpy as np

from likewise.auto.experts.base import Array, Prediction, Seeds

_SMOOTHING = 0.05
_PRIOR_VARIANCE = 0.5  # of a group, as a share of the pile's own variance of each feature
_PRIOR_SEEDS = 4  # how many seeds the prior is worth with a diagonal covariance
_FOLDS = 3
_EM_ROUNDS = 4
_SAMPLE = 1000  # unlabelled items that EM uses in a large pile
_MIN_SEEDS = 4  # with fewer none is held out


class SharedCovarianceGaussians:
    """Predicts by Gaussian groups of one covariance, shrunk towards the pile's own variances.

    This is linear discriminant analysis with shrinkage, made semi-supervised: every item that is
    no seed counts as `unlabelled_weight` of a seed, in the groups it likely belongs to, and the
    Gaussians are fitted again (EM, four rounds). So the metric is learned from the whole pile.
    Seeds are held out in three folds.

    Parameters
    ----------
    points : ndarray of shape (n, d)
        Coordinates of all items.
    diagonal : bool
        Whether the covariance has no correlations, only a variance for each feature: then
        informative features are found from fewer seeds, at the price of taking each by itself
        (naive Bayes).
    unlabelled_weight : float between 0 and 1
        0 leaves the fit to the seeds alone, the plain shrunk discriminant; 1 lets every item
        count as much as a seed.

    References
    ----------
    Hastie, Tibshirani and Friedman, "The elements of statistical learning", sections 4.3 and
    18.2 (shrunken and diagonal discriminants). Nigam, McCallum, Thrun and Mitchell, "Text
    classification from labeled and unlabeled documents using EM", 2000 (weighted EM).
    """

    def __init__(
        self, points: Array, *, diagonal: bool = False, unlabelled_weight: float = 0.3
    ) -> None:
        self.points = points
        self.diagonal = diagonal
        self.unlabelled_weight = unlabelled_weight
        self._variance = points.var(axis=0)
        n = len(points)
        self._sample = np.linspace(0, n - 1, min(n, _SAMPLE)).astype(np.int64)

    def predict(self, seeds: Seeds) -> Prediction:
        """Return the posterior of the groups; uniform while there is only one."""
        uniform = Prediction.uniform(len(self.points), seeds)
        if len(np.unique(seeds.groups)) < 2:
            return uniform
        probabilities = self.posterior(seeds, self.points)
        held_out = uniform.held_out.copy()
        if len(seeds.items) >= _MIN_SEEDS:
            fold = np.arange(len(seeds.items)) % _FOLDS
            for number in range(_FOLDS):
                others = seeds.only(fold != number)
                left_out = self.points[seeds.items[fold == number]]
                held_out[fold == number] = self.posterior(others, left_out)
        return Prediction(probabilities, held_out).smoothed(_SMOOTHING)

    def posterior(self, seeds: Seeds, points: Array) -> Array:  # (len(points), n_groups)
        """Fit the Gaussians to the seeds and the pile; return the posterior at some points."""
        own, known = self.points[seeds.items], seeds.one_hot
        fitted = self._fit(own, known)
        rest = np.setdiff1d(self._sample, seeds.items)
        if self.unlabelled_weight > 0 and len(rest):
            everything = np.vstack([own, self.points[rest]])
            for _ in range(_EM_ROUNDS):
                expected = self.unlabelled_weight * _posterior(self.points[rest], *fitted)
                fitted = self._fit(everything, np.vstack([known, expected]))
        return _posterior(points, *fitted)

    def _fit(self, points: Array, weight: Array) -> tuple[Array, Array, Array]:
        """Return the groups' total weights, their means, and the whitening of the covariance.

        The latter is a matrix, (d, d), or of a diagonal one the diagonal, (d,).
        """
        amount = weight.sum(axis=0)
        means = (weight.T @ points) / np.maximum(amount, 1e-9)[:, None]
        total = weight.sum(axis=1)
        freedom = max(float(amount.sum()) - weight.shape[1], 0.0)
        worth = _PRIOR_SEEDS if self.diagonal else points.shape[1]
        prior = worth * _PRIOR_VARIANCE * self._variance
        if self.diagonal:
            values = (total @ points**2 - amount @ means**2 + prior) / (freedom + worth)
            return amount, means, 1 / np.sqrt(_above_zero(values))
        within = (points * total[:, None]).T @ points - (means * amount[:, None]).T @ means
        values, vectors = np.linalg.eigh((within + np.diag(prior)) / (freedom + worth))
        return amount, means, vectors / np.sqrt(_above_zero(values))


def _above_zero(variances: Array) -> Array:
    """Return variances that are no less than a billionth of the largest one."""
    return np.maximum(variances, 1e-9 * max(float(variances.max()), 1e-300))


def _posterior(points: Array, amount: Array, means: Array, whiten: Array) -> Array:
    """Return P(group | point); the mean of a group of little weight is known less exactly."""
    by = np.multiply if whiten.ndim == 1 else np.matmul
    at, centres = by(points, whiten), by(means, whiten)
    # In one array from here on: of many points and groups, each further one costs as much as exp.
    shares = (2 * at) @ centres.T
    np.subtract((at**2).sum(axis=1)[:, None], shares, out=shares)
    shares += (centres**2).sum(axis=1)
    # The variance of a mean of `amount` seeds is 1 / amount of the covariance.
    shares /= 1 + 1 / np.maximum(amount, 1e-3)
    shares *= 0.5
    np.subtract(np.log(amount + 1), shares, out=shares)
    shares -= shares.max(axis=1, keepdims=True)
    np.exp(shares, out=shares)
    shares /= shares.sum(axis=1, keepdims=True)
    return np.asarray(shares)
