"""Flexible constrained spectral clustering: the cheapest cut that agrees enough with the links."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils.validation import validate_data

from likewise.affinities.base import Affinity, Links
from likewise.affinities.resolve import depends_on_links, resolve_affinity
from likewise.clusterers.base import check_n_clusters
from likewise.clusterers.links import Labels, LinkedGroups, answers_win, checked_links, pair_keys
from likewise.clusterers.spectral._constrained_cut import Cuts, agreements
from likewise.clusterers.spectral.eigenvectors import LinkedGraph, laplacian_spectrum
from likewise.errors import MethodError
from likewise.items import Matrix

_HALVINGS = 6  # of the agreement asked for, when no cut agrees that much


class FlexibleSpectral(ClusterMixin, BaseEstimator):  # type: ignore[misc]
    """Two groups by a cut that agrees with must- and cannot-links (Wang and Davidson 2010).

    Minimises vᵀLv over cuts v with vᵀQv ≥ β, where Q holds 1 for must- and -1 for cannot-links:
    unlike spectral learning it does not touch the graph, but asks for a level of agreement, the
    share `agreement` of the largest there is. Near 0 links hardly count, near 1 little else does.
    `closed` counts what follows from the links as links too. The labels contradict no link.

    Only two groups can be told apart by the sign of one vector; `n_clusters` above 2 is refused.

    >>> X = [[0.0], [0.1], [0.2], [5.0], [5.1], [5.2]]
    >>> model = FlexibleSpectral().fit(X, must_link=[(2, 3)], cannot_link=[(0, 5)])
    >>> bool(model.labels_[2] == model.labels_[3] and model.labels_[0] != model.labels_[5])
    True
    """

    labels_: Labels
    n_clusters_: int
    cut_: npt.NDArray[np.float64]  # (n,): u = D^-½ v, about ±1; its sign is the group
    relations_: LinkedGraph  # Q
    agreement_: float  # vᵀQv of the cut, 0 without links
    wanted_: float  # β, the agreement that was asked for in the end
    affinity_matrix_: Matrix  # (n, n)
    _source: Any  # the very X of the last fit, by which another fit recognises the same items
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

    def fit(
        self,
        X: Any,
        y: Any = None,
        *,
        must_link: Links = None,
        cannot_link: Links = None,
        start: FlexibleSpectral | None = None,
    ) -> Self:
        """Cut the rows of X in two, or those of an affinity when `affinity="precomputed"`."""
        source = X
        X = validate_data(self, X, accept_sparse="csr", ensure_min_samples=2, dtype=np.float64)
        n = X.shape[0]
        check_n_clusters(self.n_clusters, n)
        if self.n_clusters > 2:
            raise MethodError(
                f"a cut makes two groups, not {self.n_clusters}; use SpectralLearning or E2CP"
            )
        if not 0 < self.agreement < 1:
            raise MethodError(f"agreement must be between 0 and 1 but got {self.agreement}")
        links = LinkedGroups.of(n, must_link, cannot_link)
        known = start is not None and start._source is source
        if start is not None and known and not depends_on_links(self.affinity):
            self._cuts, self.affinity_matrix_ = start._cuts, start.affinity_matrix_
        else:
            self.affinity_matrix_ = resolve_affinity(
                self.affinity, X, must_link=must_link, cannot_link=cannot_link
            )
            self._cuts = Cuts(self.affinity_matrix_)
        self._source = source
        self.relations_ = _relations(n, links, must_link, cannot_link, closed=self.closed)
        cut = self._best_cut() if links.n_groups else None
        if cut is None:
            cut, self.wanted_, self.agreement_ = self._plain_cut(), 0.0, 0.0
        cut = cut * self._cuts.scale
        self.cut_ = cut * (1.0 if cut[np.abs(cut).argmax()] > 0 else -1.0)
        labels = (self.cut_ <= 0).astype(np.int64) if self.n_clusters == 2 else np.zeros(n, int)
        self.labels_ = answers_win(labels, links)
        self.n_clusters_ = int(self.labels_.max()) + 1
        return self

    def _best_cut(self) -> npt.NDArray[np.float64] | None:
        """The cheapest that agrees as much as is asked, or half as much, or a quarter, ..."""
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
        """The second eigenvector of the Laplacian, scaled like the others."""
        none = LinkedGroups.of(len(self._cuts.scale), None, None)
        graph = LinkedGraph.of(self.affinity_matrix_, none, together=1.0, apart=0.0)
        vector = laplacian_spectrum(graph, 2, normalisation="symmetric").vectors[:, 1]
        return np.asarray(vector * np.sqrt(self._cuts.volume))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.pairwise = self.affinity == "precomputed"
        return tags


def _relations(
    n: int, links: LinkedGroups, must_link: Links, cannot_link: Links, *, closed: bool
) -> LinkedGraph:
    """Q: 1 for items that belong together, -1 for those that do not, 0 elsewhere."""
    nothing = sp.csr_matrix((n, n))
    if closed:
        return LinkedGraph.of(nothing, links, together=1.0, apart=-1.0)
    must = checked_links(must_link, n, "must_link")
    cannot = checked_links(cannot_link, n, "cannot_link")
    values = np.repeat([1.0, -1.0], [len(must), len(cannot)])
    given = np.sort(np.concatenate([must, cannot]), axis=1)
    once = np.unique(pair_keys(given, n), return_index=True)[1]  # said twice counts once
    half = sp.csr_matrix((values[once], tuple(given[once].T)), shape=(n, n))
    unlinked = LinkedGroups.of(n, None, None)
    return LinkedGraph.of(sp.csr_matrix(half + half.T), unlinked, together=1.0, apart=-1.0)
