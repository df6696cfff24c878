"""Compiled loops: growing random trees, and asking them.

Compiled when first used. A tree is the same on every machine.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from likewise._compiled import compiled
from likewise._xorshift import State, draw


@compiled()
def grow(
    X: npt.NDArray[np.float64],  # (m, d)
    groups: npt.NDArray[np.int64],  # (m,)
    drawn: npt.NDArray[np.int64],  # rows the tree sees, with repetition
    n_groups: int,
    n_tried: int,
    state: State,
) -> tuple[
    npt.NDArray[np.int64],
    npt.NDArray[np.float64],
    npt.NDArray[np.int64],
    npt.NDArray[np.float64],
]:
    """Grow an extremely randomised tree: features (-1: leaf), thresholds, left children, shares.

    At every node `n_tried` features that vary are each cut at a random height, and the cut that
    leaves the purest halves (Gini) is taken. The right child follows the left one.
    """
    n_rows, d = len(drawn), X.shape[1]
    most = 2 * n_rows
    feature = np.full(most, -1, dtype=np.int64)
    threshold = np.zeros(most)
    left = np.zeros(most, dtype=np.int64)
    shares = np.zeros((most, n_groups))
    begin = np.zeros(most, dtype=np.int64)
    end = np.zeros(most, dtype=np.int64)
    rows = drawn.copy()
    names = np.arange(d)
    below = np.zeros(n_groups)
    present = np.empty(n_groups, dtype=np.int64)  # groups that a node holds, of many only few
    end[0] = n_rows
    n_nodes, node = 1, 0
    while node < n_nodes:
        a, b = begin[node], end[node]
        for r in range(a, b):
            shares[node, groups[rows[r]]] += 1.0
        n_present = 0
        for g in range(n_groups):
            if shares[node, g] > 0.0:
                present[n_present] = g
                n_present += 1
        pure = n_present == 1
        best, best_feature, best_cut = -1.0, -1, 0.0
        n_left, n_found = (0 if pure else d), 0
        while n_left > 0 and n_found < n_tried:
            pick = min(int(draw(state) * n_left), n_left - 1)
            f = names[pick]
            n_left -= 1
            names[pick], names[n_left] = names[n_left], f
            low, high = X[rows[a], f], X[rows[a], f]
            for r in range(a + 1, b):
                low, high = min(low, X[rows[r], f]), max(high, X[rows[r], f])
            if not high > low:
                continue
            n_found += 1
            cut = low + draw(state) * (high - low)
            if not cut < high:  # rounding
                cut = low
            for g in present[:n_present]:
                below[g] = 0.0
            n_below = 0.0
            for r in range(a, b):
                if X[rows[r], f] <= cut:
                    below[groups[rows[r]]] += 1.0
                    n_below += 1.0
            purity = 0.0
            for g in present[:n_present]:
                above = shares[node, g] - below[g]
                purity += below[g] * below[g] / n_below + above * above / (b - a - n_below)
            if purity > best:
                best, best_feature, best_cut = purity, f, cut
        if best_feature >= 0:
            middle = a
            for r in range(a, b):
                if X[rows[r], best_feature] <= best_cut:
                    rows[r], rows[middle] = rows[middle], rows[r]
                    middle += 1
            feature[node], threshold[node], left[node] = best_feature, best_cut, n_nodes
            begin[n_nodes], end[n_nodes] = a, middle
            begin[n_nodes + 1], end[n_nodes + 1] = middle, b
            n_nodes += 2
        shares[node] /= b - a
        node += 1
    return feature[:n_nodes], threshold[:n_nodes], left[:n_nodes], shares[:n_nodes]


@compiled()
def add_votes(
    X: npt.NDArray[np.float64],  # (n, d)
    rows: npt.NDArray[np.int64],  # those asked about
    feature: npt.NDArray[np.int64],
    threshold: npt.NDArray[np.float64],
    left: npt.NDArray[np.int64],
    shares: npt.NDArray[np.float64],
    votes: npt.NDArray[np.float64],  # (rows, n_groups), added to
) -> None:
    """Add to each row's votes the shares of the leaf it falls into.

    Rows are handed down node by node, not one after the other from root to leaf: of a large matrix
    by columns, rows that are tested together lie together.
    """
    n_nodes, n_groups = shares.shape
    begin = np.zeros(n_nodes, dtype=np.int64)
    end = np.zeros(n_nodes, dtype=np.int64)
    order = np.arange(len(rows))
    spare = np.empty(len(rows), dtype=np.int64)
    end[0] = len(rows)
    for node in range(n_nodes):  # every child comes after its parent
        a, b, f = begin[node], end[node], feature[node]
        if f < 0:
            for g in range(n_groups):  # few are in a leaf, mostly one
                if shares[node, g] > 0.0:
                    for r in range(a, b):
                        votes[order[r], g] += shares[node, g]
            continue
        middle, n_right = a, 0
        for r in range(a, b):
            k = order[r]
            right = X[rows[k], f] > threshold[node]
            # Written to both sides: which one counts is decided without a branch.
            order[middle] = k
            spare[n_right] = k
            middle += 1 - right
            n_right += right
        order[middle:b] = spare[:n_right]
        begin[left[node]], end[left[node]] = a, middle
        begin[left[node] + 1], end[left[node] + 1] = middle, b
