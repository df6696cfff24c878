"""Several views as one affinity, which learns from the answers how much each view counts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize
from scipy.special import expit

from likewise.affinities.base import Links, Positions, checked_links
from likewise.affinities.kernels import Gaussian
from likewise.features.feature_views import FeatureViews

Array = npt.NDArray[np.float64]

# Other weights are other neighbours and another tree: seconds, in a large pile. So they change
# after so many answers, then twice as many and so on, by what was answered so many answers earlier.
_FIRST_CHANGE, _LAG = 16, 8
_FEWEST = 3  # answers of either kind before anything is learned
_UNWEIGHTED = 0.05  # of the heaviest view: what those begin with that have no weight
_SPREAD = 2.0  # how far weights stray from what they begin with, as a power of e
# Other weights count only where answers are so many times likelier by them, as a power of e. Few
# answers, and those about what lies close together, fit one weighting a little better than another
# by chance, and every change moves items that nobody was asked about.
_CLEARLY = 2.0
_STEEP, _STEEP_SPREAD = 1.0, 2.0  # how much distances tell, as a power of e, and how unsure that is
_FARTHEST = 8  # powers of two by which a view comes to count more or less
_SAMPLE = 2000  # pairs by which it is known how far apart items are in a view


class LearnedMixture(Gaussian):
    """The Gaussian kernel on a mixture of views, weighted as the answers bear them out.

    How likely two items are the same is taken to fall with how far apart they are in each view.
    The weights of the views are fitted to the answers (logistic regression, no weight negative)
    and stay what the views weigh by themselves until the answers are clearly likelier by others.

    Parameters
    ----------
    views : FeatureViews
        The views.
    off : frozenset of str
        Those that do not count.
    n_neighbours : float or None, default=15
        As for `Gaussian`.

    Attributes
    ----------
    affinity_ : ndarray or sparse matrix of shape (n, n)
        As of `Gaussian`.
    features_, X_ : ndarray of shape (n, d)
        The mixture; before any answer, the features that were given.
    widths_ : ndarray of shape (n,)
        As of `Gaussian`.
    weights_ : dict of str to float
        The share of variance that each view has in it.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> kind, noise = np.repeat([[0.0], [9.0]], 10, axis=0), rng.normal(size=(20, 1))
    >>> views = FeatureViews.of({"kind": kind, "noise": noise})
    >>> same, different = [(k, k + 1) for k in range(8)], [(k, k + 10) for k in range(8)]
    >>> found = LearnedMixture(views).fit(views.whole, must_link=same, cannot_link=different)
    >>> found.weights_["kind"] > 0.7
    True
    """

    learns: ClassVar[bool] = True

    def __init__(
        self,
        views: FeatureViews,
        *,
        off: frozenset[str] = frozenset(),
        n_neighbours: float | None = 15,
    ) -> None:
        super().__init__(n_neighbours=n_neighbours)
        self.views = views
        self.off = off

    def fit(
        self, X: Any, y: Any = None, *, must_link: Links = None, cannot_link: Links = None
    ) -> Self:
        """Fit the weights of the views to the links, then compute `affinity_`.

        X is the mixture by which items are compared before any answer.
        """
        same = checked_links(must_link, len(X), "must_link")
        different = checked_links(cannot_link, len(X), "cannot_link")
        names = [name for name in self.views.blocks if name not in self.off]
        first = self._first_weights(names)
        powers = np.zeros(len(names))
        if min(len(same), len(different)) >= _FEWEST:
            blocks = [self.views.blocks[name] for name in names]
            powers = _powers(_learned(blocks, same, different, first) / first)
        # The same weights give the same arrays, so that nothing that rests on them is computed
        # again.
        key = self.off, tuple(powers.tolist()), self.n_neighbours
        found = self.views.kept.get(key)
        if found is None:
            weights = first * 2.0**powers
            self.weights_ = dict(zip(names, (weights / weights.sum()).tolist(), strict=True))
            self.features_ = self.views.weighted(self.weights_) if powers.any() else X
            super().fit(self.features_)
            found = self.weights_, self.features_, self.affinity_, self.widths_
            self.views.keep(key, found)
        self.weights_, self.features_, self.affinity_, self.widths_ = found
        self.X_ = self.features_
        return self

    def learned_from(self, n_answers: int) -> int:
        """Return from how many answers it learns: seldom, and so that all is there when it counts.

        >>> views = FeatureViews.of({"a": np.eye(3), "b": np.eye(3)})
        >>> [LearnedMixture(views).learned_from(n) for n in (15, 16, 31, 32, 64, 128)]
        [0, 8, 8, 24, 56, 120]
        """
        counts_from = 0
        while (later := max(2 * counts_from, _FIRST_CHANGE)) <= n_answers:
            counts_from = later
        return max(counts_from - _LAG, 0)

    def _first_weights(self, names: list[str]) -> Array:  # (views,), sum to one
        """Return what the views weigh before any answer; a little where they have no weight."""
        given = np.array([self.views.weights[name] for name in names])
        weights = np.maximum(given, _UNWEIGHTED * (given.max() or 1.0))
        return np.asarray(weights / weights.sum())


def _learned(
    blocks: list[Array], same: Positions, different: Positions, first: Array
) -> Array:  # (views,), sum to one
    """Fit the weights of views to which items are the same and which differ."""
    pairs = np.vstack([same, different])
    is_same = np.arange(len(pairs)) < len(same)
    n = len(blocks[0])
    some = np.random.default_rng(0).integers(n, size=(_SAMPLE, 2))
    usual = np.stack([_squares(block, some) for block in blocks], axis=1)
    spread = np.maximum(usual.std(axis=0), 1e-12 + 1e-9 * usual.mean(axis=0))
    apart = (
        np.stack([_squares(block, pairs) for block in blocks], axis=1) - usual.mean(0)
    ) / spread
    # By how much the usual spread of each view counts to begin with, the largest as one.
    begin = first * spread / np.maximum(usual.mean(axis=0), 1e-12)
    begin /= begin.max()

    def loss(at: Array) -> tuple[float, Array]:
        """Return minus the log posterior, and its gradient."""
        steep, offset = begin * np.exp(at[:-1]), at[-1]
        score = offset - apart @ steep
        mean = at[:-1].mean()
        aside = at[:-1] - mean
        off_by = expit(score) - is_same
        value = np.logaddexp(0.0, np.where(is_same, -score, score)).sum()
        value += (aside**2).sum() / (2 * _SPREAD**2) + offset**2 / 18
        value += (mean - _STEEP) ** 2 / (2 * _STEEP_SPREAD**2)
        slope = -(off_by @ apart) * steep + aside / _SPREAD**2
        slope += (mean - _STEEP) / _STEEP_SPREAD**2 / len(aside)
        return float(value), np.append(slope, off_by.sum() + offset / 9)

    def loss_as_they_are(at: Array) -> tuple[float, Array]:
        """Return the same where no view counts more than it does to begin with."""
        value, slope = loss(np.append(np.full(len(blocks), at[0]), at[1]))
        return value, np.array([slope[:-1].sum(), slope[-1]])

    as_they_are = _least(loss_as_they_are, np.array([_STEEP, 0.0]))
    found = _least(loss, np.append(np.full(len(blocks), as_they_are.x[0]), as_they_are.x[1]))
    if as_they_are.fun - found.fun < _CLEARLY:
        return first
    weights = first * np.exp(found.x[:-1] - found.x[:-1].max())
    return np.asarray(weights / weights.sum())


def _least(loss: Callable[[Array], tuple[float, Array]], start: Array) -> Any:
    """Return where a loss with a gradient is least, as SciPy's result."""
    return minimize(loss, start, jac=True, method="L-BFGS-B", bounds=[(-8.0, 8.0)] * len(start))


def _squares(block: Array, pairs: Positions) -> Array:  # (len(pairs),)
    """Return the squared distances of some pairs in one view."""
    return np.asarray(((block[pairs[:, 0]] - block[pairs[:, 1]]) ** 2).sum(axis=1))


def _powers(gains: Array) -> Array:
    """Return by which powers of two weights have changed, the most frequent change taken as none.

    In whole powers: a little more or less is no reason to compute everything anew.

    >>> _powers(np.array([0.9, 1.1, 0.2]))
    array([ 0.,  0., -2.])
    """
    found = np.round(np.log2(np.maximum(gains, 2.0**-99)) - np.log2(np.median(gains)))
    return np.asarray(np.clip(found, -_FARTHEST, _FARTHEST)) + 0.0
