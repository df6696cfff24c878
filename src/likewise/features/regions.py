"""A part of a picture file that is an item of its own, such as a face on a photograph."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from likewise.features.decoding import decode

if TYPE_CHECKING:
    from PIL import Image

_MARK = "#"  # between a picture's name and the number of the part
_MOST = 4096  # pixels along the longer side of the whole picture, however small the part


@dataclass(frozen=True)
class PictureRegion:
    """A part of a picture file.

    Parameters
    ----------
    path : Path
        The file.
    box : tuple of float
        Left, top, right and bottom of the part, as shares of the upright picture's width and
        height.
    """

    path: Path
    box: tuple[float, float, float, float]

    def enlarged(self, share: float) -> PictureRegion:
        """Return the part with a margin of so much of its width and height on every side.

        >>> PictureRegion(Path("a.jpg"), (0.25, 0.5, 0.5, 1.0)).enlarged(0.5).box
        (0.125, 0.25, 0.625, 1.0)
        """
        left, top, right, bottom = self.box
        across, down = share * (right - left), share * (bottom - top)
        wider = (left - across, top - down, right + across, bottom + down)
        return PictureRegion(self.path, tuple(min(max(one, 0.0), 1.0) for one in wider))  # type: ignore[arg-type]


def decode_part(
    picture: Path | PictureRegion, side: int, *, most: int | None = None
) -> Image.Image:
    """Return a picture file, or a part of one, upright and at most `side` pixels wide and high.

    Parameters
    ----------
    picture : Path or PictureRegion
        The file, or the part.
    side, most
        As of `likewise.features.decoding.decode`.

    Raises
    ------
    Unreadable
        If the file is no picture, damaged, too large or not to be read.
    """
    if isinstance(picture, Path):
        return decode(picture, side, most=most)
    left, top, right, bottom = picture.box
    extent = max(right - left, bottom - top, side / _MOST)
    whole = decode(picture.path, math.ceil(side / extent), most=most)
    width, height = whole.size
    x, y = min(int(left * width), width - 1), min(int(top * height), height - 1)
    corner = (max(math.ceil(right * width), x + 1), max(math.ceil(bottom * height), y + 1))
    part = whole.crop((x, y, *corner))
    part.thumbnail((side, side))
    return part


def file_of(picture: object) -> Path | None:
    """Return the file of a picture or of a part of one; None if it is pixels in memory.

    >>> file_of(PictureRegion(Path("a.jpg"), (0.0, 0.0, 0.5, 0.5))) == file_of(Path("a.jpg"))
    True
    """
    if isinstance(picture, PictureRegion):
        return picture.path
    return picture if isinstance(picture, Path) else None


def part_name(whole: str, number: int) -> str:
    """Return what a part of a picture is called, by the picture's name and the part's number."""
    return f"{whole}{_MARK}{number}"


def whole_name(part: str) -> str:
    """Return the name of the picture of which this is a part's name.

    >>> whole_name(part_name("2019/beach #1.jpg", 2))
    '2019/beach #1.jpg'
    """
    return part.rpartition(_MARK)[0]
