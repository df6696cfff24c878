"""Flexible constrained spectral clustering: the cheapest cut that agrees enough with the links."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from likewise.affinities.base import Affinity
from likewise.clusterers.base import AffinityClusterer, FitContext
from likewise.clusterers.links import (
    Labels,
    LinkedGroups,
    pair_keys,
)
from likewise.clusterers.spectral._constrained_cut import Cuts, agreements
from likewise.clusterers.spectral.eigenvectors import LinkedGraph, laplacian_eigenpairs
from likewise.errors import MethodError
from likewise.items import Matrix

_HALVINGS = 6  # of the agreement asked for, when no cut agrees that much


class FlexibleSpectral(AffinityClusterer):
    """Two groups by a cut that agrees with must- and cannot-links.

    Minimises vᵀLv over cuts v with vᵀQv ≥ β, where Q holds 1 for must- and -1 for cannot-links:
    unlike spectral learning it does not change the graph, but asks for a level of agreement. Only
    two groups can be told apart by the sign of one vector.

    Parameters
    ----------
    n_clusters : int, default=2
        1 or 2; more is refused.
    affinity : affinity, "precomputed" or None, default=None
        How alike items are: an affinity to be fitted, "precomputed" for X as the matrix itself, or
        None for the self-tuning neighbour graph.
    agreement : float, default=0.5
        β as a share of the largest agreement there is, between 0 and 1. Near 0 links hardly count,
        near 1 little else does. Where no cut agrees that much, the share is halved, up to six
        times.
    closed : bool, default=False
        Whether what follows from the links by transitivity counts as links too.
    random_state : int, default=0
        The seed; equal seeds give equal results.

    Attributes
    ----------
    labels_ : ndarray of shape (n,)
        The cluster of each item, 0 to `n_clusters_` - 1.
    n_clusters_ : int
        How many clusters there are; more than `n_clusters` where links demand it.
    cut_ : ndarray of shape (n,)
        u = D^-½ v, about ±1; its sign is the group.
    relations_ : LinkedGraph
        Q.
    agreement_ : float
        vᵀQv of the cut, 0 without links.
    wanted_ : float
        β, the agreement that was asked for in the end.
    affinity_matrix_ : ndarray or sparse matrix of shape (n, n)
        The similarities; no link changes them.

    References
    ----------
    Wang and Davidson: Flexible constrained spectral clustering, 2010.

    Examples
    --------
    >>> X = [[0.0], [0.1], [0.2], [5.0], [5.1], [5.2]]
    >>> model = FlexibleSpectral().fit(X, must_link=[(2, 3)], cannot_link=[(0, 5)])
    >>> bool(model.labels_[2] == model.labels_[3] and model.labels_[0] != model.labels_[5])
    True
    """

    cut_: npt.NDArray[np.float64]  # (n,): u = D^-½ v, about ±1; its sign is the group
    relations_: LinkedGraph  # Q
    agreement_: float  # vᵀQv of the cut, 0 without links
    wanted_: float  # β, the agreement that was asked for in the end
    affinity_matrix_: Matrix  # (n, n)
    _cuts: Cuts

    def __init__(
        self,
        *,
        n_clusters: int = 2,
        affinity: Affinity | str | None = None,
        agreement: float = 0.5,
        closed: bool = False,
        random_state: int = 0,
    ) -> None:
        self.n_clusters = n_clusters
        self.affinity = affinity
        self.agreement = agreement
        self.closed = closed
        self.random_state = random_state

    def _fit_linked(self, X: Any, links: LinkedGroups, context: FitContext) -> Labels:
        n = X.shape[0]
        same = self._with_same_affinity(context)
        if same is not None:
            self._cuts, self.affinity_matrix_ = same._cuts, same.affinity_matrix_
        else:
            self.affinity_matrix_ = self._affinity_matrix(X, context)
            self._cuts = Cuts(self.affinity_matrix_)
        self.relations_ = self._relations(n, links, context)
        cut = self._best_cut() if links.n_groups else None
        if cut is None:
            cut, self.wanted_, self.agreement_ = self._plain_cut(), 0.0, 0.0
        cut = cut * self._cuts.scale
        self.cut_ = cut * (1.0 if cut[np.abs(cut).argmax()] > 0 else -1.0)
        return (self.cut_ <= 0).astype(np.int64) if self.n_clusters == 2 else np.zeros(n, np.int64)

    def _check_parameters(self, n_features: int) -> None:
        if self.n_clusters > 2:
            raise MethodError(
                f"a cut makes two groups, not {self.n_clusters}; use SpectralLearning or E2CP"
            )
        if not 0 < self.agreement < 1:
            raise MethodError(f"agreement must be between 0 and 1 but got {self.agreement}")

    def _relations(self, n: int, links: LinkedGroups, context: FitContext) -> LinkedGraph:
        """Return Q: 1 for items that belong together, -1 for those that do not, 0 elsewhere."""
        if self.closed:
            return LinkedGraph.of(sp.csr_matrix((n, n)), links, cannot_link_value=-1.0)
        must, cannot = context.must_link, context.cannot_link
        values = np.repeat([1.0, -1.0], [len(must), len(cannot)])
        given = np.sort(np.concatenate([must, cannot]), axis=1)
        once = np.unique(pair_keys(given, n), return_index=True)[1]  # a repeated link counts once
        half = sp.csr_matrix((values[once], tuple(given[once].T)), shape=(n, n))
        return LinkedGraph.unlinked(sp.csr_matrix(half + half.T))

    def _best_cut(self) -> npt.NDArray[np.float64] | None:
        """Return the cheapest cut that agrees as much as is asked, or half as much, ..."""
        cuts, normal = self._cuts, self.relations_.scaled(self._cuts.scale)
        possible = agreements(normal)
        c = self.agreement * float(possible[-1])
        for _ in range(_HALVINGS):
            found = cuts.agreeing(normal, c, possible)
            if found.shape[1]:
                best = found[:, cuts.cost(found).argmin()]
                self.wanted_, self.agreement_ = c * cuts.volume, float(best @ normal.times(best))
                return np.asarray(best)
            c /= 2
        return None

    def _plain_cut(self) -> npt.NDArray[np.float64]:
        """Return the second eigenvector of the Laplacian, scaled like the others."""
        graph = LinkedGraph.unlinked(self.affinity_matrix_)
        vector = laplacian_eigenpairs(graph, 2, normalisation="symmetric").vectors[:, 1]
        return np.asarray(vector * np.sqrt(self._cuts.volume))
