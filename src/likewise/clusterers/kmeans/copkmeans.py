"""COP-k-means: k-means that violates no link."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from likewise._seeds import seed_from
from likewise.clusterers.base import FitContext, LinkedClusterer, check_at_least_one
from likewise.clusterers.kmeans._colouring import assign, assign_with_fewest_violations
from likewise.clusterers.kmeans._constant_link_costs import ConstantLinkCosts
from likewise.clusterers.kmeans._icm import fill_empty
from likewise.clusterers.kmeans.centres import (
    Points,
    centres_of,
    complete_centres,
    differing_groups,
    means,
    square_distances,
    sums_by,
)
from likewise.clusterers.kmeans.nearest_centre import NearestCentre
from likewise.clusterers.kmeans.pckmeans import first_centres, group_spread
from likewise.clusterers.links import Labels, LinkedGroups
from likewise.errors import DataError, MethodError


class COPKMeans(NearestCentre, LinkedClusterer):
    """Constrained k-means: k-means that violates no link.

    Must-linked items move as one, and every such group goes to the nearest cluster that holds no
    group it differs from. The published algorithm visits items in a fixed order, takes nothing back
    and so often fails where a solution exists. Here those with fewest clusters left come first and
    a dead end is left again (`assign`): links that are true of some grouping are kept, unless they
    are nothing but very many cannot-links, just enough to make colouring hard.

    Parameters
    ----------
    n_clusters : int, default=2
        How many clusters to find.
    on_failure : {"soft", "raise"}, default="soft"
        What to do where the links cannot be kept in `n_clusters` clusters, or no way to keep them
        is found: "soft" violates as few links as it can, after which `answers_win` opens more
        clusters for those that are left; "raise" raises a `DataError` that names the items if a
        reason is known.
    answers_win : bool, default=True
        Whether the labels give way to the links in the end.
    max_iter : int, default=100
        The most rounds of one run.
    n_init : int, default=3
        How many starts are tried, as in `PCKMeans`.
    n_restarts : int, default=10
        How many more starts are tried where all of these fail.
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
    inertia_ : float
        Σ ‖xᵢ − μ‖², before any label gave way to a link.
    n_iter_ : int
        Rounds of the best run.
    n_violated_ : int
        Violated pairs of the closed links, before any label gave way to a link.

    References
    ----------
    Wagstaff, Cardie, Rogers and Schroedl: Constrained k-means clustering with background knowledge,
    2001, table 1.

    Examples
    --------
    >>> X = np.array([[0.0], [1.0], [10.0], [11.0]])
    >>> COPKMeans(n_clusters=2).fit(X, cannot_link=[(0, 1)]).n_violated_
    0
    """

    cluster_centers_: Points  # (n_clusters_, d)
    inertia_: float  # Σ ‖xᵢ − μ‖², before any answer has won
    n_iter_: int
    n_violated_: int  # pairs of the closed links, before any answer has won

    def __init__(
        self,
        *,
        n_clusters: int = 2,
        on_failure: str = "soft",
        answers_win: bool = True,
        max_iter: int = 100,
        n_init: int = 3,
        n_restarts: int = 10,
        random_state: int = 0,
    ) -> None:
        self.n_clusters = n_clusters
        self.on_failure = on_failure
        self.answers_win = answers_win
        self.max_iter = max_iter
        self.n_init = n_init
        self.n_restarts = n_restarts
        self.random_state = random_state

    def _fit_linked(self, X: Any, links: LinkedGroups, context: FitContext) -> Labels:
        feasible = self._may_be_feasible(links)
        origin = X.mean(axis=0)
        points = X - origin
        rng = np.random.default_rng(seed_from(self.random_state))
        starts = first_centres(points, self.n_clusters, links, self.n_init, rng)
        start = context.start
        if start is not None and len(start.cluster_centers_) <= self.n_clusters:
            earlier = list(start.cluster_centers_ - origin)
            starts.append(complete_centres(points, self.n_clusters, earlier, rng))
        results = []
        if feasible:
            runs = [_run(points, centres, links, self.max_iter) for centres in starts]
            results = [run for run in runs if run is not None]
            for _ in range(self.n_restarts if not results else 0):
                centres = complete_centres(points, self.n_clusters, [], rng)
                run = _run(points, centres, links, self.max_iter)
                if run is not None:
                    results.append(run)
                    break
        if not results:
            if self.on_failure == "raise":
                raise DataError(
                    f"no way to keep all links in {self.n_clusters} clusters was found; "
                    'give more clusters or use on_failure="soft"'
                )
            softly = [_run(points, c, links, self.max_iter, soft=True) for c in starts]
            results = [run for run in softly if run is not None]
        best = min(results, key=lambda run: (run.n_violated, run.inertia))
        self.inertia_, self.n_iter_, self.n_violated_ = best.inertia, best.n_iter, best.n_violated
        labels = self._without_contradictions(best.labels, links)
        self.cluster_centers_ = centres_of(X, labels)
        return labels

    def _check_parameters(self, n_features: int) -> None:
        check_at_least_one(max_iter=self.max_iter, n_init=self.n_init)
        if self.on_failure not in ("raise", "soft"):
            raise MethodError(f"on_failure must be 'raise' or 'soft' but got {self.on_failure!r}")

    def _may_be_feasible(self, links: LinkedGroups) -> bool:
        """Return whether fewer groups than clusters plus one are seen to differ pairwise."""
        clique = differing_groups(links, self.n_clusters + 1)
        if len(clique) <= self.n_clusters:
            return True
        if self.on_failure == "raise":
            named = ", ".join(str(links.members[group][0]) for group in sorted(clique))
            raise DataError(
                f"items {named} all differ from each other, which {self.n_clusters} clusters "
                'cannot show; give more clusters or use on_failure="soft"'
            )
        return False


class _Run(NamedTuple):
    labels: Labels
    n_violated: int
    inertia: float
    n_iter: int


def _run(
    points: Points, centres: Points, links: LinkedGroups, max_iter: int, soft: bool = False
) -> _Run | None:
    """Place and average as long as that makes the clusters tighter; None if placing fails."""
    found: _Run | None = None
    sizes = np.array([len(members) for members in links.members], dtype=np.int64)
    differ, spread = links.differ, group_spread(points, links)
    tied = np.flatnonzero(links.group >= 0)
    group = links.group[tied]
    for n_iter in range(1, max_iter + 1):
        cost = square_distances(points, centres)
        labels = cost.argmin(axis=1)
        if links.n_groups:
            shared = sums_by(group, cost[tied], links.n_groups)
            placed = (assign_with_fewest_violations if soft else assign)(shared, differ, sizes)
            if placed is None:
                return found
            labels[tied] = placed[group]
        n_violated = 0  # a whole group that fills an empty cluster violates no more
        if soft or len(np.unique(labels)) < len(centres):
            counted = ConstantLinkCosts(links, labels, len(centres), weight=1.0)
            fill_empty(cost, spread, counted)
            n_violated = round(counted.total())
        centres = means(points, labels, centres)
        inertia = float(((points - centres[labels]) ** 2).sum())
        run = _Run(labels, n_violated, inertia, n_iter)
        if found is not None and (run.n_violated, inertia) >= (found.n_violated, found.inertia):
            return found
        found = run
    return found
