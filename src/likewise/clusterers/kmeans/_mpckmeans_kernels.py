"""Compiled by numba: a sweep of MPCK-means with one diagonal metric for all clusters.

What it does is what `improve` and `fill_empty` of `moves` do with `DistanceLinkCosts`, item by item
instead of array by array; a test holds the two equal. Points are given in coordinates in which the
metric is the identity. One file, since numba's cache of compiled code looks at the file of the
caller only. Imported when MPCK-means is first fitted.

A table holds for every group and label the moments of the items that have it: how many they are,
Σ ‖z‖² and Σ z, from which sums of squared distances between any two sets follow.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from likewise._compiled import compiled

Ints = npt.NDArray[np.int64]
Indices = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]
# The items, group by group; where groups begin; which groups differ, as in a CSR matrix.
Linked = tuple[Ints, Ints, Indices, Indices]
# Moments of the items, of groups by label, of the groups that differ from each, of whole groups.
Tables = tuple[Floats, Floats, Floats, Floats]


@compiled(nogil=True)
def tables_of(points: Floats, labels: Ints, n_clusters: int, linked: Linked) -> Tables:
    """Return the moments of everything that links are about."""
    order, bounds, indptr, indices = linked
    n, d = points.shape
    n_groups = len(bounds) - 1
    moments = np.empty((n, 2 + d))
    table = np.zeros((n_groups, n_clusters, 2 + d))
    rivals = np.zeros((n_groups, n_clusters, 2 + d))
    whole = np.zeros((n_groups, 2 + d))
    for i in range(n):
        moments[i, 0] = 1.0
        moments[i, 1] = 0.0
        for f in range(d):
            moments[i, 1] += points[i, f] ** 2
            moments[i, 2 + f] = points[i, f]
    for g in range(n_groups):
        for place in range(bounds[g], bounds[g + 1]):
            i = order[place]
            for m in range(2 + d):
                table[g, labels[i], m] += moments[i, m]
                whole[g, m] += moments[i, m]
    for g in range(n_groups):
        for place in range(indptr[g], indptr[g + 1]):
            other = indices[place]
            for h in range(n_clusters):
                if table[other, h, 0]:
                    for m in range(2 + d):
                        rivals[g, h, m] += table[other, h, m]
    return moments, table, rivals, whole


@compiled(nogil=True)
def _between(left: Floats, right: Floats) -> float:
    """Return Σ ‖zᵢ − zⱼ‖² over i of one set and j of the other, by their moments."""
    if left[0] == 0.0 or right[0] == 0.0:
        return 0.0
    inner = 0.0
    for m in range(2, len(left)):
        inner += left[m] * right[m]
    return float(left[0] * right[1] + left[1] * right[0] - 2 * inner)


@compiled(nogil=True)
def _close(left: Floats, right: Floats, far: float) -> float:
    """Return what cannot-links between two sets cost in one cluster."""
    return float(far * left[0] * right[0] - _between(left, right))


@compiled(nogil=True)
def _now(g: int, tables: Tables, far: float, elsewhere: Floats) -> tuple[float, float]:
    """Return what the must-links and the cannot-links of a group cost as things are."""
    _, table, rivals, whole = tables
    parted, joined = 0.0, 0.0
    for h in range(table.shape[1]):
        if table[g, h, 0]:
            for m in range(len(elsewhere)):
                elsewhere[m] = whole[g, m] - table[g, h, m]
            parted += _between(table[g, h], elsewhere) / 2
            joined += _close(table[g, h], rivals[g, h], far)
    return parted, joined


@compiled(nogil=True)
def link_total(tables: Tables, far: float, weight: float) -> float:
    """Return the cost of all violated links, each once."""
    total, scratch = 0.0, np.empty(tables[3].shape[1])
    for g in range(len(tables[3])):
        parted, joined = _now(g, tables, far, scratch)
        total += parted + joined / 2
    return weight * total


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
def _move(i: int, g: int, label: int, labels: Ints, tables: Tables, linked: Linked) -> None:
    """Give one item of a group a label."""
    moments, table, rivals, _ = tables
    _, _, indptr, indices = linked
    old = labels[i]
    if old == label:
        return
    for m in range(moments.shape[1]):
        table[g, old, m] -= moments[i, m]
        table[g, label, m] += moments[i, m]
    for place in range(indptr[g], indptr[g + 1]):
        other = indices[place]
        for m in range(moments.shape[1]):
            rivals[other, old, m] -= moments[i, m]
            rivals[other, label, m] += moments[i, m]
    labels[i] = label


@compiled(nogil=True)
def _whole(g: int, shared: Floats, tables: Tables, far: float, weight: float, row: Floats) -> None:
    """Write what a group costs if all of it has each label into `row`."""
    for h in range(len(row)):
        row[h] = shared[g, h] + weight * _close(tables[3][g], tables[2][g, h], far)


@compiled(nogil=True)
def _single(
    i: int, g: int, cost: Floats, tables: Tables, far: float, weight: float, row: Floats
) -> None:
    """Write what an item costs under each label, the others as they are, into `row`."""
    moments, table, rivals, whole = tables
    to_all = _between(moments[i], whole[g])
    for h in range(len(row)):
        parted = to_all - _between(moments[i], table[g, h])
        row[h] = cost[i, h] + weight * (parted + _close(moments[i], rivals[g, h], far))


@compiled(nogil=True)
def sweep(
    cost: Floats,  # (n, clusters), what an item costs apart from its links
    squares: Floats,  # (n, clusters), the same without what depends on the metric alone
    group: Ints,
    labels: Ints,  # changed
    linked: Linked,
    tables: Tables,  # changed
    far: float,  # the squared distance of the farthest two items
    weight: float,
    least_gain: float,  # what a move must gain, relative to the costs
) -> bool:
    """Move free items, whole groups and single items; fill what is empty. Whether any moved."""
    highest = weight
    for i in range(len(cost)):
        for h in range(cost.shape[1]):
            highest = max(highest, abs(cost[i, h]))
    least = least_gain * highest
    moved = False
    for i in range(len(group)):
        if group[i] < 0:
            best = _least(cost[i])
            if cost[i, labels[i]] - cost[i, best] > least:
                labels[i] = best
                moved = True
    if len(tables[3]):
        moved |= _move_groups(cost, labels, linked, tables, far, weight, least)
        moved |= _move_items(cost, group, labels, linked, tables, far, weight, least)
    _fill_empty(squares, group, labels, linked, tables, far, weight)
    return moved


@compiled(nogil=True)
def _move_groups(
    cost: Floats,
    labels: Ints,
    linked: Linked,
    tables: Tables,
    far: float,
    weight: float,
    least: float,
) -> bool:
    order, bounds = linked[0], linked[1]
    n_groups, n_clusters = len(bounds) - 1, cost.shape[1]
    shared, own = np.zeros((n_groups, n_clusters)), np.zeros(n_groups)
    gain, row = np.empty(n_groups), np.empty(n_clusters)
    scratch = np.empty(tables[3].shape[1])
    for g in range(n_groups):
        for place in range(bounds[g], bounds[g + 1]):
            own[g] += cost[order[place], labels[order[place]]]
            for h in range(n_clusters):
                shared[g, h] += cost[order[place], h]
        parted, joined = _now(g, tables, far, scratch)
        _whole(g, shared, tables, far, weight, row)
        gain[g] = own[g] + weight * (parted + joined) - row[_least(row)]
    moved = False
    for g in _most_first(gain, least):
        parted, joined = _now(g, tables, far, scratch)
        _whole(g, shared, tables, far, weight, row)
        best = _least(row)
        if row[best] < own[g] + weight * (parted + joined) - least:
            for place in range(bounds[g], bounds[g + 1]):
                _move(order[place], g, best, labels, tables, linked)
            moved = True
    return moved


@compiled(nogil=True)
def _move_items(
    cost: Floats,
    group: Ints,
    labels: Ints,
    linked: Linked,
    tables: Tables,
    far: float,
    weight: float,
    least: float,
) -> bool:
    order, bounds = linked[0], linked[1]
    gain, row = np.zeros(len(group)), np.empty(cost.shape[1])
    for i in order:
        g = group[i]
        if bounds[g + 1] - bounds[g] > 1:  # a group of one has had its chance
            _single(i, g, cost, tables, far, weight, row)
            gain[i] = row[labels[i]] - row[_least(row)]
    moved = False
    for i in _most_first(gain, least):
        _single(i, group[i], cost, tables, far, weight, row)
        best = _least(row)
        if row[best] < row[labels[i]] - least:
            _move(i, group[i], best, labels, tables, linked)
            moved = True
    return moved


@compiled(nogil=True)
def _fill_empty(
    squares: Floats,
    group: Ints,
    labels: Ints,
    linked: Linked,
    tables: Tables,
    far: float,
    weight: float,
) -> None:
    """Give every empty cluster the free item or the whole group that gains most by it."""
    order, bounds = linked[0], linked[1]
    table, whole = tables[1], tables[3]
    n_clusters = squares.shape[1]
    scratch = np.empty(tables[3].shape[1])
    for cluster in range(n_clusters):
        sizes = np.zeros(n_clusters, dtype=np.int64)
        for label in labels:
            sizes[label] += 1
        if sizes[cluster]:
            continue
        best, best_group, gain = -1, -1, -np.inf
        for i in range(len(group)):
            if group[i] < 0 and sizes[labels[i]] > 1 and squares[i, labels[i]] > gain:
                best, gain = i, squares[i, labels[i]]
        for g in range(len(whole)):
            leaves_none = False
            for h in range(n_clusters):
                leaves_none |= sizes[h] > 0 and sizes[h] == table[g, h, 0]
            parted, joined = _now(g, tables, far, scratch)
            # Less what the group will cost when its own mean is the centre.
            gained = weight * (parted + joined) - _between(whole[g], whole[g]) / 2 / whole[g, 0]
            for place in range(bounds[g], bounds[g + 1]):
                gained += squares[order[place], labels[order[place]]]
            if not leaves_none and gained > gain:
                best_group, gain = g, gained
        if best_group >= 0:
            for place in range(bounds[best_group], bounds[best_group + 1]):
                _move(order[place], best_group, cluster, labels, tables, linked)
        elif best >= 0:
            labels[best] = cluster


@compiled(nogil=True)
def average(points: Floats, labels: Ints, centres: Floats) -> Floats:
    """Return the mean of each cluster; an empty one keeps its centre."""
    sums, sizes = np.zeros_like(centres), np.zeros(len(centres))
    for i in range(len(points)):
        sizes[labels[i]] += 1.0
        for f in range(points.shape[1]):
            sums[labels[i], f] += points[i, f]
    for h in range(len(centres)):
        for f in range(points.shape[1]):
            sums[h, f] = sums[h, f] / sizes[h] if sizes[h] else centres[h, f]
    return sums


@compiled(nogil=True)
def bracket(
    labels: Ints, linked: Linked, tables: Tables, apart: Floats, weight: float
) -> Floats:  # (d,)
    """Return the links' part of what is inverted for the metric (eq. 8 and 9), feature by feature.

    `apart` is the difference of the farthest two items.
    """
    order, bounds = linked[0], linked[1]
    moments, table, rivals, whole = tables
    d = len(apart)
    found = np.zeros(d)
    n_close = 0.0
    for g in range(len(whole)):
        for place in range(bounds[g], bounds[g + 1]):
            i = order[place]
            crossing = whole[g, 0] - table[g, labels[i], 0] - rivals[g, labels[i], 0]
            for f in range(d):
                found[f] += crossing * moments[i, 2 + f] ** 2
        for h in range(table.shape[1]):
            if table[g, h, 0]:
                n_close += table[g, h, 0] * rivals[g, h, 0] / 2
                for f in range(2, 2 + d):
                    ours = table[g, h, f]
                    found[f - 2] += ours * (rivals[g, h, f] - whole[g, f] + ours)
    for f in range(d):
        found[f] = weight * (found[f] + n_close * apart[f] ** 2)
    return found
