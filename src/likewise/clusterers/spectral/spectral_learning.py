"""Spectral learning: spectral clustering of a graph whose edges the answers have rewritten."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from likewise._seeds import seed_from
from likewise.affinities.base import Affinity
from likewise.clusterers.base import AffinityClusterer, FitContext
from likewise.clusterers.kmeans.seeded import seeded_kmeans
from likewise.clusterers.links import Labels, LinkedGroups
from likewise.clusterers.spectral.eigenvectors import (
    Block,
    Eigenpairs,
    LinkedGraph,
    laplacian_eigenpairs,
    unit_rows,
)
from likewise.items import Matrix


class SpectralLearning(AffinityClusterer):
    """Spectral clustering with must- and cannot-links.

    The similarity of a must-linked pair becomes 1, that of a cannot-linked pair
    `cannot_link_value`; links are closed under transitivity first. The rows of the leading
    eigenvectors are clustered by k-means in which linked groups stay together.

    The defaults are the form that keeps improving as links grow: a sparse self-tuning neighbour
    graph, cannot-links at 0, symmetric normalisation, rows of length one. The URASC paper's text
    (section 3.1) read literally is `cannot_link_value=-1, normalisation="none", unit_rows=False,
    affinity=Gaussian(n_neighbours=None)`; it collapses with many links.

    Parameters
    ----------
    n_clusters : int, default=2
        How many clusters to find.
    affinity : affinity, "precomputed" or None, default=None
        How alike items are: an affinity to be fitted, "precomputed" for X as the matrix itself, or
        None for the self-tuning neighbour graph.
    cannot_link_value : float, default=0.0
        The similarity of cannot-linked pairs; negative values push them apart.
    normalisation : {"symmetric", "additive", "none"}, default="symmetric"
        Which Laplacian is taken, see `laplacian_eigenpairs`.
    unit_rows : bool, default=True
        Whether the rows of the eigenvectors are scaled to length one.
    answers_win : bool, default=True
        Whether the labels give way to the links in the end; otherwise they are as the embedding has
        them.
    n_extra : int, default=0
        How many eigenvectors beyond `n_clusters` are computed, for strategies that differentiate
        eigenvectors; they do not change the labels.
    random_state : int, default=0
        The seed; equal seeds give equal results.

    Attributes
    ----------
    labels_ : ndarray of shape (n,)
        The cluster of each item, 0 to `n_clusters_` - 1.
    n_clusters_ : int
        How many clusters there are; more than `n_clusters` where links demand it.
    eigenvalues_ : ndarray of shape (n_clusters + n_extra,)
        The smallest eigenvalues of the Laplacian, ascending.
    eigenvectors_ : ndarray of shape (n, n_clusters + n_extra)
        Their eigenvectors, as columns.
    degrees_ : ndarray of shape (n,)
        The sum of each item's similarities, links included: the diagonal of D.
    embedding_ : ndarray of shape (n, n_clusters)
        What k-means clusters.
    affinity_matrix_ : ndarray or sparse matrix of shape (n, n)
        The similarities, before any link.

    References
    ----------
    Kamvar, Klein and Manning: Spectral learning, 2003. Xiong, Johnson and Corso: Active clustering
    with model-based uncertainty reduction, 2014, section 3.1 and, for `n_extra`, eq. 7.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0], [0.1], [0.2], [5.0], [5.1], [5.2]])
    >>> model = SpectralLearning(n_clusters=2).fit(X, must_link=[(2, 3)], cannot_link=[(0, 5)])
    >>> bool(model.labels_[2] == model.labels_[3] and model.labels_[0] != model.labels_[5])
    True
    """

    eigenvalues_: npt.NDArray[np.float64]  # (n_clusters + n_extra,), ascending
    eigenvectors_: Block  # (n, n_clusters + n_extra)
    degrees_: npt.NDArray[np.float64]  # (n,)
    embedding_: npt.NDArray[np.float64]  # (n, n_clusters)
    affinity_matrix_: Matrix  # (n, n), before any link

    def __init__(
        self,
        *,
        n_clusters: int = 2,
        affinity: Affinity | str | None = None,
        cannot_link_value: float = 0.0,
        normalisation: str = "symmetric",
        unit_rows: bool = True,
        answers_win: bool = True,
        n_extra: int = 0,
        random_state: int = 0,
    ) -> None:
        self.n_clusters = n_clusters
        self.affinity = affinity
        self.cannot_link_value = cannot_link_value
        self.normalisation = normalisation
        self.unit_rows = unit_rows
        self.answers_win = answers_win
        self.n_extra = n_extra
        self.random_state = random_state

    def _fit_linked(self, X: Any, links: LinkedGroups, context: FitContext) -> Labels:
        start, same = context.start, self._with_same_affinity(context)
        self.affinity_matrix_ = (
            same.affinity_matrix_ if same is not None else self._affinity_matrix(X, context)
        )
        graph = LinkedGraph.of(
            self.affinity_matrix_, links, cannot_link_value=self.cannot_link_value
        )
        self.degrees_ = graph.degrees()
        eigenpairs = laplacian_eigenpairs(
            graph,
            self.n_clusters + self.n_extra,
            normalisation=self.normalisation,
            n_leading=self.n_clusters,
            start=Eigenpairs(start.eigenvalues_, start.eigenvectors_)
            if start is not None
            else None,
        )
        self.eigenvalues_, self.eigenvectors_ = eigenpairs.values, eigenpairs.vectors
        rows = eigenpairs.vectors[:, : self.n_clusters]
        self.embedding_ = unit_rows(rows) if self.unit_rows else rows
        rng = np.random.default_rng(seed_from(self.random_state))
        earlier = start.labels_ if start is not None else None
        return seeded_kmeans(self.embedding_, self.n_clusters, links, rng, earlier)
