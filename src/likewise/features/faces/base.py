"""The contract of a model of faces: a picture in, the faces on it out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True)
class Face:
    """A face on a picture.

    Parameters
    ----------
    box : tuple of float
        Left, top, right and bottom, as shares of the picture's width and height.
    vector : array (d,)
        Near those of other pictures of the same person.
    """

    box: tuple[float, float, float, float]
    vector: npt.NDArray[np.float32]


@runtime_checkable
class FaceModel(Protocol):
    """A model of faces. Building it must be cheap; what is large is loaded by the first call."""

    # How faces are found, with a version: those found under the same key are used again.
    cache_key: str

    side: int  # pixels along the longer side that are enough to find faces
    width: int  # numbers in a face's vector

    def find_faces(self, picture: Any) -> Sequence[Face]:
        """Return the faces on a Pillow image, which is upright and RGB; several threads may ask."""
