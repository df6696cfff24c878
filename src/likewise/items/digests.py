"""Short names for what items hold, by which a pile is recognised whatever made its features."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence


def digest(*parts: bytes) -> bytes:
    """Return a short name for a content."""
    whole = hashlib.blake2b(digest_size=16)
    for part in parts:
        # With its length, so that ("a", "bc") and ("ab", "c") are two things.
        whole.update(len(part).to_bytes(8, "little") + part)
    return whole.digest()


def text_digest(text: str) -> bytes:
    """Return a short name for a text; halves of surrogate pairs are no trouble."""
    return digest(text.encode("utf-8", "surrogatepass"))


def content_fingerprint(digests: Sequence[bytes]) -> str:
    """Return the fingerprint of items by what they hold."""
    return digest(*digests).hex()[:16]
