"""Photographs as a camera leaves them: bursts, and others taken in between."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PIL import Image, ImageEnhance

_TAKEN, _MODEL, _EXIF = 0x9003, 0x0110, 0x8769


def scene(seed: int) -> Image.Image:
    """A picture of large patches: what is where, in which colours, differs by the seed."""
    rng = np.random.default_rng(seed)
    patches = rng.integers(0, 256, (5, 5, 3), dtype=np.uint8)
    return Image.fromarray(patches).resize((300, 300), Image.Resampling.BICUBIC)


def photograph(
    path: Path, seed: int, taken: str | None, *, shake: int = 0, camera: str = "X"
) -> None:
    """Write a photograph of a scene; `shake` moves the camera, a little further each time."""
    picture = scene(seed).crop((shake, shake // 2, 260 + shake, 260 + shake // 2))
    picture = ImageEnhance.Brightness(picture).enhance(1 + shake / 200)
    exif = Image.Exif()
    exif[_MODEL] = camera
    if taken is not None:
        exif.get_ifd(_EXIF)[_TAKEN] = taken
    path.parent.mkdir(parents=True, exist_ok=True)
    picture.save(path, exif=exif, quality=90)


def burst_folder(folder: Path) -> Path:
    """Four photographs of a burst, two of another, and four that only seem to belong."""
    for k in range(4):
        photograph(folder / f"a{k}.jpg", 1, f"2024:05:01 12:00:0{k}", shake=4 * k)
    photograph(folder / "between.jpg", 2, "2024:05:01 12:00:02")  # a quick look elsewhere
    photograph(folder / "later.jpg", 1, "2024:05:01 12:01:00", shake=2)
    photograph(folder / "other-camera.jpg", 1, "2024:05:01 12:00:01", shake=3, camera="Y")
    photograph(folder / "undated.jpg", 1, None, shake=5)
    for k in range(2):
        photograph(folder / f"b{k}.jpg", 3, "2024:06:01 09:00:00", shake=6 * k)
    return folder
