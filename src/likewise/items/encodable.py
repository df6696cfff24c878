"""Text that can be written: files and pages hold no halves of surrogate pairs."""

from __future__ import annotations

import os


def encodable(text: str) -> str:
    """Return the text with � for halves of surrogate pairs, which no file and no page can hold.

    >>> encodable("caf\\ud83d"), encodable("\\ud83d\\ude00")
    ('caf�', '😀')
    """
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def file_name(name: str) -> str:
    """Return the name of a file as text; bytes that are no UTF-8 are written out.

    >>> file_name("caf\\udce9.png")
    'caf\\\\xe9.png'
    """
    return os.fsencode(name).decode("utf-8", "backslashreplace")
