"""Compiled by numba: the descent of PCK-means.

What it does is what `improve` and `fill_empty` of `moves` do with `ConstantLinkCosts`, item by item
instead of array by array; a test holds the two equal. Loops are written out also where numpy has a
word for them: that compiles in half the time. One file, since numba's cache of compiled code looks
at the file of the caller only. Imported when PCK-means is first fitted.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from likewise._compiled import compiled

Ints = npt.NDArray[np.int64]
Indices = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]
# How many items of a group have a label, the same of the groups that differ from it, and which do.
Tables = tuple[Floats, Floats, Indices, Indices]


@compiled(nogil=True)
def descend(
    points: Floats,  # (n, d)
    columns: Floats,  # (d, n), the same
    centres: Floats,  # (clusters, d), changed
    group: Ints,  # (n,), -1 for items without links
    order: Ints,  # linked items, group by group
    bounds: Ints,  # (groups + 1,), where the items of a group begin in `order`
    indptr: Indices,  # (groups + 1,), and
    indices: Indices,  # which groups differ from a group, as in a CSR matrix
    spread: Floats,  # (groups,), half the squared distances of its items from their mean
    weight: float,
    least_gain: float,  # what a move must gain, relative to the costs
    max_iter: int,
) -> tuple[Ints, float, int]:
    """Return labels, objective and rounds of moving and averaging until nothing is gained by it."""
    n, n_clusters, n_groups = len(points), len(centres), len(bounds) - 1
    cost = np.empty((n, n_clusters))
    labels = np.empty(n, dtype=np.int64)
    shared = np.empty((n_groups, n_clusters))
    _half_squares(columns, centres, cost)
    _nearest(cost, group, shared, labels)
    counts = np.zeros((n_groups, n_clusters))
    rivals = np.zeros((n_groups, n_clusters))
    for i in range(n):
        if group[i] >= 0:
            counts[group[i], labels[i]] += 1.0
    for g in range(n_groups):
        for place in range(indptr[g], indptr[g + 1]):
            for h in range(n_clusters):
                rivals[g, h] += counts[indices[place], h]
    tables = (counts, rivals, indptr, indices)
    n_iter, before, objective = 0, np.inf, np.inf
    moved = True
    while n_iter < max_iter and (n_iter < 2 or (moved and objective < before)):
        if n_iter:
            _half_squares(columns, centres, cost)
        least = least_gain * max(weight, _highest(cost))
        moved = _move_free(cost, group, labels, least)
        if n_groups:
            moved |= _move_groups(cost, group, order, bounds, labels, shared, tables, weight, least)
            moved |= _move_items(cost, group, order, bounds, labels, tables, weight, least)
        _fill_empty(cost, group, order, bounds, labels, spread, tables, weight)
        _average(points, labels, centres)
        before, objective = objective, _objective(points, labels, centres, counts, rivals, weight)
        n_iter += 1
    return labels, objective, n_iter


@compiled(nogil=True)
def _highest(cost: Floats) -> float:
    highest = 0.0
    for i in range(len(cost)):
        for h in range(cost.shape[1]):
            highest = max(highest, cost[i, h])
    return highest


@compiled(nogil=True)
def _half_squares(columns: Floats, centres: Floats, cost: Floats) -> None:
    """Write half the squared distances of the items from each centre into `cost`."""
    square = np.empty(len(cost))
    for h in range(len(centres)):
        for i in range(len(square)):
            square[i] = 0.0
        for f in range(len(columns)):  # item after item: so the compiler can take several at once
            for i in range(len(square)):
                square[i] += (columns[f, i] - centres[h, f]) ** 2
        for i in range(len(square)):
            cost[i, h] = square[i] / 2


@compiled(nogil=True)
def _share(cost: Floats, group: Ints, shared: Floats) -> None:
    """Sum what the items of each group cost under each label into `shared`."""
    for g in range(len(shared)):
        for h in range(shared.shape[1]):
            shared[g, h] = 0.0
    for i in range(len(group)):
        if group[i] >= 0:
            for h in range(shared.shape[1]):
                shared[group[i], h] += cost[i, h]


@compiled(nogil=True)
def _most_first(gain: Floats, least: float) -> Ints:
    """Return who gains more than the least, who gains most first."""
    wanting = np.flatnonzero(gain > least)
    return wanting[np.argsort(-gain[wanting], kind="mergesort")]


@compiled(nogil=True)
def _least(row: Floats) -> int:
    """Return the first of the smallest."""
    best = 0
    for h in range(1, len(row)):
        if row[h] < row[best]:
            best = h
    return best


@compiled(nogil=True)
def _nearest(cost: Floats, group: Ints, shared: Floats, labels: Ints) -> None:
    _share(cost, group, shared)
    for i in range(len(group)):
        labels[i] = _least(cost[i] if group[i] < 0 else shared[group[i]])


@compiled(nogil=True)
def _move_free(cost: Floats, group: Ints, labels: Ints, least: float) -> bool:
    moved = False
    for i in range(len(group)):
        if group[i] < 0:
            best = _least(cost[i])
            if cost[i, labels[i]] - cost[i, best] > least:
                labels[i] = best
                moved = True
    return moved


@compiled(nogil=True)
def _now(g: int, size: int, counts: Floats, rivals: Floats, weight: float) -> float:
    """Return what the violated links of a group cost as things are."""
    parted, joined = size**2 / 2, 0.0
    for h in range(counts.shape[1]):
        parted -= counts[g, h] ** 2 / 2
        joined += counts[g, h] * rivals[g, h]
    return weight * (parted + joined)


@compiled(nogil=True)
def _whole(g: int, size: int, shared: Floats, rivals: Floats, weight: float, row: Floats) -> None:
    """Write what a group costs if all of it has each label into `row`."""
    for h in range(len(row)):
        row[h] = shared[g, h] + weight * size * rivals[g, h]


@compiled(nogil=True)
def _single(
    i: int, g: int, size: int, label: int, cost: Floats, tables: Tables, weight: float, row: Floats
) -> None:
    """Write what an item costs under each label, the others as they are, into `row`."""
    counts, rivals = tables[0], tables[1]
    for h in range(len(row)):
        together = counts[g, h] - (h == label)
        row[h] = cost[i, h] + weight * (size - 1 - together + rivals[g, h])


@compiled(nogil=True)
def _move(i: int, g: int, label: int, labels: Ints, tables: Tables) -> None:
    """Give one item of a group a label."""
    counts, rivals, indptr, indices = tables
    old = labels[i]
    counts[g, old] -= 1.0
    counts[g, label] += 1.0
    for place in range(indptr[g], indptr[g + 1]):
        rivals[indices[place], old] -= 1.0
        rivals[indices[place], label] += 1.0
    labels[i] = label


@compiled(nogil=True)
def _move_groups(
    cost: Floats,
    group: Ints,
    order: Ints,
    bounds: Ints,
    labels: Ints,
    shared: Floats,
    tables: Tables,
    weight: float,
    least: float,
) -> bool:
    counts, rivals = tables[0], tables[1]
    n_groups = len(counts)
    _share(cost, group, shared)
    own = np.zeros(n_groups)
    for i in range(len(group)):
        if group[i] >= 0:
            own[group[i]] += cost[i, labels[i]]
    gain, row = np.empty(n_groups), np.empty(counts.shape[1])
    for g in range(n_groups):
        size = bounds[g + 1] - bounds[g]
        _whole(g, size, shared, rivals, weight, row)
        gain[g] = own[g] + _now(g, size, counts, rivals, weight) - row[_least(row)]
    moved = False
    for g in _most_first(gain, least):
        size = bounds[g + 1] - bounds[g]
        _whole(g, size, shared, rivals, weight, row)
        best = _least(row)
        if row[best] < own[g] + _now(g, size, counts, rivals, weight) - least:
            for place in range(bounds[g], bounds[g + 1]):
                _move(order[place], g, best, labels, tables)
            moved = True
    return moved


@compiled(nogil=True)
def _move_items(
    cost: Floats,
    group: Ints,
    order: Ints,
    bounds: Ints,
    labels: Ints,
    tables: Tables,
    weight: float,
    least: float,
) -> bool:
    gain, row = np.zeros(len(group)), np.empty(cost.shape[1])
    for i in order:
        g = group[i]
        size = bounds[g + 1] - bounds[g]
        if size > 1:  # a group of one has had its chance; a larger one may be better off apart
            _single(i, g, size, labels[i], cost, tables, weight, row)
            gain[i] = row[labels[i]] - row[_least(row)]
    moved = False
    for i in _most_first(gain, least):
        g = group[i]
        _single(i, g, bounds[g + 1] - bounds[g], labels[i], cost, tables, weight, row)
        best = _least(row)
        if row[best] < row[labels[i]] - least:
            _move(i, g, best, labels, tables)
            moved = True
    return moved


@compiled(nogil=True)
def _fill_empty(
    cost: Floats,
    group: Ints,
    order: Ints,
    bounds: Ints,
    labels: Ints,
    spread: Floats,
    tables: Tables,
    weight: float,
) -> None:
    """Give every empty cluster the free item or the whole group that gains most by it."""
    counts, rivals = tables[0], tables[1]
    n_clusters = cost.shape[1]
    for cluster in range(n_clusters):
        sizes = np.zeros(n_clusters, dtype=np.int64)
        for label in labels:
            sizes[label] += 1
        if sizes[cluster]:
            continue
        best, best_group, gain = -1, -1, -np.inf
        for i in range(len(group)):
            if group[i] < 0 and sizes[labels[i]] > 1 and cost[i, labels[i]] > gain:
                best, gain = i, cost[i, labels[i]]
        for g in range(len(counts)):
            leaves_none = False
            own = 0.0
            for h in range(n_clusters):
                leaves_none |= sizes[h] > 0 and sizes[h] == counts[g, h]
            for place in range(bounds[g], bounds[g + 1]):
                own += cost[order[place], labels[order[place]]]
            gained = own + _now(g, bounds[g + 1] - bounds[g], counts, rivals, weight) - spread[g]
            if not leaves_none and gained > gain:
                best_group, gain = g, gained
        if best_group >= 0:
            for place in range(bounds[best_group], bounds[best_group + 1]):
                _move(order[place], best_group, cluster, labels, tables)
        elif best >= 0:
            labels[best] = cluster


@compiled(nogil=True)
def _average(points: Floats, labels: Ints, centres: Floats) -> None:
    """Set the centres to the means of the clusters; an empty one keeps its centre."""
    sums = np.zeros_like(centres)
    sizes = np.zeros(len(centres))
    for i in range(len(points)):
        sizes[labels[i]] += 1.0
        for f in range(points.shape[1]):
            sums[labels[i], f] += points[i, f]
    for h in range(len(centres)):
        if sizes[h]:
            for f in range(points.shape[1]):
                centres[h, f] = sums[h, f] / sizes[h]


@compiled(nogil=True)
def _objective(
    points: Floats, labels: Ints, centres: Floats, counts: Floats, rivals: Floats, weight: float
) -> float:
    scatter = 0.0
    for i in range(len(points)):
        for f in range(points.shape[1]):
            scatter += (points[i, f] - centres[labels[i], f]) ** 2
    violated = 0.0
    for g in range(len(counts)):
        size = 0.0
        for h in range(counts.shape[1]):
            size += counts[g, h]
            violated += counts[g, h] * (rivals[g, h] - counts[g, h])
        violated += size**2
    return (scatter + weight * violated) / 2
