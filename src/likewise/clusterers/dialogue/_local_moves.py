"""Compiled by numba: a partition of large summed log odds, by moving items one at a time."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from likewise._compiled import compiled

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

_TIE = 1e-9  # sums that differ by less are the same: rounding moves nobody


@compiled(nogil=True)
def greedy_partition(
    indptr: npt.NDArray[np.int32],
    indices: npt.NDArray[np.int32],
    log_odds: Floats,
    order: Ints,
    most_sweeps: int,
) -> Ints:
    """Return clusters of large summed log odds of their pairs, found by moves of single items.

    Items begin alone; in the given order each goes to the cluster, among those of its neighbours,
    where its log odds sum to most, or stays by itself if no sum is above 0, until none moves. The
    total rises with every move, so that it ends.
    """
    n = len(indptr) - 1
    cluster = np.arange(n)
    size = np.ones(n, dtype=np.int64)
    total = np.zeros(n)  # per cluster, of the item at hand
    for _ in range(most_sweeps):
        moved = False
        for i in order:
            begin, end = indptr[i], indptr[i + 1]
            for at in range(begin, end):
                total[cluster[indices[at]]] += log_odds[at]
            here = cluster[i]
            best, most = here, total[here] if size[here] > 1 else 0.0
            if most < -_TIE:  # better alone than here
                best, most = -1, 0.0
            for at in range(begin, end):
                there = cluster[indices[at]]
                if total[there] > most + _TIE:
                    best, most = there, total[there]
            for at in range(begin, end):
                total[cluster[indices[at]]] = 0.0
            if best == here:
                continue
            if best == -1:
                for empty in range(n):
                    if size[empty] == 0:
                        best = empty
                        break
            size[here] -= 1
            size[best] += 1
            cluster[i] = best
            moved = True
        if not moved:
            break
    return cluster
