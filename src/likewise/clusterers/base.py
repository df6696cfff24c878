"""The contract of a clusterer, and the base class of those that respect links.

A clusterer is any object with a `fit` like that of `Clusterer` and the results `labels_` and
`n_clusters_`; no base class is needed. Five attributes, all optional, declare what it wants to be
given (see `Requirements`). `LinkedClusterer` is the scikit-learn estimator that ours derive from.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Literal, Protocol, Self, get_args, runtime_checkable

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils.validation import validate_data

from likewise.affinities.base import Affinity, Links, Positions, checked_links
from likewise.affinities.resolve import depends_on_links, resolve_affinity
from likewise.clusterers.links import Labels, LinkedGroups, labels_respecting_links
from likewise.errors import MethodError
from likewise.items import Matrix

FitsOn = Literal["features", "affinity", "both"]


class Clusterer(Protocol):
    """An estimator of groups: items (or their affinity) and links in, `labels_` out.

    Any class of this shape can be the clusterer of a recipe. It may declare `fits_on`,
    `accepts_sparse`, `finds_n_clusters`, `takes_range` and `start_changes_labels`, as attributes
    of the class or of the object; `Requirements` says what each means, and what is assumed of one
    that does not.
    """

    labels_: Labels  # (n,), 0 .. n_clusters_ - 1
    n_clusters_: int

    def fit(
        self,
        X: Any,
        y: Any = None,
        *,
        must_link: Links = None,
        cannot_link: Links = None,
        start: Self | None = None,
    ) -> Self:
        """Find `labels_` for the rows of X.

        `start`, another fit of the same items with fewer or other links, may be used to save work.
        """


@runtime_checkable
class PreparesStart(Protocol):
    """A clusterer of whose earlier fits a later one needs little: that alone can be computed."""

    def fit_start(
        self,
        X: Any,
        y: Any = None,
        *,
        must_link: Links = None,
        cannot_link: Links = None,
        start: Self | None = None,
    ) -> Self:
        """Find what a fit takes from its `start`, and neither labels nor anything else."""

    def as_start(self) -> Self:
        """Return of a fit what `fit_start` would have found."""

    def prepare(self) -> None:
        """Compute what later fits that start from this one will need, whatever the links."""


@runtime_checkable
class MetricLearner(Protocol):
    """A clusterer that also learns how far apart items are: strategies then go by that."""

    def distances(self, items: Positions, others: Positions) -> npt.NDArray[np.float64]:
        """Return how far apart items of the last fit are, (len(items), len(others))."""


@dataclass(frozen=True)
class Requirements:
    """What a clusterer wants to be given, as far as it declares it.

    Attributes
    ----------
    fits_on : {"features", "affinity", "both"}
        What `fit` takes as X: the features, the affinity matrix (n, n), or the features with the
        affinity matrix as the keyword `affinity`; in that case X is None where items have none.
    accepts_sparse : bool
        Whether features may be a scipy.sparse matrix. Otherwise a study of such items refuses.
    finds_n_clusters : bool
        Whether `n_clusters=None` lets the clusterer find the number of groups. Otherwise a study
        without a known number gives it the number of groups found so far, at least two.
    start_changes_labels : bool
        Whether `labels_` may depend on `start`. A study then starts from fits that follow from the
        answers alone, so that it can be repeated; otherwise from the latest there is.
    takes_range : bool
        Whether `n_clusters` may be a range, (5, 20). Otherwise one that is given as a range is
        unknown, and the number of groups found so far is kept within it.

    Examples
    --------
    >>> class Alternating:
    ...     fits_on = "affinity"
    >>> Requirements.of(Alternating())
    Requirements(fits_on='affinity', accepts_sparse=False, finds_n_clusters=False, \
start_changes_labels=True, takes_range=False)
    """

    fits_on: FitsOn = "features"
    accepts_sparse: bool = False
    finds_n_clusters: bool = False
    start_changes_labels: bool = True
    takes_range: bool = False

    def __post_init__(self) -> None:
        if self.fits_on not in get_args(FitsOn):
            raise MethodError(
                f"a clusterer's fits_on must be 'features', 'affinity' or 'both', "
                f"not {self.fits_on!r}"
            )

    @classmethod
    def of(cls, clusterer: object) -> Requirements:
        """Return what a clusterer declares, with the defaults for what it does not."""
        names = (field.name for field in fields(cls) if hasattr(clusterer, field.name))
        return cls(**{name: getattr(clusterer, name) for name in names})


@dataclass(frozen=True)
class FitContext:
    """What a fit is given beside the items and the closed links."""

    must_link: npt.NDArray[np.int64]  # (m, 2), as given
    cannot_link: npt.NDArray[np.int64]
    start: Any = None  # another fit of the same estimator, of these items or of others
    same_items: bool = False  # whether `start` was fitted on this very X

    @property
    def reusable(self) -> Any:
        """`start` if what it found out about the items is true of these, else None."""
        return self.start if self.same_items else None


class LinkedClusterer(ClusterMixin, BaseEstimator, ABC):  # type: ignore[misc]
    """A clusterer whose labels respect must- and cannot-links; a subclass writes `_fit_linked`.

    `fit` checks X, `n_clusters` and the links, closes the links under transitivity, recognises
    whether `start` is a fit of the same items, and gives way to the links where the labels that
    `_fit_linked` returns contradict them.

    Attributes
    ----------
    labels_ : ndarray of shape (n,)
        The cluster of each item, 0 to `n_clusters_` - 1.
    n_clusters_ : int
        How many clusters there are: more than asked for where links demand it, fewer where a
        cluster ran empty.
    """

    accepts_sparse: ClassVar[bool] = False
    finds_n_clusters: ClassVar[bool] = False
    start_changes_labels: ClassVar[bool] = True

    labels_: Labels
    n_clusters_: int
    n_clusters: int  # None is allowed where `finds_n_clusters`
    answers_win: bool = True  # a parameter of those that can leave links violated
    _source: Any = None  # the very X of the last fit, by which another fit recognises its items

    @property
    def fits_on(self) -> FitsOn:
        """What `fit` takes as X."""
        return "features"

    def fit(
        self,
        X: Any,
        y: Any = None,
        *,
        must_link: Links = None,
        cannot_link: Links = None,
        start: Self | None = None,
    ) -> Self:
        """Cluster the items.

        Parameters
        ----------
        X : array-like of shape (n, d), or (n, n) with `affinity="precomputed"`
            The items' features, or how alike they are.
        y : None
            Ignored; there for scikit-learn's sake.
        must_link, cannot_link : array-like of shape (m, 2), optional
            Pairs of positions of items that belong together, and of items that do not.
        start : fitted estimator of the same class, optional
            A fit with fewer or other links: what it computed is reused where it still holds.

        Returns
        -------
        self

        Raises
        ------
        DataError
            If links name items that do not exist, or contradict each other.
        MethodError
            If a parameter is out of range.
        """
        source = X
        X = validate_data(
            self,
            X,
            accept_sparse="csr" if self.accepts_sparse else False,
            ensure_min_samples=2,
            dtype=np.float64,
        )
        n = X.shape[0]
        if self.n_clusters is not None or not self.finds_n_clusters:
            check_n_clusters(self.n_clusters, n)
        self._check_parameters(X.shape[1])
        must = checked_links(must_link, n, "must_link")
        cannot = checked_links(cannot_link, n, "cannot_link")
        links = LinkedGroups.of(n, must, cannot) if self._closes_links else LinkedGroups.none(n)
        same_items = start is not None and start._source is source
        labels = self._fit_linked(X, links, FitContext(must, cannot, start, same_items))
        self.labels_ = self._without_contradictions(labels, links)
        self.n_clusters_ = int(self.labels_.max()) + 1
        self._source = source
        return self

    @abstractmethod
    def _fit_linked(self, X: Any, links: LinkedGroups, context: FitContext) -> Labels:
        """Return a label for each row of the checked X, and set all other attributes."""

    def _check_parameters(self, n_features: int) -> None:
        """Raise a `MethodError` for a parameter out of range."""

    @property
    def _closes_links(self) -> bool:
        """Whether links are closed and must not contradict each other; else `links` has none."""
        return True

    def _without_contradictions(self, labels: Labels, links: LinkedGroups) -> Labels:
        """Return labels without gaps that, unless `answers_win` is off, contradict no link."""
        if self.answers_win:
            return labels_respecting_links(labels, links)
        return np.unique(labels, return_inverse=True)[1].astype(np.int64)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = self.accepts_sparse
        tags.input_tags.pairwise = self.fits_on == "affinity"
        return tags


class AffinityClusterer(LinkedClusterer):
    """A `LinkedClusterer` of an affinity matrix: that of its parameter `affinity`, or X itself."""

    accepts_sparse = True
    affinity: Affinity | str | None

    @property
    def fits_on(self) -> FitsOn:
        """What `fit` takes as X: an affinity matrix with `affinity="precomputed"`."""
        return "affinity" if self.affinity == "precomputed" else "features"

    def _affinity_matrix(self, X: Any, context: FitContext) -> Matrix:
        """Return how alike the items are; links reach an affinity that learns from them."""
        return resolve_affinity(
            self.affinity, X, must_link=context.must_link, cannot_link=context.cannot_link
        )

    def _with_same_affinity(self, context: FitContext) -> Any:
        """Return the earlier fit if this one has the same affinity matrix, else None."""
        return None if depends_on_links(self.affinity) else context.reusable


def check_n_clusters(n_clusters: int | None, n_items: int) -> None:
    """Raise a `MethodError` for a number of clusters that the items cannot have."""
    if n_clusters is None or not 1 <= n_clusters <= n_items:
        raise MethodError(
            f"n_clusters must be between 1 and the number of items, n_samples={n_items}, "
            f"but got {n_clusters}"
        )


def check_at_least_one(**settings: int) -> None:
    """Raise a `MethodError` for a setting that counts something and is not above 0."""
    for name, value in settings.items():
        if value < 1:
            raise MethodError(f"{name} must be at least 1 but got {value}")
