"""Clustering, transduction, classification: the learner changes as labels arrive."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.metrics import pairwise_distances_argmin
from sklearn.utils.validation import check_is_fitted, validate_data

from likewise._seeds import seed_from
from likewise.affinities import Cosine
from likewise.affinities.base import Affinity
from likewise.clusterers.base import FitContext, LinkedClusterer
from likewise.clusterers.links import Labels, LinkedGroups
from likewise.clusterers.representatives import (
    ReducedItems,
    Representatives,
    kmeans_representatives,
)
from likewise.clusterers.transduction._kernel_expansion import KernelExpansion
from likewise.clusterers.transduction._known_classes import known_classes
from likewise.clusterers.transduction.landmarks import LandmarkTransducer
from likewise.clusterers.transduction.svm import BaggedLinearSVM
from likewise.clusterers.transduction.transducer import Floats, SpectralGraphTransducer, margins
from likewise.errors import MethodError
from likewise.items import Matrix


class StagedTransducer(LinkedClusterer):
    """Clustering, then transduction, then classification, as labels arrive.

    The four cases of the paper, one handing over to the next:

    1. While all labels are of one class: spectral clustering of representatives (KASP).

    2. Then the spectral graph transducer on representatives and labelled items.

    3. From `many_labels` on, labelled items are represented too, by `n_per_class` points a class.

    4. When every item is labelled: `n_bags` linear SVMs, for items that are yet to come.

    Labels come from links: groups that differ pairwise are classes. The paper's own settings are
    `n_representatives=0.01`, `balanced=False`, `length=1.0` and
    `affinity=Gaussian(width="mean-norm", n_neighbours=None)`.

    Parameters
    ----------
    n_clusters : int, default=2
        How many clusters to find.
    n_representatives : float or None, default=None
        How many points represent the items; a number below 1 is a share of them. None lets every
        item represent itself: eigenvectors are then computed once and case 3 has nothing to do.
    n_landmarks : int or None, default=None
        With a number, items are joined to so many landmarks instead (`LandmarkTransducer`) and
        each has a score of its own; `n_representatives`, `affinity` and `laplacian` are not used.
    affinity : affinity or None, default=None
        How alike representatives are; None is the self-tuning neighbour graph, for sparse features
        the cosine.
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
        Which eigenvalues tell how smooth an eigenvector is: the graph's, or 1, 4, 9, ….
    many_labels : int, default=256
        From how many labelled items on they are represented too.
    n_per_class : int, default=100
        By how many points each class is represented then.
    n_bags : int, default=20
        How many SVMs vote in case 4.
    transduce : bool, default=True
        Whether cases 2 and 3 are used; False is the paper's ALG1.
    decision : {"nearest", "kernel"}, default="nearest"
        How scores of points become scores of items: those of an item's own representative, or the
        kernel expansion over all points (eq. 4 and 6), which the paper left to later work. Where
        every item represents itself both are the scores of the graph.
    ridge : float, default=1.0
        How smooth the kernel expansion is; 0 is eq. 6 to the letter, which asks more of floating
        point numbers than they hold.
    random_state : int, default=0
        The seed; equal seeds give equal results.

    Attributes
    ----------
    labels_ : ndarray of shape (n,)
        The cluster of each item, 0 to `n_clusters_` - 1.
    n_clusters_ : int
        How many clusters there are; more than `n_clusters` where links demand it.
    case_ : int
        Which case applied, 1 to 4.
    scores_ : ndarray of shape (n, n_classes)
        How much an item belongs to each class, larger is likelier.
    margin_ : ndarray of shape (n,)
        By how much the best score beats the second best, not negative.

    References
    ----------
    Bodó, Minier and Csató: Active learning with clustering, 2011, section 3 and eq. 5.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0], [0.1], [0.2], [5.0], [5.1], [5.2]])
    >>> model = StagedTransducer().fit(X, cannot_link=[(0, 5)])
    >>> model.case_, model.labels_.tolist(), model.predict([[4.0]]).tolist()
    (2, [0, 0, 0, 1, 1, 1], [1])
    """

    accepts_sparse = True

    case_: int  # 1 to 4
    scores_: Floats  # (n, classes), larger = likelier
    margin_: Floats  # (n,), not negative
    _representatives: Representatives
    _graph: SpectralGraphTransducer | None
    _bag: BaggedLinearSVM | None
    _expansion: KernelExpansion | None
    _points: Matrix  # what was clustered, and the label of each
    _labels_of_points: Labels

    def __init__(
        self,
        *,
        n_clusters: int = 2,
        n_representatives: float | None = None,
        n_landmarks: int | None = None,
        affinity: Affinity | None = None,
        laplacian: str = "normalised",
        n_vectors: int = 80,
        cost: float = 1000.0,
        balanced: bool = True,
        length: float | None = None,
        spectrum: str = "graph",
        many_labels: int = 256,
        n_per_class: int = 100,
        n_bags: int = 20,
        transduce: bool = True,
        decision: str = "nearest",
        ridge: float = 1.0,
        random_state: int = 0,
    ) -> None:
        self.n_clusters = n_clusters
        self.n_representatives = n_representatives
        self.n_landmarks = n_landmarks
        self.affinity = affinity
        self.laplacian = laplacian
        self.n_vectors = n_vectors
        self.cost = cost
        self.balanced = balanced
        self.length = length
        self.spectrum = spectrum
        self.many_labels = many_labels
        self.n_per_class = n_per_class
        self.n_bags = n_bags
        self.transduce = transduce
        self.decision = decision
        self.ridge = ridge
        self.random_state = random_state

    def _fit_linked(self, X: Any, links: LinkedGroups, context: FitContext) -> Labels:
        classes, start = known_classes(links), context.reusable
        rng = np.random.default_rng(seed_from(self.random_state))
        self._representatives = (
            start._representatives
            if start is not None and start._n_points(X.shape[0]) == self._n_points(X.shape[0])
            else kmeans_representatives(X, self._n_points(X.shape[0]), rng)
        )
        self._bag = self._expansion = None
        self.case_ = self._case(classes)
        if self.case_ == 4:
            self._graph = start._graph if start is not None else None
            self._bag = BaggedLinearSVM.of(
                X, classes, n_bags=self.n_bags, random_state=seed_from(self.random_state)
            )
            self.scores_, labels = self._bag.scores(X), classes
        else:
            labels = self._group(X, links, classes, start, rng)
        self.margin_ = margins(self.scores_)
        return labels

    def predict(self, X: Any) -> Labels:
        """Return the groups of new rows: by the SVMs in case 4, before as `decision` has it."""
        check_is_fitted(self, "labels_")
        X = validate_data(self, X, accept_sparse="csr", dtype=np.float64, reset=False)
        if self._bag is not None:
            return np.asarray(self._bag.scores(X).argmax(axis=1))
        if self._expansion is not None:
            return np.asarray(self._expansion(X).argmax(axis=1))
        return np.asarray(self._labels_of_points[pairwise_distances_argmin(X, self._points)])

    def _check_parameters(self, n_features: int) -> None:
        least = {"many_labels": 0, "n_per_class": 1, "n_bags": 1, "ridge": 0}
        if self.n_landmarks is not None:
            least["n_landmarks"] = 1
        for name, smallest in least.items():
            value = getattr(self, name)
            if not value >= smallest:
                raise MethodError(f"{name} must be at least {smallest} but got {value}")
        if self.n_representatives is not None and not self.n_representatives > 0:
            raise MethodError(
                "n_representatives must be at least 1, or a share of the items above 0, but got "
                f"{self.n_representatives}"
            )
        if self.decision not in ("nearest", "kernel"):
            raise MethodError(f"decision must be 'nearest' or 'kernel' but got {self.decision!r}")

    def _n_points(self, n: int) -> int:
        """Return how many representatives `n` items have."""
        wanted = self.n_representatives
        if wanted is None or self.n_landmarks is not None:
            return n
        return max(int(wanted * n if wanted < 1 else wanted), 2)

    def _case(self, classes: Labels) -> int:
        n_labelled = int((classes >= 0).sum())
        if n_labelled == len(classes) and int(classes.max()) >= 1:
            return 4
        if not self.transduce or int(classes.max()) < 1:
            return 1
        itself = self.n_representatives is None or self.n_landmarks is not None
        return 2 if itself or n_labelled < self.many_labels else 3

    def _group(
        self,
        X: Matrix,
        links: LinkedGroups,
        classes: Labels,
        start: StagedTransducer | None,
        rng: np.random.Generator,
    ) -> Labels:
        """Cluster or transduce the reduced items (cases 1 to 3); items go where their points go."""
        if not self.transduce:
            links = LinkedGroups.none(X.shape[0])
        if self.case_ == 3:
            reduced = ReducedItems.of_classes(
                X, self._representatives, classes, self.n_per_class, rng
            )
        else:
            reduced = ReducedItems.of(X, self._representatives, links)
        self._graph = self._transducer(reduced.points).fit(
            reduced.points, must_link=reduced.must_link, cannot_link=reduced.cannot_link,
            start=start._graph if start is not None else None,
        )  # fmt: skip
        self._points, self._labels_of_points = reduced.points, self._graph.labels_
        if self.decision == "kernel" and reduced.points.shape[0] < X.shape[0]:
            self._expansion = KernelExpansion.of(reduced.points, self._graph.scores_, self.ridge)
            self.scores_ = self._expansion(X)
            labels = self.scores_.argmax(axis=1)
            # Clusters, in case 1, are not numbered as classes are.
            return labels if self.case_ == 1 else np.where(classes >= 0, classes, labels)
        self.scores_ = self._graph.scores_[reduced.of_item]
        return np.asarray(self._graph.labels_[reduced.of_item])

    def _transducer(self, points: Matrix) -> SpectralGraphTransducer:
        """Return what clusters and transduces these points."""
        settings: dict[str, Any] = {
            "n_clusters": min(self.n_clusters, points.shape[0]), "n_vectors": self.n_vectors,
            "cost": self.cost, "balanced": self.balanced, "length": self.length,
            "spectrum": self.spectrum, "random_state": seed_from(self.random_state),
        }  # fmt: skip
        if self.n_landmarks is not None:
            return LandmarkTransducer(n_landmarks=self.n_landmarks, **settings)
        affinity = self.affinity
        if affinity is None and sp.issparse(points):
            affinity = Cosine()
        return SpectralGraphTransducer(affinity=affinity, laplacian=self.laplacian, **settings)
