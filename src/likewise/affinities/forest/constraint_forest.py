"""A forest whose trees the answers guide: items that fall into the same leaves are alike."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from joblib import Parallel, delayed
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted, validate_data

from likewise._seeds import seed_from
from likewise.affinities._neighbour_graph import with_bridged_components
from likewise.affinities.base import Links, Positions, checked_links
from likewise.errors import MethodError
from likewise.items import Matrix

if TYPE_CHECKING:  # numba takes a second to import
    from likewise.affinities.forest._trees import Tree

_BLOCK = 500  # items whose likeness to all others is held at a time


def leaf_incidence(leaves: npt.NDArray[np.integer]) -> sp.csr_matrix:  # (n, leaves of all trees)
    """Return a 1 for each leaf that an item falls into, from (n, n_trees) numbers within each tree.

    >>> leaf_incidence(np.array([[0, 1], [1, 1]])).toarray()
    array([[1., 0., 0., 1.],
           [0., 1., 0., 1.]], dtype=float32)
    """
    n_leaves = leaves.max(axis=0, initial=0).astype(np.int64) + 1
    leaf = leaves + (np.cumsum(n_leaves) - n_leaves)
    ones = np.ones(leaf.size, dtype=np.float32)
    ends = np.arange(0, leaf.size + 1, leaves.shape[1])
    return sp.csr_matrix((ones, leaf.ravel(), ends), shape=(len(leaves), int(n_leaves.sum())))


class ConstraintForest(BaseEstimator):  # type: ignore[misc]
    """How often two items share a leaf of a forest that respects the links (COP-RF).

    Every tree learns to tell items from synthetic rows, on a bag of half of both; no cut parts a
    must-linked pair, and cuts that part more cannot-linked pairs come first (eq. 7). A tree sees
    the links between items in its bag: these must-linked items share its leaf, others may not.
    Contradictory links are no error: a node that must not be cut is a leaf.

    Parameters
    ----------
    n_trees : int, default=1000
        How many trees are grown.
    min_leaf : int, default=1
        The fewest rows of the bag on either side of a cut: large leaves make items alike that are
        merely close.
    max_features : int, "sqrt" or None, default="sqrt"
        How many features are tried at each node: a number, the square root of all, or None for all.
    to_single_rows : bool, default=True
        Whether a node where no cut gains anything is cut in halves, down to single rows; otherwise
        it is a leaf, as in the paper's Algorithm 1.
    scan : {"best", "running"}, default="best"
        Which of the cuts that part no must-linked pair is taken: the one that parts most
        cannot-linked pairs, then the one that gains most; or that of Algorithm 1 as printed, whose
        number of cannot-links to part grows while it scans, so that it depends on the order.
    close_links : bool, default=False
        Whether trees see what follows from the links by transitivity.
    cut_sample : int, default=10000
        A node of more rows of the bag is cut at one of the values of so many of them, drawn at
        random, and by their gain: on huge piles only the first few levels of a tree are judged by a
        sample.
    n_neighbours : float or None, default=None
        How many neighbours an item has in a sparse graph, computed without ever holding n² numbers;
        a share of the items if below 1, None keeps all pairs.
    n_jobs : int or None, default=None
        How many threads grow trees; the result does not depend on it.
    random_state : int, default=0
        The seed; equal seeds give equal results.

    Attributes
    ----------
    affinity_ : ndarray or sparse matrix of shape (n, n)
        Shares of common leaves (eq. 8 and 9), sparse with `n_neighbours`.
    leaves_ : ndarray of shape (n, n_trees)
        The leaf of each item in each tree, by its number within the tree.
    feature_importances_ : ndarray of shape (d,)
        Each feature's share of the gain in Gini impurity (eq. 5).
    trees_ : list of Tree
        The trees.

    References
    ----------
    Zhu, Loy and Gong: Constrained clustering with imperfect oracles, 2015, section III-C, eq. 5 to
    9.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(size=(40, 3))
    >>> forest = ConstraintForest(n_trees=50).fit(X, must_link=[(0, 1)], cannot_link=[(2, 3)])
    >>> free = ConstraintForest(n_trees=50).fit(X)
    >>> bool(forest.affinity_[0, 1] > free.affinity_[0, 1])
    True
    >>> forest.apply(X[:2]).shape
    (2, 50)
    """

    learns: ClassVar[bool] = True
    # With which probability a tree sees each must-link and each cannot-link; None sees all.
    _chance: tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]] | None = None
    affinity_: Matrix  # shares of common leaves, sparse with n_neighbours
    leaves_: npt.NDArray[np.int32]  # (n, n_trees), numbers of leaves within each tree
    feature_importances_: npt.NDArray[np.float64]  # (d,), shares of the gain in Gini impurity
    trees_: list[Tree]

    def __init__(
        self,
        *,
        n_trees: int = 1000,
        min_leaf: int = 1,
        max_features: str | int | None = "sqrt",
        to_single_rows: bool = True,
        scan: str = "best",
        close_links: bool = False,
        cut_sample: int = 10_000,
        n_neighbours: float | None = None,
        n_jobs: int | None = None,
        random_state: int = 0,
    ) -> None:
        self.n_trees = n_trees
        self.min_leaf = min_leaf
        self.max_features = max_features
        self.to_single_rows = to_single_rows
        self.scan = scan
        self.close_links = close_links
        self.cut_sample = cut_sample
        self.n_neighbours = n_neighbours
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(
        self,
        X: Any,
        y: Any = None,
        *,
        must_link: Links = None,
        cannot_link: Links = None,
        on_tree: Callable[[], None] | None = None,
    ) -> Self:
        """Grow the trees and compute `affinity_`; `on_tree` is called after every tree."""
        from likewise.affinities.forest._trees import ClosedLinks, GivenLinks, TrainingRows, Tree

        X = validate_data(self, X, dtype=np.float64, order="C", ensure_min_samples=2)
        n, d = X.shape
        n_try = self._check_settings(d)
        must = checked_links(must_link, n, "must_link")
        cannot = checked_links(cannot_link, n, "cannot_link")
        links = (
            ClosedLinks.of(n, must, cannot)
            if self._closing
            else GivenLinks(must, cannot, *(self._chance or (None, None)))
        )
        first, *seeds = self._seeds()
        rows = TrainingRows.of(X, np.random.default_rng(first))
        settings = (self.min_leaf, self.to_single_rows, self.scan == "running", self.cut_sample)
        growing = Parallel(n_jobs=self.n_jobs, prefer="threads", return_as="generator")(
            delayed(Tree.grown)(rows, links, n_try, *settings, seed) for seed in seeds
        )
        self.trees_ = []
        for tree in growing:
            self.trees_.append(tree)
            if on_tree is not None:
                on_tree()
        self.leaves_ = self.apply(X)
        self.feature_importances_ = self._importances(d)
        self._incidence = leaf_incidence(self.leaves_)
        self.affinity_ = self._shares() if self.n_neighbours is None else self._neighbour_graph()
        return self

    def _seeds(self) -> list[np.random.SeedSequence]:
        """Return the seed of the synthetic rows, and one for each tree."""
        return np.random.SeedSequence(seed_from(self.random_state)).spawn(self.n_trees + 1)

    def unseen_shares(self, pairs: Positions) -> npt.NDArray[np.float64]:  # (m, 2) -> (m,)
        """Return the share of common leaves of some pairs in the trees whose bag lacks one of both.

        Whatever a link made of the other trees, it had no part in this.
        """
        from likewise.affinities.forest._trees import bag_of

        check_is_fitted(self)
        n = len(self.leaves_)
        common, n_unseen = np.zeros(len(pairs)), np.zeros(len(pairs))
        for seed, leaf in zip(self._seeds()[1:], self.leaves_.T, strict=True):
            in_bag = bag_of(n, np.random.default_rng(seed))[:n] > 0
            unseen = ~in_bag[pairs].all(axis=1)
            n_unseen += unseen
            common += unseen & (leaf[pairs[:, 0]] == leaf[pairs[:, 1]])
        return np.asarray(common / np.maximum(n_unseen, 1))

    @property
    def _closing(self) -> bool:
        """Whether trees see what follows from the links."""
        return self.close_links

    def _graph_size(self, n_items: int) -> int:
        """Return how many neighbours an item has in the graph; below one, a share of the items."""
        wanted = n_items if self.n_neighbours is None else self.n_neighbours
        return max(1, int(wanted * n_items if wanted < 1 else wanted))

    def apply(self, X: Any) -> npt.NDArray[np.int32]:  # (len(X), n_trees)
        """Return the leaf of each row of X in each tree."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, order="C", reset=False)
        return np.column_stack([tree.leaves(X) for tree in self.trees_])

    def distances(self, items: Positions, others: Positions) -> npt.NDArray[np.float64]:
        """Return 1 - the share of trees in which two items share a leaf."""
        common = self._incidence[items] @ self._incidence[others].T
        away: npt.NDArray[np.float64] = 1.0 - common.toarray() / self.leaves_.shape[1]
        return away

    def _check_settings(self, n_features: int) -> int:
        """Refuse settings out of range; how many features to try at a node."""
        for name in ("n_trees", "min_leaf"):
            value = getattr(self, name)
            if value < 1:
                raise MethodError(f"{name} must be at least 1, not {value}")
        if self.n_neighbours is not None and not self.n_neighbours > 0:
            raise MethodError(f"n_neighbours must be above 0 or None, not {self.n_neighbours}")
        if self.scan not in ("best", "running"):
            raise MethodError(f"scan must be 'best' or 'running', not {self.scan!r}")
        if self.cut_sample < 2:
            raise MethodError(f"cut_sample must be at least 2 rows, not {self.cut_sample}")
        if self.max_features is None:
            return n_features
        if self.max_features == "sqrt":
            return max(1, int(np.sqrt(n_features)))
        if isinstance(self.max_features, str) or self.max_features < 1:
            raise MethodError(
                "max_features must be 'sqrt', a number of at least 1 or None for all, "
                f"not {self.max_features!r}"
            )
        return min(self.max_features, n_features)

    def _importances(self, n_features: int) -> npt.NDArray[np.float64]:
        feature = np.concatenate([tree.feature for tree in self.trees_])
        gain = np.concatenate([tree.gain for tree in self.trees_])
        cut = feature >= 0
        total = np.bincount(feature[cut], weights=gain[cut], minlength=n_features)
        return np.asarray(total / total.sum() if total.any() else total, dtype=np.float64)

    def _shares(self) -> npt.NDArray[np.float64]:
        """Return the affinity of all pairs (eq. 8 and 9)."""
        n, columns = len(self.leaves_), sp.csr_matrix(self._incidence.T)
        shares = np.empty((n, n))
        for start in range(0, n, _BLOCK):
            block = self._incidence[start : start + _BLOCK] @ columns
            shares[start : start + _BLOCK] = block.toarray() / self.n_trees
        np.fill_diagonal(shares, 0.0)
        return shares

    def _neighbour_graph(self) -> sp.csr_matrix:
        """Return the affinity of items among the nearest of either, ties to the first items."""
        n, columns = len(self.leaves_), sp.csr_matrix(self._incidence.T)
        k = min(self._graph_size(n), n - 1)
        neighbours, weights, n_found = [], [], []
        for start in range(0, n, _BLOCK):
            block = self._incidence[start : start + _BLOCK] @ columns
            for row in range(block.shape[0]):
                entries = slice(block.indptr[row], block.indptr[row + 1])
                items, common = block.indices[entries], block.data[entries]
                others = items != start + row
                items, common = items[others].astype(np.int64), common[others]
                if len(items) > k:
                    order = common.astype(np.int64) * n + (n - 1 - items)  # no two are equal
                    best = np.argpartition(-order, k)[:k]
                    items, common = items[best], common[best]
                neighbours.append(items)
                weights.append(common / self.n_trees)
                n_found.append(len(items))
        nearest = sp.csr_matrix(
            (
                np.concatenate(weights).astype(np.float64),
                np.concatenate(neighbours),
                np.cumsum([0, *n_found]),
            ),
            shape=(n, n),
        )
        nearest.sort_indices()
        return with_bridged_components(sp.csr_matrix(nearest.maximum(nearest.T)))
