"""How likely two parts of a pile belong to one group: learned from every answer."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import expit, logit

Array = npt.NDArray[np.float64]

_SLOPE = -4.0  # prior mean: parts that join twice as high are e^-2.8 times as likely one group
_SLOPE_DEVIATION = 2.0
_INTERCEPT_DEVIATION = 2.0  # the number of groups guessed beforehand may be far off
_LEAST_DEVIATION = 0.25  # that a range of numbers of groups leaves
_NINE_IN_TEN = 1.645  # standard deviations to either side of a Gaussian's mean
# Parts are taken together from this probability on. Cuts that separate pairs rightly more often
# than not leave too many groups: what is lost by joining two that differ is less than what is lost
# by leaving two that do not apart (as the best threshold for an F-measure is half its value).
_JOIN = 0.35
_INTERCEPT = float(logit(_JOIN))  # prior mean: the first cut is where the pile suggests it
_FLATTEST = -0.5  # higher joins are never likelier to be right
_ROUNDS = 25


@dataclass(frozen=True)
class MergeModel:
    """A logistic model of "these two parts are one group", by the height at which they join.

    P(same) = σ(intercept + slope · (log height − reference)), where the height is that of Ward's
    linkage. It says how fine the groups are that the person means, which is the same question
    everywhere in the pile: so an answer about two parts teaches about all others.

    Parameters
    ----------
    reference : float
        The log height to cut at before any answer.
    intercept, slope : float
        The weights; the defaults are those before any answer.
    deviation : float
        Of the intercept's prior: how far off the reference may be.

    Examples
    --------
    >>> before = MergeModel(0.0)
    >>> before.probability(np.array([-1.0, 0.0, 1.0])).round(2)
    array([0.97, 0.35, 0.01])
    >>> after = before.fit(np.array([0.5, 0.6, 0.9]), np.array([True, True, True]))
    >>> bool(after.threshold > 0.5)
    True
    """

    reference: float
    intercept: float = _INTERCEPT
    slope: float = _SLOPE
    deviation: float = _INTERCEPT_DEVIATION

    @classmethod
    def within(cls, reference: float, finest: float, coarsest: float) -> MergeModel:
        """Return the model of somebody who expects to cut between two log heights, 9 times in 10.

        >>> round(MergeModel.within(0.5, 0.0, 1.0).deviation, 2)
        1.22
        """
        expected = -_SLOPE * (coarsest - finest) / (2 * _NINE_IN_TEN)
        deviation = min(max(expected, _LEAST_DEVIATION), _INTERCEPT_DEVIATION)
        return cls(reference, deviation=deviation)

    def probability(self, log_heights: Array) -> Array:
        """Return how likely parts that join at these log heights are one group."""
        return np.asarray(expit(self.intercept + self.slope * (log_heights - self.reference)))

    @property
    def threshold(self) -> float:
        """The log height below which parts are taken together: P(same) is 0.35 there."""
        return self.reference + (_INTERCEPT - self.intercept) / self.slope

    def fit(self, log_heights: Array, same: npt.NDArray[np.bool_]) -> MergeModel:
        """Return the model after answers about parts that join at these log heights.

        The weights are the most probable ones under independent Gaussian priors, by Newton's
        method with halved steps.

        Parameters
        ----------
        log_heights : ndarray of shape (m,)
            Where the two parts of each answer join.
        same : ndarray of bool of shape (m,)
            The answers.
        """
        design = np.column_stack([np.ones(len(same)), log_heights - self.reference])
        sign = np.where(same, 1.0, -1.0)
        prior = np.array([_INTERCEPT, _SLOPE])
        precision = 1 / np.array([self.deviation, _SLOPE_DEVIATION]) ** 2

        def log_posterior(weights: Array) -> float:
            fit = -np.logaddexp(0.0, -sign * (design @ weights)).sum()
            return float(fit - 0.5 * (precision * (weights - prior) ** 2).sum())

        weights, value = prior, log_posterior(prior)
        for _ in range(_ROUNDS):
            chance = expit(design @ weights)
            gradient = design.T @ (same - chance) - precision * (weights - prior)
            curvature = (design * (chance * (1 - chance))[:, None]).T @ design
            step = np.linalg.solve(curvature + np.diag(precision), gradient)
            while np.abs(step).max() > 1e-9 and log_posterior(weights + step) < value:
                step = step / 2
            weights = weights + step
            gained, value = log_posterior(weights) - value, log_posterior(weights)
            if gained < 1e-9:
                break
        slope = min(float(weights[1]), _FLATTEST)
        return MergeModel(self.reference, float(weights[0]), slope, self.deviation)
