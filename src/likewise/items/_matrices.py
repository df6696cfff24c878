"""Checks of the matrices that people bring, with the sentences that refuse them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from likewise.errors import DataError

Matrix = Any  # an array of floats or a scipy csr_matrix; scipy carries no types to say so with

LARGEST = 1e150  # squares of larger numbers overflow
_DOUBLED = 2**26  # numbers of single precision that are made double; of more, half a gigabyte
_BLOCK = 2**22  # numbers that are worked on at a time where a copy of all would be too many


def as_floats(X: Any) -> npt.NDArray[Any]:
    """Return a matrix of finite numbers with at least two rows; see `finite_numbers`."""
    array = finite_numbers(X)
    require_two(array.shape[0])
    return array


def blocks(n: int, width: int) -> Iterator[slice]:
    """Yield slices of n rows or columns, each of which has so many numbers; a few megabytes each.

    >>> list(blocks(5, _BLOCK // 2))
    [slice(0, 2, None), slice(2, 5, None)]
    """
    step, begin = max(_BLOCK // max(width, 1), 2), 0
    while begin < n:
        # None of one: sums over a single column are taken in another order, and are other sums.
        end = n if n - begin <= step + 1 else begin + step
        yield slice(begin, end)
        begin = end


def finite_numbers(X: Any) -> npt.NDArray[Any]:
    """Return a matrix of finite numbers of any number of rows.

    They are of double precision, but for very many that were given in single precision.
    """
    try:
        if np.iscomplexobj(X):
            raise TypeError("complex numbers have no order")
        array = np.asarray(X)
        if array.dtype != np.float32 or array.size <= _DOUBLED:
            array = np.asarray(array, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise DataError(
            "items must be rows of numbers; give a table (data frame) for columns of other kinds"
        ) from error
    if array.ndim != 2:
        raise DataError(
            f"items must be a matrix with a row per item but got an array of shape {array.shape}"
        )
    require_columns(array)
    _require_finite(array)
    if max(float(array.max(initial=0.0)), -float(array.min(initial=0.0))) > LARGEST:
        raise DataError(f"numbers must stay within ±{LARGEST:g}; rescale the columns first")
    return array


def doubles(rows: Matrix) -> Matrix:
    """Return rows in the precision that is computed with; those of a sparse matrix have it."""
    return rows if sp.issparse(rows) else np.asarray(rows, dtype=np.float64)


def as_csr(X: Any) -> sp.csr_matrix:
    """Return the matrix in the one form in which equal matrices are stored alike."""
    matrix = sp.csr_matrix(X, dtype=np.float64, copy=True)
    matrix.sum_duplicates()
    matrix.eliminate_zeros()
    bad = np.flatnonzero(~np.isfinite(matrix.data))
    if len(bad):
        row = int(np.searchsorted(matrix.indptr, bad[0], side="right")) - 1
        _refuse_number(row, int(matrix.indices[bad[0]]), matrix.data[bad[0]], len(bad))
    return matrix


def require_columns(matrix: Matrix) -> None:
    """Refuse items that have nothing to be compared by."""
    if matrix.shape[1] == 0:
        raise DataError("items need at least one column to be compared by")


def symmetric(matrix: Any, what: str) -> Matrix:
    """Return a symmetric matrix; `what` names it in the sentence that refuses another."""
    if sp.issparse(matrix):
        square: Matrix = as_csr(matrix)
    else:
        square = as_floats(matrix)
    if square.shape[0] != square.shape[1]:
        raise DataError(f"{what} must be square but has shape {square.shape}")
    require_two(square.shape[0])
    gap = float(abs(square - square.T).max())
    scale = max(1.0, float(abs(square).max()))
    if gap > 1e-8 * scale:
        raise DataError(f"{what} must be symmetric; take the mean of it and its transpose")
    return square


def require_two(n: int) -> None:
    """Refuse fewer than two items."""
    if n < 2:
        raise DataError(f"grouping needs at least 2 items but got {n}")


def _require_finite(array: npt.NDArray[np.float64]) -> None:
    """Refuse numbers that are not finite; the sentence names the first of them."""
    # A sum of finite numbers may overflow, but one of others is never finite: mostly no more is
    # to be looked at.
    with np.errstate(over="ignore", invalid="ignore"):
        if np.isfinite(array.sum(dtype=np.float64)):
            return
    bad = ~np.isfinite(array)
    if bad.any():
        row, column = np.argwhere(bad)[0]
        _refuse_number(int(row), int(column), array[row, column], int(bad.sum()))


def _refuse_number(row: int, column: int, number: float, how_many: int) -> NoReturn:
    """Raise the error about a number that is not finite."""
    raise DataError(
        f"every number must be finite but row {row}, column {column} holds {number} "
        f"({how_many} such in all); fill or drop them first"
    )
