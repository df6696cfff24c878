"""Compiled by numba: growing the trees of a random forest, and dropping items down them.

A forest is the same on every machine. Imported when a forest is first grown.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from likewise._compiled import compiled
from likewise._xorshift import State, draw_below

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

_SPARSE = 8  # rows of the pile for each row of a node, up to which the node is large


@compiled(nogil=True)
def ranks(X: Floats) -> tuple[Ints, Ints]:  # (n, d) -> (d, n), (d, n)
    """Rank every value in its column, and list the rows of a column by rank.

    Equal values have the rank of the first of them.
    """
    n, d = X.shape
    found = np.empty((d, n), dtype=np.int64)
    ascending = np.empty((d, n), dtype=np.int64)
    for f in range(d):
        column = X[:, f].copy()
        order = np.argsort(column)
        rank = 0
        for k in range(n):
            if k and column[order[k]] > column[order[k - 1]]:
                rank = k
            found[f, order[k]] = rank
            ascending[f, k] = order[k]
    return found, ascending


@compiled(nogil=True)
def sorted_keys(
    codes: Ints,  # (n,), the ranks of a column
    ascending: Ints,  # (n,), its rows by rank
    rows: Ints,  # (m,), of a node
    often: Ints,  # (n,), how often each row is in the node; only looked at in large nodes
    groups: Ints,  # (n,)
    bits: int,
    keys: Ints,  # (m,), to be filled
) -> None:
    """Sort the rows of a node by rank of their value, with the group in the lowest bits."""
    if _is_large(len(rows), len(codes)):
        k = 0
        for row in ascending:
            for _ in range(often[row]):
                keys[k] = (codes[row] << bits) | groups[row]
                k += 1
        return
    for k in range(len(rows)):
        keys[k] = (codes[rows[k]] << bits) | groups[rows[k]]
    keys.sort()


@compiled(nogil=True)
def _is_large(n_rows: int, n: int) -> bool:
    """Tell whether going through all rows, which are sorted, is quicker than sorting some."""
    return _SPARSE * n_rows > n


@compiled(nogil=True)
def best_cut(
    keys: Ints,  # (m,), ascending: the rank of a value, and in the lowest bits a group
    bits: int,  # of the group
    shares: Floats,  # (n_groups,), how many rows of each group there are
    below: Floats,  # (n_groups,), scratch
) -> tuple[float, int]:
    """Find the best cut: how pure its halves are (Gini), and the last rank below it."""
    m = len(keys)
    squares_below, squares_above = 0.0, 0.0
    for group in range(len(shares)):
        below[group] = 0.0
        squares_above += shares[group] ** 2
    best, last = -1.0, -1
    for k in range(m - 1):
        group = keys[k] & ((1 << bits) - 1)
        squares_below += 2 * below[group] + 1
        squares_above -= 2 * (shares[group] - below[group]) - 1
        below[group] += 1.0
        if keys[k + 1] >> bits > keys[k] >> bits:
            purity = squares_below / (k + 1) + squares_above / (m - k - 1)
            if purity > best:
                best, last = purity, keys[k] >> bits
    return best, last


@compiled(nogil=True)
def forest_leaves(
    X: Floats,  # (n, d)
    groups: Ints,  # (n,)
    drawn: Ints,  # (n_trees, m), the rows each tree sees, with repetition
    n_tried: int,
    state: State,
) -> tuple[Ints, int]:  # (n, n_trees), and how many there are
    """Return the leaf of every row in every tree; leaves are numbered through all trees.

    Nodes are cut until all rows in them are of one group or alike. Of `n_tried` random features
    that vary in a node the one with the purest halves is cut, half way between the values there.
    """
    n, d = X.shape
    n_trees, m = drawn.shape
    codes, ascending = ranks(X)
    often = np.zeros(n, dtype=np.int64)
    leaves = np.empty((n, n_trees), dtype=np.int64)
    feature = np.empty(2 * m, dtype=np.int64)
    threshold = np.empty(2 * m)
    child = np.empty(2 * m, dtype=np.int64)
    begin = np.empty(2 * m, dtype=np.int64)
    end = np.empty(2 * m, dtype=np.int64)
    scratch = np.empty(m, dtype=np.int64)
    names = np.arange(d)
    n_groups = groups.max() + 1
    bits = 1
    while 1 << bits < n_groups:
        bits += 1
    shares, below = np.zeros(n_groups), np.zeros(n_groups)
    n_leaves = 0
    for tree in range(n_trees):
        rows = drawn[tree].copy()
        begin[0], end[0] = 0, m
        n_nodes, node = 1, 0
        while node < n_nodes:
            a, b = begin[node], end[node]
            for group in range(n_groups):
                shares[group] = 0.0
            mixed = False
            for r in range(a, b):
                shares[groups[rows[r]]] += 1.0
                mixed |= groups[rows[r]] != groups[rows[a]]
            best, best_feature, best_rank = -1.0, -1, 0
            n_left, n_found = (d if mixed else 0), 0
            keys = scratch[: b - a]
            counted = mixed and _is_large(b - a, n)
            if counted:
                for r in range(a, b):
                    often[rows[r]] += 1
            while n_left > 0 and n_found < n_tried:
                pick = draw_below(state, n_left)
                f = names[pick]
                n_left -= 1
                names[pick], names[n_left] = names[n_left], f
                sorted_keys(codes[f], ascending[f], rows[a:b], often, groups, bits, keys)
                if keys[0] >> bits == keys[-1] >> bits:
                    continue
                n_found += 1
                purity, rank = best_cut(keys, bits, shares, below)
                if purity > best:
                    best, best_feature, best_rank = purity, f, rank
            if counted:
                for r in range(a, b):
                    often[rows[r]] = 0
            feature[node] = best_feature
            if best_feature < 0:
                child[node] = n_leaves
                n_leaves += 1
            else:
                low, high = -np.inf, np.inf
                middle = a
                for r in range(a, b):
                    value = X[rows[r], best_feature]
                    if codes[best_feature, rows[r]] <= best_rank:
                        low = max(low, value)
                        rows[r], rows[middle] = rows[middle], rows[r]
                        middle += 1
                    else:
                        high = min(high, value)
                cut = low + (high - low) / 2
                threshold[node] = cut if cut < high else low  # neighbouring floats have no middle
                child[node] = n_nodes
                begin[n_nodes], end[n_nodes] = a, middle
                begin[n_nodes + 1], end[n_nodes + 1] = middle, b
                n_nodes += 2
            node += 1
        for i in range(n):
            node = 0
            while feature[node] >= 0:
                node = child[node] + (X[i, feature[node]] > threshold[node])
            leaves[i, tree] = child[node]
    return leaves, n_leaves
