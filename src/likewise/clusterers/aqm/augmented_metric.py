"""AQM: PCK-means in a metric learned from the answers and from what they make likely."""

from __future__ import annotations

from itertools import pairwise
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
from likewise.clusterers.aqm._held_out import blended, chosen_share, root_of
from likewise.clusterers.aqm._metric_history import clearest_basis, least_relevant, weights_along
from likewise.clusterers.aqm._metric_learning import (
    diagonal_metric,
    feature_metric,
    full_metric,
    scaled_metric,
)
from likewise.clusterers.aqm._weighted_pairs import WeightedPairs
from likewise.clusterers.base import FitContext, LinkedClusterer, check_at_least_one
from likewise.clusterers.kmeans.centres import compactness, square_distances
from likewise.clusterers.kmeans.pckmeans import lowest_descent
from likewise.clusterers.links import Labels, LinkedGroups, labels_respecting_links
from likewise.clusterers.spectral.spectral_learning import SpectralLearning
from likewise.errors import MethodError

Array = npt.NDArray[np.float64]

_SELECTIVE_PENALTIES = (0.0, 3.0)
_TRIAL_PAIRS = 1024  # dissimilar pairs for a metric that is only held against answers left out


class AugmentedMetric(LinkedClusterer):
    """Query-augmented metric learning (AQM), then PCK-means in that metric.

    First, memberships of the linked items that explain the links (eq. 3): of `n_starts` starts all
    that end about equally well have to agree that a pair is likely the same, or likely not. Second,
    a metric from pairs known or likely to be the same and to differ (eq. 4). Third, the features
    that mattered least in this and the earlier fits are made dearer (eq. 7). Last, PCK-means in the
    metric (eq. 8). The metric is used as far as answers that had no part in it agree: a handful of
    them changes nothing.

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
    objective : {"distances", "features"}, default="distances"
        What dissimilar pairs are to have much of: distance (eq. 10), or distance along each feature
        by itself, summed up, as the authors' published code has it. Then the weights are
        (gₘ / cₘ)², what a feature gives by what it costs, and `ridge` has no part in it; for
        diagonal metrics only.
    cluster : {"pckmeans", "spectral"}, default="pckmeans"
        How items are clustered in the metric: by PCK-means (eq. 8), or by spectral learning on
        their neighbour graph, which the paper proposes in section 8 for groups of any shape.
    held_out : bool, default=True
        Whether the metric as it is, and the mean of both, are candidates, of which answers choose
        that were not learned from. False uses what was learned, always, as the paper does.
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
        Once items are placed, one question after the other, it changes nothing: all pairs of
        placed items are known, and nothing is likely of the others.
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
    learned_share_ : float
        How much of the metric is learned: 0, 0.5 or 1; the rest is the features as they are.
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
    learned_share_: float
    history_: list[Array]  # (p,) or (p, p) each, without selective penalty, oldest first
    _points: Array  # (n, r), in which Euclidean distances are those of the metric

    def __init__(
        self,
        *,
        n_clusters: int = 2,
        metric: str = "diagonal",
        objective: str = "distances",
        cluster: str = "pckmeans",
        held_out: bool = True,
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
        self.objective = objective
        self.cluster = cluster
        self.held_out = held_out
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
        self.selective_penalty_ = self.learned_share_ = 0.0
        if links.n_groups:
            known = found if self.augment else []
            pairs = WeightedPairs.of(X, links, known, self.prior, rng, diagonal=self._is_diagonal)
            candidates = self._metrics(pairs)
            self.learned_share_ = self._share(X, links)
            candidates = self._blended(X, pairs, candidates)
        else:
            candidates = [(0.0, np.ones(X.shape[1]))]
        return self._clusters(X, links, candidates)

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
        full = self.metric == "full"
        learned = self._learned(pairs)
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
        cost = float(pairs.costs.mean())
        dearer = np.where(irrelevant, cost, 0.0)
        found = []
        for gamma in strengths if irrelevant.any() else strengths[:1]:
            known = not full and (gamma == 0 or not irrelevant.any())
            along = learned if known else self._weights(pairs, gamma * dearer)
            found.append((gamma, basis * np.sqrt(along)))
        return found

    def _learned(self, pairs: WeightedPairs) -> Array:  # (p,) or (p, p)
        """Return the metric of eq. 4 for these pairs."""
        if self.metric == "full":
            return full_metric(pairs, self._ridge(pairs), self.rank)
        return self._weights(pairs)

    def _weights(self, pairs: WeightedPairs, extra: Array | float = 0.0) -> Array:  # (p,)
        if self.objective == "features":
            return feature_metric(pairs, extra)
        return diagonal_metric(pairs, self._ridge(pairs), extra)

    @property
    def _is_diagonal(self) -> bool:
        return self.metric == "diagonal"

    def _ridge(self, pairs: WeightedPairs) -> float:
        return self.ridge / float(np.sqrt(max(pairs.certainty, 1.0)))

    def _share(self, X: Array, links: LinkedGroups) -> float:
        """Return how much of the metric is to be the learned one, by answers held out."""
        if not self.held_out:
            return 1.0
        rng = np.random.default_rng(seed_from(self.random_state))

        def learn(fewer: LinkedGroups) -> Array:
            pairs = WeightedPairs.of(
                X, fewer, [], self.prior, rng, diagonal=self._is_diagonal, most_pairs=_TRIAL_PAIRS
            )
            return self._learned(pairs)

        return chosen_share(X, links, learn, rng)

    def _blended(
        self, X: Array, pairs: WeightedPairs, candidates: list[tuple[float, Array]]
    ) -> list[tuple[float, Array]]:
        """Return the candidates with as much of the plain metric in them as was chosen."""
        share = self.learned_share_
        if share == 1:
            return candidates
        full = self.metric == "full"
        variance = np.cov(X.T, bias=True).reshape(X.shape[1], -1) if full else X.var(axis=0)
        similar = pairs.similar if full else pairs.costs
        found = []
        if share == 0:
            plain = scaled_metric(np.eye(X.shape[1]) if full else np.ones(X.shape[1]), similar)
            return [(0.0, root_of(plain))]
        for gamma, root in candidates:
            metric = blended(root @ root.T if full else root**2, variance, share)
            found.append((gamma, root_of(scaled_metric(metric, similar))))
        return found

    def _clusters(
        self, X: Array, links: LinkedGroups, candidates: list[tuple[float, Array]]
    ) -> Labels:
        """Keep the metric whose clusters are the most compact, all seen in the first metric."""
        best, chosen = -np.inf, candidates[0][1]
        centred = X - X.mean(axis=0)
        space = _mapped(centred, candidates[0][1])
        for gamma, root in candidates:
            labels = self._grouped(_mapped(centred, root), links)
            score = compactness(space, labels) if len(candidates) > 1 else 0.0
            if score > best:
                best, chosen, kept = score, root, labels
                self.selective_penalty_ = gamma
        self._points = _mapped(X, chosen)
        self.metric_ = np.diag(chosen**2) if chosen.ndim == 1 else chosen @ chosen.T
        weights = np.diag(self.metric_)
        self.feature_weights_ = weights / max(float(weights.sum()), 1e-300)
        return kept

    def _grouped(self, points: Array, links: LinkedGroups) -> Labels:
        """Cluster points among which distances are those of the metric."""
        seed = seed_from(self.random_state)
        if self.cluster == "spectral":
            must = [(a, b) for members in links.members for a, b in pairwise(members.tolist())]
            first = np.array([members[0] for members in links.members], dtype=np.int64)
            model = SpectralLearning(n_clusters=self.n_clusters, random_state=seed)
            return model.fit(points, must_link=must, cannot_link=first[links.differing]).labels_
        found = lowest_descent(points, links, self.n_clusters, random_state=seed)
        return labels_respecting_links(found.labels, links)

    def _check_parameters(self, n_features: int) -> None:
        check_at_least_one(n_starts=self.n_starts)
        if self.cluster not in ("pckmeans", "spectral"):
            raise MethodError(f"cluster must be 'pckmeans' or 'spectral', not {self.cluster!r}")
        if self.objective not in ("distances", "features"):
            raise MethodError(
                f"objective must be 'distances' or 'features', not {self.objective!r}"
            )
        if self.objective == "features" and self.metric == "full":
            raise MethodError("objective='features' is for diagonal metrics: set metric='diagonal'")
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
