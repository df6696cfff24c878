"""Text files as they come: UTF-8, UTF-16 or Latin-1, sometimes with NUL bytes in between."""

from __future__ import annotations

import codecs
from pathlib import Path

from likewise.errors import DataError
from likewise.features.regular_files import read_regular

_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SAMPLE = 4096  # bytes by which UTF-16 without a mark is recognised


def read_text(path: Path, *, expected: str = "text") -> tuple[str, list[str]]:
    """Return the text in a file, and what there is to say about how it was read."""
    try:
        content = read_regular(path)
    except FileNotFoundError as error:
        raise DataError(f"there is no file {path}; check the name") from error
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror}") from error
    text, notes = _decoded(content, path, expected)
    if "\0" in text:
        n = text.count("\0")
        notes.append(f"{n:,} NUL byte{'s' if n > 1 else ''} in {path.name} left out")
        text = text.replace("\0", "")
    return text, notes


def _decoded(content: bytes, path: Path, expected: str) -> tuple[str, list[str]]:
    for mark, encoding in _BOMS:
        if content.startswith(mark):
            try:
                text = content.decode(encoding)
            except UnicodeDecodeError as error:
                raise DataError(
                    f"{path} cannot be read as {expected}: it begins like {encoding} but is "
                    f"damaged at byte {error.start}; save it as UTF-8"
                ) from error
            return text, [] if encoding == "utf-8-sig" else [_read_as(path, encoding)]
    if guess := _unmarked_utf16(content):
        return content.decode(guess, "replace"), [_read_as(path, "utf-16")]
    try:
        return content.decode("utf-8"), []
    except UnicodeDecodeError:
        # Every byte is a letter in Latin-1, so this cannot fail; it may be the wrong letter.
        text = content.decode("cp1252", "replace")
        return text, [f"{_read_as(path, 'latin-1')}; save it as UTF-8 if letters look wrong"]


def _unmarked_utf16(content: bytes) -> str | None:
    """Return UTF-16 with its byte order, if every second byte of a western text is zero."""
    sample = content[:_SAMPLE]
    if len(sample) < 4:
        return None
    zero_first, zero_second = sample[::2].count(0), sample[1::2].count(0)
    most = 0.7 * len(sample) / 2
    if zero_second > most and zero_first == 0:
        return "utf-16-le"
    return "utf-16-be" if zero_first > most and zero_second == 0 else None


def _read_as(path: Path, encoding: str) -> str:
    return f"{path.name} is read as {encoding.upper()}"
