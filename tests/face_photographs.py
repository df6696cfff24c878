"""Photographs whose faces are squares of colour, and a model that finds them, for tests."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from likewise.features.faces import Face


class Corners:
    """A stand-in: a face in every corner of a photograph that is not black."""

    cache_key = "corners-1"
    side = 64
    width = 3

    def __init__(self) -> None:
        self.looked_at = 0

    def find_faces(self, picture: Any) -> Sequence[Face]:
        self.looked_at += 1
        pixels = np.asarray(picture, dtype=np.float32)
        faces = []
        for left in (0.75, 0.0):
            colour = pixels[:8, int(left * picture.width) :][:, :8].mean(axis=(0, 1))
            if colour.max() > 20:
                faces.append(Face((left, 0.0, left + 0.25, 0.25), colour / 255))
        return faces


def corners(path: Path, *colours: str) -> Path:
    """Save a black picture with a square of each colour in its upper corners."""
    picture = Image.new("RGB", (64, 64))
    for colour, left in zip(colours, (0, 48), strict=False):
        picture.paste(colour, (left, 0, left + 16, 16))
    picture.save(path)
    return path
