"""An affinity matrix as a picture: do the groups show as dark blocks along the diagonal?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from likewise.errors import DataError
from likewise.plots.canvas import SOFT, finite_matrix, groups_of, new_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MOST_ITEMS = 1000  # beyond, a cell of the picture is the mean over a block
_BLOCKS = 400  # about the pixels a figure has: a finer picture would be averaged on the screen
_MOST_NAMES = 12  # beyond, the names of groups would overlap


def affinity(affinity: Any, labels: Any = None, *, ax: Axes | None = None) -> Axes:
    """Draw how alike all items are: the matrix (n, n), dense or sparse, dark where two are alike.

    With labels, items are sorted by group, thin lines part the groups, and a good affinity shows
    dark squares along the diagonal. Beyond 1 000 items each cell is the mean over a block of them;
    a sparse matrix is never made dense. The darkest shade is that of the 99th percentile of what
    is not zero, lest a single strong pair leave the rest pale.

    Parameters
    ----------
    affinity : array or sparse matrix (n, n)
        Larger is more alike.
    labels : sequence of n labels, optional
        The groups to sort by.
    ax : matplotlib.axes.Axes, optional
        Where to draw; a new figure unless given.

    Returns
    -------
    matplotlib.axes.Axes
        What was drawn on.
    """
    matrix = finite_matrix(affinity, "an affinity")
    n = matrix.shape[0]
    if matrix.shape != (n, n):
        raise DataError(f"an affinity must be square but has shape {matrix.shape}")
    names, places = ([], np.zeros(n, np.int64)) if labels is None else groups_of(labels, n)
    order = np.argsort(places, kind="stable")
    axes = ax if ax is not None else new_axes(5.4, 4.4)
    binned = n > _MOST_ITEMS
    shown = block_means(matrix, order, _BLOCKS if binned else n)
    low, high = _shades(shown)
    image = axes.imshow(
        shown, extent=(0, n, n, 0), cmap="Blues", interpolation="nearest", vmin=low, vmax=high
    )
    axes.figure.colorbar(
        image, ax=axes, label="mean affinity of a block" if binned else "affinity", shrink=0.85
    )
    if len(names) > 1:
        _part_groups(axes, names, np.bincount(places))
    axes.set_xlabel("item" if labels is None else "item, sorted by group")
    return axes


def block_means(
    matrix: Any, order: npt.NDArray[np.int64], n_blocks: int
) -> npt.NDArray[np.float64]:  # (n, n), (n,) -> (n_blocks, n_blocks)
    """Put rows and columns into the given order and average over equal blocks.

    >>> block_means(np.arange(16.0).reshape(4, 4), np.arange(4), 2)
    array([[ 2.5,  4.5],
           [10.5, 12.5]])
    """
    n = len(order)
    block_of = np.empty(n, dtype=np.int64)
    block_of[order] = np.arange(n) * n_blocks // n
    # One row per block, 1 / (its size) at its items: two products average rows and columns.
    share = 1.0 / np.bincount(block_of)[block_of]
    averaging = sp.csr_array((share, (block_of, np.arange(n))), shape=(n_blocks, n))
    means = averaging @ matrix @ averaging.T
    return np.asarray(means.toarray() if sp.issparse(means) else means)


def _shades(shown: npt.NDArray[np.float64]) -> tuple[float, float]:
    """Return the values of the palest and the darkest shade."""
    low = min(0.0, float(shown.min()))
    visible = shown[shown != 0]
    high = float(np.percentile(visible, 99)) if visible.size else 1.0
    return low, high if high > low else low + 1.0


def _part_groups(axes: Axes, names: Sequence[str], sizes: npt.NDArray[np.int64]) -> None:
    """Draw thin lines between groups, and their names where these do not overlap."""
    ends = np.cumsum(sizes)
    for line in (axes.axhline, axes.axvline):
        for at in ends[:-1]:
            line(at, color=SOFT, linewidth=0.6)
    if len(names) <= _MOST_NAMES:
        axes.set_yticks(ends - sizes / 2, names, parse_math=False)
        axes.tick_params(axis="y", length=0)
        axes.set_ylabel("group")
