"""Raw files as cameras build them, with next to nothing in them but a preview."""

from __future__ import annotations

import io
import struct
from collections.abc import Sequence

from PIL import Image

Entry = tuple[int, int, int]  # tag, kind of number, number


def jpeg_of(image: Image.Image) -> bytes:
    """The bytes of a picture as JPEG."""
    written = io.BytesIO()
    image.save(written, "JPEG", quality=95)
    return written.getvalue()


def sensor_pixels() -> bytes:
    """What begins like a JPEG and is a sensor's pixels, longer than any preview."""
    return b"\xff\xd8\xff\xc3\x00\x0b" + bytes(90_000)


def tiff_like(jpeg: bytes, *, order: str = "<", magic: int = 42, orientation: int = 6) -> bytes:
    """A directory with the orientation, one below it with the preview, one with the sensor."""
    sensor = sensor_pixels()
    places = [8, 8 + 42, 8 + 84]
    data = 8 + 126
    directories: list[Sequence[Entry]] = [
        [(274, 3, orientation), (330, 4, places[1]), (12345, 2, 7)],
        [(513, 4, data), (514, 4, len(jpeg)), (330, 4, places[0])],  # a circle leads nowhere
        [(259, 3, 7), (273, 4, data + len(jpeg)), (279, 4, len(sensor))],
    ]
    found = (b"II" if order == "<" else b"MM") + struct.pack(order + "HL", magic, places[0])
    for number, entries in enumerate(directories):
        following = places[2] if number == 0 else 0
        found += struct.pack(order + "H", len(entries))
        for tag, kind, value in entries:
            packed = struct.pack(order + ("H" if kind == 3 else "L"), value).ljust(4, b"\0")
            found += struct.pack(order + "HHL", tag, kind, 1) + packed
        found += struct.pack(order + "L", following)
    return found + jpeg + sensor


def fuji(jpeg: bytes) -> bytes:
    """A file that says at a fixed place where its preview is."""
    start = b"FUJIFILMCCD-RAW 0201".ljust(84, b"\0") + struct.pack(">LL", 92, len(jpeg))
    return start + jpeg


def panasonic(jpeg: bytes) -> bytes:
    """A directory whose own tag holds the preview."""
    entry = struct.pack("<HHLL", 46, 7, len(jpeg), 26)
    return b"II" + struct.pack("<HL", 0x55, 8) + struct.pack("<H", 1) + entry + bytes(4) + jpeg
