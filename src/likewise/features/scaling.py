"""Columns of different origin, made comparable."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt


def weighted_blocks(
    vectors: npt.NDArray[np.float32],
    widths: Sequence[int],
    weights: Sequence[float] | None = None,
    *,
    most_columns: int,
) -> npt.NDArray[np.float64]:  # (n, sum of widths) -> (n, at most most_columns)
    """Give blocks of columns these total variances, or 1, and turn all onto main directions."""
    from sklearn.decomposition import PCA

    centred = vectors.astype(np.float64)
    centred -= vectors.mean(axis=0, dtype=np.float64)
    blocks = np.split(centred, np.cumsum(widths)[:-1], axis=1)
    for block, weight in zip(blocks, weights or [1.0] * len(blocks), strict=True):
        variance = block.var(axis=0).sum()
        if variance > 0:
            block *= np.sqrt(weight / variance)
    columns = min(most_columns, *centred.shape)
    if not centred.any():  # all alike, so there are no directions
        return np.zeros((len(centred), columns))
    # A seed, since for many columns directions are found by random projections.
    turned: npt.NDArray[np.float64] = PCA(columns, copy=False, random_state=0).fit_transform(
        centred
    )
    return turned
