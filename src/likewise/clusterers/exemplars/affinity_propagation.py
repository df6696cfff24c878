"""Affinity propagation with links: clusters around exemplars, found by passing messages."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from sklearn.cluster import affinity_propagation
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import pairwise_distances

from likewise._seeds import seed_from
from likewise.affinities.base import Affinity
from likewise.clusterers.base import AffinityClusterer, FitContext
from likewise.clusterers.exemplars._contracted import (
    ContractedSimilarities,
    assign_to_exemplars,
    drop_exemplars,
)
from likewise.clusterers.links import Labels, LinkedGroups
from likewise.clusterers.spectral.propagation import signed_links
from likewise.errors import DataError, MethodError

Floats = npt.NDArray[np.float64]

_MORE_DAMPING = 0.9  # where messages go on swinging
_ROUNDS = 400
# Exemplars count as found when they stay so many rounds. Damped messages change slowly, and at the
# beginning all items may look like exemplars for a while: with damping 0.5 these are 15 rounds.
_SETTLED = 7.5
_HALVINGS = 10  # of the range of preferences, in search of a number of clusters


class LinkedAffinityPropagation(AffinityClusterer):
    """Affinity propagation with must- and cannot-links.

    Every item is in the cluster of one exemplar, so that the sum of the similarities to exemplars
    and of a `preference` for each exemplar is large. All n² similarities are held in memory.

    Messages that do not settle are damped more; if nothing helps, a warning says so, and the labels
    are those of the last round, or one cluster if it had no exemplar.

    Parameters
    ----------
    n_clusters : int or None, default=None
        How many clusters to find: the preference is then searched by halving, and where it passes
        over the number, the exemplars that are least missed are dropped. None lets the preference
        decide.
    preference : float or None, default=None
        What an exemplar gains by being one; low values give few clusters. None is the median
        similarity. Not together with `n_clusters`.
    damping : float, default=0.5
        How much of the last message is kept, from 0.5 to below 1.
    affinity : affinity or {"euclidean", "precomputed"}, default="euclidean"
        The similarities: "euclidean" is −d², as in the paper; "precomputed" takes X as a square
        matrix of them, of any sign; an affinity is fitted.
    answers_win : bool, default=True
        Whether must-linked items are one node, represented by the member most similar to the
        others, and cannot-linked nodes are held apart; links must then not contradict each other.
        Otherwise links only change similarities, to the largest for must-linked and the smallest
        for cannot-linked pairs, as in the comparison of the COP-RF paper ("Eucl + Links").
    random_state : int, default=0
        The seed; equal seeds give equal results.

    Attributes
    ----------
    labels_ : ndarray of shape (n,)
        The cluster of each item, 0 to `n_clusters_` - 1.
    n_clusters_ : int
        How many clusters there are; more than `n_clusters` where links demand it.
    cluster_centers_indices_ : ndarray of shape (n_clusters_,)
        The positions of the exemplars.
    preference_ : float
        The preference that was used.
    converged_ : bool
        Whether the messages settled.

    References
    ----------
    Frey and Dueck: Clustering by passing messages between data points, 2007.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0], [1.0], [2.1], [10.0], [11.0], [12.1]])
    >>> LinkedAffinityPropagation().fit(X).cluster_centers_indices_
    array([1, 4])
    """

    finds_n_clusters = True

    n_clusters: int | None  # type: ignore[assignment]
    cluster_centers_indices_: npt.NDArray[np.int64]  # (n_clusters_,) positions of the exemplars
    preference_: float
    converged_: bool

    def __init__(
        self,
        *,
        n_clusters: int | None = None,
        preference: float | None = None,
        damping: float = 0.5,
        affinity: Affinity | str = "euclidean",
        answers_win: bool = True,
        random_state: int = 0,
    ) -> None:
        self.n_clusters = n_clusters
        self.preference = preference
        self.damping = damping
        self.affinity = affinity
        self.answers_win = answers_win
        self.random_state = random_state

    def _fit_linked(self, X: Any, links: LinkedGroups, context: FitContext) -> Labels:
        n = X.shape[0]
        similarity = self._similarity_of(X, context)
        others = similarity[~np.eye(n, dtype=bool)]
        self.preference_ = float(np.median(others) if self.preference is None else self.preference)
        if not self.answers_win:
            answers = signed_links(n, context.must_link, context.cannot_link).toarray()
            similarity = np.where(answers > 0, others.max(), similarity)
            similarity = np.where(answers < 0, others.min(), similarity)
        nodes = ContractedSimilarities.of(similarity, links)
        exemplars = self._exemplars(nodes)
        if not self.converged_:
            warnings.warn(
                "affinity propagation did not settle, and its clusters may be poor; "
                "give another preference, more damping or a number of clusters",
                ConvergenceWarning,
                stacklevel=3,
            )
        chosen = assign_to_exemplars(nodes.costs(self.preference_), exemplars, nodes.differ)
        exemplars, of_node = np.unique(chosen, return_inverse=True)
        centres = nodes.item[exemplars]
        order = np.argsort(centres, kind="stable")
        self.cluster_centers_indices_ = centres[order]
        return np.argsort(order)[of_node[nodes.node]].astype(np.int64)

    @property
    def _closes_links(self) -> bool:
        return self.answers_win

    def _check_parameters(self, n_features: int) -> None:
        if self.n_clusters is not None and self.preference is not None:
            raise MethodError("give n_clusters or preference, not both: one follows from the other")
        if not 0.5 <= self.damping < 1:
            raise MethodError(f"damping must be at least 0.5 and below 1 but got {self.damping}")

    def _similarity_of(self, X: Any, context: FitContext) -> Floats:
        if self.affinity == "euclidean":
            return np.asarray(-(pairwise_distances(X) ** 2))
        if self.affinity == "precomputed":
            if X.shape[0] != X.shape[1]:
                raise DataError(
                    f"a matrix of similarities must be square, but it has shape {X.shape}"
                )
            return np.array(X.todense() if sp.issparse(X) else X)
        found = self._affinity_matrix(X, context)
        return np.array(found.todense() if sp.issparse(found) else found)

    def _exemplars(self, nodes: ContractedSimilarities) -> npt.NDArray[np.int64]:
        """Return the nodes that are exemplars, for the preference or the number of clusters."""
        wanted = self.n_clusters
        if wanted is None:
            found, self.converged_ = self._messages(nodes.costs(self.preference_))
            return found
        # Preferences run from "every item" to "one cluster"; distances from the first are halved
        # by their logarithm, for most numbers of clusters lie close to it.
        top = float(nodes.similarity.max())
        spread = float(np.ptp(nodes.similarity)) or 1.0
        near, far = np.log(spread * 1e-4), np.log(spread * 2 * len(nodes.node))
        fewest, self.preference_, self.converged_ = np.arange(len(nodes.item)), top, True
        for _ in range(_HALVINGS):
            middle = (near + far) / 2
            preference = top - float(np.exp(middle))
            found, converged = self._messages(nodes.costs(preference))
            if wanted <= len(found) < len(fewest):
                fewest, self.preference_, self.converged_ = found, preference, converged
            if len(found) == wanted:
                break
            near, far = (middle, far) if len(found) > wanted else (near, middle)
        return drop_exemplars(nodes.costs(self.preference_), fewest, wanted)

    def _messages(self, similarity: Floats) -> tuple[npt.NDArray[np.int64], bool]:
        """Return exemplars by message passing, damped more if need be, and whether they settled."""
        for damping in sorted({self.damping, max(self.damping, _MORE_DAMPING)}):
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                exemplars, _ = affinity_propagation(
                    similarity,
                    preference=np.diag(similarity).copy(),
                    damping=damping,
                    max_iter=_ROUNDS,
                    convergence_iter=round(_SETTLED / (1 - damping)),
                    random_state=seed_from(self.random_state),
                )
            converged = not any(issubclass(w.category, ConvergenceWarning) for w in caught)
            if converged:
                break
        if not len(exemplars):
            exemplars = [int(similarity.sum(axis=0).argmax())]
        return np.asarray(exemplars, dtype=np.int64), converged
