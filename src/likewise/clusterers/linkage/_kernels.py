"""Kruskal's algorithm with pairs that must not be joined, compiled."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from likewise._compiled import compiled

Ints = npt.NDArray[np.int64]


@compiled()
def _find(parent: Ints, item: int) -> int:
    while parent[item] != item:
        parent[item] = parent[parent[item]]
        item = parent[item]
    return item


@compiled()
def _kept_apart(
    parent: Ints, head: Ints, following: Ints, partner: Ints, n_apart: Ints, a: int, b: int
) -> bool:
    """Return whether some pair that must not be joined has an item in each of two components."""
    if n_apart[a] > n_apart[b]:
        a, b = b, a
    entry = head[a]
    while entry >= 0:
        if _find(parent, partner[entry]) == b:
            return True
        entry = following[entry]
    return False


@compiled()
def spanning_forest(
    n_items: int, edges: Ints, must: Ints, cannot: Ints, n_components: int
) -> tuple[Ints, Ints]:
    """Join along `must`, then along the edges in their order unless `cannot` forbids it.

    Stops at `n_components`. Returns the component of every item, as one of its items, and the
    numbers of the edges that were used.
    """
    parent = np.arange(n_items)
    size = np.ones(n_items, dtype=np.int64)
    # The pairs to be kept apart hang from their components as lists that are joined with them.
    head = np.full(n_items, -1, dtype=np.int64)
    tail = np.full(n_items, -1, dtype=np.int64)
    n_apart = np.zeros(n_items, dtype=np.int64)
    partner = np.empty(2 * len(cannot), dtype=np.int64)
    following = np.full(2 * len(cannot), -1, dtype=np.int64)
    for number in range(2 * len(cannot)):
        item = cannot[number // 2, number % 2]
        partner[number] = cannot[number // 2, 1 - number % 2]
        following[number] = head[item]
        head[item] = number
        if tail[item] < 0:
            tail[item] = number
        n_apart[item] += 1
    used = np.empty(n_items, dtype=np.int64)
    n_used = 0
    left = n_items
    for number in range(-len(must), len(edges)):
        if number >= 0 and left <= n_components:
            break
        pair = edges[number] if number >= 0 else must[number + len(must)]
        a, b = _find(parent, pair[0]), _find(parent, pair[1])
        if a == b:
            continue
        if number >= 0 and _kept_apart(parent, head, following, partner, n_apart, a, b):
            continue
        if size[a] < size[b]:
            a, b = b, a
        parent[b] = a
        size[a] += size[b]
        left -= 1
        if head[b] >= 0:
            if head[a] >= 0:
                following[tail[a]] = head[b]
            else:
                head[a] = head[b]
            tail[a] = tail[b]
            n_apart[a] += n_apart[b]
        if number >= 0:
            used[n_used] = number
            n_used += 1
    for item in range(n_items):
        parent[item] = _find(parent, item)
    return parent, used[:n_used]
