"""Similarities or distances that somebody else has computed."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from sklearn.base import BaseEstimator
from sklearn.utils.validation import validate_data

from likewise.affinities._neighbour_graph import with_bridged_components
from likewise.affinities.base import Links, Positions
from likewise.affinities.kernels import Gaussian
from likewise.errors import DataError
from likewise.items import Matrix


def check_square(matrix: Any) -> None:
    """Raise a `DataError` unless there is a row and a column per item."""
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        shape = " x ".join(map(str, matrix.shape))
        raise DataError(f"a matrix of pairs must be square, a row per item, but got {shape}")


class PrecomputedAffinity(BaseEstimator):  # type: ignore[misc]
    """A similarity matrix as it is, off the diagonal, with weak edges between its components.

    Attributes
    ----------
    affinity_ : ndarray or sparse matrix of shape (n, n)
        The similarities; sparse if they were given so.
    largest_ : float
        The largest of them, by which `distances` are scaled.

    Examples
    --------
    >>> import numpy as np
    >>> PrecomputedAffinity().fit(np.array([[1.0, 0.5], [0.5, 1.0]])).affinity_
    array([[0. , 0.5],
           [0.5, 0. ]])
    """

    learns: ClassVar[bool] = False
    affinity_: Matrix

    def fit(
        self, X: Any, y: Any = None, *, must_link: Links = None, cannot_link: Links = None
    ) -> Self:
        """Take X, a symmetric matrix of similarities, as the affinity."""
        affinity: Matrix = validate_data(
            self, X, accept_sparse="csr", dtype=np.float64, copy=True, ensure_min_samples=2
        )
        check_square(affinity)
        if sp.issparse(affinity):
            affinity = sp.csr_matrix(affinity)
            affinity.setdiag(0)
            affinity.eliminate_zeros()
        else:
            np.fill_diagonal(affinity, 0.0)
        self.affinity_ = with_bridged_components(affinity)
        self.largest_ = float(affinity.max()) or 1.0
        return self

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.pairwise = True
        return tags

    def distances(self, items: Positions, others: Positions) -> npt.NDArray[np.float64]:
        """Return 1 − similarity / largest similarity; an item is at no distance from itself."""
        block = self.affinity_[items][:, others]
        dense = np.asarray(block.todense() if sp.issparse(block) else block)
        away: npt.NDArray[np.float64] = 1.0 - dense / self.largest_
        away[np.asarray(items)[:, None] == np.asarray(others)[None, :]] = 0.0
        return away


class GaussianOfDistances(Gaussian):
    """The Gaussian kernel on a distance matrix instead of features.

    Parameters
    ----------
    width : float or {"self-tuning", "median", "mean-norm"}, default="self-tuning"
        σ: "self-tuning" is the distance to an item's 7th neighbour, "median" that of all distances,
        "mean-norm" the mean length of the rows. Small widths leave only the closest items alike,
        large ones make all alike.
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

    Examples
    --------
    >>> import numpy as np
    >>> distances = np.array([[0.0, 1.0], [1.0, 0.0]])
    >>> GaussianOfDistances(width=1.0, n_neighbours=None).fit(distances).affinity_.round(3)
    array([[0.   , 0.607],
           [0.607, 0.   ]])
    """

    metric = "precomputed"

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = False
        tags.input_tags.positive_only = True
        tags.input_tags.pairwise = True
        return tags

    def _check_rows(self, X: Any) -> None:
        if sp.issparse(X):
            raise DataError("distances must be a dense matrix, not a sparse one: X.toarray()")
        check_square(X)
        if float(X.min()) < 0:
            raise DataError("Negative values in data: distances are zero or more")

    def distances(self, items: Positions, others: Positions) -> npt.NDArray[np.float64]:
        """Return the given distances."""
        block: npt.NDArray[np.float64] = self.X_[np.ix_(items, others)]
        return block
