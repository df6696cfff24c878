"""Previews in raw files of cameras: the JPEG that the camera's own display shows.

Most raw files are TIFF files with makers' tags: a chain of directories, some below others, one of
which says where the preview lies. Only that is read; the sensor's own pixels are left alone, so
that no reader of them is needed.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import IO

# Whose previews are found; other raw files have containers of their own.
SUFFIXES = (".nef", ".nrw", ".cr2", ".arw", ".sr2", ".dng", ".pef", ".srw", ".orf", ".rw2", ".raf")

_MAGIC = (42, 0x4F52, 0x5352, 0x55)  # TIFF, two of Olympus, Panasonic
_FUJI, _FUJI_PLACE = b"FUJIFILMCCD-RAW", 84  # where offset and length of its preview stand
_ORIENTATION, _BELOW, _OFFSET, _LENGTH, _PANASONIC = 274, 330, 513, 514, 46
_COMPRESSION, _STRIPS, _STRIP_LENGTHS = 259, 273, 279
_JPEG = (6, 7)
_FORMATS = {3: "H", 4: "L", 13: "L"}  # whole numbers of two bytes, of four, and directories
_MOST_DIRECTORIES, _MOST_ENTRIES, _MOST_VALUES = 32, 512, 16
_MOST_BYTES = 64 * 2**20
_LOSSY = (0xC0, 0xC1, 0xC2)  # what begins a picture; C3 begins a sensor's pixels
_ALONE = (0x01, *range(0xD0, 0xD9))  # markers without a length


@dataclass(frozen=True)
class RawPreview:
    """A preview: the bytes of a JPEG, and how it is to be turned (as in EXIF, 1: not at all)."""

    jpeg: bytes
    orientation: int


def raw_preview(file: IO[bytes]) -> RawPreview | None:
    """Return the largest preview in a raw file, None if none is found.

    Raises
    ------
    OSError
        If the file cannot be read.
    """
    start = file.read(16)
    orientation, places = 1, []
    if start.startswith(_FUJI):
        file.seek(_FUJI_PLACE)
        places = [struct.unpack(">LL", file.read(8).ljust(8, b"\0"))]
    elif start[:2] in (b"II", b"MM"):
        found = _Directories(file, "<" if start[:2] == b"II" else ">")
        if found.number(start[2:4], "H") in _MAGIC:
            places = list(found.places(found.number(start[4:8], "L")))
            orientation = found.orientation
    for offset, length in sorted(places, key=lambda place: -place[1]):
        if 0 < length <= _MOST_BYTES:
            file.seek(offset)
            jpeg = file.read(length)
            if _is_picture(jpeg):
                return RawPreview(jpeg, orientation)
    return None


@dataclass
class _Directories:
    """The directories of a TIFF file, as far as previews are concerned."""

    file: IO[bytes]
    order: str
    orientation: int = 1
    _seen: set[int] = field(default_factory=set)

    def number(self, data: bytes, kind: str) -> int:
        """Return the number that some bytes are, 0 if there are too few."""
        size = struct.calcsize(self.order + kind)
        return int(struct.unpack(self.order + kind, data[:size].ljust(size, b"\0"))[0])

    def places(self, first: int) -> Iterator[tuple[int, int]]:
        """Yield offset and length of everything that may be a preview."""
        waiting = [first]
        while waiting and len(self._seen) < _MOST_DIRECTORIES:
            at = waiting.pop(0)
            if at == 0 or at in self._seen:
                continue
            self._seen.add(at)
            tags, following = self._directory(at)
            if at == first:
                self.orientation = tags.get(_ORIENTATION, [1])[0]
            if _OFFSET in tags and _LENGTH in tags:
                yield tags[_OFFSET][0], tags[_LENGTH][0]
            if _PANASONIC in tags:
                offset, length = tags[_PANASONIC]
                yield offset, length
            whole = len(tags.get(_STRIPS, ())) == len(tags.get(_STRIP_LENGTHS, ())) == 1
            if whole and tags.get(_COMPRESSION, [0])[0] in _JPEG:
                yield tags[_STRIPS][0], tags[_STRIP_LENGTHS][0]
            waiting += [following, *tags.get(_BELOW, [])]

    def _directory(self, at: int) -> tuple[dict[int, list[int]], int]:
        """Return the numbers under each tag of a directory, and where the next one is."""
        self.file.seek(at)
        count = self.number(self.file.read(2), "H")
        entries = self.file.read(12 * min(count, _MOST_ENTRIES) + 4)
        tags: dict[int, list[int]] = {}
        for k in range(min(count, _MOST_ENTRIES)):
            entry = entries[12 * k : 12 * k + 12]
            tag, kind = self.number(entry, "H"), self.number(entry[2:], "H")
            n, value = self.number(entry[4:], "L"), entry[8:]
            if tag == _PANASONIC and kind == 7:
                tags[tag] = [self.number(value, "L"), n]
            elif kind in _FORMATS and 0 < n <= _MOST_VALUES:
                tags[tag] = self._numbers(_FORMATS[kind], n, value)
        following = entries[12 * count : 12 * count + 4]
        return tags, self.number(following, "L")

    def _numbers(self, kind: str, n: int, value: bytes) -> list[int]:
        """Return the numbers of an entry, which stand elsewhere if four bytes do not hold them."""
        size = struct.calcsize(self.order + kind)
        if n * size > 4:
            self.file.seek(self.number(value, "L"))
            value = self.file.read(n * size)
        return [self.number(value[size * k :], kind) for k in range(n)]


def _is_picture(jpeg: bytes) -> bool:
    """Return whether bytes begin a JPEG that can be shown, and not a sensor's pixels."""
    if not jpeg.startswith(b"\xff\xd8"):
        return False
    at = 2
    while at + 4 <= len(jpeg) and jpeg[at] == 0xFF:
        marker = jpeg[at + 1]
        if marker in _LOSSY:
            return True
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            return False
        at += 2 if marker in _ALONE else 2 + int.from_bytes(jpeg[at + 2 : at + 4], "big")
    return False
