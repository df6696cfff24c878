"""The spectral graph transducer: spectral clustering with some items told where to go."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.optimize import linear_sum_assignment

from likewise._seeds import seed_from
from likewise.affinities.base import Affinity
from likewise.clusterers.base import AffinityClusterer, FitContext, check_at_least_one
from likewise.clusterers.kmeans.centres import means, square_distances
from likewise.clusterers.kmeans.seeded import seeded_kmeans
from likewise.clusterers.links import Labels, LinkedGroups
from likewise.clusterers.spectral.eigenvectors import LinkedGraph, laplacian_eigenpairs, unit_rows
from likewise.clusterers.transduction._known_classes import known_classes
from likewise.clusterers.transduction._secular_equation import smallest_on_sphere
from likewise.errors import MethodError
from likewise.items import Matrix

Floats = npt.NDArray[np.float64]

_NORMALISATION = {"normalised": "symmetric", "ratio": "none"}


@dataclass(frozen=True)
class Basis:
    """The smoothest functions on a graph that tell items apart: all that does not need answers.

    `vectors` are the eigenvectors of the smallest eigenvalues of the Laplacian but the trivial one,
    as functions of the items, y = D^-½ z for the normalised Laplacian and y = z for the plain one.
    """

    values: Floats  # (d,), ascending
    vectors: Floats  # (n, d)
    radius: float  # the length of z at which y has mean square one

    @classmethod
    def of(cls, affinity: Matrix, n_vectors: int, laplacian: str) -> Basis:
        """Return the `n_vectors` smoothest functions."""
        if laplacian not in _NORMALISATION:
            raise MethodError(f"laplacian must be 'normalised' or 'ratio' but got {laplacian!r}")
        n = affinity.shape[0]
        graph = LinkedGraph.unlinked(affinity)
        eigenpairs = laplacian_eigenpairs(
            graph, n_vectors + 1, normalisation=_NORMALISATION[laplacian]
        )
        weight = graph.degrees() if laplacian == "normalised" else np.ones(n)
        root = np.sqrt(np.maximum(weight, 0.0))
        values, vectors = without_trivial(root, eigenpairs.values, eigenpairs.vectors)
        scale = np.where(root > 0, 1.0 / np.where(root > 0, root, 1.0), 0.0)
        return cls(values, scale[:, None] * vectors, float(np.linalg.norm(root)))


def without_trivial(trivial: Floats, values: Floats, vectors: Floats) -> tuple[Floats, Floats]:
    """Return the eigenpairs that are left of a space without the trivial direction.

    On a graph that nearly falls to pieces no solver tells the trivial eigenvector from the next.
    """
    share = vectors.T @ (trivial / np.linalg.norm(trivial))
    rest = np.linalg.qr(share[:, None], mode="complete")[0][:, 1:]
    small, turn = np.linalg.eigh(rest.T @ (values[:, None] * rest))
    return small, np.asarray(vectors @ (rest @ turn))


def transduce(
    basis: Basis,
    classes: Labels,
    *,
    cost: float,
    balanced: bool,
    length: float | None = None,
    spectrum: str = "graph",
) -> Floats:
    """Score how much every item belongs to each class, (n, classes): about 1 or −1.

    `classes` is -1 where nothing is known. Each class is held against the rest (Joachims 2003;
    Bodó, Minier, Csató 2011, eq. 5): zᵀLz + cost Σ (yᵢ − γᵢ)² over the labelled items is made
    smallest among all z of one `length` in the basis (None: so that y has mean square one, like
    the targets). `balanced` targets are γ₊ = √(n₋/n₊) and
    γ₋ = −√(n₊/n₋); else they are ±1. The score is y on a scale on which the targets are ±1. With
    the `spectrum` "squares" eigenvalues count as 1, 4, 9, … (Joachims 2003, section 4): then the
    vectors beyond the first few are dear, and labels that are about as many as vectors are not
    fitted by whatever it takes.
    """
    values = basis.values
    if spectrum == "squares":
        values = np.arange(1.0, len(values) + 1) ** 2
    labelled = np.flatnonzero(classes >= 0)
    rows = basis.vectors[labelled]
    t, Q = np.linalg.eigh(np.diag(values) + cost * rows.T @ rows)
    n_classes = int(classes.max()) + 1
    scores = np.empty((len(classes), n_classes))
    for c in range(n_classes):
        own = classes[labelled] == c
        odds = np.sqrt((~own).sum() / own.sum()) if balanced else 1.0
        target = np.where(own, odds, -1.0 / odds)
        w = Q @ smallest_on_sphere(t, Q.T @ (cost * rows.T @ target), length or basis.radius)
        middle, half = (odds - 1.0 / odds) / 2, (odds + 1.0 / odds) / 2
        scores[:, c] = (basis.vectors @ w - middle) / half
    return scores


class SpectralGraphTransducer(AffinityClusterer):
    """Spectral clustering in which linked items say where their cluster belongs.

    Groups of linked items that differ pairwise are classes; their items are held near their class,
    all others go where the graph is cut cheapest. While no two classes are known, this is spectral
    clustering; while fewer than `n_clusters` are, clusters that no known class claims stand for the
    others. The graph's eigenvectors are computed once: a fit with more links that is
    given an earlier one as `start` reuses them, and costs a problem of `n_vectors` unknowns and no
    more.

    Parameters
    ----------
    n_clusters : int, default=2
        How many clusters to find.
    affinity : affinity, "precomputed" or None, default=None
        How alike items are: an affinity to be fitted, "precomputed" for X as the matrix itself, or
        None for the self-tuning neighbour graph.
    laplacian : {"normalised", "ratio"}, default="normalised"
        Whether cuts are cheap by the normalised or by the ratio cut.
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
        Which eigenvalues tell how smooth an eigenvector is: the graph's, or 1, 4, 9, …, Joachims'
        choice, which keeps labels that are about as many as vectors from being overfitted.
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
    affinity_matrix_ : ndarray or sparse matrix of shape (n, n)
        The similarities; no link changes them.

    References
    ----------
    Joachims: Transductive learning via spectral graph partitioning, 2003. Bodó, Minier and Csató:
    Active learning with clustering, 2011, eq. 5.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0], [0.1], [0.2], [5.0], [5.1], [5.2]])
    >>> model = SpectralGraphTransducer(n_clusters=2).fit(X, cannot_link=[(0, 5)])
    >>> model.labels_
    array([0, 0, 0, 1, 1, 1])
    """

    scores_: Floats  # (n, classes), larger = likelier; columns as labels were before answers won
    margin_: Floats  # (n,), not negative
    affinity_matrix_: Matrix  # (n, n)
    _basis: Basis
    _clusters: tuple[tuple[int, int], Floats] | None  # settings and scores of spectral clustering

    def __init__(
        self,
        *,
        n_clusters: int = 2,
        affinity: Affinity | str | None = None,
        laplacian: str = "normalised",
        n_vectors: int = 80,
        cost: float = 1000.0,
        balanced: bool = True,
        length: float | None = None,
        spectrum: str = "graph",
        random_state: int = 0,
    ) -> None:
        self.n_clusters = n_clusters
        self.affinity = affinity
        self.laplacian = laplacian
        self.n_vectors = n_vectors
        self.cost = cost
        self.balanced = balanced
        self.length = length
        self.spectrum = spectrum
        self.random_state = random_state

    def _fit_linked(self, X: Any, links: LinkedGroups, context: FitContext) -> Labels:
        start = self._with_same_affinity(context)
        if start is not None and not self._has_basis_of(start):
            start = None
        if start is not None:
            self._reuse(start)
        else:
            self._compute_basis(X, context)
        self._clusters = None if start is None else start._clusters
        classes = known_classes(links)
        if int(classes.max()) >= 1:
            self.scores_ = transduce(
                self._basis,
                classes,
                cost=self.cost,
                balanced=self.balanced,
                length=self.length,
                spectrum=self.spectrum,
            )
            if int(classes.max()) + 1 < self.n_clusters:
                clusters = self._cluster(start).argmax(axis=1)
                self.scores_ = with_unlabelled(self.scores_, clusters, classes, self.n_clusters)
        else:
            self.scores_ = self._cluster(start)
        self.margin_ = margins(self.scores_)
        labels = np.asarray(self.scores_.argmax(axis=1))
        # Clusters are not numbered as classes are.
        return labels if int(classes.max()) < 1 else np.where(classes >= 0, classes, labels)

    def _reuse(self, start: Any) -> None:
        """Take over what an earlier fit has computed of the graph."""
        self.affinity_matrix_, self._basis = start.affinity_matrix_, start._basis

    def _compute_basis(self, X: Any, context: FitContext) -> None:
        """Compute the graph and its eigenvectors."""
        self.affinity_matrix_ = self._affinity_matrix(X, context)
        n_vectors = max(self.n_vectors, self.n_clusters)
        self._basis = Basis.of(self.affinity_matrix_, n_vectors, self.laplacian)

    def _check_parameters(self, n_features: int) -> None:
        if self.spectrum not in ("graph", "squares"):
            raise MethodError(f"spectrum must be 'graph' or 'squares' but got {self.spectrum!r}")
        if not self.cost >= 0:
            raise MethodError(f"cost must be at least 0 but got {self.cost}")
        if self.length is not None and not 0 < self.length < np.inf:
            raise MethodError(f"length must be a number above 0, or None, but got {self.length}")
        check_at_least_one(n_vectors=self.n_vectors)

    def _has_basis_of(self, start: SpectralGraphTransducer) -> bool:
        """Return whether the other fit's eigenvectors serve this one."""
        same = start._basis_settings() == self._basis_settings()
        enough = len(start._basis.values) >= min(self.n_clusters, start._basis.vectors.shape[0] - 1)
        return same and enough

    def _basis_settings(self) -> tuple[Any, ...]:
        """Return all that the eigenvectors depend on besides the items."""
        return (self.affinity, self.laplacian, self.n_vectors)

    def _cluster(self, start: SpectralGraphTransducer | None) -> Floats:
        """Score clusters by eigenvectors, for as long as some class has no labelled item.

        Links have no say in it: it is done once, and what they decide is decided afterwards.
        """
        vectors = self._basis.vectors
        alike = (self.n_clusters, self.random_state)
        if start is not None and start._clusters is not None and start._clusters[0] == alike:
            self._clusters = start._clusters
        elif self.n_clusters == 1:
            self._clusters = alike, np.zeros((len(vectors), 1))
        elif self.n_clusters == 2:
            # The relaxed indicator of the cheapest cut, by its sign.
            indicator = vectors[:, 0] * self._basis.radius
            self._clusters = alike, np.stack([indicator, -indicator], axis=1)
        else:
            self._clusters = alike, self._by_kmeans()
        return self._clusters[1]

    def _by_kmeans(self) -> Floats:
        """Return minus the squared distances to the centres of the clusters, in the embedding."""
        # The trivial eigenvector counts as a coordinate too: with it rows of one cluster point in
        # one direction.
        leading = self._basis.vectors[:, : self.n_clusters - 1] * self._basis.radius
        rows = unit_rows(np.column_stack([np.ones(len(leading)), leading]))
        nothing = LinkedGroups.none(len(rows))
        rng = np.random.default_rng(seed_from(self.random_state))
        labels = seeded_kmeans(rows, self.n_clusters, nothing, rng)
        centres = means(rows, labels, np.zeros((self.n_clusters, rows.shape[1])))
        return -square_distances(rows, centres)


def with_unlabelled(scores: Floats, clusters: Labels, classes: Labels, n_clusters: int) -> Floats:
    """Return the scores with a column for each class that nobody has named yet.

    Each known class claims the cluster in which most of its labelled items are, one each. The
    largest of the others stand for the classes that are missing: their items belong to them more
    than to any known class.

    >>> scores, clusters = np.array([[1.0, -1.0], [-1.0, 1.0], [0.2, -0.2]]), np.array([0, 1, 2])
    >>> with_unlabelled(scores, clusters, np.array([0, 1, -1]), 3)
    array([[ 1. , -1. , -1. ],
           [-1. ,  1. , -1. ],
           [ 0.2, -0.2,  1.2]])
    """
    told = np.flatnonzero(classes >= 0)
    shared = np.zeros((scores.shape[1], n_clusters))
    np.add.at(shared, (classes[told], clusters[told]), 1.0)
    own, claimed = linear_sum_assignment(-shared)
    sizes = np.bincount(clusters, minlength=n_clusters)
    sizes[claimed[shared[own, claimed] > 0]] = 0
    largest = np.argsort(-sizes, kind="stable")[: n_clusters - scores.shape[1]]
    above = 1.0 + np.maximum(scores.max(axis=1), 0.0)
    columns = [np.where(clusters == c, above, -1.0) for c in largest if sizes[c]]
    return np.column_stack([scores, *columns])


def margins(scores: Floats) -> Floats:
    """Return by how much the best score of each row beats the second best.

    >>> margins(np.array([[3.0, 1.0, 2.5], [0.0, 0.0, 0.0]]))
    array([0.5, 0. ])
    """
    if scores.shape[1] < 2:
        return np.zeros(len(scores))
    best = np.partition(scores, scores.shape[1] - 2, axis=1)
    return np.asarray(best[:, -1] - best[:, -2])
