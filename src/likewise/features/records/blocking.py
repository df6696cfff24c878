"""Which rows are worth comparing: those that share rare pieces of what is written in them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from likewise.features.records.columns import ColumnKind, ComparedColumn

# A piece in more rows than this says little, and comparing all rows that have it costs its square:
# without such a bound the work would grow with the square of the rows.
_MOST_ROWS = 300
_AT_ONCE = 2_000  # rows multiplied with all others at a time


def candidate_pairs(
    columns: Sequence[ComparedColumn], n_neighbours: int
) -> npt.NDArray[np.int64]:  # (m, 2), i < j, sorted
    """Return the pairs of rows of which one is among the nearest of the other.

    Rows are near when they share pieces (words, and characters in fours, column by column), the
    more the rarer these are; one in more than 300 rows counts for nothing.
    """
    pieces = row_pieces(columns)
    n = pieces.shape[0]
    others = sp.csr_matrix(pieces.T)
    found = []
    for begin in range(0, n, _AT_ONCE):
        rows = np.arange(begin, min(begin + _AT_ONCE, n))
        near = nearest(sp.csr_matrix(pieces[rows] @ others), rows, n_neighbours)
        found.append(near)
    keys = np.unique(np.concatenate(found)) if found else np.empty(0, dtype=np.int64)
    return np.column_stack(np.divmod(keys, n))


def nearest(
    likeness: sp.csr_matrix, rows: npt.NDArray[np.int64], n_neighbours: int
) -> npt.NDArray[np.int64]:
    """Return the unordered pairs, as i · n + j, of rows with those most alike to each."""
    n = likeness.shape[1]
    found = []
    for at, row in enumerate(rows.tolist()):
        part = slice(likeness.indptr[at], likeness.indptr[at + 1])
        other, alike = likeness.indices[part], likeness.data[part]
        other, alike = other[other != row], alike[other != row]
        if len(other) > n_neighbours:
            # Rounded, so that the last bit of another machine's arithmetic changes no pair.
            order = np.lexsort((other, -np.round(alike, 6)))[:n_neighbours]
            other = other[order]
        low, high = np.minimum(other, row), np.maximum(other, row)
        found.append(low.astype(np.int64) * n + high)
    return np.concatenate(found) if found else np.empty(0, dtype=np.int64)


def row_pieces(columns: Sequence[ComparedColumn]) -> sp.csr_matrix:  # (n, pieces)
    """Return the weighted pieces of every row, of length one."""
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.preprocessing import normalize

    blocks = []
    for column in columns:
        texts = column.distinct
        if not any(texts):
            continue
        whole = CountVectorizer(binary=True, dtype=np.float64, token_pattern=r"\S+")
        found = [whole.fit_transform(texts)]
        if column.kind is not ColumnKind.NUMBER:
            parts = CountVectorizer(
                binary=True, dtype=np.float64, analyzer="char_wb", ngram_range=(4, 4)
            )
            found.append(parts.fit_transform(texts))
        blocks.append(sp.csr_matrix(sp.hstack(found))[column.value])
    n = len(columns[0].value)
    if not blocks:
        return sp.csr_matrix((n, 1))
    pieces = sp.csc_matrix(sp.hstack(blocks))
    in_rows = np.diff(pieces.indptr)
    telling = (in_rows > 1) & (in_rows <= _MOST_ROWS)
    weights = np.log(n / in_rows[telling])
    return sp.csr_matrix(normalize(sp.csr_matrix(pieces[:, telling]) @ sp.diags_array(weights)))
