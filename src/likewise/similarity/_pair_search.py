"""Branch and bound for the best of all open pairs."""

from __future__ import annotations

import numpy as np

from likewise.similarity.graph import Floats, Ints, SimilarityGraph

_PER_BLOCK = 24


def best_open_pair(
    a: Floats, b: Floats, e: Floats, graph: SimilarityGraph
) -> tuple[float, tuple[int, int]] | None:
    """Return the open pair whose |Σ_q Δa_q Δb_q + e_i + e_j| is largest, None if none is open.

    Items are sorted into blocks of similar (a, b). The bounding boxes of two blocks give a bound
    that no pair between them exceeds; blocks are searched in the order of their bounds until no
    other can hold a better pair. Scores that agree to six digits are equal; the first pair wins.
    """
    from likewise.similarity._kernels import EQUAL, best_score, block_bounds, first_pair

    order, edges = _blocks(a[:, 0], b[:, 0])
    bounds, one, other = block_bounds(a, b, e, order, edges)
    by_bound = np.argsort(-bounds, kind="stable")
    where = (graph.starts, graph.columns, order, edges, bounds, one, other, by_bound)
    best, next_best, i, j = best_score(a, b, e, *where)
    if best < 0:
        return None
    least = best * (1 - EQUAL)
    if next_best >= least:
        i, j = first_pair(a, b, e, *where, least)
    return float(best), (int(i), int(j))


def _blocks(a: Floats, b: Floats) -> tuple[Ints, Ints]:
    """Return an order of the items in which every block is compact, and where blocks begin."""
    n = len(a)
    n_slabs = max(1, round(np.sqrt(n / _PER_BLOCK)))
    # Which block one of several equals is in changes bounds at most, never what is found.
    order = np.argsort(a)
    for slab in np.array_split(order, n_slabs):
        slab[:] = slab[np.argsort(b[slab])]
    return order, np.append(np.arange(0, n, _PER_BLOCK), n)
