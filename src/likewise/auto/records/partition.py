"""The best groups under how likely pairs are the same, and under the answers."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

from likewise.clusterers.links import Labels, LinkedGroups

Floats = npt.NDArray[np.float64]
Pairs = npt.NDArray[np.int64]  # (m, 2)
Weights = dict[int, dict[int, float]]  # between nodes, both ways

_ROUNDS = 20  # of moves at most; they end before as soon as none gains anything
_LEAST = 1e-9  # gain of a move


def best_partition(
    n: int, pairs: Pairs, log_odds: Floats, links: LinkedGroups, absent: float
) -> Labels:
    """Return the groups under which the pairs are likeliest, as far as they can be found.

    If pairs are the same with probabilities p independently of each other, the likelihood of a
    partition is Π p over pairs within a group times Π (1 - p) over all others; its logarithm is,
    but for a constant,

        Σ over pairs within a group of log p / (1 - p),

    the objective of correlation clustering. What is known to be the same is one node from the
    beginning, and what is known to differ is never put together. Finding the best is NP-hard: the
    two groups whose union gains most are united until none gains, then nodes are moved to where
    they gain most, and groups united again, until nothing changes.

    Parameters
    ----------
    n : int
        How many items there are.
    pairs : ndarray of shape (m, 2)
        Pairs that were compared, each once.
    log_odds : ndarray of shape (m,)
        How likely they are the same.
    links : LinkedGroups
        What the answers say.
    absent : float
        The log odds of pairs that were not compared.

    Examples
    --------
    >>> pairs = np.array([[0, 1], [1, 2], [0, 2]])
    >>> best_partition(4, pairs, np.array([2.0, 1.0, -3.0]), LinkedGroups.none(4), -2.0)
    array([0, 0, 1, 2])
    """
    node = _nodes(links, n)
    n_nodes = int(node.max()) + 1
    low, high = np.sort(node[pairs], axis=1).T
    between = low != high
    sums = sp.csr_matrix(
        (log_odds[between] - absent, (low[between], high[between])), shape=(n_nodes, n_nodes)
    )
    sums.sum_duplicates()
    sizes = np.bincount(node)
    coo = sums.tocoo()
    total = coo.data + absent * sizes[coo.row] * sizes[coo.col]
    differing = _differing(links, node)
    promising = (total > 0) & ~np.isin(_keys(coo.row, coo.col, n_nodes), list(differing))
    graph = sp.csr_matrix(
        (np.ones(int(promising.sum())), (coo.row[promising], coo.col[promising])),
        shape=(n_nodes, n_nodes),
    )
    component = connected_components(graph, directed=False)[1]
    inside = component[coo.row] == component[coo.col]
    weights: Weights = {}
    edges = zip(
        coo.row[inside].tolist(), coo.col[inside].tolist(), total[inside].tolist(), strict=True
    )
    for a, b, weight in edges:
        weights.setdefault(a, {})[b] = weight
        weights.setdefault(b, {})[a] = weight
    group = np.arange(n_nodes)
    for members in _of_several(component):
        graph_part = _Component(members, weights, sizes, differing, n_nodes, absent)
        for found in graph_part.groups():
            group[found] = found[0]
    return np.unique(group[node], return_inverse=True)[1].astype(np.int64)


def score(pairs: Pairs, log_odds: Floats, labels: Labels) -> float:
    """Return the objective: the log odds of all pairs within a group, summed."""
    return float(log_odds[labels[pairs[:, 0]] == labels[pairs[:, 1]]].sum())


class _Component:
    """A few nodes that may belong together, while it is found out how."""

    def __init__(
        self,
        members: list[int],
        weights: Weights,
        sizes: npt.NDArray[np.int64],
        differing: set[int],
        n_nodes: int,
        absent: float,
    ) -> None:
        self._weights, self._sizes, self._absent = weights, sizes, absent
        self._differing, self._n_nodes = differing, n_nodes
        self._group = {node: [node] for node in members}  # by their first node
        self._of = {node: node for node in members}

    def groups(self) -> Iterable[list[int]]:
        """Return the groups of several nodes, united and moved until nothing gains."""
        self._unite()
        for _ in range(_ROUNDS):
            if len(self._of) < 3 or not self._move():
                break
            self._unite()
        return [sorted(nodes) for nodes in self._group.values() if len(nodes) > 1]

    def _gain(self, nodes: list[int], others: list[int]) -> float:
        """Return what is gained if all of these are put together with all of those."""
        gain = 0.0
        for a in nodes:
            known = self._weights.get(a, {})
            for b in others:
                if min(a, b) * self._n_nodes + max(a, b) in self._differing:
                    return -np.inf
                gain += known.get(b, self._absent * int(self._sizes[a]) * int(self._sizes[b]))
        return gain

    def _unite(self) -> None:
        """Join the two groups that gain most, as long as any gain."""
        gains = {
            (g, h): self._gain(self._group[g], self._group[h])
            for g in self._group
            for h in self._near(g)
            if g < h
        }
        while gains:
            (g, h), gain = max(gains.items(), key=lambda known: (round(known[1], 6), known[0]))
            if gain <= _LEAST:
                return
            self._group[g] = self._group[g] + self._group.pop(h)
            self._of.update(dict.fromkeys(self._group[g], g))
            gains = {key: value for key, value in gains.items() if g not in key and h not in key}
            for other in self._near(g):
                key = (min(g, other), max(g, other))
                gains[key] = self._gain(self._group[g], self._group[other])

    def _near(self, g: int) -> list[int]:
        """Return the other groups with which a pair was compared."""
        others = {self._of[b] for a in self._group[g] for b in self._weights.get(a, {})}
        return sorted(others - {g})

    def _move(self) -> bool:
        """Move every node to where it gains most, alone included; return whether any moved."""
        moved = False
        for node in sorted(self._of):
            own = self._of[node]
            rest = [other for other in self._group[own] if other != node]
            choices = [(self._gain([node], self._group[g]), -g) for g in self._near_node(node)]
            best, where = max(choices, default=(-np.inf, 0))
            stays = self._gain([node], rest)
            if max(best, 0.0 if rest else -np.inf) <= stays + _LEAST:
                continue
            self._take_out(node, rest)
            if best > 0:
                self._group[-where].append(node)
                self._of[node] = -where
            moved = True
        return moved

    def _near_node(self, node: int) -> list[int]:
        others = {self._of[b] for b in self._weights.get(node, {})}
        return sorted(others - {self._of[node]})

    def _take_out(self, node: int, rest: list[int]) -> None:
        """Take a node out of its group, which goes on under the name of its first node."""
        del self._group[self._of[node]]
        if rest:
            self._group[rest[0]] = rest
            self._of.update(dict.fromkeys(rest, rest[0]))
        self._group[node], self._of[node] = [node], node


def _nodes(links: LinkedGroups, n: int) -> npt.NDArray[np.int64]:
    """Return the node of every item: those known to be the same share one."""
    if not links.n_groups:
        return np.arange(n)
    order, bounds = links.by_group
    node = np.arange(n)
    node[order] = order[bounds[:-1]][links.group[order]]
    return np.unique(node, return_inverse=True)[1].astype(np.int64)


def _differing(links: LinkedGroups, node: npt.NDArray[np.int64]) -> set[int]:
    """Return the keys of nodes that are known to differ."""
    if not len(links.differing):
        return set()
    order, bounds = links.by_group
    first = node[order[bounds[:-1]]]
    a, b = first[links.differing].T
    n_nodes = int(node.max()) + 1
    return set(_keys(np.minimum(a, b), np.maximum(a, b), n_nodes).tolist())


def _keys(
    low: npt.NDArray[np.int64], high: npt.NDArray[np.int64], n_nodes: int
) -> npt.NDArray[np.int64]:
    return np.asarray(low.astype(np.int64) * n_nodes + high)


def _of_several(component: npt.NDArray[np.int32]) -> Iterable[list[int]]:
    """Yield the nodes of components that have more than one."""
    order = np.argsort(component, kind="stable")
    bounds = np.flatnonzero(np.diff(component[order])) + 1
    for nodes in np.split(order, bounds):
        if len(nodes) > 1:
            yield nodes.tolist()
