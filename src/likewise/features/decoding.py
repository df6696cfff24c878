"""Decode picture files within limits: how many at once, how much memory, how much time.

A file of half a megabyte can claim a hundred million pixels, and a page asks for forty pictures at
once. What a picture takes is known from its header, before a pixel is decoded: one that takes more
than there is to spend is refused, and those that would together wait for one another.
"""

from __future__ import annotations

import io
import os
import struct
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from threading import Condition
from typing import IO, TYPE_CHECKING, Any, cast

from likewise._extras import extra_explained, missing_sentence
from likewise.features.pictures.raw_previews import SUFFIXES as RAW_PREVIEWS
from likewise.features.pictures.raw_previews import raw_preview
from likewise.features.regular_files import open_regular

if TYPE_CHECKING:
    from PIL import Image

# All that is ever tried on a file, whatever it is called: readers of rarer formats have had more
# holes, and that of EPS starts another program.
FORMATS = ("JPEG", "PNG", "WEBP", "GIF", "BMP", "TIFF")
_ORIENTATION = 274  # in EXIF
_HEIF = "HEIF"  # of phones, if its reader is there
AT_ONCE = 4  # pictures decoded at the same time in one process
_MEGABYTES = 400  # that the pictures being decoded may take together, unless the variable says more
_VARIABLE = "LIKEWISE_PICTURE_MEMORY"
_SECONDS = 30.0  # of a processor's time that a picture may take
_CHUNK = 4096  # bytes between two looks at the clock
_BYTES = {"1": 1, "L": 1, "P": 1, "I;16": 2, "I;16B": 2, "I;16L": 2}  # Pillow's; others take 4


class Unreadable(Exception):  # noqa: N818 - reads as what it is
    """A file that is no picture we can use; the message says why."""


class TooLarge(Unreadable):
    """A picture that takes more memory than this process may spend on it."""


def decode(path: Path, side: int, *, most: int | None = None) -> Image.Image:
    """Return a picture, upright, reduced to at most `side` pixels along its longer side.

    Parameters
    ----------
    path : Path
        The file; only a regular file is opened.
    side : int
        A JPEG is decoded at a smaller scale where that leaves so many pixels.
    most : int, optional
        How many bytes it may take; None: all that this process may spend.

    Raises
    ------
    Unreadable
        If it is no picture, damaged, too large or not to be read; the message says which.
    """
    with extra_explained():
        from PIL import Image, ImageOps, UnidentifiedImageError

    try:
        with warnings.catch_warnings(), _Watched(open_regular(path)) as file:
            # Pillow warns of what the checks below refuse, and of harmless oddities in files.
            warnings.simplefilter("ignore")
            source, orientation = _shown(path, cast("IO[bytes]", file))
            with Image.open(source, formats=_formats()) as image:
                whole = image.size
                image.draft("RGB", (side, side))  # lets JPEG files be decoded at a smaller scale
                with _spending(_bytes_needed(image, whole), whole, most):
                    if orientation != 1 and _ORIENTATION not in image.getexif():
                        image.getexif()[_ORIENTATION] = orientation
                    return ImageOps.exif_transpose(_reduced(image, side))
    except UnidentifiedImageError as error:
        if path.suffix.lower() in (".heic", ".heif") and _HEIF not in _formats():
            raise Unreadable(missing_sentence("pi_heif")) from error
        raise Unreadable("not a picture, or damaged") from error
    except Image.DecompressionBombError as error:
        raise TooLarge("too large to be opened safely") from error
    except FileNotFoundError as error:
        raise Unreadable("there is no such file") from error
    except PermissionError as error:
        raise Unreadable("no permission to read it") from error
    except TimeoutError as error:
        raise Unreadable("takes too long to decode") from error
    except MemoryError as error:
        raise TooLarge("too large for the memory of this machine") from error
    # Pillow's readers raise all of these on damaged files.
    except (OSError, ValueError, SyntaxError, TypeError, LookupError, ArithmeticError) as error:
        if isinstance(error, OSError) and error.strerror:
            raise Unreadable(error.strerror) from error
        raise Unreadable(f"damaged: {_reason(error)}") from error
    except (EOFError, struct.error, RuntimeError) as error:
        raise Unreadable(f"damaged: {_reason(error)}") from error


def read_exif(path: Path) -> Image.Exif | None:
    """Return what a camera wrote into a picture, without decoding a pixel; None if nothing."""
    with extra_explained():
        from PIL import Image

    try:
        with warnings.catch_warnings(), _Watched(open_regular(path)) as file:
            warnings.simplefilter("ignore")
            with Image.open(cast("IO[bytes]", file), formats=_formats()) as image:
                if image.format == "PNG" and "exif" not in image.info:
                    return None  # Pillow would decode all of it to look behind the pixels
                return image.getexif()
    except Exception:  # noqa: BLE001 - Pillow's readers raise almost anything on damaged files
        return None


def _shown(path: Path, file: IO[bytes]) -> tuple[IO[bytes], int]:
    """Return where the picture of a file is, and how it is turned if it does not say so itself."""
    if path.suffix.lower() not in RAW_PREVIEWS:
        return file, 1
    preview = raw_preview(file)
    if preview is None:
        raise Unreadable("a raw file without a preview that can be read (export JPEG from it)")
    return io.BytesIO(preview.jpeg), preview.orientation


@cache
def _formats() -> tuple[str, ...]:
    """Return what is tried on files: HEIF, too, where its reader can be loaded."""
    try:
        from pi_heif import register_heif_opener
    except ImportError:
        return FORMATS
    register_heif_opener(thumbnails=False)
    return (*FORMATS, _HEIF)


def memory() -> int:
    """Return how many bytes the pictures being decoded may take together."""
    try:
        wanted = int(os.environ.get(_VARIABLE, ""))
    except ValueError:
        wanted = 0
    return (wanted if wanted > 0 else _MEGABYTES) * 2**20


def _reduced(image: Image.Image, side: int) -> Image.Image:
    """Return the picture at most `side` pixels wide and high, as something that can be turned."""
    image.decodermaxblock = _CHUNK  # type: ignore[attr-defined]
    image.load()
    # Pillow cannot shrink sixteen bits.
    small = image.convert("I") if image.mode.startswith("I;16") else image
    small.thumbnail((side, side))
    return small


def _bytes_needed(image: Any, whole: tuple[int, int]) -> int:
    """Return what decoding takes at most: Pillow's own pixels, and what the decoder keeps."""
    pixels, all_pixels = image.width * image.height, whole[0] * whole[1]
    per_pixel = _BYTES.get(image.mode, 4)
    if image.mode in ("RGBA", "LA", "PA") or image.mode.startswith("I"):
        per_pixel += 4  # a second copy: premultiplied, or of four bytes each
    needed = pixels * per_pixel
    if image.format == "WEBP":
        needed += 8 * all_pixels  # two canvases
    elif image.format == _HEIF:
        needed += 8 * all_pixels  # planes of brightness and colour, and the reader's own pixels
    elif image.format == "JPEG" and "progressive" in image.info:
        needed += 2 * _coefficients(image, all_pixels)
    return int(needed)


def _coefficients(image: Any, all_pixels: int) -> int:
    """Return how many numbers a progressive JPEG holds; all are kept until the last scan."""
    factors = [(h, v) for _, h, v, _ in image.layer]
    finest = max((h for h, _ in factors), default=1) * max((v for _, v in factors), default=1)
    return int(all_pixels * sum(h * v for h, v in factors) / max(finest, 1))


def _reason(error: BaseException) -> str:
    return str(error).strip().split("\n")[0] or type(error).__name__


class _Watched(io.RawIOBase):
    """A file that is no longer read once decoding it has taken too long.

    Only the processor's time of this thread counts, so that a busy machine refuses nothing.
    """

    def __init__(self, file: io.BufferedReader) -> None:
        self._file = file
        self._until = time.thread_time() + _SECONDS

    def read(self, size: int | None = -1) -> bytes:
        if time.thread_time() > self._until:
            raise TimeoutError
        return self._file.read(-1 if size is None else size)

    def fileno(self) -> int:
        return self._file.fileno()

    def seek(self, offset: int, whence: int = 0) -> int:
        return self._file.seek(offset, whence)

    def tell(self) -> int:
        return self._file.tell()

    def close(self) -> None:
        self._file.close()
        super().close()


_spent = 0  # bytes that the pictures being decoded take
_running = 0
_change = Condition()


@contextmanager
def _spending(needed: int, size: tuple[int, int], most: int | None) -> Iterator[None]:
    """Wait until there is room for a picture, and keep it while the block runs."""
    global _spent, _running
    available = memory()
    if needed > (available if most is None else most):
        raise TooLarge(f"too large, {size[0]} × {size[1]} pixels")
    with _change:
        _change.wait_for(lambda: _running < AT_ONCE and _spent + needed <= available)
        _spent, _running = _spent + needed, _running + 1
    try:
        yield
    finally:
        with _change:
            _spent, _running = _spent - needed, _running - 1
            _change.notify_all()
