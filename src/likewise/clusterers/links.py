"""Links between items, closed under transitivity, and labels that respect them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from heapq import heapify, heappop, heappush
from itertools import chain, pairwise

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

from likewise.affinities.base import Links
from likewise.affinities.base import checked_links as checked_links
from likewise.errors import DataError

Labels = npt.NDArray[np.int64]


@dataclass(frozen=True)
class LinkedGroups:
    """All that follows from must- and cannot-links: groups of linked items, and which differ.

    Parameters
    ----------
    group : (n,) array of int
        The group of every item, numbered by first item; -1 where no link touches it.
    differing : (m, 2) array of int
        Numbers of groups that differ, each pair once, the smaller first.
    """

    group: Labels
    differing: npt.NDArray[np.int64]

    @property
    def n_groups(self) -> int:
        """How many groups the links speak of."""
        return int(self.group.max()) + 1 if len(self.group) else 0

    @cached_property
    def by_group(self) -> tuple[Labels, Labels]:
        """The linked items, group by group, and where each group begins and the last one ends."""
        tied = np.flatnonzero(self.group >= 0)
        order = tied[np.argsort(self.group[tied], kind="stable")]
        sizes = np.bincount(self.group[tied], minlength=self.n_groups)
        return order, np.concatenate([[0], np.cumsum(sizes)])

    @cached_property
    def members(self) -> list[Labels]:
        """The items of each group."""
        order, bounds = self.by_group
        return [order[begin:end] for begin, end in pairwise(bounds.tolist())]

    @classmethod
    def of(cls, n_items: int, must_link: Links, cannot_link: Links) -> LinkedGroups:
        """Close the links under transitivity.

        >>> LinkedGroups.of(5, [(0, 1), (1, 2)], [(2, 4)]).group
        array([ 0,  0,  0, -1,  1])
        """
        must = checked_links(must_link, n_items, "must_link")
        cannot = checked_links(cannot_link, n_items, "cannot_link")
        ones = np.ones(len(must), dtype=np.int8)
        graph = sp.csr_matrix((ones, (must[:, 0], must[:, 1])), shape=(n_items, n_items))
        component = connected_components(graph, directed=False)[1].astype(np.int64)
        touched = np.zeros(n_items, dtype=bool)
        touched[must.ravel()] = True
        touched[cannot.ravel()] = True
        group = np.full(n_items, -1, dtype=np.int64)
        # Components are numbered in the order of their first item already; keep that order.
        group[touched] = np.unique(component[touched], return_inverse=True)[1]
        of_cannot = group[cannot]
        clash = of_cannot[:, 0] == of_cannot[:, 1]
        if clash.any():
            i, j = cannot[clash][0]
            raise DataError(
                f"items {i} and {j} may not be linked, but must_link ties them together; "
                "drop one of these links"
            )
        keys = np.unique(pair_keys(of_cannot, n_items))
        return cls(group, np.column_stack(np.divmod(keys, n_items)))

    @classmethod
    def none(cls, n_items: int) -> LinkedGroups:
        """Return the groups of items that nobody has linked."""
        return cls(np.full(n_items, -1, dtype=np.int64), np.empty((0, 2), dtype=np.int64))

    def respected_by(self, labels: Labels) -> bool:
        """Return whether the labels contradict no link."""
        order, bounds = self.by_group
        of_group = labels[order[bounds[:-1]]]  # that of the first member
        tied = self.group[order]
        a, b = of_group[self.differing].T
        return bool((labels[order] == of_group[tied]).all() and (a != b).all())

    def decide(self, a: Labels, b: Labels) -> npt.NDArray[np.bool_]:
        """Return whether the links settle what groups a and b (numbers, element by element) are."""
        low, high = np.minimum(a, b), np.maximum(a, b)
        keys = self.differing[:, 0] * self.n_groups + self.differing[:, 1]
        return np.asarray((low == high) | np.isin(low * self.n_groups + high, keys))

    @cached_property
    def differ(self) -> sp.csr_matrix:
        """A symmetric matrix over groups with a 1 where two groups differ; not to be changed."""
        a, b = self.differing.T
        ones = np.ones(len(self.differing))
        half = sp.csr_matrix((ones, (a, b)), shape=(self.n_groups, self.n_groups))
        return sp.csr_matrix(half + half.T)


def pair_keys(pairs: npt.NDArray[np.int64], size: int) -> npt.NDArray[np.int64]:  # (m, 2) -> (m,)
    """Return one number per unordered pair of numbers below `size`.

    >>> pair_keys(np.array([[3, 1], [1, 3]]), 10)
    array([13, 13])
    """
    return np.asarray(pairs.min(axis=1, initial=size) * size + pairs.max(axis=1, initial=0))


def labels_respecting_links(labels: Labels, links: LinkedGroups) -> Labels:
    """Return the labels closest to the given ones that contradict no link.

    Items of one group take the label most of them have; of two groups that differ, the one with
    the larger majority keeps it and the other takes the best label left to it, a new one if none
    is. Labels come back as 0, 1, … without gaps.

    Parameters
    ----------
    labels : ndarray of shape (n,)
        Any integers.
    links : LinkedGroups
        The links of the same n items, closed.

    Returns
    -------
    ndarray of shape (n,)

    Examples
    --------
    >>> labels_respecting_links(np.array([0, 0, 7]), LinkedGroups.of(3, [(1, 2)], [(0, 1)]))
    array([0, 1, 1])
    """
    labels = np.unique(labels, return_inverse=True)[1].astype(np.int64)
    n_labels, n_groups = int(labels.max()) + 1, links.n_groups
    if links.respected_by(labels):
        return labels
    tied = links.group >= 0
    votes = sp.csr_matrix(
        (np.ones(int(tied.sum())), (links.group[tied], labels[tied])), shape=(n_groups, n_labels)
    )
    differ = links.differ
    # Of each group the label most of its items have, the first of equals.
    of_group = np.repeat(np.arange(n_groups), np.diff(votes.indptr))
    best = np.lexsort((votes.indices, -votes.data, of_group))[votes.indptr[:-1]]
    chosen, support = votes.indices[best].astype(np.int64), votes.data[best]
    turn = np.empty(n_groups, dtype=np.int64)  # when each group chooses
    turn[np.argsort(-support, kind="stable")] = np.arange(n_groups)
    # All but the groups that come too late have what they want; in the order of their turns.
    one, other = links.differing.T
    clash = chosen[one] == chosen[other]
    late = np.where(turn[one] > turn[other], one, other)[clash]
    waiting = [(int(turn[group]), int(group)) for group in np.unique(late)]
    heapify(waiting)
    done = set[int]()
    while waiting:
        now, group = heappop(waiting)
        if group in done:
            continue
        done.add(group)
        rivals = differ.indices[differ.indptr[group] : differ.indptr[group + 1]]
        taken = set(chosen[rivals[turn[rivals] < now]].tolist())
        row = slice(votes.indptr[group], votes.indptr[group + 1])
        by_votes = votes.indices[row][np.argsort(-votes.data[row], kind="stable")]
        wanted = chain(by_votes.tolist(), range(n_labels))
        chosen[group] = next((label for label in wanted if label not in taken), n_labels)
        n_labels = max(n_labels, int(chosen[group]) + 1)
        for rival in rivals[(turn[rivals] > now) & (chosen[rivals] == chosen[group])].tolist():
            heappush(waiting, (int(turn[rival]), rival))
    labels = labels.copy()
    labels[tied] = chosen[links.group[tied]]
    return np.unique(labels, return_inverse=True)[1].astype(np.int64)
