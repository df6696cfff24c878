"""AQM: PCK-means in a metric learned from the answers and from what they make likely."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from likewise._seeds import seed_from
from likewise.affinities.base import Positions
from likewise.clusterers.aqm._augmentation import (
    Memberships,
    augmented_memberships,
    cross_validated_penalty,
    determined_by_links,
    item_memberships,
)
from likewise.clusterers.aqm._metric_history import clearest_basis, least_relevant, weights_along
from likewise.clusterers.aqm._metric_learning import diagonal_metric, full_metric
from likewise.clusterers.aqm._weighted_pairs import WeightedPairs
from likewise.clusterers.base import FitContext, LinkedClusterer, check_at_least_one
from likewise.clusterers.kmeans.centres import compactness, square_distances
from likewise.clusterers.kmeans.pckmeans import lowest_descent
from likewise.clusterers.links import Labels, LinkedGroups, labels_respecting_links
from likewise.errors import MethodError

Array = npt.NDArray[np.float64]

_SELECTIVE_PENALTIES = (0.0, 3.0)


class AugmentedMetric(LinkedClusterer):
    """Query-augmented metric learning (AQM), then PCK-means in that metric.

    First, memberships of the linked items that explain the links (eq. 3): of `n_starts` starts all
    that end about equally well have to agree that a pair is likely the same, or likely not. Second,
    a metric from pairs known or likely to be the same and to differ (eq. 4). Third, the features
    that mattered least in this and the earlier fits are made dearer (eq. 7). Last, PCK-means in the
    metric (eq. 8).

    Without any link the features are taken as they are. `start` is the fit after fewer answers
    whose history this one goes on with; without it the history is this fit alone. The cost is that
    of PCK-means, n p K per round, and of a few dozen products of at most 4608 × p numbers: of the
    items, only linked ones take part in learning.

    Parameters
    ----------
    n_clusters : int, default=2
        How many clusters to find.
    metric : {"diagonal", "full"}, default="diagonal"
        Whether the metric weighs every feature, or every direction.
    rank : int or None, default=None
        The largest rank of a full metric; None for no limit.
    penalty : float or None, default=None
        λ of eq. 3, which drives memberships towards 0 and 1. None is by cross-validation over the
        links, or 0 where memberships that commit to nothing else explain all of them.
    selective_penalty : float or None, default=None
        γ of eq. 7, in units of the average feature's cost. 0 penalises nothing; None chooses by the
        Calinski-Harabasz index.
    n_penalised : int or None, default=None
        How many features are penalised; None by the elbow of their weights.
    augment : bool, default=True
        Whether pairs that are only likely the same, or different, take part in learning the metric.
    prior : float, default=5.0
        How many pairs of random items are counted among the links: few links say little about many
        features. 0 trusts the links alone.
    ridge : float, default=25.0
        How much the weight is spread over features that are about equally good; 0 is the paper's
        problem.
    n_starts : int, default=10
        How many starts the memberships have.
    random_state : int, default=0
        The seed; equal seeds give equal results.

    Attributes
    ----------
    labels_ : ndarray of shape (n,)
        The cluster of each item, 0 to `n_clusters_` - 1.
    n_clusters_ : int
        How many clusters there are; more than `n_clusters` where links demand it.
    metric_ : ndarray of shape (p, p)
        The metric, scaled so that similar pairs are 1 apart, root mean square.
    feature_weights_ : ndarray of shape (p,)
        The diagonal of the metric as shares of its sum.
    memberships_ : ndarray of shape (n, n_clusters)
        The best of the memberships found; even for items without links.
    penalty_ : float
        The λ that was used.
    selective_penalty_ : float
        The γ that was used.
    history_ : list of ndarray
        The metrics of this fit and of those it goes on from, oldest first, before eq. 7.

    References
    ----------
    Deng, Yuan, Fu and Qu: Query-augmented active metric learning, 2022, eq. 3 to 8 and, for the
    optimisation, eq. 10.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> kind = np.arange(60) % 2
    >>> X = np.column_stack([4.0 * kind + rng.normal(size=60), 3 * rng.normal(size=(60, 2))])
    >>> same, different = [(i, i + 2) for i in range(18)], [(0, 1)]
    >>> model = AugmentedMetric(n_clusters=2).fit(X, must_link=same, cannot_link=different)
    >>> int(model.feature_weights_.argmax())
    0
    """

    metric_: Array  # (p, p), scaled so that similar pairs are 1 apart, root mean square
    feature_weights_: Array  # (p,), the diagonal of the metric as shares of its sum
    memberships_: Memberships  # (n, n_clusters), the best of those found
    penalty_: float
    selective_penalty_: float
    history_: list[Array]  # (p,) or (p, p) each, without selective penalty, oldest first
    _points: Array  # (n, r), in which Euclidean distances are those of the metric

    def __init__(
        self,
        *,
        n_clusters: int = 2,
        metric: str = "diagonal",
        rank: int | None = None,
        penalty: float | None = None,
        selective_penalty: float | None = None,
        n_penalised: int | None = None,
        augment: bool = True,
        prior: float = 5.0,
        ridge: float = 25.0,
        n_starts: int = 10,
        random_state: int = 0,
    ) -> None:
        self.n_clusters = n_clusters
        self.metric = metric
        self.rank = rank
        self.penalty = penalty
        self.selective_penalty = selective_penalty
        self.n_penalised = n_penalised
        self.augment = augment
        self.prior = prior
        self.ridge = ridge
        self.n_starts = n_starts
        self.random_state = random_state

    def _fit_linked(self, X: Any, links: LinkedGroups, context: FitContext) -> Labels:
        rng = np.random.default_rng(seed_from(self.random_state))
        found = self._memberships(links, context, rng)
        self.memberships_ = item_memberships(found[0], links, self.n_clusters)
        self.history_ = [] if context.start is None else list(context.start.history_)
        self.selective_penalty_ = 0.0
        if links.n_groups:
            pairs = WeightedPairs.of(X, links, found if self.augment else [], self.prior, rng)
            candidates = self._metrics(pairs)
        else:
            candidates = [(0.0, np.ones(X.shape[1]))]
        return self._cluster(X, links, candidates)

    def distances(self, items: Positions, others: Positions) -> Array:
        """Return distances of items of the last fit in the metric, (len(items), len(others))."""
        return np.asarray(np.sqrt(square_distances(self._points[items], self._points[others])))

    def _memberships(
        self, links: LinkedGroups, context: FitContext, rng: np.random.Generator
    ) -> list[Memberships]:
        self.penalty_ = 0.0 if self.penalty is None else self.penalty
        given = self.penalty is not None or not self.augment
        if not given and not determined_by_links(links, self.n_clusters):
            self.penalty_ = cross_validated_penalty(
                context.must_link, context.cannot_link, len(links.group), self.n_clusters, rng
            )
        return augmented_memberships(links, self.n_clusters, self.penalty_, self.n_starts, rng)

    def _metrics(self, pairs: WeightedPairs) -> list[tuple[float, Array]]:  # γ, (p,) or (p, r)
        """Return for every γ to be tried a map L of the metric L Lᵀ; a diagonal L as a row."""
        ridge = self.ridge / np.sqrt(max(pairs.certainty, 1.0))
        full = self.metric == "full"
        learned = full_metric(pairs, ridge, self.rank) if full else diagonal_metric(pairs, ridge)
        same_kind = [metric for metric in self.history_ if metric.shape == learned.shape]
        self.history_ = [*same_kind, learned]
        basis: Array | float = 1.0
        weights = np.array(self.history_)
        if full:
            basis = clearest_basis(self.history_)[:, : self.rank]
            weights = weights_along(self.history_, basis)
            pairs = pairs.turned(basis)
        irrelevant = least_relevant(weights, self.n_penalised)
        chosen = self.selective_penalty
        strengths = _SELECTIVE_PENALTIES if chosen is None else (chosen,)
        cost = float(np.diag(pairs.similar).mean())
        dearer = np.where(irrelevant, cost, 0.0)
        found = []
        for gamma in strengths if irrelevant.any() else strengths[:1]:
            known = not full and (gamma == 0 or not irrelevant.any())
            along = learned if known else diagonal_metric(pairs, ridge, gamma * dearer)
            found.append((gamma, basis * np.sqrt(along)))
        return found

    def _cluster(
        self, X: Array, links: LinkedGroups, candidates: list[tuple[float, Array]]
    ) -> Labels:
        """Keep the metric whose clusters are the most compact, all seen in the first metric."""
        best, chosen = -np.inf, candidates[0][1]
        centred = X - X.mean(axis=0)
        space = _mapped(centred, candidates[0][1])
        for gamma, root in candidates:
            found = lowest_descent(
                _mapped(centred, root),
                links,
                self.n_clusters,
                random_state=seed_from(self.random_state),
            )
            labels = labels_respecting_links(found.labels, links)
            score = compactness(space, labels) if len(candidates) > 1 else 0.0
            if score > best:
                best, chosen, kept = score, root, labels
                self.selective_penalty_ = gamma
        self._points = _mapped(X, chosen)
        self.metric_ = np.diag(chosen**2) if chosen.ndim == 1 else chosen @ chosen.T
        weights = np.diag(self.metric_)
        self.feature_weights_ = weights / max(float(weights.sum()), 1e-300)
        return kept

    def _check_parameters(self, n_features: int) -> None:
        check_at_least_one(n_starts=self.n_starts)
        if self.metric not in ("diagonal", "full"):
            raise MethodError(f"metric must be 'diagonal' or 'full', not {self.metric!r}")
        if self.rank is not None and self.metric == "diagonal":
            raise MethodError("rank is for a full metric: set metric='full', or rank=None")
        if self.rank is not None and self.rank < 1:
            raise MethodError(f"rank must be at least 1, or None, but got {self.rank}")
        if self.n_penalised is not None and not 0 <= self.n_penalised <= n_features:
            raise MethodError(
                f"n_penalised must be between 0 and the number of features, {n_features}, or "
                f"None, but got {self.n_penalised}"
            )
        for name in ("penalty", "selective_penalty", "prior", "ridge"):
            value = getattr(self, name)
            if value is not None and not 0 <= value < np.inf:
                raise MethodError(f"{name} must be a number not below 0 but got {value}")


def _mapped(X: Array, root: Array) -> Array:
    """Return coordinates in which Euclidean distances are those of the metric."""
    return X * root if root.ndim == 1 else X @ root
