"""COBRA and COBRAS: merge super-instances by questions, and split those that are too coarse.

Clusters are never stored. Super-instances whose representatives are known to be the same form a
cluster, and because answers are closed under transitivity that is all there is to merging: walking
over the clusters, closest first, merging and starting again after every merge, asks exactly the
pairs of representatives that are open when they are walked over once, closest first.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Generator
from heapq import heappop, heappush

import numpy as np
import numpy.typing as npt
from scipy.spatial.distance import cdist

from likewise.clusterers.dialogue._super_instances import SuperInstance, SuperInstances
from likewise.clusterers.dialogue.base import Completed, DialogueClusterer, State, Step, Steps
from likewise.clusterers.links import Labels
from likewise.errors import MethodError

PartsWanted = Generator[Step, npt.NDArray[np.bool_], int]


class _SplitAndMerge(DialogueClusterer):
    """Split the largest super-instance, compare the parts with all others, and so on.

    The dialogue ends when every item is a super-instance: then all is known. Items that cannot be
    told apart by their features are split last.
    """

    @abstractmethod
    def _n_parts(self, instances: SuperInstances, part: SuperInstance) -> PartsWanted:
        """Return into how many parts a super-instance is split; may ask."""

    def dialogue(self, instances: SuperInstances, state: State = None) -> Steps:
        """Split and merge until nothing is left to split."""
        waiting, representatives, representative_of = state or _first_state(instances)
        while waiting:
            waiting = waiting.copy()
            *_, chosen = heappop(waiting)
            n_parts = yield from self._n_parts(instances, chosen)
            parts = instances.split(chosen, n_parts)
            representative_of = representative_of.copy()
            for part in parts:
                representative_of[part.members] = part.representative
                if len(part) > 1:
                    heappush(waiting, _split_order(part))
            new = np.array([part.representative for part in parts])
            old = representatives[representatives != chosen.representative]
            representatives = np.concatenate([new, old])
            state = waiting, representatives, representative_of
            yield Step(closest_first(instances.X, new, old), Completed(representative_of, state))


def _first_state(instances: SuperInstances) -> State:
    alone = instances.whole.representative
    return [_split_order(instances.whole)], np.array([alone]), np.full(len(instances.X), alone)


def _split_order(part: SuperInstance) -> tuple[bool, int, int, SuperInstance]:
    """Return what decides when a super-instance is split: the largest first, the uniform last."""
    return part.uniform, -len(part), int(part.members[0]), part


def closest_first(X: npt.NDArray[np.float64], new: Labels, old: Labels) -> npt.NDArray[np.int64]:
    """Return all pairs of items with at least one new one, (m, 2), by distance.

    Old pairs were compared when they were new.

    >>> closest_first(np.array([[0.0], [1.0], [5.0], [7.0]]), np.array([0, 1]), np.array([3]))
    array([[0, 1],
           [1, 3],
           [0, 3]])
    """
    everyone = np.concatenate([new, old])
    row, column = np.nonzero(np.arange(len(everyone)) > np.arange(len(new))[:, None])
    # In single precision: the last bit of another machine's arithmetic is no reason to go first.
    distance = cdist(X[new], X[everyone])[row, column].astype(np.float32)
    order = np.lexsort((everyone[column], new[row], distance))
    return np.column_stack([new[row], everyone[column]])[order]


class COBRA(_SplitAndMerge):
    """Over-cluster by k-means, then merge by asking.

    The items are divided into super-instances by k-means; then the closest representatives of
    different clusters are compared until all clusters are known to be the same or different, which
    takes between `n_super_instances` - 1 questions and one for every pair of them. There the
    published method ends. This one goes on as long as it is asked to, by splitting the largest
    super-instance in two.

    Parameters
    ----------
    n_super_instances : int, default=25
        Into how many parts the items are divided first, at least 2. Few parts take few questions
        and mix kinds; many take more.
    n_clusters : int, default=2
        How many clusters there are before the first clustering is complete.
    random_state : int, default=0
        The seed; equal seeds give equal results.

    Attributes
    ----------
    labels_ : ndarray of shape (n,)
        The cluster of each item, 0 to `n_clusters_` - 1.
    n_clusters_ : int
        How many clusters there are; more than `n_clusters` where links demand it.
    question_ : tuple of two int, or None
        The pair whose verdict the dialogue wants next; None when it is at its end.

    References
    ----------
    Van Craenendonck, Dumančić and Blockeel: COBRA, a fast and simple method for active clustering
    with pairwise constraints, 2017.

    Examples
    --------
    >>> X = [[0.0], [0.1], [5.0], [5.1]]
    >>> model = COBRA(n_super_instances=2).fit(X)
    >>> model.question_
    (0, 2)
    >>> COBRA(n_super_instances=2).fit(X, cannot_link=[model.question_]).labels_
    array([0, 0, 1, 1])
    """

    def __init__(
        self, *, n_super_instances: int = 25, n_clusters: int = 2, random_state: int = 0
    ) -> None:
        super().__init__(n_clusters=n_clusters, random_state=random_state)
        self.n_super_instances = n_super_instances

    def _n_parts(self, instances: SuperInstances, part: SuperInstance) -> PartsWanted:
        yield from ()
        if part is not instances.whole:
            return 2
        if self.n_super_instances < 2:
            raise MethodError(
                f"n_super_instances must be at least 2 but got {self.n_super_instances}"
            )
        return min(self.n_super_instances, len(part))


class COBRAS(_SplitAndMerge):
    """COBRA with super-instances refined as answers ask for it.

    It begins with one super-instance and again and again splits the largest. How finely is asked:
    the super-instance is halved by k-means and the halves' representatives are compared, then those
    of its smaller half and so on, until two are the same. After c times "different" it is split
    into 2^c parts, at least two, whose representatives are compared with all others as in COBRA.
    The clustering after every such round counts, one in the middle of a round does not.

    Parameters
    ----------
    n_clusters : int, default=2
        How many clusters there are before the first clustering is complete.
    random_state : int, default=0
        The seed; equal seeds give equal results.

    Attributes
    ----------
    labels_ : ndarray of shape (n,)
        The cluster of each item, 0 to `n_clusters_` - 1.
    n_clusters_ : int
        How many clusters there are; more than `n_clusters` where links demand it.
    question_ : tuple of two int, or None
        The pair whose verdict the dialogue wants next; None when it is at its end.

    References
    ----------
    Van Craenendonck, Dumančić, Van Wolputte and Blockeel: COBRAS, interactive clustering with
    pairwise queries, 2018.

    Examples
    --------
    >>> X = [[0.0], [0.1], [5.0], [5.1]]
    >>> model = COBRAS().fit(X)
    >>> model.question_
    (0, 2)
    >>> COBRAS().fit(X, cannot_link=[(0, 2)]).question_
    (0, 1)
    """

    def _n_parts(self, instances: SuperInstances, part: SuperInstance) -> PartsWanted:
        level, smaller = 0, part
        while len(smaller) > 1:
            halves = instances.split(smaller, 2)
            pair = [half.representative for half in halves]
            if (yield Step(np.array([pair]))).all():
                break
            level += 1
            smaller = min((half for half in halves if len(half) > 1), key=len, default=halves[0])
        return min(1 << max(1, level), len(part))
