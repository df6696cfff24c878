"""Kernels on features: Gaussian, cosine and χ², dense or as a sparse neighbour graph."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from sklearn.base import BaseEstimator
from sklearn.metrics import pairwise_distances
from sklearn.metrics.pairwise import additive_chi2_kernel
from sklearn.neighbors import NearestNeighbors
from sklearn.utils.validation import validate_data

from likewise.affinities._neighbour_graph import bridge_components, neighbour_count, symmetric_graph
from likewise.affinities.base import Links, Positions
from likewise.errors import DataError, MethodError
from likewise.items import Matrix

# The neighbour whose distance is an item's own width under the self-tuning rule, as Zelnik-Manor
# and Perona chose it.
_TUNING_NEIGHBOUR = 7
_BLOCK = 500  # rows of distances held at a time
_SAMPLE = 1000  # items from which the median distance is estimated in a large pile


def euclidean(
    some: npt.NDArray[np.float64], rest: npt.NDArray[np.float64]
) -> npt.NDArray[np.float64]:  # (some, rest)
    """Return distances of all rows of one array to all of another.

    Every question needs a few; scikit-learn's function, which gives the same bits, spends most of
    its time on looking at what it was given.

    >>> euclidean(np.array([[0.0, 0.0]]), np.array([[3.0, 4.0], [0.0, 1.0]]))
    array([[5., 1.]])
    """
    squares = -2.0 * (some @ rest.T)
    squares += np.einsum("ij,ij->i", some, some)[:, None]
    squares += np.einsum("ij,ij->i", rest, rest)
    return np.sqrt(np.maximum(squares, 0.0, out=squares), out=squares)


class _Kernel(BaseEstimator):  # type: ignore[misc]
    """What all kernels share: distances first, then weights, on all pairs or on neighbours only."""

    learns: ClassVar[bool] = False
    affinity_: Matrix
    n_neighbours: float | None
    metric: ClassVar[Any]

    def fit(
        self, X: Any, y: Any = None, *, must_link: Links = None, cannot_link: Links = None
    ) -> Self:
        """Compute `affinity_`; links are accepted and ignored, a kernel learns nothing."""
        self.X_ = X = validate_data(
            self, X, accept_sparse="csr", dtype=[np.float64, np.float32], ensure_min_samples=2
        )
        self._check_rows(X)
        n = X.shape[0]
        k = None if self.n_neighbours is None else neighbour_count(self.n_neighbours, n)
        if k is None:
            distance = self.distances(np.arange(n), np.arange(n))
            self._tune(np.sort(distance + np.diag(np.full(n, np.inf)), axis=1)[:, :-1])
            everyone = np.arange(n)
            weights = self._weights(distance, everyone[:, None], everyone[None, :])
            np.fill_diagonal(weights, 0.0)
            self.affinity_ = weights
            return self
        distance, neighbours = self._neighbours(min(max(k, _TUNING_NEIGHBOUR), n - 1))
        self._tune(distance)
        distance, neighbours = distance[:, :k], neighbours[:, :k]
        weights = self._weights(distance, np.arange(n)[:, None], neighbours)
        self.affinity_ = bridge_components(symmetric_graph(neighbours, weights), self._nearest)
        return self

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def _check_rows(self, X: Any) -> None:
        """Raise a `DataError` for rows that scikit-learn takes but this kernel does not."""

    def distances(self, items: Positions, others: Positions) -> npt.NDArray[np.float64]:
        """Return how far apart items are, whatever the graph keeps of it."""
        some, rest = self.X_[items], self.X_[others]
        if self.metric == "euclidean" and isinstance(some, np.ndarray) and some.dtype == np.float64:
            return euclidean(some, rest)
        distance: npt.NDArray[np.float64] = pairwise_distances(some, rest, metric=self.metric)
        return distance

    def _neighbours(self, k: int) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]:
        """Return the k nearest others of every item: distances and positions, nearest first."""
        search = NearestNeighbors(n_neighbors=k, metric=self.metric, n_jobs=-1).fit(self.X_)
        distance, neighbours = search.kneighbors()
        return distance, neighbours

    def _nearest(self, inside: Positions, outside: Positions) -> tuple[int, int, float]:
        """Return the two closest items of two sets, and the weight of the edge between them."""
        best = (np.inf, 0, 0)
        for start in range(0, len(inside), _BLOCK):
            block = self.distances(inside[start : start + _BLOCK], outside)
            row, column = np.unravel_index(int(block.argmin()), block.shape)
            here = float(block[row, column]), int(inside[start + row]), int(outside[column])
            best = min(best, here)
        distance, a, b = best
        weight = self._weights(np.array([distance]), np.array([a]), np.array([b]))
        return a, b, float(weight[0])

    def _some_distances(self) -> npt.NDArray[np.float64]:
        """Return the distances of all pairs of items, or of a thousand items in a large pile."""
        n = self.X_.shape[0]
        some = np.linspace(0, n - 1, min(n, _SAMPLE)).astype(np.int64)
        return self.distances(some, some)[np.triu_indices(len(some), 1)]

    def _tune(self, distance: npt.NDArray[np.float64]) -> None:
        """Set whatever the weights need, from each item's sorted distances to its neighbours."""

    def _weights(
        self, distance: npt.NDArray[np.float64], i: Positions, j: Positions
    ) -> npt.NDArray[np.float64]:
        raise NotImplementedError


class Gaussian(_Kernel):
    """exp(−d²/2σ²), or with widths of each item's own exp(−d²/σᵢσⱼ).

    Parameters
    ----------
    width : float or {"self-tuning", "median", "mean-norm"}, default="self-tuning"
        σ: "self-tuning" is the distance to an item's 7th neighbour, "median" that of all distances,
        "mean-norm" the mean length of the feature vectors. Small widths leave only the closest
        items alike, large ones make all alike.
    n_neighbours : float or None, default=20
        How many neighbours an item has in a sparse graph; a number below 1 is a share of the items.
        None keeps all n² pairs.

    Attributes
    ----------
    affinity_ : ndarray or sparse matrix of shape (n, n)
        The similarities: symmetric, not negative, zero on the diagonal; sparse with `n_neighbours`.
    X_ : ndarray or sparse matrix
        What was fitted.
    widths_ : ndarray of shape (n,)
        The width of each item, √2 σ where all have the same.

    References
    ----------
    Zelnik-Manor and Perona: Self-tuning spectral clustering, 2004.

    Examples
    --------
    >>> import numpy as np
    >>> Gaussian(width=1.0, n_neighbours=None).fit(np.array([[0.0], [1.0]])).affinity_.round(3)
    array([[0.   , 0.607],
           [0.607, 0.   ]])
    """

    metric = "euclidean"

    def __init__(
        self, *, width: str | float = "self-tuning", n_neighbours: float | None = 20
    ) -> None:
        self.width = width
        self.n_neighbours = n_neighbours

    def _tune(self, distance: npt.NDArray[np.float64]) -> None:
        n = distance.shape[0]
        if self.width == "self-tuning":
            own = distance[:, min(_TUNING_NEIGHBOUR, distance.shape[1]) - 1]
            # An item with seven duplicates has no width of its own; the others' serves. Distances
            # of duplicates can come out as rounding errors instead of zeros.
            has_width = own > 1e-6 * float(distance.max())
            spare = float(np.median(own[has_width])) if has_width.any() else 1.0
            self.widths_ = np.where(has_width, own, spare)
            return
        if self.width == "median":
            pairs = self._some_distances()
            sigma = float(np.median(pairs[pairs > 0])) if (pairs > 0).any() else 1.0
        elif self.width == "mean-norm":
            squares = self.X_.multiply(self.X_) if sp.issparse(self.X_) else self.X_**2
            sigma = float(np.sqrt(np.asarray(squares.sum(axis=1))).mean()) or 1.0
        elif isinstance(self.width, int | float) and self.width > 0:
            sigma = float(self.width)
        else:
            raise MethodError(
                "width must be 'self-tuning', 'median', 'mean-norm' or a positive number "
                f"but got {self.width!r}"
            )
        self.widths_ = np.full(n, np.sqrt(2.0) * sigma)

    def _weights(
        self, distance: npt.NDArray[np.float64], i: Positions, j: Positions
    ) -> npt.NDArray[np.float64]:
        weights: npt.NDArray[np.float64] = np.exp(
            -(distance**2) / (self.widths_[i] * self.widths_[j])
        )
        # A neighbour stays a neighbour even where the exponential underflows.
        return weights if self.n_neighbours is None else np.maximum(weights, 1e-12)


class Cosine(_Kernel):
    """The cosine of the angle between two rows, negative ones counted as nothing.

    Parameters
    ----------
    n_neighbours : float or None, default=20
        How many neighbours an item has in a sparse graph; a number below 1 is a share of the items.
        None keeps all n² pairs.

    Attributes
    ----------
    affinity_ : ndarray or sparse matrix of shape (n, n)
        The similarities: symmetric, not negative, zero on the diagonal; sparse with `n_neighbours`.
    X_ : ndarray or sparse matrix
        What was fitted.

    Examples
    --------
    >>> import numpy as np
    >>> Cosine(n_neighbours=None).fit(np.array([[1.0, 0.0], [1.0, 1.0]])).affinity_.round(3)
    array([[0.   , 0.707],
           [0.707, 0.   ]])
    """

    metric = "cosine"

    def __init__(self, *, n_neighbours: float | None = 20) -> None:
        self.n_neighbours = n_neighbours

    def _weights(
        self, distance: npt.NDArray[np.float64], i: Positions, j: Positions
    ) -> npt.NDArray[np.float64]:
        return np.clip(1.0 - distance, 1e-12, 1.0)


class ChiSquared(_Kernel):
    """exp(−γ Σ (x−y)²/(x+y)), for histograms.

    Parameters
    ----------
    gamma : float or None, default=None
        γ; None is 1 / mean χ² distance. Large values leave only the closest items alike.
    n_neighbours : float or None, default=20
        How many neighbours an item has in a sparse graph; a number below 1 is a share of the items.
        None keeps all n² pairs.

    Attributes
    ----------
    affinity_ : ndarray or sparse matrix of shape (n, n)
        The similarities: symmetric, not negative, zero on the diagonal; sparse with `n_neighbours`.
    X_ : ndarray or sparse matrix
        What was fitted.
    gamma_ : float
        The γ that was used.

    Examples
    --------
    >>> import numpy as np
    >>> histograms = np.array([[1.0, 0.0], [0.5, 0.5]])
    >>> ChiSquared(gamma=1.0, n_neighbours=None).fit(histograms).affinity_.round(3)
    array([[0.   , 0.513],
           [0.513, 0.   ]])
    """

    def __init__(self, *, gamma: float | None = None, n_neighbours: float | None = 20) -> None:
        self.gamma = gamma
        self.n_neighbours = n_neighbours

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = False
        tags.input_tags.positive_only = True
        return tags

    def _check_rows(self, X: Any) -> None:
        needs = "the χ² kernel needs dense rows without negative numbers"
        if sp.issparse(X):
            raise DataError(f"{needs}, not a sparse matrix: give X.toarray()")
        if float(X.min()) < 0:
            raise DataError(f"Negative values in data: {needs}, such as counts")

    def distances(self, items: Positions, others: Positions) -> npt.NDArray[np.float64]:
        """Return Σ (x−y)²/(x+y), for rows without negative numbers."""
        distance: npt.NDArray[np.float64] = -additive_chi2_kernel(self.X_[items], self.X_[others])
        return np.maximum(distance, 0.0)

    def _neighbours(self, k: int) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]:
        n = self.X_.shape[0]
        found = np.empty((n, k), dtype=np.int64)
        distance = np.empty((n, k))
        for start in range(0, n, _BLOCK):
            rows = np.arange(start, min(start + _BLOCK, n))
            block = self.distances(rows, np.arange(n))
            block[np.arange(len(rows)), rows] = np.inf
            found[rows] = np.argsort(block, axis=1, kind="stable")[:, :k]
            distance[rows] = np.take_along_axis(block, found[rows], axis=1)
        return distance, found

    def _tune(self, distance: npt.NDArray[np.float64]) -> None:
        mean = float(self._some_distances().mean())
        self.gamma_ = self.gamma if self.gamma is not None else 1.0 / (mean if mean > 0 else 1.0)

    def _weights(
        self, distance: npt.NDArray[np.float64], i: Positions, j: Positions
    ) -> npt.NDArray[np.float64]:
        return np.maximum(np.exp(-self.gamma_ * distance), 1e-12)
