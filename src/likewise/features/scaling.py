"""Columns of different origin, made comparable."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt


def equal_blocks(
    vectors: npt.NDArray[np.float32], widths: Sequence[int], *, most_columns: int
) -> npt.NDArray[np.float64]:  # (n, sum of widths) -> (n, at most most_columns)
    """Scale blocks of columns to one total variance and turn them onto their main directions."""
    from sklearn.decomposition import PCA

    centred = vectors.astype(np.float64) - vectors.mean(axis=0, dtype=np.float64)
    for block in np.split(centred, np.cumsum(widths)[:-1], axis=1):
        variance = block.var(axis=0).sum()
        if variance > 0:
            block /= np.sqrt(variance)
    columns = min(most_columns, *centred.shape)
    # A seed, since for many columns directions are found by random projections.
    turned: npt.NDArray[np.float64] = PCA(columns, random_state=0).fit_transform(centred)
    return turned
