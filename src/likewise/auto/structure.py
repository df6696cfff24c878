"""The structure of a pile: all that `auto` computes once, before any answer."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import eigsh
from sklearn.decomposition import PCA, TruncatedSVD

from likewise.auto.cells import Cells
from likewise.auto.connections import Connections
from likewise.auto.experts.base import Array, Expert, Positions, Seeds
from likewise.auto.experts.components import GraphComponents
from likewise.auto.experts.extra_trees import ExtraTrees
from likewise.auto.experts.gaussian import SharedCovarianceGaussians
from likewise.auto.experts.one_view import OneView
from likewise.auto.experts.pagerank import PersonalisedPageRank
from likewise.auto.experts.ward_tree import WardTree
from likewise.items import Matrix

_MAX_DIMENSIONS = 50  # more features are reduced to so many
_EIGENVECTORS = 20  # that stand in for features where there are none

# Pseudo-counts for stacking. PageRank begins with more than the others: with a handful of answers
# the neighbour graph is right most often. So do components, in the few piles that have any.
PRIOR_WEIGHTS = {
    "pagerank": 3.0, "neighbours": 1.0, "ward": 1.0, "components": 3.0,
    "forest": 1.0, "gaussian": 1.0, "diagonal": 1.0,
}  # fmt: skip
_VIEW_WEIGHT = 0.5  # of the expert of a view, of which there may be many
_OF_VIEW = "view: "  # begins the name of such an expert


def view_of(expert: str) -> str | None:
    """Return the name of the view that an expert goes by; None for one that sees all of them.

    >>> view_of("view: colour"), view_of("ward")
    ('colour', None)
    """
    return expert.removeprefix(_OF_VIEW) if expert.startswith(_OF_VIEW) else None


def prior_weight(expert: str) -> float:
    """Return the pseudo-count of an expert."""
    return PRIOR_WEIGHTS[expert] if view_of(expert) is None else _VIEW_WEIGHT


class PileStructure:
    """The experts of one pile, its tree, and the parts of it that are clearly separate.

    Depends on its parameters alone, so it is handed on from fit to fit (`PileStructures`).

    Parameters
    ----------
    features : array, sparse matrix or None
        Of shape (n, d). Sparse ones are reduced by truncated SVD, more than 50 dense ones by PCA;
        without any, eigenvectors of the graph are the coordinates.
    graph : array or sparse matrix of shape (n, n)
        The affinity of neighbours.
    random_state : int
        Seed of whatever is drawn.
    views : mapping of str to array of shape (n, any), optional
        Several views of the items, of which `features` are the mixture.
    one_views : mapping of str to OneView, optional
        Their experts by the name of the view, where there are any of another structure.

    Attributes
    ----------
    points : ndarray of shape (n, at most 50)
        Dense coordinates of the items.
    pagerank, gaussians, ward_tree : Expert
        The experts that are also used for other purposes than predicting.
    clear_cells : Cells
        The parts that are clearly separate before any answer.
    tree : WardTree
        Of which the parts of the pile are subtrees; clearly separate components stay whole in it.
    connections : Connections
        Of the neighbour graph, between subtrees.
    incremental : dict of str to Expert
        Experts cheap enough to follow every answer.
    periodic : dict of str to Expert
        Experts that are fitted again only when the number of seeds has grown by an eighth.
    one_views : mapping of str to OneView
        Those of them that go by one view each, by its name.
    """

    def __init__(
        self,
        features: Matrix | None,
        graph: Matrix,
        random_state: int,
        views: Mapping[str, Matrix] | None = None,
        *,
        one_views: Mapping[str, OneView] | None = None,
    ) -> None:
        self.features, self.graph, self.random_state = features, graph, random_state
        self.views = views
        self.points = _coordinates(features, graph, random_state)
        dense = self.points if features is None or sp.issparse(features) else features
        self.pagerank = PersonalisedPageRank(graph, damping=0.95)
        self.gaussians = SharedCovarianceGaussians(self.points)
        self.ward_tree = WardTree(self.points, random_state)
        self.incremental: dict[str, Expert] = {
            "pagerank": self.pagerank,
            "neighbours": PersonalisedPageRank(graph, damping=0.6),
            "ward": self.ward_tree,
        }
        self.periodic: dict[str, Expert] = {
            "forest": ExtraTrees(dense, random_state),
            "gaussian": self.gaussians,
            "diagonal": SharedCovarianceGaussians(self.points, diagonal=True),
        }
        if one_views is None:
            one_views = {name: OneView(view, random_state) for name, view in (views or {}).items()}
        self.one_views = one_views
        for name, expert in one_views.items():
            self.periodic[_OF_VIEW + name] = expert
        # Parts of any shape are found from many small cells; round ones need not be so many.
        components = self._cells(self.ward_tree.cells()).components()
        if components is not None:
            self.incremental["components"] = GraphComponents(components.labels)
        self.clear_cells = components or self._cells(self.ward_tree.cells(graph))
        self.tree = self.ward_tree
        if components is not None:
            self.tree = WardTree(self.points, random_state, components=components.labels)
        self.connections = Connections(graph, self.tree)

    def __len__(self) -> int:
        return len(self.points)

    def log_height(self, n_groups: int) -> float:
        """Return the log height at which the tree falls into `n_groups` parts."""
        joins = np.sort(self.tree.log_heights[self.tree.n_leaves :])
        around = np.concatenate([[self.tree.lowest - 1], joins, [joins[-1] + 1]])
        at = max(len(joins) + 1 - n_groups, 0)
        return float(around[at : at + 2].mean())

    def n_parts(self, log_height: float) -> int:
        """Return into how many parts the tree falls at a log height."""
        return 1 + int((self.tree.log_heights[self.tree.n_leaves :] > log_height).sum())

    def _cells(self, cut: Positions) -> Cells:
        """Let each item move once from its part of the tree to the likeliest one.

        The tree never separates what it has merged, so some items are better placed elsewhere.
        """
        everybody = Seeds(np.arange(len(cut)), cut, int(cut.max()) + 1)
        moved = self.gaussians.posterior(everybody, self.points).argmax(axis=1)
        emptied = len(np.unique(moved)) < everybody.n_groups
        return Cells(cut if emptied else moved, self.pagerank)


def _coordinates(features: Matrix | None, graph: Matrix, random_state: int) -> Array:
    """Return dense centred coordinates, at most 50, without constant ones unless all are."""
    if features is None:
        points = _spectral_coordinates(graph)
    elif sp.issparse(features):
        most = min(_MAX_DIMENSIONS, min(features.shape) - 1)
        if most < 1:
            points = np.asarray(features.todense())
        else:
            points = TruncatedSVD(most, random_state=random_state).fit_transform(features)
    else:
        points = np.asarray(features, dtype=np.float64)
        if points.shape[1] > _MAX_DIMENSIONS:
            most = min(_MAX_DIMENSIONS, len(points) - 1)
            points = PCA(most, svd_solver="randomized", random_state=random_state).fit_transform(
                points
            )
    points = points - points.mean(axis=0)
    spread = points.std(axis=0)
    varying = spread > 1e-9 * max(float(spread.max()), 1e-300)
    return np.ascontiguousarray(points[:, varying] if varying.any() else points[:, :1])


def _spectral_coordinates(graph: Matrix) -> Array:
    """Return the leading eigenvectors of the normalised graph, scaled by their eigenvalues."""
    n = graph.shape[0]
    root = np.sqrt(np.maximum(np.asarray(graph.sum(axis=1)).ravel(), 1e-300))
    scale = sp.diags_array(1 / root)
    normalised = sp.csr_matrix(scale @ sp.csr_matrix(graph) @ scale)
    wanted = min(_EIGENVECTORS, n - 1)
    if n <= 500:
        values, vectors = np.linalg.eigh(normalised.toarray())
        values, vectors = values[-wanted:], vectors[:, -wanted:]
    else:
        # Starting at the stationary distribution of the walk: the same vectors every time.
        values, vectors = eigsh(normalised, wanted, which="LA", v0=root)
    signs = np.sign(vectors[np.abs(vectors).argmax(axis=0), np.arange(wanted)])
    return np.asarray(vectors * signs * np.maximum(values, 0.0) / root[:, None] * root.mean())
