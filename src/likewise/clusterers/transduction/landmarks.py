"""Clustering and transduction on a graph that joins items to a few landmarks and to nobody else."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import scipy.sparse as sp
from sklearn.metrics.pairwise import euclidean_distances

from likewise._seeds import seed_from
from likewise.affinities.base import Affinity
from likewise.clusterers.base import FitContext, check_at_least_one
from likewise.clusterers.representatives import kmeans_representatives
from likewise.clusterers.transduction.transducer import (
    Basis,
    Floats,
    SpectralGraphTransducer,
    without_trivial,
)
from likewise.items import Matrix

_BLOCK = 2000  # items whose distances to all landmarks are held at a time


class LandmarkTransducer(SpectralGraphTransducer):
    """`SpectralGraphTransducer` on a graph of items and landmarks.

    k-means finds landmarks; every item is joined to the few nearest of them, and two items are as
    alike as a step from one to the other over a landmark is likely. Unlike representatives (`KASP`)
    landmarks stand for nobody: each item has a score of its own. The cost is that of k-means and of
    n × `n_nearest` numbers; links cost what they cost a `SpectralGraphTransducer`.

    Parameters
    ----------
    n_clusters : int, default=2
        How many clusters to find.
    n_landmarks : int, default=500
        How many landmarks there are; of fewer items every one is its own.
    n_nearest : int, default=3
        To how many landmarks an item is joined.
    n_vectors : int, default=80
        How many eigenvectors of the graph are computed.
    cost : float, default=1000.0
        How tightly labelled items are held to their class. At 0 the graph alone decides; large
        values hold them exactly.
    balanced : bool, default=True
        Whether the targets make up for classes of unequal size.
    length : float or None, default=None
        The length of the solution z. None is Joachims' choice, at which y has mean square one; 1.0
        is that of Bodó, Minier and Csató, to be used with `balanced=False`.
    spectrum : {"graph", "squares"}, default="graph"
        Which eigenvalues tell how smooth an eigenvector is: the graph's, or 1, 4, 9, ….
    random_state : int, default=0
        The seed; equal seeds give equal results.

    Attributes
    ----------
    labels_ : ndarray of shape (n,)
        The cluster of each item, 0 to `n_clusters_` - 1.
    n_clusters_ : int
        How many clusters there are; more than `n_clusters` where links demand it.
    scores_ : ndarray of shape (n, n_classes)
        How much an item belongs to each class, larger is likelier; columns are as labels were
        before they gave way to links.
    margin_ : ndarray of shape (n,)
        How far an item is from the boundary between its two likeliest classes, not negative.
    landmarks_ : ndarray of shape (m, d)
        The landmarks.
    weights_ : sparse matrix of shape (n, m)
        How likely a step from an item to a landmark is; rows sum to one.

    References
    ----------
    Liu, He and Chang: Large graph construction for scalable semi-supervised learning, 2010. Chen
    and Cai: Large scale spectral clustering with landmark-based representation, 2011.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.vstack([np.random.default_rng(0).normal(c, 1.0, (500, 2)) for c in (0, 20)])
    >>> model = LandmarkTransducer(n_landmarks=40).fit(X, cannot_link=[(0, 999)])
    >>> np.bincount(model.labels_).tolist(), model.landmarks_.shape
    ([500, 500], (40, 2))
    """

    affinity: ClassVar[Affinity | str | None] = None  # type: ignore[misc]
    laplacian: ClassVar[str] = "normalised"  # type: ignore[misc]

    landmarks_: Floats  # (m, d)
    weights_: sp.csr_matrix  # (n, m)

    def __init__(
        self,
        *,
        n_clusters: int = 2,
        n_landmarks: int = 500,
        n_nearest: int = 3,
        n_vectors: int = 80,
        cost: float = 1000.0,
        balanced: bool = True,
        length: float | None = None,
        spectrum: str = "graph",
        random_state: int = 0,
    ) -> None:
        self.n_clusters = n_clusters
        self.n_landmarks = n_landmarks
        self.n_nearest = n_nearest
        self.n_vectors = n_vectors
        self.cost = cost
        self.balanced = balanced
        self.length = length
        self.spectrum = spectrum
        self.random_state = random_state

    def _reuse(self, start: Any) -> None:
        self.landmarks_, self.weights_ = start.landmarks_, start.weights_
        self._basis = start._basis

    def _compute_basis(self, X: Matrix, context: FitContext) -> None:
        rng = np.random.default_rng(seed_from(self.random_state))
        self.landmarks_ = kmeans_representatives(X, max(self.n_landmarks, 2), rng).points
        self.weights_ = landmark_weights(X, self.landmarks_, self.n_nearest)
        self._basis = landmark_basis(self.weights_, max(self.n_vectors, self.n_clusters))

    def _check_parameters(self, n_features: int) -> None:
        super()._check_parameters(n_features)
        check_at_least_one(n_landmarks=self.n_landmarks, n_nearest=self.n_nearest)

    def _basis_settings(self) -> tuple[Any, ...]:
        return (self.n_landmarks, self.n_nearest, self.n_vectors, self.random_state)


def landmark_weights(X: Matrix, landmarks: Floats, n_nearest: int) -> sp.csr_matrix:  # (n, m)
    """Return how near each item is to its nearest landmarks, by a Gaussian; rows sum to one.

    The width is the mean distance to the farthest of them.
    """
    n, m = X.shape[0], len(landmarks)
    k = min(n_nearest, m)
    nearest, squares = np.empty((n, k), dtype=np.int64), np.empty((n, k))
    for start in range(0, n, _BLOCK):
        rows = slice(start, start + _BLOCK)
        away = euclidean_distances(X[rows], landmarks, squared=True)
        some = np.sort(np.argpartition(away, k - 1, axis=1)[:, :k], axis=1)
        near = np.take_along_axis(away, some, axis=1)
        order = np.argsort(near, axis=1, kind="stable")
        nearest[rows] = np.take_along_axis(some, order, axis=1)
        squares[rows] = np.take_along_axis(near, order, axis=1)
    width = float(squares[:, -1].mean()) or 1.0
    # As far beyond the nearest: an item far from all landmarks is joined to those it has.
    weight = np.exp(-(squares - squares[:, :1]) / width)
    weight /= weight.sum(axis=1, keepdims=True)
    return sp.csr_matrix((weight.ravel(), nearest.ravel(), np.arange(0, n * k + 1, k)), (n, m))


def landmark_basis(weights: sp.csr_matrix, n_vectors: int) -> Basis:
    """Return the smoothest functions on the graph W = Z Λ⁻¹ Zᵀ, Λ the sums of the columns of Z.

    Its degrees are all one, so that the eigenvectors of the Laplacian I - W are the left singular
    vectors of Z Λ^-½, found from a matrix of landmarks × landmarks.
    """
    n = weights.shape[0]
    total = np.asarray(weights.sum(axis=0)).ravel()
    used = total > 0
    factor = sp.csr_matrix(weights[:, used] @ sp.diags(1 / np.sqrt(total[used])))
    square, right = np.linalg.eigh((factor.T @ factor).toarray())
    order = np.argsort(-square)[: n_vectors + 1]
    order = order[square[order] > 1e-10]
    left = factor @ (right[:, order] / np.sqrt(square[order]))
    values, vectors = without_trivial(np.ones(n), 1 - square[order], np.asarray(left))
    return Basis(values, vectors, float(np.sqrt(n)))
