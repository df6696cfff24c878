"""What a picture looks like, as numbers: edges (HOG), texture (local binary patterns), colour."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from likewise.features.cache import Progress, Vectors, cached
from likewise.features.scaling import equal_blocks

# All that is ever tried on a file, whatever it is called: readers of rarer formats have had more
# holes, and that of EPS starts another program.
FORMATS = ("JPEG", "PNG", "WEBP", "GIF", "BMP", "TIFF")
KIND = "picture-1"  # to be raised when the numbers of a picture become others
_SIDE = 64  # pixels of the square that is looked at
_LARGEST = 120_000_000  # pixels; more takes more memory than most machines can spare
_MANY = 400  # from so many on, starting processes pays
_MOST_COLUMNS = 64
_NEAR = 4  # bits of 64 in which pictures that look the same may differ

_BLOCKS = (1568, 40, 72)  # how many numbers describe edges, texture and colours


class Unreadable(Exception):  # noqa: N818 - reads as what it is
    """A file that is no picture we can use; the message says why."""


def open_picture(path: Path, side: int) -> Any:  # a Pillow image, RGB, about `side` pixels
    """Open a picture upright, on white where it is transparent, reduced to what `side` needs.

    Raises
    ------
    Unreadable
        If it is no picture, damaged, too large or not to be read; the message says which.
    """
    from PIL import Image, ImageOps, UnidentifiedImageError

    try:
        with warnings.catch_warnings():
            # Pillow warns of what the checks below refuse, and of harmless oddities in files.
            warnings.simplefilter("ignore")
            with Image.open(path, formats=FORMATS) as image:
                if image.width * image.height > _LARGEST:
                    raise Unreadable(f"too large, {image.width} × {image.height} pixels")
                image.draft("RGB", (2 * side, 2 * side))
                upright = ImageOps.exif_transpose(image)
                upright.thumbnail((2 * side, 2 * side))
                return _as_rgb(upright)
    except UnidentifiedImageError as error:
        raise Unreadable("not a picture, or damaged") from error
    except Image.DecompressionBombError as error:
        raise Unreadable("too large to be opened safely") from error
    except FileNotFoundError as error:
        raise Unreadable("there is no such file") from error
    except PermissionError as error:
        raise Unreadable("no permission to read it") from error
    except (OSError, ValueError, SyntaxError, TypeError, IndexError, EOFError) as error:
        # Pillow's readers raise all of these on damaged files.
        raise Unreadable(f"damaged: {error}") from error


def describe(picture: Any) -> npt.NDArray[np.float32]:  # RGB -> (sum of _BLOCKS,)
    """Compute the descriptors of one picture: edges, texture and colours of a 64 by 64 thumbnail.

    Histograms of oriented gradients, of local binary patterns in each quarter, and of hue,
    saturation and value, the latter two as square roots, so that their distance is Hellinger's.
    """
    from PIL import Image
    from skimage.color import rgb2gray, rgb2hsv
    from skimage.feature import hog, local_binary_pattern

    small = picture.resize((_SIDE, _SIDE), Image.Resampling.BILINEAR)
    colours = np.asarray(small)
    grey = rgb2gray(colours)
    edges = hog(grey, orientations=8, pixels_per_cell=(8, 8), cells_per_block=(2, 2))
    shades = (grey * 255).astype(np.uint8)
    patterns = local_binary_pattern(shades, 8, 1, "uniform").astype(int)  # type: ignore[no-untyped-call]
    quarters = [part for half in np.split(patterns, 2) for part in np.split(half, 2, axis=1)]
    texture = np.concatenate([np.bincount(part.ravel(), minlength=10) for part in quarters])
    hsv = rgb2hsv(colours).reshape(-1, 3)
    histogram = np.histogramdd(hsv, bins=(8, 3, 3), range=((0, 1),) * 3)[0].ravel()
    # Square roots: the distance of two histograms is then Hellinger's, fair to rare values.
    shares = (edges, np.sqrt(texture / (_SIDE**2 / 4)), np.sqrt(histogram / _SIDE**2))
    return np.concatenate(shares).astype(np.float32)


def describe_all(
    paths: Sequence[Path], digests: Sequence[bytes], progress: Progress | None = None
) -> dict[int, npt.NDArray[np.float32]]:
    """Compute the descriptors of every picture that can be read, by position."""

    def compute(missing: list[int]) -> Iterator[tuple[int, npt.NDArray[np.float32] | None]]:
        wanted = [paths[k] for k in missing]
        if len(wanted) < _MANY or (os.cpu_count() or 1) == 1:
            vectors: Iterator[npt.NDArray[np.float32] | None] = map(_describe_file, wanted)
        else:
            from joblib import Parallel, delayed

            several = Parallel(n_jobs=-1, return_as="generator", batch_size=16)
            vectors = several(delayed(_describe_file)(path) for path in wanted)
        return zip(missing, vectors, strict=True)

    return cached(KIND, digests, compute, progress)


def reduced(vectors: Vectors) -> npt.NDArray[np.float64]:  # (n, sum of _BLOCKS) -> (n, d)
    """Reduce the descriptors of a pile to few columns, each aspect with the same weight."""
    return equal_blocks(vectors, _BLOCKS, most_columns=_MOST_COLUMNS)


def _describe_file(path: Path) -> npt.NDArray[np.float32] | None:
    """Compute the descriptors of a file, None if it is unreadable."""
    try:
        return describe(open_picture(path, _SIDE))
    except Unreadable:
        return None


def _as_rgb(image: Any) -> Any:
    """Return the picture with three channels of eight bits, on white."""
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
        import imagehash

        for k in missing:
            try:
                bits = imagehash.phash(open_picture(paths[k], _SIDE)).hash
            except Unreadable:
                yield k, None
                continue
            yield k, bits.ravel().astype(np.float32)

    return cached("phash-1", digests, compute)


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
