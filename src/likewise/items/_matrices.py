"""Checks of the matrices that people bring, with the sentences that refuse them."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from likewise.errors import DataError

Matrix = Any  # a float64 array or a scipy csr_matrix; scipy carries no types to say so with

_LARGEST = 1e150  # squares of larger numbers overflow


def as_floats(X: Any) -> npt.NDArray[np.float64]:
    """Return a matrix of finite numbers with at least two rows."""
    array = finite_numbers(X)
    require_two(array.shape[0])
    return array


def finite_numbers(X: Any) -> npt.NDArray[np.float64]:
    """Return a matrix of finite numbers of any number of rows."""
    try:
        if np.iscomplexobj(X):
            raise TypeError("complex numbers have no order")
        array = np.asarray(X, dtype=np.float64)
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
    if np.abs(array).max(initial=0.0) > _LARGEST:
        raise DataError(f"numbers must stay within ±{_LARGEST:g}; rescale the columns first")
    return array


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
