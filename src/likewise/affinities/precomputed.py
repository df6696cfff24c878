"""Similarities or distances that somebody else has computed."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from sklearn.base import BaseEstimator

from likewise.affinities._neighbour_graph import with_bridged_components
from likewise.affinities.base import Links, Positions
from likewise.affinities.kernels import Gaussian
from likewise.items import Matrix


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
        if sp.issparse(X):
            affinity: Matrix = sp.csr_matrix(X, dtype=np.float64, copy=True)
            affinity.setdiag(0)
            affinity.eliminate_zeros()
        else:
            affinity = np.array(X, dtype=np.float64)
            np.fill_diagonal(affinity, 0.0)
        self.affinity_ = with_bridged_components(affinity)
        self.largest_ = float(affinity.max()) or 1.0
        return self

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

    def distances(self, items: Positions, others: Positions) -> npt.NDArray[np.float64]:
        """Return the given distances."""
        block: npt.NDArray[np.float64] = self.X_[np.ix_(items, others)]
        return block
