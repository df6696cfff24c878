"""Ward's dendrogram as an expert, and as a partition of the pile into cells."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy.cluster.hierarchy import fcluster, linkage
from sklearn.cluster import KMeans
from sklearn.metrics import silhouette_score

from likewise.auto.experts.base import Array, Positions, Prediction, Seeds, predict_by_similarity

_LEAVES = 1500  # larger piles are reduced to so many k-means centres first
_SAMPLE = 1000  # items by which numbers of cells are compared
_MIN_SILHOUETTE = 0.1  # below this the pile has no clear cells
_DEFAULT_CELLS = 10  # where there are no clear ones
_EXPONENT = 2.0
_NUMBERS = (2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 17, 20, 25, 30, 35, 40, 50, 60, 70, 85, 100, 120, 150)


class WardTree:
    """Takes two items as the more similar the smaller the subtree that holds both.

    The similarity is (s/n)⁻² if the smallest subtree of Ward's dendrogram with both items has s of
    the n items: so the seeds in an item's own small subtree outvote any number farther away.

    Parameters
    ----------
    points : ndarray of shape (n, d)
        Coordinates of all items. With more than 1 500 items the leaves are k-means centres.
    random_state : int
        Seed of that k-means.

    References
    ----------
    Ward, "Hierarchical grouping to optimize an objective function", 1963. Rousseeuw,
    "Silhouettes", 1987 (the number of cells).
    """

    def __init__(self, points: Array, random_state: int) -> None:
        n = len(points)
        self._points = points
        self._leaf: npt.NDArray[np.int64] = np.arange(n)
        centres = points
        if n > _LEAVES:
            parts = KMeans(_LEAVES, n_init=1, max_iter=5, random_state=random_state).fit(points)
            self._leaf = np.unique(parts.labels_, return_inverse=True)[1].astype(np.int64)
            counts = np.bincount(self._leaf)
            sums = np.stack([np.bincount(self._leaf, column) for column in points.T], axis=1)
            centres = sums / counts[:, None]
        self._merges = linkage(centres, "ward")
        self._columns: dict[int, Array] = {}  # of leaves asked for before
        self._order_leaves(np.bincount(self._leaf))

    def _order_leaves(self, leaf_sizes: npt.NDArray[np.int64]) -> None:
        """Order the leaves so that every subtree is an interval, and find these intervals."""
        n_leaves = len(leaf_sizes)
        n_nodes = n_leaves + len(self._merges)
        children = self._merges[:, :2].astype(np.int64)
        width = np.concatenate([np.ones(n_leaves, np.int64), self._merges[:, 3].astype(np.int64)])
        self._size = np.concatenate([leaf_sizes, np.zeros(len(children), np.int64)])
        for node, (a, b) in enumerate(children.tolist(), start=n_leaves):
            self._size[node] = self._size[a] + self._size[b]
        self._begin = np.zeros(n_nodes, dtype=np.int64)
        self._parent = np.full(n_nodes, -1, dtype=np.int64)
        for node in range(n_nodes - 1, n_leaves - 1, -1):
            a, b = children[node - n_leaves].tolist()
            self._begin[a], self._begin[b] = self._begin[node], self._begin[node] + width[a]
            self._parent[[a, b]] = node
        self._end = self._begin + width

    def predict(self, seeds: Seeds) -> Prediction:
        """Share each item among the groups by the smallest subtrees with a seed."""
        return predict_by_similarity(self.similarity(seeds.items), seeds, pseudo_count=1.0)

    def similarity(self, items: Positions) -> Array:  # (n, len(items))
        """Return the similarity of all items to the given ones."""
        leaves = self._leaf[items].tolist()
        columns = np.stack([self._column(leaf) for leaf in leaves], axis=1)
        return np.asarray(columns[self._begin[self._leaf]])

    def _column(self, leaf: int) -> Array:  # (leaves,), in the order of `_begin`
        """Return the similarity of all leaves to one: interval by interval up to the root."""
        if leaf not in self._columns:
            size = np.empty(len(self._merges) + 1)
            node, begin, end = leaf, self._begin[leaf], self._end[leaf]
            size[begin:end] = self._size[node]
            while self._parent[node] >= 0:
                node = int(self._parent[node])
                size[self._begin[node] : begin] = self._size[node]
                size[end : self._end[node]] = self._size[node]
                begin, end = self._begin[node], self._end[node]
            self._columns[leaf] = (size / len(self._leaf)) ** -_EXPONENT
        return self._columns[leaf]

    def cells(self, n_cells: int | None) -> npt.NDArray[np.int64]:  # (n,)
        """Cut the tree into `n_cells` cells.

        None takes the number of largest silhouette, or ten where none is above 0.1.
        """
        if n_cells is not None:
            return self._cut(n_cells)
        n = len(self._leaf)
        some = np.linspace(0, n - 1, min(n, _SAMPLE)).astype(np.int64)
        best, found = -1.0, self._cut(1)
        for number in _NUMBERS:
            cells = self._cut(number)
            if number > max(n // 5, 2) or not 1 < len(np.unique(cells[some])) < len(some):
                break
            score = float(silhouette_score(self._points[some], cells[some]))
            if score > best + 1e-9:
                best, found = score, cells
        unclear = -1 < best < _MIN_SILHOUETTE
        return self._cut(min(_DEFAULT_CELLS, max(n // 5, 2))) if unclear else found

    def _cut(self, n_cells: int) -> npt.NDArray[np.int64]:
        """Cut the tree at the height that leaves `n_cells` subtrees; number them from 0."""
        parts = fcluster(self._merges, n_cells, "maxclust")
        return np.unique(parts, return_inverse=True)[1].astype(np.int64)[self._leaf]
