"""Small pictures for the tests of piles."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PIL import Image


def paint(path: Path, seed: int, size: tuple[int, int] = (24, 18)) -> Path:
    """A picture of noise in a shade that the seed decides, written in the format of its name."""
    rng = np.random.default_rng(seed)
    shade = np.array([seed * 60 % 256, 255 - seed * 60 % 256, 128])
    noise = rng.integers(-40, 40, (size[1], size[0], 3))
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.fromarray(np.clip(shade + noise, 0, 255).astype(np.uint8)).save(path)
    return path


def paint_photos(folder: Path, n: int = 6) -> Path:
    """Different pictures in two folders of a folder."""
    for k in range(n):
        paint(folder / "ab"[k % 2] / f"{k}.png", k)
    return folder
