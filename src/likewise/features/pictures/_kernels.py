"""Compiled loops: the convolutions of a network that are no product of matrices.

Compiled when first used. They let other threads run, so that every core can look at a picture.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from likewise._compiled import compiled

Floats = npt.NDArray[np.float32]


@compiled(nogil=True)
def depthwise(
    x: Floats,  # (height, width, channels), with a border of one
    weights: Floats,  # (3, 3, channels)
    bias: Floats,  # (channels,)
    stride: int,
    out: Floats,  # (rows, columns, channels), written to
) -> None:
    """Convolve every channel with its own 3 by 3 weights, add the bias, clip from 0 to 6."""
    rows, columns, channels = out.shape
    for row in range(rows):
        for column in range(columns):
            line = out[row, column]
            line[:] = bias
            for i in range(3):
                for j in range(3):
                    near, factor = x[row * stride + i, column * stride + j], weights[i, j]
                    for c in range(channels):
                        line[c] += near[c] * factor[c]
            for c in range(channels):
                line[c] = min(max(line[c], np.float32(0.0)), np.float32(6.0))


@compiled(nogil=True)
def activate(
    x: Floats,  # (rows, columns, channels)
    bias: Floats,  # (channels,)
    out: Floats,  # the same with a border of one, whose inside is written to
) -> None:
    """Add a bias and clip from 0 to 6."""
    rows, columns, channels = x.shape
    for row in range(rows):
        for column in range(columns):
            come, gone = x[row, column], out[row + 1, column + 1]
            for c in range(channels):
                gone[c] = min(max(come[c] + bias[c], np.float32(0.0)), np.float32(6.0))
