"""Compiled by numba: the constrained split search, growing a tree, dropping items down it.

One file, since numba's cache of compiled code looks at the file of the caller only: with the split
search elsewhere, a change of it would go unnoticed. Imported when a forest is first grown.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from likewise._compiled import compiled

Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

# Gains closer than this, relative to the rows of the node, are ties: rounding decides nothing.
_TIE = 1e-14
# A column is counted where its values span at most this many times the node's rows, else sorted.
_SPARSE = 4


@compiled(nogil=True)
def best_cut(
    codes: Ints,  # (d, n_rows), the rank of each value among the distinct values of its column
    features: Ints,  # those to try, in this order
    rows: Ints,  # of the node
    weight: Ints,  # (n_rows,), how often the bag holds each row
    data_weight: Ints,  # the same, but 0 for synthetic rows
    must: Ints,  # (m, 2) rows, pairs within the node
    cannot: Ints,  # (c, 2)
    min_leaf: int,
    to_single_rows: bool,
    running: bool,
    place: Ints,  # (n_rows,), scratch
    counts: Ints,  # (4, n_rows + 1), scratch, zero before and after
    sampled: bool,
) -> tuple[int, int, int, int, float]:
    """Return a feature, the codes on both sides of its best cut, cannot-links parted, gain in Gini.

    Of the cuts that part no must-linked pair the one that parts most cannot-linked pairs, of those
    the one with the largest gain (eq. 5, times the rows of the node), of those the first. A cut
    must gain something or part a cannot-linked pair; where none does, `to_single_rows` takes the
    one that leaves most rows on its smaller side. The feature is -1 if there is no cut.

    `running` is Algorithm 1 as printed: the number of cannot-linked pairs to part is the most that
    any cut before it parted, and of the cuts that pass, the one with the largest gain is kept, even
    if it passed while that number was lower. What is found depends on the order of the scan.

    With `sampled`, `rows` are but some of the node's: cuts lie right above their values, gains are
    theirs, and links, whose ends may be others, are counted in full.
    """
    total = data = 0
    for row in rows:
        total += weight[row]
        data += data_weight[row]
    before = (data**2 + (total - data) ** 2) / total
    tie = _TIE * total
    best_feature, best_low, best_high = -1, 0, 0
    best_parted, best_gain = 0, 0.0
    most_parted = 0  # by any cut so far, maxCLs of Algorithm 1
    even_feature, even_low, even_high, even = -1, 0, 0, 0
    keys = np.empty(len(rows), dtype=np.int64)
    values = np.empty(len(rows), dtype=np.int64)  # the code at each place of a sorted column
    for feature in features:
        column = codes[feature]
        lowest, highest = _range(column, rows)
        if lowest == highest:
            continue
        counted = not sampled and highest - lowest < _SPARSE * len(rows)
        if counted:
            n_places = highest - lowest + 1
            for row in rows:
                place[row] = column[row] - lowest
        else:
            n_places = _sorted_places(column, rows, place, keys, values)
        if sampled:
            _place_ends(column, must, place, values[:n_places])
            _place_ends(column, cannot, place, values[:n_places])
        _count(rows, weight, data_weight, must, cannot, place, counts)
        left = left_data = forbidden = parted = 0
        previous = -1
        for here in range(n_places):
            if counts[0, here] == 0:
                continue
            right, right_data = total - left, data - left_data
            if forbidden == 0 and left >= min_leaf and right >= min_leaf:
                after = (left_data**2 + (left - left_data) ** 2) / left
                after += (right_data**2 + (right - right_data) ** 2) / right
                gain = after - before
                if running:
                    better = parted >= most_parted and gain > best_gain + tie
                    most_parted = max(most_parted, parted)
                else:
                    better = parted > best_parted
                    better = better or (parted == best_parted and gain > best_gain + tie)
                if better:
                    best_feature, best_parted, best_gain = feature, parted, gain
                    best_low = lowest + previous if counted else values[previous]
                    best_high = lowest + here if counted else values[here]
                elif to_single_rows and best_feature < 0 and min(left, right) > even:
                    even_feature, even = feature, min(left, right)
                    even_low = lowest + previous if counted else values[previous]
                    even_high = lowest + here if counted else values[here]
            left += counts[0, here]
            left_data += counts[1, here]
            forbidden += counts[2, here]
            parted += counts[3, here]
            counts[0, here] = counts[1, here] = counts[2, here] = counts[3, here] = 0
            previous = here
        counts[2, n_places] = counts[3, n_places] = 0  # ends above every sampled value
    if best_feature < 0:
        best_feature, best_low, best_high = even_feature, even_low, even_high
        best_parted, best_gain = 0, 0.0
    if sampled:
        best_high = best_low + 1  # whoever lies between two sampled values goes right
    return best_feature, best_low, best_high, best_parted, best_gain


@compiled(nogil=True)
def _range(column: Ints, rows: Ints) -> tuple[int, int]:
    """Return the lowest and the highest code of a node."""
    lowest = highest = np.int64(column[rows[0]])
    for row in rows:
        lowest = min(lowest, np.int64(column[row]))
        highest = max(highest, np.int64(column[row]))
    return lowest, highest  # type: ignore[return-value]


@compiled(nogil=True)
def _sorted_places(column: Ints, rows: Ints, place: Ints, keys: Longs, values: Longs) -> int:
    """Give every row the rank of its value within the node; how many values there are."""
    for k in range(len(rows)):
        keys[k] = (np.int64(column[rows[k]]) << 32) | rows[k]
    keys.sort()
    n_values = 0
    for key in keys:
        code = key >> 32
        if n_values == 0 or values[n_values - 1] != code:
            values[n_values] = code
            n_values += 1
        place[key & 0xFFFFFFFF] = n_values - 1
    return n_values


@compiled(nogil=True)
def _place_ends(column: Ints, pairs: Ints, place: Ints, values: Longs) -> None:
    """Give both ends of every pair a place among sampled values: how many of them are smaller."""
    for k in range(len(pairs)):
        for end in range(2):
            row = pairs[k, end]
            place[row] = np.searchsorted(values, np.int64(column[row]))


@compiled(nogil=True)
def _count(
    rows: Ints, weight: Ints, data_weight: Ints, must: Ints, cannot: Ints, place: Ints, counts: Ints
) -> None:
    """Count (data) rows by place, and where the cuts that part a link begin (+1) and end (-1)."""
    for row in rows:
        counts[0, place[row]] += weight[row]
        counts[1, place[row]] += data_weight[row]
    for k in range(len(must)):
        a, b = place[must[k, 0]], place[must[k, 1]]
        counts[2, min(a, b)] += 1
        counts[2, max(a, b)] -= 1
    for k in range(len(cannot)):
        a, b = place[cannot[k, 0]], place[cannot[k, 1]]
        counts[3, min(a, b)] += 1
        counts[3, max(a, b)] -= 1


@compiled(nogil=True)
def grow(
    codes: Ints,  # (d, n_rows), see best_cut
    weight: Ints,
    data_weight: Ints,
    must: Ints,  # (m, 2) rows, both in the bag; reordered in place
    cannot: Ints,
    n_try: int,
    min_leaf: int,
    to_single_rows: bool,
    running: bool,
    cut_sample: int,
    seed: int,
) -> tuple[Ints, Ints, Ints, Ints, Floats]:
    """Cut nodes until no cut is left: feature, codes beside the cut, child and gain of each node.

    A node of more than `cut_sample` rows is judged by so many of them, drawn anew for each node.
    A bag that holds a row twice can never tell the two apart, so a row stands for its copies.
    Features of a leaf are -1, and its child is its number among the leaves; of other nodes it is
    the left child, next to which stands the right one.
    """
    rows = np.flatnonzero(weight).astype(np.int32)
    capacity = 2 * len(rows)
    feature = np.full(capacity, -1, dtype=np.int32)
    low = np.zeros(capacity, dtype=np.int32)
    high = np.zeros(capacity, dtype=np.int32)
    child = np.zeros(capacity, dtype=np.int32)
    gain = np.zeros(capacity)
    # Where the rows, the must-links and the cannot-links of a node begin and end.
    span = np.zeros((capacity, 6), dtype=np.int64)
    span[0] = (0, len(rows), 0, len(must), 0, len(cannot))
    place = np.empty(codes.shape[1], dtype=np.int32)
    counts = np.zeros((4, codes.shape[1] + 1), dtype=np.int32)
    features = np.arange(codes.shape[0], dtype=np.int32)
    state = np.uint64(seed)
    n_nodes, n_leaves = 1, 0
    node = 0
    while node < n_nodes:
        r0, r1, m0, m1, c0, c1 = span[node]
        if r1 - r0 > 1:
            state = _draw(features, n_try, state)
            sampled = r1 - r0 > cut_sample
            if sampled:
                state = _draw(rows[r0:r1], cut_sample, state)
            feature[node], low[node], high[node], _, gain[node] = best_cut(
                codes,
                features[:n_try],
                rows[r0 : min(r1, r0 + cut_sample)],
                weight,
                data_weight,
                must[m0:m1],
                cannot[c0:c1],
                min_leaf,
                to_single_rows,
                running,
                place,
                counts,
                sampled,
            )
        if feature[node] < 0:
            child[node] = n_leaves
            n_leaves += 1
        else:
            column, last = codes[feature[node]], low[node]
            r = _rows_to_front(rows, r0, r1, column, last)
            m = _pairs_to_front(must, m0, m1, column, last, True)
            c = _pairs_to_front(cannot, c0, c1, column, last, True)
            c2 = _pairs_to_front(cannot, c, c1, column, last, False)
            child[node] = n_nodes
            span[n_nodes] = (r0, r, m0, m, c0, c)
            span[n_nodes + 1] = (r, r1, m, m1, c, c2)
            n_nodes += 2
        node += 1
    return feature[:n_nodes], low[:n_nodes], high[:n_nodes], child[:n_nodes], gain[:n_nodes]


@compiled(nogil=True)
def drop(X: Floats, feature: Ints, threshold: Floats, child: Ints) -> Ints:
    """Return the leaf that each row of X falls into; values below a threshold go left."""
    leaves = np.empty(len(X), dtype=np.int32)
    for i in range(len(X)):
        node = 0
        while feature[node] >= 0:
            node = child[node] + (X[i, feature[node]] >= threshold[node])
        leaves[i] = child[node]
    return leaves


@compiled(nogil=True)
def _rows_to_front(rows: Ints, start: int, stop: int, column: Ints, last: int) -> int:
    """Bring the rows that go left before the others; where the others begin."""
    for k in range(start, stop):
        if column[rows[k]] <= last:
            rows[start], rows[k] = rows[k], rows[start]
            start += 1
    return start


@compiled(nogil=True)
def _pairs_to_front(pairs: Ints, start: int, stop: int, column: Ints, last: int, left: bool) -> int:
    """Bring the pairs of which both go left (or both right) before the others."""
    for k in range(start, stop):
        i, j = pairs[k, 0], pairs[k, 1]
        if (column[i] <= last) == left and (column[j] <= last) == left:
            pairs[k, 0], pairs[k, 1] = pairs[start, 0], pairs[start, 1]
            pairs[start, 0], pairs[start, 1] = i, j
            start += 1
    return start


@compiled(nogil=True)
def _draw(values: Ints, n_first: int, state: np.uint64) -> np.uint64:
    """Bring a random choice of values to the front; the generator is splitmix64."""
    for k in range(n_first):
        state += np.uint64(0x9E3779B97F4A7C15)
        z = state
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        z = z ^ (z >> np.uint64(31))
        other = k + np.int64(z % np.uint64(len(values) - k))
        values[k], values[other] = values[other], values[k]
    return state
