"""E²CP: answers spread along the graph change all similarities before spectral clustering."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

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
from likewise.clusterers.spectral.propagation import DENSE, Propagated, propagate, signed_links
from likewise.errors import MethodError
from likewise.items import Matrix


class E2CP(AffinityClusterer):
    """Exhaustive and efficient constraint propagation, with links.

    Each link counts 1 or −1 for its pair and is propagated along the graph, first over the columns
    and then over the rows of the matrix of pairs, F* = (1−α)² (I − αS)⁻¹ Z (I − αS)⁻¹. The scores,
    cut off at ±1, change the similarities, W̃ = 1 − (1 − F*)(1 − W) where F* ≥ 0 and (1 + F*) W
    where not, and W̃ is clustered by its leading eigenvectors.

    Parameters
    ----------
    n_clusters : int, default=2
        How many clusters to find.
    alpha : float, default=0.8
        α, from 0 to below 1. At 0 nothing is propagated: W̃ is 1 for a must-linked and 0 for a
        cannot-linked pair. Near 1 links reach far but weakly.
    affinity : affinity, "precomputed" or None, default=None
        How alike items are: an affinity to be fitted, "precomputed" for X as the matrix itself, or
        None for the self-tuning neighbour graph.
    add_edges : int or None, default=None
        How many edges an item may gain, to the items of its largest positive scores; other pairs
        count only where the graph has an edge or a link. None is the paper's form, every pair, for
        up to 2000 items; above that it adds none, and time and memory grow with edges times linked
        items.
    answers_win : bool, default=True
        Whether linked groups stay together in k-means and the labels contradict no link; such links
        must not contradict each other. Otherwise links count through W̃ alone, as in the paper, and
        pairs with contradictory links by the mean of their votes.
    random_state : int, default=0
        The seed; equal seeds give equal results.

    Attributes
    ----------
    labels_ : ndarray of shape (n,)
        The cluster of each item, 0 to `n_clusters_` - 1.
    n_clusters_ : int
        How many clusters there are; more than `n_clusters` where links demand it.
    propagated_ : ndarray or sparse matrix of shape (n, n)
        F* cut off at ±1; sparse where it was not computed for all pairs.
    affinity_matrix_ : ndarray or sparse matrix of shape (n, n)
        W̃.
    eigenvalues_ : ndarray of shape (n_clusters,)
        The smallest eigenvalues of the Laplacian of W̃, ascending.
    eigenvectors_ : ndarray of shape (n, n_clusters)
        Their eigenvectors, as columns.
    embedding_ : ndarray of shape (n, n_clusters)
        The rows of the eigenvectors at length one.

    References
    ----------
    Lu and Ip: Constrained spectral clustering via exhaustive and efficient constraint propagation,
    2010.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0], [0.1], [0.2], [5.0], [5.1], [5.2]])
    >>> model = E2CP(n_clusters=2).fit(X, cannot_link=[(0, 5)])
    >>> bool(model.propagated_[1, 4] < 0)  # no link says anything about these two
    True
    """

    propagated_: Matrix  # (n, n) F* cut off at ±1; sparse where it was not computed for all pairs
    affinity_matrix_: Matrix  # (n, n) W̃
    eigenvalues_: npt.NDArray[np.float64]  # (n_clusters,), ascending
    eigenvectors_: Block  # (n, n_clusters)
    embedding_: npt.NDArray[np.float64]  # (n, n_clusters)
    _graph: Matrix  # W

    def __init__(
        self,
        *,
        n_clusters: int = 2,
        alpha: float = 0.8,
        affinity: Affinity | str | None = None,
        add_edges: int | None = None,
        answers_win: bool = True,
        random_state: int = 0,
    ) -> None:
        self.n_clusters = n_clusters
        self.alpha = alpha
        self.affinity = affinity
        self.add_edges = add_edges
        self.answers_win = answers_win
        self.random_state = random_state

    def _fit_linked(self, X: Any, links: LinkedGroups, context: FitContext) -> Labels:
        n = X.shape[0]
        start, same = context.start, self._with_same_affinity(context)
        if same is not None:
            self._graph = same._graph
        else:
            graph = self._affinity_matrix(X, context)
            self._graph = graph / max(float(graph.max()), 1.0)  # W̃ is made for W in [0, 1]
        self._propagate(signed_links(n, context.must_link, context.cannot_link))
        eigenpairs = laplacian_eigenpairs(
            LinkedGraph.unlinked(self.affinity_matrix_),
            self.n_clusters,
            normalisation="symmetric",
            start=Eigenpairs(start.eigenvalues_, start.eigenvectors_)
            if start is not None
            else None,
        )
        self.eigenvalues_, self.eigenvectors_ = eigenpairs.values, eigenpairs.vectors
        self.embedding_ = unit_rows(eigenpairs.vectors)
        rng = np.random.default_rng(seed_from(self.random_state))
        earlier = start.labels_ if start is not None else None
        return seeded_kmeans(self.embedding_, self.n_clusters, links, rng, earlier)

    @property
    def _closes_links(self) -> bool:
        return self.answers_win

    def _check_parameters(self, n_features: int) -> None:
        if not 0 <= self.alpha < 1:
            raise MethodError(f"alpha must be at least 0 and below 1 but got {self.alpha}")
        if self.add_edges is not None and self.add_edges < 0:
            raise MethodError(f"add_edges must be at least 0 or None but got {self.add_edges}")

    def _propagate(self, answers: sp.csr_matrix) -> None:
        """Set `propagated_` and `affinity_matrix_`."""
        scores = propagate(self._graph, answers, self.alpha)
        n = answers.shape[0]
        if self.add_edges is None and (n <= DENSE or not sp.issparse(self._graph)):
            graph = self._graph.toarray() if sp.issparse(self._graph) else self._graph
            self.propagated_ = np.clip(scores.dense(), -1.0, 1.0)
            self.affinity_matrix_ = adjusted(graph, self.propagated_)
            np.fill_diagonal(self.affinity_matrix_, 0.0)
            return
        graph = sp.csr_matrix(self._graph)
        pattern = sp.triu(_largest(scores, graph, self.add_edges or 0) + graph + abs(answers), 1)
        i, j = pattern.nonzero()
        cut = np.clip(scores.at(i, j), -1.0, 1.0)
        self.propagated_ = _symmetric(cut, i, j, n)
        self.affinity_matrix_ = _symmetric(adjusted(np.asarray(graph[i, j]).ravel(), cut), i, j, n)


def adjusted(
    similarity: npt.NDArray[np.float64], score: npt.NDArray[np.float64]
) -> npt.NDArray[np.float64]:
    """Compute W̃ from W in [0, 1] and F* in [−1, 1], entry by entry.

    >>> adjusted(np.array([0.5, 0.5, 0.5]), np.array([1.0, 0.0, -0.5]))
    array([1.  , 0.5 , 0.25])
    """
    # 1 − (1 − F*)(1 − W), in a form that leaves W bit for bit as it is where F* is 0.
    raised = similarity + score * (1.0 - similarity)
    return np.where(score >= 0, raised, (1.0 + score) * similarity)


def _largest(scores: Propagated, graph: sp.csr_matrix, count: int) -> sp.csr_matrix:
    """Mark every item's `count` largest positive scores where the graph has no edge yet.

    Of equal scores at the end of the list all are taken, so that the order of items is no matter.
    """
    if count == 0:
        return sp.csr_matrix(graph.shape)
    found = []
    last = min(count, graph.shape[0]) - 1
    for first, block in scores.rows():
        own = graph[first : first + len(block)]
        block[own.nonzero()] = 0.0
        block[np.arange(len(block)), first + np.arange(len(block))] = 0.0
        least = -np.partition(-block, last)[:, [last]]
        found.append(sp.csr_matrix((block > 0) & (block >= least), dtype=np.float64))
    half = sp.vstack(found, format="csr")
    return half + half.T


def _symmetric(
    values: npt.NDArray[np.float64],
    i: npt.NDArray[np.int64],
    j: npt.NDArray[np.int64],
    n: int,
) -> sp.csr_matrix:
    half = sp.csr_matrix((values, (i, j)), (n, n))
    return half + half.T
