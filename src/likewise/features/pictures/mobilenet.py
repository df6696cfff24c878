"""What is on a picture, as numbers: MobileNetV2 without its last layer, its weights inside.

The network is that of Sandler et al. (2018), trained on photographs of a thousand kinds of things;
`weights/README.md` says where the weights come from. Batch normalisation is part of the weights
already, so that what is left are products of matrices and `_kernels.depthwise`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from likewise._extras import extra_explained
from likewise.features.pictures.threads import in_threads

Floats = npt.NDArray[np.float32]

WEIGHTS = Path(__file__).parent / "weights" / "mobilenet_v2.npz"
WIDTH = 1280  # numbers that describe a picture
SIDE = 224  # pixels of the square that is looked at, as when the network was trained
_STRIDES = (1, 2, 1, 2, 1, 1, 2, 1, 1, 1, 1, 1, 1, 2, 1, 1, 1)  # of its seventeen blocks
# Of the colours it was trained with.
_MEAN = np.array([0.485, 0.456, 0.406], dtype=np.float32)
_SPREAD = np.array([0.229, 0.224, 0.225], dtype=np.float32)


class MobileNet:
    """MobileNetV2's view of pictures; fits `PictureModel`."""

    cache_key = "mobilenet-v2-1"
    side = SIDE

    def embed_pictures(self, pictures: Sequence[Any]) -> npt.ArrayLike:
        """Return a vector per picture: how much of each thing it has learned to see is there."""
        return np.array(in_threads(embed, pictures))


def embed(picture: Any) -> Floats:  # a Pillow image, RGB -> (WIDTH,)
    """Compute the vector of one picture, of length one.

    Square roots of what is seen: what is everywhere on a picture does not outweigh the rest.
    """
    roots: Floats = np.sqrt(forward(standardised(picture)))
    roots /= max(float(np.linalg.norm(roots)), 1e-12)
    return roots


def standardised(picture: Any) -> Floats:  # a Pillow image, RGB -> (SIDE, SIDE, 3)
    """Resize a picture to a square, its colours in the units the network was trained with."""
    with extra_explained():
        from PIL import Image

    small = picture.resize((SIDE, SIDE), Image.Resampling.BILINEAR)
    colours = np.asarray(small, dtype=np.float32) / np.float32(255)
    scaled: Floats = (colours - _MEAN) / _SPREAD
    return scaled


def forward(colours: Floats) -> Floats:  # (side, side, 3), standardised -> (WIDTH,)
    """Run the network on one picture, whose side is a multiple of 32 pixels."""
    layers = _layers()
    x = _stem(colours, layers)
    for block in layers.blocks:
        x = block(x)
    seen = x.reshape(-1, x.shape[2]) @ layers.head + layers.head_bias
    means: Floats = np.clip(seen, 0, 6).mean(axis=0)
    return means


@dataclass(frozen=True)
class _Block:
    """An inverted residual: channels are made many, looked at one by one, and made few again."""

    expand: Floats | None  # (channels, many); None: there are many already
    expand_bias: Floats | None
    depthwise: Floats  # (3, 3, many)
    depthwise_bias: Floats
    project: Floats  # (many, channels)
    project_bias: Floats
    stride: int

    def __call__(self, x: Floats) -> Floats:  # (side, side, channels)
        from likewise.features.pictures._kernels import activate, depthwise

        side, many = len(x), self.depthwise.shape[2]
        bordered = np.zeros((side + 2, side + 2, many), dtype=np.float32)
        if self.expand is None or self.expand_bias is None:
            bordered[1:-1, 1:-1] = x
        else:
            wide = x.reshape(side * side, -1) @ self.expand
            activate(wide.reshape(side, side, many), self.expand_bias, bordered)
        seen = np.empty((side // self.stride, side // self.stride, many), dtype=np.float32)
        depthwise(bordered, self.depthwise, self.depthwise_bias, self.stride, seen)
        out: Floats = seen.reshape(-1, many) @ self.project + self.project_bias
        out = out.reshape(*seen.shape[:2], -1)
        return out + x if out.shape == x.shape else out


@dataclass(frozen=True)
class _Layers:
    stem: Floats  # (3 · 3 · 3, channels)
    stem_bias: Floats
    blocks: list[_Block]
    head: Floats  # (channels, WIDTH)
    head_bias: Floats


def _stem(colours: Floats, layers: _Layers) -> Floats:
    """Convolve a picture, every other pixel, and clip."""
    bordered = np.pad(colours, ((1, 1), (1, 1), (0, 0)))
    windows = np.lib.stride_tricks.sliding_window_view(bordered, (3, 3), axis=(0, 1))[::2, ::2]
    side = len(windows)
    seen = windows.reshape(side * side, -1) @ layers.stem + layers.stem_bias
    clipped: Floats = np.clip(seen, 0, 6).reshape(side, side, -1)
    return clipped


@cache
def _layers() -> _Layers:
    """Read the weights, once."""
    with np.load(WEIGHTS, allow_pickle=False) as file:
        arrays = {name: file[name].astype(np.float32) for name in file.files}
    blocks = [
        _Block(
            expand=arrays.get(f"{k}.expand"),
            expand_bias=arrays.get(f"{k}.expand_bias"),
            depthwise=arrays[f"{k}.depthwise"],
            depthwise_bias=arrays[f"{k}.depthwise_bias"],
            project=arrays[f"{k}.project"],
            project_bias=arrays[f"{k}.project_bias"],
            stride=stride,
        )
        for k, stride in enumerate(_STRIDES)
    ]
    ends = {name: arrays[name] for name in ("stem", "stem_bias", "head", "head_bias")}
    return _Layers(blocks=blocks, **ends)
