"""Groups that agree best with contradictory evidence, found by repairing them step by step."""

from __future__ import annotations

from heapq import heapify, heappop, heappush

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

from likewise.beliefs._cut_trees import CutTree
from likewise.beliefs.votes import Floats, Ints

_LEAST_GAIN = 1e-9
_MOST_STEPS = 60  # more repairs than that were never needed; then what there is will do


def repaired_groups(n: int, ends: Ints, odds: Floats) -> Ints:  # (n,)
    """Return groups of items with the largest sum of log odds inside, up to local repairs.

    From single items on, the two groups with the strongest evidence for "same" between them become
    one, until there is none. Then, as long as that gains anything, one of three repairs is made:
    items move to another group or out of all, two groups become one, or a group falls in two.
    """
    labels = _contracted(n, ends, odds)
    for _ in range(_MOST_STEPS):
        labels = _connected(labels, ends, odds)
        repaired = _move(labels, ends, odds)
        if repaired is None:
            repaired = _merge(labels, ends, odds)
        if repaired is None:
            repaired = _split(labels, ends, odds)
        if repaired is None:
            break
        labels = repaired
    return labels


def group_evidence(labels: Ints, ends: Ints, odds: Floats) -> sp.csr_matrix:  # (n, n_groups)
    """Return the summed log odds between every item and every group, where there are any."""
    n, n_groups = len(labels), int(labels.max(initial=-1)) + 1
    rows = np.concatenate([ends[:, 0], ends[:, 1]])
    columns = labels[np.concatenate([ends[:, 1], ends[:, 0]])]
    return sp.csr_matrix((np.concatenate([odds, odds]), (rows, columns)), shape=(n, n_groups))


def between_groups(labels: Ints, ends: Ints, odds: Floats) -> sp.csr_matrix:  # (n_groups, n_groups)
    """Return the summed log odds between groups, the smaller number first."""
    a, b = np.sort(labels[ends], axis=1).T
    n_groups = int(labels.max(initial=-1)) + 1
    return sp.csr_matrix((odds[a != b], (a[a != b], b[a != b])), shape=(n_groups, n_groups))


def _contracted(n: int, ends: Ints, odds: Floats) -> Ints:
    """Return groups by greedy additive contraction: the strongest link is always taken next."""
    links: list[dict[int, float]] = [{} for _ in range(n)]
    queue: list[tuple[float, int, int]] = []
    for (a, b), strength in zip(ends.tolist(), odds.tolist(), strict=True):
        links[a][b] = links[b][a] = strength
        if strength > 0:
            queue.append((-strength, a, b))
    heapify(queue)
    group = np.arange(n)
    while queue:
        negative, a, b = heappop(queue)
        if links[a].get(b) != -negative:
            continue  # one of the two was contracted since, or has other links by now
        if len(links[a]) < len(links[b]):
            a, b = b, a
        group[b] = a
        for c, strength in links[b].items():
            del links[c][b]
            if c == a:
                continue
            links[a][c] = links[c][a] = links[a].get(c, 0.0) + strength
            if links[a][c] > 0:
                heappush(queue, (-links[a][c], a, c))
        links[b] = {}
    while (group[group] != group).any():
        group = group[group]
    return _numbered(group)


def _connected(labels: Ints, ends: Ints, odds: Floats) -> Ints:
    """Return the groups in pieces that evidence for "same" holds together."""
    inside = (labels[ends[:, 0]] == labels[ends[:, 1]]) & (odds > 0)
    a, b = ends[inside].T
    graph = sp.csr_matrix((np.ones(len(a)), (a, b)), shape=(len(labels), len(labels)))
    return _numbered(connected_components(graph, directed=False)[1])


def _move(labels: Ints, ends: Ints, odds: Floats) -> Ints | None:
    evidence = group_evidence(labels, ends, odds).tocoo()
    is_own = labels[evidence.row] == evidence.col
    own = np.zeros(len(labels))
    own[evidence.row[is_own]] = evidence.data[is_own]
    gain = np.where(is_own, -own[evidence.row], evidence.data - own[evidence.row])
    target = np.where(is_own, -1, evidence.col)
    moved, n_groups, touched = labels.copy(), int(labels.max()) + 1, set[int]()
    useful = np.flatnonzero(gain > _LEAST_GAIN)
    for k in useful[np.argsort(-gain[useful], kind="stable")].tolist():
        item, there = int(evidence.row[k]), int(target[k])
        # Gains add up only where moves have no group in common.
        if touched & {int(labels[item]), there}:
            continue
        touched |= {int(labels[item]), there} - {-1}
        moved[item] = n_groups if there < 0 else there
        n_groups += there < 0
    return moved if touched else None


def _merge(labels: Ints, ends: Ints, odds: Floats) -> Ints | None:
    evidence = between_groups(labels, ends, odds).tocoo()
    if not evidence.nnz or evidence.data.max() <= _LEAST_GAIN:
        return None
    best = int(evidence.data.argmax())
    return np.where(labels == evidence.col[best], evidence.row[best], labels)


def _split(labels: Ints, ends: Ints, odds: Floats) -> Ints | None:
    tree = CutTree(labels, ends, odds)
    best = int(tree.cut.argmin())
    if tree.cut[best] >= -_LEAST_GAIN:
        return None
    return np.where(tree.below(best), labels.max() + 1, labels)


def _numbered(labels: Ints) -> Ints:
    return np.unique(labels, return_inverse=True)[1].astype(np.int64)
