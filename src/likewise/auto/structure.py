"""What is known of a pile before any answer, prepared once for all experts."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import eigsh
from sklearn.decomposition import PCA, TruncatedSVD

from likewise.auto.cells import Cells
from likewise.auto.experts.base import Array, Expert, Seeds
from likewise.auto.experts.components import Components
from likewise.auto.experts.gaussian import SharedCovarianceGaussians
from likewise.auto.experts.pagerank import PersonalisedPageRank
from likewise.auto.experts.random_forest import Forest
from likewise.auto.experts.ward_tree import WardTree
from likewise.items import Matrix

_DIMENSIONS = 50  # more features are reduced to so many
_COORDINATES = 20  # eigenvectors that stand in for features where there are none

# Random walks begin with more credit than the others: with a handful of answers the neighbour
# graph is right most often. So do islands, in the few piles that have any.
PRIOR = {
    "walks": 3.0, "neighbours": 1.0, "tree": 1.0, "islands": 3.0,
    "forest": 1.0, "clouds": 1.0, "features": 1.0,
}  # fmt: skip


class PileStructure:
    """The experts of one pile, and its cells: parts that are likely of one kind each.

    `features` may be dense, sparse or missing; `graph` is the affinity of neighbours. Everything
    depends on these and on `random_state` alone, so it can be handed on from fit to fit.
    """

    def __init__(self, features: Matrix | None, graph: Matrix, random_state: int) -> None:
        self.features, self.graph, self.random_state = features, graph, random_state
        self.points = _points(features, graph, random_state)
        dense = self.points if features is None or sp.issparse(features) else features
        self.walks = PersonalisedPageRank(graph, going_on=0.95)
        self.clouds = SharedCovarianceGaussians(self.points)
        self.tree = WardTree(self.points, random_state)
        # Cheap ones follow every answer, the others are fitted now and then.
        self.quick: dict[str, Expert] = {
            "walks": self.walks,
            "neighbours": PersonalisedPageRank(graph, going_on=0.6),
            "tree": self.tree,
        }
        self.slow: dict[str, Expert] = {
            "forest": Forest(dense, random_state),
            "clouds": self.clouds,
            "features": SharedCovarianceGaussians(self.points, upright=True),
        }
        round_cells = self._round_cells(None)
        islands = round_cells.islands()
        if islands is not None:
            self.quick["islands"] = Components(islands.of_item)
        self._outstanding = islands or round_cells
        self._cells: dict[int, Cells] = {}

    def __len__(self) -> int:
        return len(self.points)

    def cells(self, n_cells: int | None) -> Cells:
        """The pile cut into `n_cells` parts, or as many as stand out when that is None."""
        if n_cells is None or n_cells == len(self._outstanding.sizes):
            return self._outstanding
        if n_cells not in self._cells:
            self._cells[n_cells] = self._round_cells(n_cells)
        return self._cells[n_cells]

    def finest_cells(self, n_groups: int | None) -> Cells:
        """The parts in each of which there may be another group: at least as many as stand out."""
        return max(self.cells(n_groups), self._outstanding, key=lambda cells: len(cells.sizes))

    def _round_cells(self, n_cells: int | None) -> Cells:
        """Parts of Ward's tree. It never parts what it joined; so items move to likelier cells."""
        joined = self.tree.cells(n_cells)
        everybody = Seeds(np.arange(len(joined)), joined, int(joined.max()) + 1)
        moved = self.clouds.judge(everybody, self.points).argmax(axis=1)
        deserted = len(np.unique(moved)) < everybody.n_groups
        return Cells(joined if deserted else moved, self.walks)


def _points(features: Matrix | None, graph: Matrix, random_state: int) -> Array:
    """Dense coordinates, (n, at most 50), in which nothing is constant unless everything is."""
    if features is None:
        points = _coordinates(graph)
    elif sp.issparse(features):
        most = min(_DIMENSIONS, min(features.shape) - 1)
        if most < 1:
            points = np.asarray(features.todense())
        else:
            points = TruncatedSVD(most, random_state=random_state).fit_transform(features)
    else:
        points = np.asarray(features, dtype=np.float64)
        if points.shape[1] > _DIMENSIONS:
            most = min(_DIMENSIONS, len(points) - 1)
            points = PCA(most, svd_solver="randomized", random_state=random_state).fit_transform(
                points
            )
    points = points - points.mean(axis=0)
    spread = points.std(axis=0)
    varying = spread > 1e-9 * max(float(spread.max()), 1e-300)
    return np.ascontiguousarray(points[:, varying] if varying.any() else points[:, :1])


def _coordinates(graph: Matrix) -> Array:
    """The leading eigenvectors of the normalised graph, the first ones the longest."""
    n = graph.shape[0]
    root = np.sqrt(np.maximum(np.asarray(graph.sum(axis=1)).ravel(), 1e-300))
    scale = sp.diags_array(1 / root)
    normalised = sp.csr_matrix(scale @ sp.csr_matrix(graph) @ scale)
    wanted = min(_COORDINATES, n - 1)
    if n <= 500:
        values, vectors = np.linalg.eigh(normalised.toarray())
        values, vectors = values[-wanted:], vectors[:, -wanted:]
    else:
        # Beginning at the stationary distribution of the walk: the same vectors every time.
        values, vectors = eigsh(normalised, wanted, which="LA", v0=root)
    signs = np.sign(vectors[np.abs(vectors).argmax(axis=0), np.arange(wanted)])
    return np.asarray(vectors * signs * np.maximum(values, 0.0) / root[:, None] * root.mean())
