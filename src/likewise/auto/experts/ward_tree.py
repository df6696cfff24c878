"""Ward's dendrogram as an expert, and as a partition of the pile into cells."""

from __future__ import annotations

from functools import cached_property

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.special import entr
from sklearn.cluster import KMeans
from sklearn.metrics import silhouette_score
from threadpoolctl import threadpool_limits

from likewise.auto.experts.base import Array, Positions, Prediction, Seeds, predict_by_sums
from likewise.auto.experts.group_sums import GroupSums
from likewise.items import Matrix

FEWEST_INNER = 2  # items of a subtree that are in its middle however few there are
_LEAVES = 1500  # larger piles are reduced to so many k-means centres first
_SAMPLE = 1000  # items by which numbers of cells are compared
_MIN_SILHOUETTE = 0.1  # below this the pile has no clear cells
_CLEAR_SILHOUETTE = 0.5  # from here on it decides alone
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
    components : ndarray of shape (n,) or None
        Parts of the pile, of any shape, that stay whole until each is joined to one node: no
        subtree holds some of one and some of another.

    Attributes
    ----------
    n_leaves : int
        Nodes 0 to `n_leaves` - 1 are the leaves, the others joins of two nodes.
    leaf : ndarray of shape (n,)
        The leaf of every item.
    children : ndarray of shape (joins, 2)
        What the node `n_leaves` + k joins.
    parent : ndarray of shape (nodes,)
        The node that joins a node to another; -1 for the root.
    begin, end : ndarray of shape (nodes,)
        The leaves below a node are those whose own `begin` is in this interval.
    sizes, means, centres : ndarray of shape (nodes,), (nodes, d), (nodes,)
        How many items are below a node, their mean, and the item next to it.
    log_heights : ndarray of shape (nodes,)
        Where the children join; for leaves `lowest`, than which nothing is lower.

    References
    ----------
    Ward, "Hierarchical grouping to optimize an objective function", 1963. Rousseeuw,
    "Silhouettes", 1987, and Rosvall and Bergstrom, "Maps of random walks on complex networks
    reveal community structure", 2008 (the number of cells).
    """

    def __init__(
        self,
        points: Array,
        random_state: int,
        *,
        components: npt.NDArray[np.int64] | None = None,
    ) -> None:
        self.points = points
        self.leaf = _leaves(points, components, random_state)
        self.n_leaves = int(self.leaf.max()) + 1
        leaf_sizes = np.bincount(self.leaf)
        sums = np.stack([np.bincount(self.leaf, column) for column in points.T], axis=1)
        centres = sums / leaf_sizes[:, None]
        if components is None:
            self._merges = linkage(centres, "ward")
            self._n_within = len(self._merges)
        else:
            of_leaf = np.empty(self.n_leaves, dtype=np.int64)
            of_leaf[self.leaf] = components
            self._merges = _linkage_of_components(centres, of_leaf)
            self._n_within = self.n_leaves - 1 - int(components.max())
        self._rows: dict[int, Array] = {}  # of leaves asked for before
        self._inner: dict[tuple[int, int], bool] = {}  # of pairs asked about before
        self._sums = GroupSums(self.similarity, len(self._merges) + 1)
        self._order_leaves(leaf_sizes)

    def _order_leaves(self, leaf_sizes: npt.NDArray[np.int64]) -> None:
        """Order the leaves so that every subtree is an interval, and find these intervals."""
        n_leaves = self.n_leaves
        n_nodes = n_leaves + len(self._merges)
        self.children = self._merges[:, :2].astype(np.int64)
        width = np.concatenate([np.ones(n_leaves, np.int64), self._merges[:, 3].astype(np.int64)])
        self.sizes = np.concatenate([leaf_sizes, np.zeros(len(self.children), np.int64)])
        for node, (a, b) in enumerate(self.children.tolist(), start=n_leaves):
            self.sizes[node] = self.sizes[a] + self.sizes[b]
        self.begin = np.zeros(n_nodes, dtype=np.int64)
        self.parent = np.full(n_nodes, -1, dtype=np.int64)
        for node in range(n_nodes - 1, n_leaves - 1, -1):
            a, b = self.children[node - n_leaves].tolist()
            self.begin[a], self.begin[b] = self.begin[node], self.begin[node] + width[a]
            self.parent[[a, b]] = node
        self.end = self.begin + width

    @cached_property
    def log_heights(self) -> Array:  # (nodes,)
        """Where the children of each node join, never below where their own children do."""
        heights = np.zeros(len(self.parent))
        highest = 0.0  # within components
        for node, (a, b) in enumerate(self.children.tolist(), start=self.n_leaves):
            squares = float(((self.means[a] - self.means[b]) ** 2).sum())
            sizes = float(self.sizes[a]), float(self.sizes[b])
            height = float(np.sqrt(2 * sizes[0] * sizes[1] / sum(sizes) * squares))
            if node - self.n_leaves >= self._n_within:
                height += highest
            heights[node] = max(height, heights[a], heights[b])
            highest = max(highest, heights[node] if node - self.n_leaves < self._n_within else 0.0)
        return np.log(np.maximum(heights, max(1e-9 * float(heights.max()), 1e-300)))

    @property
    def lowest(self) -> float:
        """The log height below which no two items are told apart."""
        return float(self.log_heights[0])

    @cached_property
    def means(self) -> Array:  # (nodes, d)
        """The mean of the items below each node."""
        sums = np.zeros((len(self.parent), self.points.shape[1]))
        np.add.at(sums, self.leaf, self.points)
        for node, (a, b) in enumerate(self.children.tolist(), start=self.n_leaves):
            sums[node] = sums[a] + sums[b]
        return np.asarray(sums / self.sizes[:, None])

    @cached_property
    def centres(self) -> Positions:  # (nodes,)
        """The item nearest to the mean of each node; of equally near ones the first."""
        found = np.empty(len(self.parent), dtype=np.int64)
        for node in range(len(self.parent)):
            items = self.items_below(node)
            away = ((self.points[items] - self.means[node]) ** 2).sum(axis=1)
            found[node] = items[np.round(away / max(float(away.max()), 1e-300), 9).argmin()]
        return found

    def items_below(self, node: int) -> Positions:
        """Return the items below a node, ascending."""
        begin = int(self._first_below[node])
        return np.sort(self._by_leaf[begin : begin + int(self.sizes[node])])

    @cached_property
    def _by_leaf(self) -> Positions:  # (n,)
        """All items in the order of their leaves."""
        return np.argsort(self.begin[self.leaf], kind="stable")

    @cached_property
    def _first_below(self) -> Positions:  # (nodes,)
        """Where the items below each node begin in that order."""
        return np.searchsorted(self.begin[self.leaf][self._by_leaf], self.begin)

    def common_ancestor(self, i: int, j: int) -> int:
        """Return the lowest node that has both items below it."""
        node, begin = int(self.leaf[i]), int(self.begin[self.leaf[j]])
        while not self.begin[node] <= begin < self.end[node]:
            node = int(self.parent[node])
        return node

    def inner_in_sides(self, i: int, j: int) -> bool:
        """Return whether two items are in the inner halves of the sides that join where they do.

        In a side of two either is.
        """
        if (i, j) not in self._inner:
            node = self.common_ancestor(i, j)
            within = node < self.n_leaves or all(self._is_inner(item, node) for item in (i, j))
            self._inner[i, j] = within
        return self._inner[i, j]

    def _is_inner(self, item: int, node: int) -> bool:
        """Return whether an item is in the inner half of the child of a node that holds it."""
        one, other = self.children[node - self.n_leaves].tolist()
        position = self.begin[self.leaf[item]]
        side = one if self.begin[one] <= position < self.end[one] else other
        away = ((self.points[self.items_below(side)] - self.means[side]) ** 2).sum(axis=1)
        own = ((self.points[item] - self.means[side]) ** 2).sum()
        return bool((away < own - 1e-12).sum() < max(len(away) / 2, FEWEST_INNER))

    def predict(self, seeds: Seeds) -> Prediction:
        """Share each item among the groups by the smallest subtrees with a seed."""
        sums = np.take(self._sums(seeds).T, self.begin[self.leaf], axis=0)
        own = (self.sizes[self.leaf[seeds.items]] / len(self.leaf)) ** -_EXPONENT
        return predict_by_sums(sums, own, seeds, pseudo_count=1.0)

    def similarity(self, item: int) -> Array:  # (leaves,), in the order of `begin`
        """Return the similarity of all leaves to an item: interval by interval up to the root."""
        leaf = int(self.leaf[item])
        if leaf not in self._rows:
            size = np.empty(len(self._merges) + 1)
            node, begin, end = leaf, self.begin[leaf], self.end[leaf]
            size[begin:end] = self.sizes[node]
            while self.parent[node] >= 0:
                node = int(self.parent[node])
                size[self.begin[node] : begin] = self.sizes[node]
                size[end : self.end[node]] = self.sizes[node]
                begin, end = self.begin[node], self.end[node]
            self._rows[leaf] = (size / len(self.leaf)) ** -_EXPONENT
        return self._rows[leaf]

    def cells(self, graph: Matrix | None = None) -> npt.NDArray[np.int64]:  # (n,)
        """Cut the tree into as many cells as stand out best, by silhouette, or ten if none do.

        With the neighbour graph, where no silhouette is clear, by silhouette times the square of
        what the cells save in describing random walks on it. In many dimensions silhouettes grow
        with ever smaller cells, though most neighbours of an item are then in others.
        """
        # Not a cut into one: of two leaves older versions of scipy make two cells even then.
        whole = np.zeros(len(self.leaf), dtype=np.int64)
        if not self._silhouettes:
            return whole
        score = dict(self._silhouettes)
        clearest = max(score.values())
        if graph is not None and clearest < _CLEAR_SILHOUETTE:
            most = code_length(graph, whole)
            saved = {k: max(most - code_length(graph, self._cut(k)), 0.0) for k in score}
            score = {k: max(one, 0.0) * saved[k] ** 2 for k, one in score.items()}
        elif clearest < _MIN_SILHOUETTE:
            return self._cut(min(_DEFAULT_CELLS, max(len(self.leaf) // 5, 2)))
        return self._cut(max(score, key=lambda number: round(score[number], 9)))

    @cached_property
    def _silhouettes(self) -> dict[int, float]:
        """By some numbers of cells, how well they stand out."""
        n = len(self.leaf)
        some = np.linspace(0, n - 1, min(n, _SAMPLE)).astype(np.int64)
        found = {}
        for number in _NUMBERS:
            cells = self._cut(number)
            if number > max(n // 5, 2) or not 1 < len(np.unique(cells[some])) < len(some):
                break
            found[number] = float(silhouette_score(self.points[some], cells[some]))
        return found

    def _cut(self, n_cells: int) -> npt.NDArray[np.int64]:
        """Cut the tree at the height that leaves `n_cells` subtrees; number them from 0."""
        parts = fcluster(self._merges, n_cells, "maxclust")
        return np.unique(parts, return_inverse=True)[1].astype(np.int64)[self.leaf]


def code_length(graph: Matrix, cells: npt.NDArray[np.int64]) -> float:
    """Return the bits per step that describe a random walk by cells and places in them.

    The map equation for undirected graphs (Rosvall and Bergstrom, eq. 1): short where walks stay
    in a cell for long.

    >>> pairs = np.kron(np.eye(2), np.ones((2, 2)) - np.eye(2))
    >>> code_length(pairs, np.array([0, 0, 1, 1])), code_length(pairs, np.array([0, 0, 0, 0]))
    (1.0, 2.0)
    """
    edges = sp.coo_array(graph)
    total = float(edges.data.sum())
    if total <= 0:
        return 0.0
    weight, begin = edges.data / total, cells[edges.row]
    n_cells = int(cells.max()) + 1
    visits = np.bincount(edges.row, weight)
    of_cell = np.bincount(begin, weight, minlength=n_cells)
    leaving = np.bincount(begin, weight * (begin != cells[edges.col]), minlength=n_cells)
    bits = [
        float(-entr(share).sum() / np.log(2))
        for share in (leaving.sum(), leaving, visits, of_cell + leaving)
    ]
    return bits[0] - 2 * bits[1] - bits[2] + bits[3]


def _leaves(
    points: Array, components: npt.NDArray[np.int64] | None, random_state: int
) -> npt.NDArray[np.int64]:  # (n,)
    """Return the leaf of every item: itself, or a k-means cluster within its component."""
    n = len(points)
    if n <= _LEAVES:
        return np.arange(n)
    # One thread: sums in another order would be other sums, and another tree.
    with threadpool_limits(1, user_api="openmp"):
        parts = KMeans(_LEAVES, n_init=1, max_iter=5, random_state=random_state).fit(points).labels_
    if components is not None:
        parts = parts.astype(np.int64) * (int(components.max()) + 1) + components
    return np.unique(parts, return_inverse=True)[1].astype(np.int64)


def _linkage_of_components(
    points: Array, components: npt.NDArray[np.int64]
) -> Array:  # (len(points) - 1, 4), as scipy has it
    """Return Ward's linkage of each component by itself, then of the components."""
    n = len(points)
    merges: list[tuple[int, int, float, int]] = []
    roots: list[int] = []
    for component in range(int(components.max()) + 1):
        members = np.flatnonzero(components == component)
        nodes = members.tolist()
        if len(members) > 1:
            for a, b, height, size in linkage(points[members], "ward").tolist():
                merges.append((nodes[int(a)], nodes[int(b)], height, int(size)))
                nodes.append(n + len(merges) - 1)
        roots.append(nodes[-1])
    sizes = np.bincount(components)
    means = np.stack([points[components == c].mean(axis=0) for c in range(len(roots))])
    count = sizes.tolist()
    nodes = list(roots)
    for a, b, height, _ in (
        linkage(means, "ward") if len(roots) > 1 else np.empty((0, 4))
    ).tolist():
        count.append(count[int(a)] + count[int(b)])
        merges.append((nodes[int(a)], nodes[int(b)], height, count[-1]))
        nodes.append(n + len(merges) - 1)
    return np.array(merges, dtype=np.float64).reshape(-1, 4)
