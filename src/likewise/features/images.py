"""Pictures from files, upright and small; those that are nearly equal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from likewise._extras import extra_explained
from likewise.features.cache import cached
from likewise.features.decoding import Unreadable
from likewise.features.regions import PictureRegion, decode_part

_SIDE = 64  # pixels by which near duplicates are found
_NEAR = 4  # bits of 64 in which pictures that look the same may differ


def open_picture(path: Path | PictureRegion, side: int, *, most: int | None = None) -> Any:
    """Open a picture upright, on white where it is transparent, reduced to what `side` needs.

    Parameters
    ----------
    path : Path or PictureRegion
        The file, or a part of one.
    side : int
        At least so many pixels are left along its longer side, where there are so many.
    most : int, optional
        How many bytes decoding it may take; see `likewise.features.decoding`.

    Returns
    -------
    PIL.Image.Image
        In RGB.

    Raises
    ------
    Unreadable
        If it is no picture, damaged, too large or not to be read; the message says which.
    """
    return _as_rgb(decode_part(path, 2 * side, most=most))


def _as_rgb(image: Any) -> Any:
    """Return the picture with three channels of eight bits, on white."""
    with extra_explained():
        from PIL import Image

    if image.mode.startswith("I") or image.mode == "F":
        # Sixteen bits and more: stretched, since cutting off would leave white.
        values = np.asarray(image, dtype=np.float64)
        low, high = values.min(), values.max()
        grey = (values - low) / (high - low) * 255 if high > low else np.zeros_like(values)
        return Image.fromarray(grey.astype(np.uint8)).convert("RGB")
    if "transparency" in image.info or image.mode in ("RGBA", "LA", "PA"):
        image = image.convert("RGBA")
        white = Image.new("RGBA", image.size, "white")
        return Image.alpha_composite(white, image).convert("RGB")
    return image.convert("RGB")


def why_unreadable(path: Path) -> str:
    """Say in a few words what is wrong with a file."""
    try:
        open_picture(path, _SIDE)
    except Unreadable as error:
        return str(error)
    return "damaged"


def perceptual_hashes(
    paths: Sequence[Path], digests: Sequence[bytes]
) -> dict[int, npt.NDArray[np.float32]]:
    """Compute 64 bits for every picture that can be read, near for pictures that look alike."""

    def compute(missing: list[int]) -> Iterator[tuple[int, npt.NDArray[np.float32] | None]]:
        with extra_explained():
            import imagehash

        for k in missing:
            try:
                bits = imagehash.phash(open_picture(paths[k], _SIDE)).hash
            except Unreadable:
                yield k, None
                continue
            yield k, bits.ravel().astype(np.float32)

    return cached("phash-2", digests, compute, width=64)


def nearly_equal(hashes: dict[int, npt.NDArray[np.float32]]) -> dict[int, int]:
    """Return, for every picture that is almost an earlier one, which; that one is no copy itself.

    >>> bits = np.zeros(64, dtype=np.float32)
    >>> nearly_equal({0: bits, 1: bits, 2: 1 - bits})
    {1: 0}
    """
    known = np.empty((len(hashes), 64), dtype=np.float32)
    kept: list[int] = []
    almost = {}
    for k in sorted(hashes):
        distances = np.abs(known[: len(kept)] - hashes[k]).sum(axis=1)
        if len(kept) and distances.min() <= _NEAR:
            almost[k] = kept[int(distances.argmin())]
        else:
            known[len(kept)] = hashes[k]
            kept.append(k)
    return almost
