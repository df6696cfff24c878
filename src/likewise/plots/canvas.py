"""What all figures share: colours, fresh axes, and the checks of what they are given."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from likewise._extras import extra_explained
from likewise.errors import DataError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Okabe and Ito's colours, which people with any kind of colour vision tell apart.
PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
SOFT = "#6a7482"


def new_axes(width: float = 6.4, height: float = 4.0) -> Axes:
    """Make axes on a figure of their own, in inches; pyplot would keep them for ever."""
    with extra_explained():
        from matplotlib.figure import Figure
    return Figure(figsize=(width, height), layout="constrained").add_subplot()


def finite_matrix(values: Any, what: str) -> Any:
    """Return numbers in two dimensions, dense or sparse (as CSR); refuse anything else."""
    try:
        matrix = (
            sp.csr_array(values, dtype=np.float64)
            if sp.issparse(values)
            else np.asarray(values, dtype=np.float64)
        )
    except (TypeError, ValueError) as error:
        raise DataError(f"{what} must hold numbers only: {error}") from error
    if matrix.ndim != 2 or 0 in matrix.shape:
        raise DataError(f"{what} must have rows and columns but has shape {matrix.shape}")
    if not np.isfinite(matrix.data if sp.issparse(matrix) else matrix).all():
        raise DataError(f"{what} must be finite but holds NaN or infinity; replace them first")
    return matrix


def finite_vector(values: Any, what: str) -> npt.NDArray[np.float64]:
    """Return numbers in one dimension; refuse anything else."""
    try:
        vector = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise DataError(f"{what} must hold numbers only: {error}") from error
    if vector.ndim != 1 or not vector.size:
        raise DataError(f"{what} must be a list of numbers but has shape {vector.shape}")
    if not np.isfinite(vector).all():
        raise DataError(f"{what} must be finite but holds NaN or infinity; replace them first")
    return vector


def groups_of(labels: Any, n: int) -> tuple[list[str], npt.NDArray[np.int64]]:
    """Return the groups' names in order, and each of `n` items' place in that list."""
    given = np.asarray(labels)
    if given.shape != (n,):
        raise DataError(f"there must be one label per item, {n} in all, but got {given.shape}")
    if given.dtype.kind == "f" and not np.isfinite(given).all():
        raise DataError("labels must be finite but hold NaN or infinity; give these items a group")
    try:
        names, places = np.unique(given, return_inverse=True)
    except TypeError as error:  # a mixture, such as None among words, has no order
        raise DataError(f"labels must be of one kind, all words or all numbers: {error}") from error
    return [str(name) for name in names], places.astype(np.int64)
