"""DSL: a tree of nearest neighbours, whose longest edges are asked about and cut."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components
from scipy.spatial.distance import cdist
from sklearn.neighbors import NearestNeighbors

from likewise.clusterers.dialogue._super_instances import SuperInstances
from likewise.clusterers.dialogue.base import Completed, DialogueClusterer, State, Step, Steps
from likewise.clusterers.links import Labels

Array = npt.NDArray[np.float64]

_NO_PAIRS = np.empty((0, 2), dtype=np.int64)


class NeighbourTree(NamedTuple):
    """All items in one tree.

    Attributes
    ----------
    parent : (n,) array of int
        The next item on the way to the root; the root's is itself.
    length : (n,) array of float
        How far away the parent is, in single precision.
    """

    parent: Labels
    length: npt.NDArray[np.float32]


def neighbour_tree(X: Array) -> NeighbourTree:
    """Link every item to its nearest, then representatives of what hangs together, up to one root.

    The representative of a component is, of the two items that are each other's nearest, the one
    that is nearest to more others. At least half of all items are gone after every level.

    >>> neighbour_tree(np.array([[0.0], [1.0], [1.5], [9.0], [9.25]])).parent
    array([1, 1, 1, 1, 3])
    """
    parent, length = np.arange(len(X)), np.zeros(len(X), dtype=np.float32)
    everyone = np.arange(len(X))
    while len(everyone) > 1:
        away, nearest = NearestNeighbors(n_neighbors=1).fit(X[everyone]).kneighbors()
        above = _cut_at_representatives(nearest[:, 0].astype(np.int64))
        linked = above != np.arange(len(everyone))
        parent[everyone[linked]] = everyone[above[linked]]
        length[everyone[linked]] = away[linked, 0]
        everyone = everyone[~linked]
    return NeighbourTree(parent, length)


def _cut_at_representatives(nearest: Labels) -> Labels:
    """Return who everybody points to, representatives to themselves.

    Each component of pointers has one circle: two items that point at each other or, where
    distances tie, more of them. Its representative is pointed at by most, the first of several.
    """
    n = len(nearest)
    on_circle = np.unique(_followed_to_the_end(nearest))
    graph = sp.csr_matrix((np.ones(n), (np.arange(n), nearest)), shape=(n, n))
    component = connected_components(graph, directed=False)[1]
    n_pointing = np.bincount(nearest, minlength=n)
    order = on_circle[np.argsort(-n_pointing[on_circle], kind="stable")]
    representatives = order[np.unique(component[order], return_index=True)[1]]
    above = nearest.copy()
    above[representatives] = representatives
    return above


def _followed_to_the_end(above: Labels) -> Labels:
    """Return where everybody gets by following pointers at least as often as there are items."""
    for _ in range(len(above).bit_length()):
        above = above[above]
    return above


class _Progress(NamedTuple):
    """Where the dialogue is."""

    n_edges: int  # edges that were looked at
    above: Labels  # the tree as cut so far: representatives point to themselves
    representatives: tuple[int, ...]
    representative_of: Labels


class DSL(DialogueClusterer):
    """Ask about the longest edges of a tree of nearest neighbours; nothing is to be set.

    Every item is linked to its nearest neighbour, every component's representative to the nearest
    representative, and so on up to one root. The longest edge that nothing is known about is asked
    about. When its ends differ it is cut, and the lower one is compared with the representatives of
    the clusters known so far, the nearest first; it brings what hangs below it along, or becomes a
    new representative. From the first answer until an edge is cut all items are one cluster.

    Parameters
    ----------
    n_clusters : int, default=2
        How many clusters there are before the first answer, by k-means.
    random_state : int, default=0
        The seed of that; equal seeds give equal results.

    Attributes
    ----------
    labels_ : ndarray of shape (n,)
        The cluster of each item, 0 to `n_clusters_` - 1.
    n_clusters_ : int
        How many clusters there are.
    question_ : tuple of two int, or None
        The pair whose verdict the dialogue wants next; None when it is at its end.

    References
    ----------
    Xie et al.: Data skeleton learning, scalable active clustering with sparse graph structures,
    2025.

    Examples
    --------
    >>> X = [[0.0], [1.0], [1.5], [9.0], [9.25]]
    >>> model = DSL().fit(X)
    >>> model.question_
    (3, 1)
    >>> DSL().fit(X, cannot_link=[(3, 1)]).labels_
    array([0, 0, 0, 1, 1])
    """

    def dialogue(self, instances: SuperInstances, state: State = None) -> Steps:
        """Ask about edge after edge, the longest first."""
        tree = instances.once("neighbour tree", lambda: neighbour_tree(instances.X))
        order = np.argsort(-tree.length, kind="stable")
        order = order[tree.parent[order] != order]
        at: _Progress = state or _uncut(tree)
        while True:
            if at.n_edges:
                yield Step(_NO_PAIRS, Completed(at.representative_of, at))
            if at.n_edges == len(order):
                return
            child = int(order[at.n_edges])
            at = at._replace(n_edges=at.n_edges + 1)
            if (yield Step(np.array([[child, tree.parent[child]]]))).all():
                continue
            found = child
            for other in _nearest_first(instances.X, child, at.representatives):
                if (yield Step(np.array([[child, other]]))).all():
                    found = other
                    break
            at = _cut(at, child, found)


def _uncut(tree: NeighbourTree) -> _Progress:
    root = int(np.flatnonzero(tree.parent == np.arange(len(tree.parent)))[0])
    return _Progress(0, tree.parent, (root,), np.full(len(tree.parent), root))


def _cut(at: _Progress, child: int, representative: int) -> _Progress:
    """Return the tree with an item hung up below a representative, which may be itself."""
    above = at.above.copy()
    above[child] = representative
    known = at.representatives
    if representative == child:
        known = (*known, child)
    return at._replace(
        above=above, representatives=known, representative_of=_followed_to_the_end(above)
    )


def _nearest_first(X: Array, item: int, others: tuple[int, ...]) -> list[int]:
    away = cdist(X[[item]], X[list(others)])[0].astype(np.float32)
    return [others[place] for place in np.argsort(away, kind="stable")]
