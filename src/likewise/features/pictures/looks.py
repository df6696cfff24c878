"""How a picture looks, as numbers: edges (HOG), texture (local binary patterns) and colour."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from likewise._extras import extra_explained
from likewise.features.cache import Vectors
from likewise.features.feature_views import MOST_COLUMNS, FeatureViews
from likewise.features.pictures.threads import in_threads
from likewise.features.scaling import weighted_blocks

WIDTHS = {"edges": 1568, "texture": 40, "colour": 72}  # how many numbers describe each
_SIDE = 64  # pixels of the square that is looked at


class EdgesTextureColour:
    """How pictures look, without knowing what is on them; fits `PictureModel`."""

    cache_key = "edges-texture-colour-2"
    side = 2 * _SIDE

    def embed_pictures(self, pictures: Sequence[Any]) -> npt.ArrayLike:
        """Return the descriptors of each picture."""
        return np.array(in_threads(describe, pictures))

    def reduced(self, vectors: Vectors) -> npt.NDArray[np.float64]:
        """Reduce the descriptors of a pile to few columns, each aspect with the same weight."""
        return weighted_blocks(vectors, [*WIDTHS.values()], most_columns=MOST_COLUMNS)

    def views(self, vectors: Vectors) -> FeatureViews:
        """Return edges, texture and colour as views of their own."""
        return views_of(self.reduced(vectors), vectors, WIDTHS, dict.fromkeys(WIDTHS, 1.0))


def views_of(
    whole: npt.NDArray[np.float64],
    vectors: Vectors,
    widths: Mapping[str, int],
    weights: Mapping[str, float],
) -> FeatureViews:
    """Return columns of descriptors as views, each reduced by itself, beside the whole of them."""
    ends = np.cumsum([*widths.values()])
    blocks = {
        name: weighted_blocks(vectors[:, end - width : end], [width], most_columns=MOST_COLUMNS)
        for (name, width), end in zip(widths.items(), ends.tolist(), strict=True)
    }
    return FeatureViews(whole, blocks, weights)


def describe(picture: Any) -> npt.NDArray[np.float32]:  # RGB -> (sum of WIDTHS,)
    """Compute the descriptors of one picture: edges, texture and colours of a 64 by 64 thumbnail.

    Histograms of oriented gradients, of local binary patterns in each quarter, and of hue,
    saturation and value, the latter two as square roots, so that their distance is Hellinger's.
    """
    with extra_explained():
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
