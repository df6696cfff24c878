"""Pictures of items, small enough to send: never by path, always by the item's number."""

from __future__ import annotations

import io
from collections import OrderedDict
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from likewise._extras import extra_explained
from likewise.errors import DataError
from likewise.features.decoding import Unreadable
from likewise.features.regions import PictureRegion, decode_part, file_of
from likewise.items import Items
from likewise.journal.pairs import Question
from likewise.journal.questions import PlaceQuestion
from likewise.study.question_kinds import AnyQuestion

if TYPE_CHECKING:
    from PIL import Image

LARGE = 1024  # pixels of the two pictures in question, as the page asks for them
TILE, SMALL = 320, 160  # pixels of one of many on a sheet, and in a strip
LARGEST = 2048  # pixels along the longer side that are ever sent
_PLACES = 12  # groups that are in sight without scrolling
_KEPT = 64 * 2**20  # bytes of thumbnails held in memory


class Thumbnails:
    """The thumbnails of a pile; made when first asked for, the latest 64 MB of them kept.

    Several threads may ask for pictures at once.

    Parameters
    ----------
    items
        The pile; its pictures are files, or arrays of pixels in memory.
    """

    def __init__(self, items: Items) -> None:
        self.items = items
        self._kept: OrderedDict[tuple[int, int, int], tuple[bytes, str]] = OrderedDict()
        self._bytes = 0
        self._lock = Lock()

    def prepare(self, question: AnyQuestion) -> None:
        """Make the pictures of a question ahead of time; those that cannot be read are left out."""
        if self.items.pictures is None:
            return
        for item, size in pictures_of(question).items():
            with suppress(DataError):
                self.picture(item, size)

    def picture(self, item: int, size: int, member: int = 0) -> tuple[bytes, str]:
        """Return the picture of an item, encoded, and its media type.

        Parameters
        ----------
        item
            The position of the item.
        size
            Pixels along the longer side at most; taken as 16 if less, as 2048 if more.
        member
            Of a stack: which of its photographs; 0 is the item itself.

        Raises
        ------
        DataError
            If there is no such item, it has no picture, or that cannot be read.
        """
        if self.items.pictures is None or not 0 <= item < len(self.items):
            raise DataError(f"item {item} has no picture")
        size = min(max(size, 16), LARGEST)
        stack = self.items.stacks.get(item, ()) if member else ()
        if not 0 <= member <= len(stack):
            raise DataError(f"item {item} has no photograph {member} in its stack")
        shown = stack[member - 1][1] if member else self.items.pictures[item]
        key = (item, size, member)
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        made = _encoded(shown, size)
        with self._lock:
            if key not in self._kept:
                self._kept[key] = made
                self._bytes += len(made[0])
            while self._bytes > _KEPT and len(self._kept) > 1:
                _, (dropped, _) = self._kept.popitem(last=False)
                self._bytes -= len(dropped)
        return made


def pictures_of(question: AnyQuestion) -> dict[int, int]:
    """Return the items whose pictures a question shows, each with the size that the page wants."""
    match question:
        case Question():
            return dict.fromkeys(question.pair, LARGE)
        case PlaceQuestion():
            return {question.item: LARGE, **dict.fromkeys(question.members[:_PLACES], SMALL)}
    # What a sheet without a group is about stands there large.
    first = {} if question.group is not None else {question.items[0]: LARGE}
    return {**dict.fromkeys(question.items, TILE), **first}


def _encoded(picture: Path | PictureRegion | npt.NDArray[np.uint8], size: int) -> tuple[bytes, str]:
    """Return the picture scaled and encoded, without what a camera wrote beside the pixels."""
    image = _from_pixels(picture, size) if isinstance(picture, np.ndarray) else _read(picture, size)
    out = io.BytesIO()
    if isinstance(picture, np.ndarray) or image.mode in ("RGBA", "LA", "P"):
        image.save(out, "PNG")
        return out.getvalue(), "image/png"
    image.convert("RGB").save(out, "JPEG", quality=86)
    return out.getvalue(), "image/jpeg"


def _from_pixels(pixels: npt.NDArray[np.uint8], size: int) -> Image.Image:
    """Return an array of pixels as a picture; a small one is enlarged smoothly."""
    with extra_explained():
        from PIL import Image

    image = Image.fromarray(pixels)
    scale = size / max(image.size)
    wanted = (max(round(image.width * scale), 1), max(round(image.height * scale), 1))
    return image.resize(wanted, Image.Resampling.BICUBIC if scale > 1 else Image.Resampling.BOX)


def _read(picture: Path | PictureRegion, size: int) -> Image.Image:
    """Return the picture in a file, upright, at most `size` pixels wide and high."""
    try:
        turned = decode_part(picture, size)
    except Unreadable as error:
        path = file_of(picture)
        raise DataError(f"the picture {path and path.name} cannot be shown: {error}") from error
    return turned.convert("RGBA") if "transparency" in turned.info else turned
