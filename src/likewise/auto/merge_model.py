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
_CONNECTION = 1.0  # prior mean: by how much e times as many edges raise the log odds
_CONNECTION_DEVIATION = 0.7
_LEAST_DEVIATION = 0.25  # that a range of numbers of groups leaves
_NINE_IN_TEN = 1.645  # standard deviations to either side of a Gaussian's mean
# Parts are taken together from this probability on. Cuts that separate pairs rightly more often
# than not leave too many groups: what is lost by joining two that differ is less than what is lost
# by leaving two that do not apart (as the best threshold for an F-measure is half its value).
_JOIN = 0.35
_INTERCEPT = float(logit(_JOIN))  # prior mean: the first cut is where the pile suggests it
# The share of answers that say nothing about the parts they were asked for: the items were not like
# most around them, or somebody pressed the wrong key. Without it a single such answer, about items
# that lie close together, would say that groups are as fine as that everywhere.
_LAPSES = 0.05
_FLATTEST = -0.5  # higher joins are never likelier to be right
_ROUNDS = 25


@dataclass(frozen=True)
class MergeModel:
    """A logistic model of "these two parts are one group", by how and where they join.

    P(same) = σ(intercept + slope · (log height − reference) + connection · excess), where the
    height is that of Ward's linkage and the excess is in connections (see `Connections`). One
    answer in ten is expected to be of no matter, "same" or "different" by chance. It says
    how fine the groups are that the person means, which is the same question everywhere in the
    pile: so an answer about two parts teaches about all others.

    Parameters
    ----------
    reference : float
        The log height to cut at before any answer.
    intercept, slope, connection : float
        The weights; the defaults are those before any answer.
    deviation : float
        Of the intercept's prior: how far off the reference may be.
    cut : float or None
        Where P(same) is 0.35 by the height alone, connections being what they are; None is the
        reference.

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
    connection: float = _CONNECTION
    deviation: float = _INTERCEPT_DEVIATION
    cut: float | None = None

    @classmethod
    def within(cls, reference: float, finest: float, coarsest: float) -> MergeModel:
        """Return the model of somebody who expects to cut between two log heights, 9 times in 10.

        >>> round(MergeModel.within(0.5, 0.0, 1.0).deviation, 2)
        1.22
        """
        expected = -_SLOPE * (coarsest - finest) / (2 * _NINE_IN_TEN)
        deviation = min(max(expected, _LEAST_DEVIATION), _INTERCEPT_DEVIATION)
        return cls(reference, deviation=deviation)

    def probability(self, log_heights: Array, excess: Array | float = 0.0) -> Array:
        """Return how likely parts are one group that join at these heights, so connected."""
        by_height = self.intercept + self.slope * (log_heights - self.reference)
        return np.asarray(expit(by_height + self.connection * excess))

    @property
    def threshold(self) -> float:
        """The log height below which parts are taken together: P(same) is 0.35 there on average."""
        return self.reference if self.cut is None else self.cut

    def fit(
        self, log_heights: Array, same: npt.NDArray[np.bool_], excess: Array | None = None
    ) -> MergeModel:
        """Return the model after answers about parts that join at these log heights.

        The weights are the most probable ones under independent Gaussian priors, by Fisher's
        scoring with halved steps.

        Parameters
        ----------
        log_heights : ndarray of shape (m,)
            Where the two parts of each answer join.
        same : ndarray of bool of shape (m,)
            The answers.
        excess : ndarray of shape (m,) or None
            Their excess connections; None is 0 everywhere.
        """
        away = log_heights - self.reference
        prior = np.array([_INTERCEPT, _SLOPE, _CONNECTION])
        deviations = np.array([self.deviation, _SLOPE_DEVIATION, _CONNECTION_DEVIATION])
        design = np.column_stack([np.ones(len(same)), away, np.zeros(len(same))])
        intercept, slope, _ = _most_probable(design, same, prior, deviations)
        threshold = self.reference + (_INTERCEPT - intercept) / min(slope, _FLATTEST)
        design[:, 2] = 0.0 if excess is None else excess
        intercept, slope, connection = _most_probable(design, same, prior, deviations)
        return MergeModel(
            self.reference,
            intercept,
            min(slope, _FLATTEST),
            max(connection, 0.0),
            self.deviation,
            threshold,
        )


def _most_probable(
    design: Array, same: npt.NDArray[np.bool_], prior: Array, deviations: Array
) -> list[float]:
    """Return the most probable weights of a logistic model with lapses.

    Far from the answers, all of them look like lapses. So the weights are sought twice: from
    where they are before any answer, and from where they would be if there were no lapses.
    """
    plain, _ = _climbed(design, same, prior, deviations, prior, lapses=0.0)
    found = [_climbed(design, same, prior, deviations, start, _LAPSES) for start in (prior, plain)]
    weights, _ = max(found, key=lambda one: round(one[1], 9))
    return weights.tolist()  # type: ignore[no-any-return]


def _climbed(
    design: Array,
    same: npt.NDArray[np.bool_],
    prior: Array,
    deviations: Array,
    start: Array,
    lapses: float,
) -> tuple[Array, float]:
    """Return weights of a maximum and its log posterior, by Fisher's scoring with halved steps."""
    precision = 1 / deviations**2
    sign = np.where(same, 1.0, -1.0)

    def log_posterior(weights: Array) -> float:
        right = -np.logaddexp(0.0, -sign * (design @ weights))  # the log chance without lapses
        if lapses:
            right = np.logaddexp(np.log(lapses), np.log(1 - 2 * lapses) + right)
        return float(right.sum() - 0.5 * (precision * (weights - prior) ** 2).sum())

    weights, value = start, log_posterior(start)
    for _ in range(_ROUNDS):
        one = expit(design @ weights)
        chance = lapses + (1 - 2 * lapses) * one
        # The derivative of the chance, and what an answer tells: one without lapses.
        slope = (1 - 2 * lapses) * one * (1 - one)
        told = slope / np.maximum(chance * (1 - chance), 1e-300)
        told = told if lapses else np.ones(len(one))
        gradient = design.T @ (told * (same - chance)) - precision * (weights - prior)
        curvature = (design * (told * slope)[:, None]).T @ design
        step = np.linalg.solve(curvature + np.diag(precision), gradient)
        while np.abs(step).max() > 1e-9 and log_posterior(weights + step) < value:
            step = step / 2
        weights = weights + step
        gained, value = log_posterior(weights) - value, log_posterior(weights)
        if gained < 1e-9:
            break
    return weights, value
