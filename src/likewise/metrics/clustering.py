"""How well a clustering agrees with the truth.

Every measure compares two labelings of the same items and ignores what the groups are called.
All of them are read off the contingency table, kept as its non-zero cells only, so that a million
items in a million groups cost a sort and not a matrix; no pair of items is ever visited.

`jaccard` and `v_measure` are the measures of the URASC paper: Xiong, Johnson and Corso, "Active
Clustering with Model-Based Uncertainty Reduction", 2014, section 6.2, equations 13 to 19.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from likewise.errors import DataError

Counts = npt.NDArray[np.int64]

# Up to this many cells (32 MB as float64) the table is simply filled in to match its groups.
_DENSE_CELLS = 4_000_000


def ari(truth: npt.ArrayLike, labels: npt.ArrayLike) -> float:
    """Compute the adjusted Rand index: 1.0 for equal groupings, about 0.0 for unrelated ones.

    Parameters
    ----------
    truth, labels : sequences of n labels
        Numbers, texts or anything with a hash; what the groups are called does not matter.

    Returns
    -------
    float
        At most 1; below 0 where two groupings agree less than chance would have it.

    Examples
    --------
    >>> ari([0, 0, 1, 1], ["b", "b", "a", "a"])
    1.0
    """
    return _ari(_table(truth, labels))


def jaccard(truth: npt.ArrayLike, labels: npt.ArrayLike) -> float:
    """Compute the Jaccard coefficient SS / (SS + SD + DS); 1.0 when nothing is together in either.

    SS pairs are together in both groupings, SD and DS pairs in one of the two. It rewards one big
    cluster more than the other measures do.

    Parameters
    ----------
    truth, labels : sequences of n labels
        As for `ari`.

    Examples
    --------
    >>> jaccard([0, 0, 0, 1], [0, 0, 1, 1])
    0.25
    """
    return _jaccard(_table(truth, labels))


def v_measure(truth: npt.ArrayLike, labels: npt.ArrayLike) -> float:
    """Compute the V-measure with beta = 1, the harmonic mean of homogeneity and completeness.

    A grouping with one group only has no entropy to explain; its factor counts as 1.

    Parameters
    ----------
    truth, labels : sequences of n labels
        As for `ari`.

    References
    ----------
    Xiong, Johnson and Corso, "Active Clustering with Model-Based Uncertainty Reduction", 2014:
    homogeneity is equation 13, completeness 16, the measure 19.

    Examples
    --------
    >>> round(v_measure([0, 0, 1, 1], [0, 0, 1, 2]), 6)
    0.8
    """
    return _v_measure(_table(truth, labels))


def nmi(truth: npt.ArrayLike, labels: npt.ArrayLike) -> float:
    """Compute mutual information over the mean of both entropies: `v_measure`'s other name.

    Parameters
    ----------
    truth, labels : sequences of n labels
        As for `ari`.

    Examples
    --------
    >>> nmi([0, 0, 1, 1], [0, 1, 0, 1])
    0.0
    """
    return _v_measure(_table(truth, labels))


def misclustering_error(truth: npt.ArrayLike, labels: npt.ArrayLike) -> float:
    """Compute the share of items outside the best one-to-one matching of clusters to classes.

    0.0 is perfect. A cluster without a class of its own is wrong altogether. Two unrelated
    labelings with some 100 000 groups each take half a minute; that is the slow case.

    Parameters
    ----------
    truth, labels : sequences of n labels
        As for `ari`.

    Examples
    --------
    >>> misclustering_error([0, 0, 0, 1], [5, 5, 6, 6])
    0.25
    """
    return _misclustering(_table(truth, labels))


def pair_precision(truth: npt.ArrayLike, labels: npt.ArrayLike) -> float:
    """Return the share of pairs together in `labels` that are so in the truth; 1.0 if none are.

    >>> pair_precision([0, 0, 0, 1], [0, 0, 1, 1])
    0.5
    """
    return _pair_precision(_table(truth, labels))


def pair_recall(truth: npt.ArrayLike, labels: npt.ArrayLike) -> float:
    """Return the share of pairs together in the truth that are so in `labels`; 1.0 if none are.

    >>> pair_recall([0, 0, 1, 1], [0, 0, 1, 2])
    0.5
    """
    return _pair_recall(_table(truth, labels))


def pair_f1(truth: npt.ArrayLike, labels: npt.ArrayLike) -> float:
    """Compute the harmonic mean of pair precision and recall; 1.0 if no two are together in either.

    >>> pair_f1([0, 0, 0, 1], [0, 0, 1, 1])
    0.4
    """
    return _pair_f1(_table(truth, labels))


def all_metrics(truth: npt.ArrayLike, labels: npt.ArrayLike) -> dict[str, float]:
    """Compute every measure of `METRICS` by name, from one contingency table.

    >>> all_metrics([0, 0, 1], [0, 0, 1])["misclustering"]
    0.0
    """
    table = _table(truth, labels)
    return {name: measure(table) for name, measure in _MEASURES.items()}


@dataclass(frozen=True)
class _Table:
    """The non-zero cells of the contingency table: classes as rows, clusters as columns."""

    rows: Counts  # (n_cells,)
    columns: Counts  # (n_cells,)
    counts: Counts  # (n_cells,), items in the cell, at least 1
    row_sizes: Counts  # (n_classes,), items per class
    column_sizes: Counts  # (n_clusters,), items per cluster
    n: int


def _table(truth: npt.ArrayLike, labels: npt.ArrayLike) -> _Table:
    """Count how often each class meets each cluster."""
    classes, clusters = _codes(truth, "truth"), _codes(labels, "labels")
    n = len(classes)
    if n != len(clusters):
        raise DataError(f"truth has {n} labels, labels {len(clusters)}; both need one per item")
    row_sizes, column_sizes = (np.bincount(codes).astype(np.int64) for codes in (classes, clusters))
    cells, counts = np.unique(classes * len(column_sizes) + clusters, return_counts=True)
    rows, columns = np.divmod(cells, len(column_sizes))
    return _Table(rows, columns, counts.astype(np.int64), row_sizes, column_sizes, n)


def _codes(labels: npt.ArrayLike, argument: str) -> Counts:
    """Code the labels as 0..k-1; refuse what is not a 1-d sequence of labels without gaps."""
    try:
        values = np.asarray(labels)
        if values.dtype.kind in "US" and not isinstance(labels, np.ndarray):
            # numpy reads the list [1, "1", nan] as strings, which merges the first two.
            values = np.asarray(labels, dtype=object)
    except ValueError as error:
        raise DataError(f"{argument} must hold one label per item, but {error}") from None
    if values.ndim != 1 or not values.size:
        shape = "nothing" if not values.size else f"an array of shape {values.shape}"
        raise DataError(f"{argument} must hold one label for each of 1 or more items; got {shape}")
    try:
        if values.dtype.kind in "biufcmM":
            missing = int(np.count_nonzero(values != values))
            codes = np.unique(values, return_inverse=True)[1]
        else:
            # By hash, not by sorting: 1 and "a" have no order.
            known: dict[object, int] = {}
            codes = np.array([known.setdefault(value, len(known)) for value in values.tolist()])
            missing = sum(value is None or value != value for value in known)
    except TypeError as error:
        # A list has no hash, and pandas' NA refuses to be compared.
        raise DataError(f"{argument} must hold a plain label per item, but {error}") from None
    if missing:
        raise DataError(f"{argument} has missing labels (NaN or None); leave those items out")
    return codes.astype(np.int64, copy=False)


def _pairs(sizes: Counts) -> int:
    """Count pairs of items that share a group; a Python int, as `_ari` multiplies two of them."""
    return int((sizes * (sizes - 1) // 2).sum())


def _ratio(part: int, whole: int) -> float:
    # Nothing to get right is nothing got wrong.
    """Return a share, 1.0 of nothing."""
    return part / whole if whole else 1.0


def _ari(table: _Table) -> float:
    same_class, same_cluster = _pairs(table.row_sizes), _pairs(table.column_sizes)
    total = table.n * (table.n - 1) // 2
    # Integers without limit: at a million items these products pass 2**63.
    chance = same_class * same_cluster
    surplus = _pairs(table.counts) * total - chance
    return _ratio(2 * surplus, (same_class + same_cluster) * total - 2 * chance)


def _jaccard(table: _Table) -> float:
    both = _pairs(table.counts)
    return _ratio(both, _pairs(table.row_sizes) + _pairs(table.column_sizes) - both)


def _pair_precision(table: _Table) -> float:
    return _ratio(_pairs(table.counts), _pairs(table.column_sizes))


def _pair_recall(table: _Table) -> float:
    return _ratio(_pairs(table.counts), _pairs(table.row_sizes))


def _pair_f1(table: _Table) -> float:
    return _ratio(2 * _pairs(table.counts), _pairs(table.row_sizes) + _pairs(table.column_sizes))


def _v_measure(table: _Table) -> float:
    homogeneity = _explained(table, table.row_sizes, table.column_sizes[table.columns])
    completeness = _explained(table, table.column_sizes, table.row_sizes[table.rows])
    return 2 * homogeneity * completeness / ((homogeneity + completeness) or 1.0)


def _explained(table: _Table, sizes: Counts, given: Counts) -> float:
    """Compute 1 - H(A|B) / H(A); `sizes` are the groups of A, `given` the size of each cell's B."""
    if len(sizes) == 1:
        return 1.0
    share = sizes / table.n
    # Not by mutual information: here every logarithm of a perfect clustering is exactly 0.
    left = np.sum(table.counts / table.n * np.log(table.counts / given))
    return max(0.0, float(1.0 - left / np.sum(share * np.log(share))))


def _misclustering(table: _Table) -> float:
    """Match clusters to classes, the easy cells first where there are many."""
    rows, columns, counts, matched = table.rows, table.columns, table.counts, 0
    if len(table.row_sizes) * len(table.column_sizes) > _DENSE_CELLS:
        rows, columns, counts, matched = _peeled(rows, columns, counts)
    return (table.n - matched - _matched(rows, columns, counts)) / table.n


def _peeled(rows: Counts, columns: Counts, counts: Counts) -> tuple[Counts, Counts, Counts, int]:
    """Return the cells that are hard to match, and how many items the easy ones match.

    A cell at least as large as the largest other cell of its row plus that of its column is in
    some best matching: put it in the place of those it excludes and nothing is lost.
    """
    matched = 0
    while len(counts):
        easy = np.flatnonzero(counts >= _rival(rows, counts) + _rival(columns, counts))
        easy = easy[np.unique(rows[easy], return_index=True)[1]]
        easy = easy[np.unique(columns[easy], return_index=True)[1]]
        # Long chains give way two cells a round; the solver is quicker with those.
        if len(easy) * 1000 < len(counts):
            break
        matched += int(counts[easy].sum())
        left = ~(np.isin(rows, rows[easy]) | np.isin(columns, columns[easy]))
        rows, columns, counts = rows[left], columns[left], counts[left]
    return rows, columns, counts, matched


def _rival(groups: Counts, counts: Counts) -> Counts:
    """Return for every cell the largest count among its group's other cells, 0 if it is alone."""
    order = np.lexsort((counts, groups))
    grouped, ranked = groups[order], counts[order]
    last = np.flatnonzero(np.append(grouped[1:] != grouped[:-1], True))
    sizes = np.diff(last, prepend=-1)
    rival = np.repeat(ranked[last], sizes)
    rival[last] = np.where(sizes > 1, ranked[last - 1], 0)
    return rival[np.argsort(order)]


def _matched(rows: Counts, columns: Counts, counts: Counts) -> int:
    """Count the most items that a one-to-one matching of rows and columns can cover."""
    from scipy.optimize import linear_sum_assignment
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching

    (_, rows), (_, columns) = (np.unique(x, return_inverse=True) for x in (rows, columns))
    n_rows, n_columns = (int(x.max(initial=-1)) + 1 for x in (rows, columns))
    if n_rows * n_columns <= _DENSE_CELLS:
        filled = np.zeros((n_rows, n_columns))
        filled[rows, columns] = counts
        return int(filled[linear_sum_assignment(filled, maximize=True)].sum())
    # The solver wants every row matched and no weight zero: each row gets a column of its own to
    # stay unmatched in, and every weight is one more than its count.
    spare = np.arange(n_rows)
    # Older versions of scipy match by 32-bit positions alone.
    where = tuple(
        np.concatenate(ends).astype(np.int32)
        for ends in ((rows, spare), (columns, n_columns + spare))
    )
    weights = np.concatenate([counts, np.zeros(n_rows, dtype=np.int64)]) + 1
    graph = csr_array((weights, where), shape=(n_rows, n_columns + n_rows))
    return int(graph[min_weight_full_bipartite_matching(graph, maximize=True)].sum()) - n_rows


_MEASURES: dict[str, Callable[[_Table], float]] = {
    "ari": _ari,
    "jaccard": _jaccard,
    "v_measure": _v_measure,
    "nmi": _v_measure,
    "misclustering": _misclustering,
    "pair_precision": _pair_precision,
    "pair_recall": _pair_recall,
    "pair_f1": _pair_f1,
}

METRICS: dict[str, Callable[[npt.ArrayLike, npt.ArrayLike], float]] = {
    "ari": ari,
    "jaccard": jaccard,
    "v_measure": v_measure,
    "nmi": nmi,
    "misclustering": misclustering_error,
    "pair_precision": pair_precision,
    "pair_recall": pair_recall,
    "pair_f1": pair_f1,
}
