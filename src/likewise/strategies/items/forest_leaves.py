"""Random forest proximity: a similarity learned from the present clustering."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from likewise.clusterers.links import Labels
from likewise.errors import MethodError
from likewise.items import Matrix
from likewise.strategies.base import View


class ForestLeaves:
    """Takes items as similar when the trees of a random forest send them to the same leaf.

    The forest is trained to predict the present clusters from the features; the similarity of two
    items is the share of trees in which they end in one leaf. Items without features are described
    by the spectral embedding.

    Parameters
    ----------
    n_trees : int
        The NPU and MEE papers have 50; ten choose no worse and take a fifth of the time.
    n_samples : int
        Each tree learns from so many items at most, drawn with replacement, which bounds the time
        in large piles.

    References
    ----------
    Shi and Horvath, "Unsupervised learning with random forest predictors", 2006.
    """

    def __init__(self, *, n_trees: int = 10, n_samples: int = 1000) -> None:
        self.n_trees = n_trees
        self.n_samples = n_samples

    def profiles(self, view: View, rng: np.random.Generator) -> Matrix:
        """Return which leaves an item is in, (n, leaves of all trees), scaled so that p_ii = 1."""
        if self.n_trees < 1 or self.n_samples < 1:
            raise MethodError(
                f"n_trees and n_samples must be at least 1 but got {self.n_trees} and "
                f"{self.n_samples}"
            )
        features = view.features
        if features is None:
            features = getattr(view.clustering, "embedding_", None)
        if features is None:
            raise MethodError(
                "a forest needs features, but only how alike the items are is known; "
                "use the similarity NeighbourVotes or a spectral clusterer"
            )
        # Trees compare single columns, so one scale for all changes nothing but avoids overflow.
        features = features / (float(abs(features).max()) or 1.0)
        leaves, n_leaves = self._leaves(features, view.clustering.labels_, rng)
        n, n_trees = leaves.shape
        return sp.csr_matrix(
            (
                np.full(n * n_trees, n_trees**-0.5),
                leaves.ravel(),
                np.arange(0, n * n_trees + 1, n_trees),
            ),
            shape=(n, n_leaves),
        )

    def _leaves(
        self, features: Matrix, labels: Labels, rng: np.random.Generator
    ) -> tuple[npt.NDArray[np.int64], int]:  # (n, n_trees), numbered through all trees
        """Grow the forest; return every item's leaf in every tree, and how many there are."""
        n, d = features.shape
        if sp.issparse(features):
            return self._leaves_of_sparse(features, labels, rng)
        from likewise.strategies.items._kernels import forest_leaves

        # Not more than scikit-learn does, without its checks, which took nine tenths of the time.
        drawn = rng.integers(n, size=(self.n_trees, min(self.n_samples, n)))
        state = rng.integers(1, 2**63, size=1).astype(np.uint64)
        columns = np.ascontiguousarray(features, dtype=np.float64)
        found: tuple[npt.NDArray[np.int64], int] = forest_leaves(
            columns, labels, drawn, max(int(np.sqrt(d)), 1), state
        )
        return found

    def _leaves_of_sparse(
        self, features: Matrix, labels: Labels, rng: np.random.Generator
    ) -> tuple[npt.NDArray[np.int64], int]:
        """Do the same with scikit-learn, which takes sparse features."""
        from sklearn.ensemble import RandomForestClassifier

        forest = RandomForestClassifier(
            self.n_trees,
            max_samples=min(self.n_samples, features.shape[0]),
            random_state=int(rng.integers(2**31)),
            n_jobs=1,
        )
        leaves = forest.fit(features, labels).apply(features)
        first = np.concatenate([[0], np.cumsum(leaves.max(axis=0) + 1)])
        return leaves + first[:-1], int(first[-1])
