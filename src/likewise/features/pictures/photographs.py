"""What pictures are compared by unless somebody says otherwise: what is on them, and how they look.

Neither is enough: a network trained on photographs is blind to much of the colour by which people
sort, and edges do not know that a dog from behind is a dog.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from likewise.features.cache import Vectors
from likewise.features.feature_views import MOST_COLUMNS, FeatureViews
from likewise.features.pictures import looks, mobilenet
from likewise.features.pictures.threads import in_threads
from likewise.features.scaling import weighted_blocks

WIDTHS = {**looks.WIDTHS, "content": mobilenet.WIDTH}
# A quarter of the variance for the looks, in three equal parts, so that they count half as much in
# distances: chosen on some piles, shown on others by `python -m benchmarks picture_features`.
WEIGHTS = {**dict.fromkeys(looks.WIDTHS, 0.25 / 3), "content": 1.0}


class Photographs:
    """What is on pictures and how they look; fits `PictureModel`."""

    cache_key = "photographs-1"
    side = mobilenet.SIDE

    def embed_pictures(self, pictures: Sequence[Any]) -> npt.ArrayLike:
        """Return the descriptors of how each picture looks, and of what is on it."""
        return np.array(in_threads(_describe, pictures))

    def reduced(self, vectors: Vectors) -> npt.NDArray[np.float64]:
        """Reduce the descriptors of a pile to few columns, weighted as they have proved good."""
        widths, weights = [*WIDTHS.values()], [*WEIGHTS.values()]
        return weighted_blocks(vectors, widths, weights, most_columns=MOST_COLUMNS)

    def views(self, vectors: Vectors) -> FeatureViews:
        """Return what is on pictures, edges, texture and colour as views of their own."""
        return looks.views_of(self.reduced(vectors), vectors, WIDTHS, WEIGHTS)


def _describe(picture: Any) -> npt.NDArray[np.float32]:
    return np.concatenate([looks.describe(picture), mobilenet.embed(picture)])
