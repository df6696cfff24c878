"""Placing linked groups in clusters so that no two that differ meet: colouring a graph by cost."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from likewise.clusterers.links import Labels

Costs = npt.NDArray[np.float64]  # (groups, clusters)

# Steps after which a search is given up, for each group. Colouring is hard in the worst case.
_MOST_STEPS = 20


def assign_in_order(cost: Costs, differ: sp.csr_matrix, order: Labels) -> Labels | None:
    """Assign one group after the other to the cheapest cluster still allowed, as published.

    None when a group finds no cluster (Wagstaff et al. 2001, table 1): nothing is taken back.
    """
    labels = np.full(len(cost), -1, dtype=np.int64)
    for group in order:
        taken = labels[_differing_from(differ, int(group))]
        allowed = np.setdiff1d(np.arange(cost.shape[1]), taken)
        if not len(allowed):
            return None
        labels[group] = allowed[cost[group, allowed].argmin()]
    return labels


def assign(cost: Costs, differ: sp.csr_matrix, sizes: Labels) -> Labels | None:
    """Assign the group with the fewest clusters left to it first, and backtrack at dead ends.

    Among equals the one of most links goes first. A group without any cluster left sends the
    search back to the last choice that can be made otherwise. None when there is no way to assign
    all, or none was found with patience.
    """
    n_groups = len(cost)
    degree = np.diff(differ.indptr)
    tie = np.argsort(np.lexsort((-sizes, -degree))) / (n_groups + 1)
    taken = np.zeros(
        cost.shape, dtype=np.int64
    )  # how many groups that differ from a group a cluster has
    labels = np.full(n_groups, -1, dtype=np.int64)
    choices: list[tuple[int, list[int]]] = []  # groups placed, and what else each could have had
    for _ in range(_MOST_STEPS * n_groups + 1):
        if len(choices) == n_groups:
            return labels
        options = (taken == 0).sum(axis=1)
        group = int(np.where(labels < 0, options + tie, np.inf).argmin())
        allowed = np.flatnonzero(taken[group] == 0)
        left = allowed[np.argsort(cost[group, allowed], kind="stable")][::-1].tolist()
        while not left:
            if not choices:
                return None
            group, left = choices.pop()
            taken[_differing_from(differ, group), labels[group]] -= 1
            labels[group] = -1
        labels[group] = left.pop()
        taken[_differing_from(differ, group), labels[group]] += 1
        choices.append((group, left))
    return None


def assign_with_fewest_violations(cost: Costs, differ: sp.csr_matrix, sizes: Labels) -> Labels:
    """Return every group where fewest links are violated, the cheaper cluster among equals.

    Large groups come first.
    """
    labels = np.full(len(cost), -1, dtype=np.int64)
    for group in np.argsort(-sizes, kind="stable"):
        differing = _differing_from(differ, int(group))
        differing = differing[labels[differing] >= 0]
        violated = np.bincount(labels[differing], sizes[differing], cost.shape[1])
        labels[group] = np.lexsort((cost[group], violated))[0]
    return labels


def _differing_from(differ: sp.csr_matrix, group: int) -> Labels:
    return np.asarray(differ.indices[differ.indptr[group] : differ.indptr[group + 1]])
