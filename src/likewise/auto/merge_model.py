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
_PRIOR = np.array([_INTERCEPT, _SLOPE, _CONNECTION])
# The share of answers that say nothing about the parts they were asked for: the items were not like
# most around them, or somebody pressed the wrong key. Without it a single such answer, about items
# that lie close together, would say that groups are as fine as that everywhere.
_LAPSES = 0.05
_FLATTEST = -0.5  # higher joins are never likelier to be right
# Kinds may lie in several places: white cats and black ones. How often two parts are one kind
# however far apart they are is a Beta variable before any answer, worth about five of them.
_SCATTER = (0.15, 5.0)
_FIRST_SCATTER = _SCATTER[0] / sum(_SCATTER)
_MOST_SCATTER = 0.5
_SCATTER_ROUNDS = 10


@dataclass(frozen=True)
class MergeModel:
    """A logistic model of "these two parts are one group", by how and where they join.

    They are of one piece with p = σ(intercept + slope · (log height − reference) + connection ·
    excess), where the height is that of Ward's linkage and the excess is in connections (see
    `Connections`). Parts that are not are one group all the same with probability r, however far
    apart, for a kind may lie in several places: P(same) = p + (1 − p) r. One answer in ten is
    expected to be of no matter, "same" or "different" by chance. It says how fine the groups are
    that the person means and whether they are scattered, which is the same question everywhere in
    the pile: so an answer about two parts teaches about all others.

    Parameters
    ----------
    reference : float
        The log height to cut at before any answer.
    intercept, slope, connection : float
        The weights; the defaults are those before any answer.
    deviation : float
        Of the intercept's prior: how far off the reference may be.
    scatter : float
        r, how likely parts that are not of one piece are one group.
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
    scatter: float = _FIRST_SCATTER
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
        """Return how likely parts are of one piece that join at these heights, so connected."""
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
        scoring with halved steps; the scatter is the most probable one in turn.

        Parameters
        ----------
        log_heights : ndarray of shape (m,)
            Where the two parts of each answer join.
        same : ndarray of bool of shape (m,)
            The answers.
        excess : ndarray of shape (m,) or None
            Their excess connections; None is 0 everywhere.
        """
        deviations = np.array([self.deviation, _SLOPE_DEVIATION, _CONNECTION_DEVIATION])
        design = np.column_stack(
            [np.ones(len(same)), log_heights - self.reference, np.zeros(len(same))]
        )
        (level, steepness, _), _ = _weights_and_scatter(design, same, deviations)
        threshold = self.reference + (_INTERCEPT - level) / min(steepness, _FLATTEST)
        design[:, 2] = 0.0 if excess is None else excess
        (intercept, slope, connection), scatter = _weights_and_scatter(design, same, deviations)
        return MergeModel(
            self.reference,
            intercept,
            min(slope, _FLATTEST),
            max(connection, 0.0),
            self.deviation,
            scatter,
            threshold,
        )


def _weights_and_scatter(
    design: Array, same: npt.NDArray[np.bool_], deviations: Array
) -> tuple[list[float], float]:
    """Return the most probable weights and scatter, each for the other.

    The scatter is found first as if heights were as expected: else the first "same" about parts
    that lie far apart would say that everything is one group.
    """
    weights, scatter = _PRIOR.tolist(), _FIRST_SCATTER
    for _ in range(2):
        scatter = scatter_share(expit(design @ weights), same, scatter)
        weights = _most_probable(design, same, _PRIOR, deviations, scatter)
    return weights, scatter


def scatter_share(one_piece: Array, same: npt.NDArray[np.bool_], before: float) -> float:
    """Return how likely parts that are not of one piece are one group, the most probable share.

    By ten rounds of EM, and at most one half.

    Parameters
    ----------
    one_piece : ndarray of shape (m,)
        How likely the parts of each answer are of one piece.
    same : ndarray of bool of shape (m,)
        The answers.
    before : float
        Where to begin.
    """
    scatter = before
    otherwise = _LAPSES + (1 - 2 * _LAPSES) * one_piece  # P(same) of parts that are not scattered
    scattered = np.where(same, 1 - _LAPSES, _LAPSES)
    not_scattered = np.where(same, otherwise, 1 - otherwise)
    for _ in range(_SCATTER_ROUNDS):
        odds = scatter * scattered
        count = float((odds / (odds + (1 - scatter) * not_scattered)).sum())
        scatter = (_SCATTER[0] + count) / (sum(_SCATTER) + len(same))
    return min(scatter, _MOST_SCATTER)


def _most_probable(
    design: Array,
    same: npt.NDArray[np.bool_],
    prior: Array,
    deviations: Array,
    scatter: float,
) -> list[float]:
    """Return the most probable weights of a logistic model with lapses and scattered groups.

    Far from the answers, all of them look like lapses. So the weights are sought twice: from
    where they are before any answer, and from where they would be if there were no lapses.
    """
    from likewise.auto._kernels import climbed

    # P(same) is between these, whatever the height.
    ends = (1 - scatter) * _LAPSES + scatter * (1 - _LAPSES), 1 - _LAPSES
    precision = 1 / deviations**2
    plain, _ = climbed(design, same, prior, precision, prior, 0.0, 1.0)
    found = [climbed(design, same, prior, precision, start, *ends) for start in (prior, plain)]
    weights, _ = max(found, key=lambda one: round(one[1], 9))
    return weights.tolist()  # type: ignore[no-any-return]
