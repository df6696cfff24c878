"""PCK-means: k-means that pays for every link it violates."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from likewise._seeds import seed_from
from likewise.clusterers.base import FitContext, LinkedClusterer, check_at_least_one
from likewise.clusterers.kmeans._constant_link_costs import ConstantLinkCosts
from likewise.clusterers.kmeans._icm import LEAST_GAIN
from likewise.clusterers.kmeans._restarts import Descent, best_descent
from likewise.clusterers.kmeans.centres import (
    Points,
    centres_of,
    complete_centres,
    differing_groups,
    means,
)
from likewise.clusterers.kmeans.nearest_centre import NearestCentre
from likewise.clusterers.links import Labels, LinkedGroups
from likewise.errors import MethodError


class PCKMeans(NearestCentre, LinkedClusterer):
    """Pairwise constrained k-means: k-means that pays for every link it violates.

    Finds labels and centres of low J = ½ Σ ‖xᵢ − μ‖² + `weight` · (violated must-links + violated
    cannot-links), links closed under transitivity. Every step lowers J or leaves it.

    The first of `n_init` starts takes the means of the largest linked groups, the second those of
    groups known to differ; the rest of the centres and of the starts is drawn by k-means++; `start`
    adds one, the centres of another fit. The result of least J is kept, and descended from again as
    long as that lowers J (see `best_descent`). A cluster that runs empty is given what gains most
    by it; where that is impossible, `n_clusters_` is smaller than `n_clusters`.

    Parameters
    ----------
    n_clusters : int, default=2
        How many clusters to find.
    weight : float or None, default=None
        The price w of a violated link. None is the mean squared distance of the items from their
        mean, which means the same in any unit; 0 is plain k-means.
    answers_win : bool, default=True
        Whether the labels give way to the links in the end.
    max_iter : int, default=100
        The most rounds of one descent.
    n_init : int, default=3
        How many starts are tried.
    random_state : int, default=0
        The seed; equal seeds give equal results.

    Attributes
    ----------
    labels_ : ndarray of shape (n,)
        The cluster of each item, 0 to `n_clusters_` - 1.
    n_clusters_ : int
        How many clusters there are; more than `n_clusters` where links demand it.
    cluster_centers_ : ndarray of shape (n_clusters_, d)
        The mean of each cluster of `labels_`.
    objective_ : float
        J, before any label gave way to a link.
    n_iter_ : int
        Rounds of the best descent.

    References
    ----------
    Basu, Banerjee and Mooney: Active semi-supervision for pairwise constrained clustering, 2004.

    Examples
    --------
    >>> X = np.array([[0.0], [1.0], [10.0]])
    >>> for weight in (19.0, 21.0):
    ...     model = PCKMeans(n_clusters=2, weight=weight, answers_win=False)
    ...     labels = model.fit(X, must_link=[(1, 2)]).labels_
    ...     print(bool(labels[1] == labels[2]), model.objective_)
    False 19.25
    True 20.25
    """

    cluster_centers_: Points  # (n_clusters_, d)
    objective_: float
    n_iter_: int

    def __init__(
        self,
        *,
        n_clusters: int = 2,
        weight: float | None = None,
        answers_win: bool = True,
        max_iter: int = 100,
        n_init: int = 3,
        random_state: int = 0,
    ) -> None:
        self.n_clusters = n_clusters
        self.weight = weight
        self.answers_win = answers_win
        self.max_iter = max_iter
        self.n_init = n_init
        self.random_state = random_state

    def _fit_linked(self, X: Any, links: LinkedGroups, context: FitContext) -> Labels:
        # Distances are differences of squares: least is lost when they are small.
        origin = X.mean(axis=0)
        earlier, start = None, context.start
        if start is not None and len(start.cluster_centers_) <= self.n_clusters:
            earlier = start.cluster_centers_ - origin
        best = lowest_descent(
            X - origin, links, self.n_clusters,
            weight=self.weight, max_iter=self.max_iter, n_init=self.n_init,
            random_state=seed_from(self.random_state), earlier=earlier,
        )  # fmt: skip
        self.objective_, self.n_iter_ = best.objective, best.n_iter
        labels = self._without_contradictions(best.labels, links)
        self.cluster_centers_ = centres_of(X, labels)
        return labels

    def _check_parameters(self, n_features: int) -> None:
        check_at_least_one(max_iter=self.max_iter, n_init=self.n_init)


def lowest_descent(
    points: Points,  # with mean 0
    links: LinkedGroups,
    n_clusters: int,
    *,
    weight: float | None = None,
    max_iter: int = 100,
    n_init: int = 3,
    random_state: int = 0,
    earlier: Points | None = None,
) -> Descent[Points]:
    """Return what `PCKMeans.fit` does once it knows what follows from the links.

    `earlier` are the centres of another fit.
    """
    rng = np.random.default_rng(random_state)
    starts = first_centres(points, n_clusters, links, n_init, rng)
    if earlier is not None:
        starts.append(complete_centres(points, n_clusters, list(earlier), rng))
    price, spread = link_weight(points, weight), group_spread(points, links)
    return best_descent(
        lambda centres: descend(points, centres, links, spread, price, max_iter), starts
    )


def descend(
    points: Points,
    centres: Points,
    links: LinkedGroups,
    spread: npt.NDArray[np.float64],  # of the groups, see `group_spread`
    weight: float,
    max_iter: int,
) -> Descent[Points]:
    """Move items and average until nothing moves, or nothing is gained by it.

    Among equal items one may move out of a cluster, and another be sent to fill it, for ever.
    """
    from likewise.clusterers.kmeans import _pckmeans_kernels as kernels

    centres = np.array(centres)  # to be changed
    differ = links.differ
    labels, objective, n_iter = kernels.descend(
        points, np.ascontiguousarray(points.T), centres, links.group, *links.by_group,
        differ.indptr, differ.indices, spread / 2, weight, LEAST_GAIN, max_iter,
    )  # fmt: skip
    return Descent(labels, centres, objective, n_iter)


def first_centres(
    points: Points, n_clusters: int, links: LinkedGroups, n_init: int, rng: np.random.Generator
) -> list[Points]:
    """Return `n_init` starts: the largest linked groups, groups that differ, and k-means++."""
    members = links.members
    sizes = np.array([len(items) for items in members])
    largest = np.argsort(-sizes, kind="stable")[:n_clusters].tolist() if members else []
    chosen = [largest, differing_groups(links, n_clusters)][:n_init]
    chosen += [[] for _ in range(n_init - len(chosen))]
    return [
        complete_centres(points, n_clusters, [points[members[g]].mean(axis=0) for g in some], rng)
        for some in chosen
    ]


def pckmeans_objective(X: Points, labels: Labels, links: LinkedGroups, weight: float) -> float:
    """Compute J of any labelling, with the means of its clusters as centres.

    >>> links = LinkedGroups.of(3, [(1, 2)], None)
    >>> pckmeans_objective(np.array([[0.0], [1.0], [10.0]]), np.array([0, 0, 1]), links, 20.0)
    20.25
    """
    labels = labels.copy()
    n_clusters = int(labels.max()) + 1
    centres = means(X, labels, np.zeros((n_clusters, X.shape[1])))
    counted = ConstantLinkCosts(links, labels, n_clusters, weight)
    return _scatter(X, labels, centres) / 2 + counted.total()


def group_spread(points: Points, links: LinkedGroups) -> npt.NDArray[np.float64]:  # (groups,)
    """Return the squared distances of the items of each group from their mean."""
    tied = np.flatnonzero(links.group >= 0)
    group, theirs = links.group[tied], points[tied]
    centres = means(theirs, group, np.zeros((links.n_groups, points.shape[1])))
    apart = ((theirs - centres[group]) ** 2).sum(axis=1)
    return np.bincount(group, apart, links.n_groups).astype(np.float64)


def _scatter(points: Points, labels: Labels, centres: Points) -> float:
    return float(((points - centres[labels]) ** 2).sum())


def link_weight(points: Points, weight: float | None) -> float:
    """Return the price of a violated link; None is the mean squared distance from the mean."""
    if weight is None:
        return float((points**2).sum(axis=1).mean())
    if not 0 <= weight < np.inf:
        raise MethodError(
            f"weight must be a number not below 0, or None, but got {weight}; "
            "for links that always hold leave answers_win on"
        )
    return float(weight)
